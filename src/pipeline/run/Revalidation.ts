/**
 * Whether a run may ask its source only for what has changed: what the last run knew of unchanged things is true only where
 * the rows of that run are in every destination, as this run would write them.
 *
 * The law: a thing that is unchanged has its row already. So each sink has committed the same last run, merges the main
 * table or keeps its history, and the pipeline makes the same rows of the same things; and nothing looks at all rows.
 */
import { createHash } from "node:crypto"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Check from "../Check.ts"
import type * as Pipeline from "../Pipeline.ts"
import * as CommittedPart from "./CommittedPart.ts"
import type * as OutputTables from "./OutputTables.ts"
import { writeOf } from "./planOf.ts"
import type * as RecordedResponses from "./RecordedResponses.ts"
import type * as SinkSessions from "./SinkSessions.ts"

/** The run whose knowledge counts; undefined: everything is read. */
export const lastRun = <R>(
  pipeline: Pipeline.Pipeline<R>,
  layout: OutputTables.OutputTables,
  sessions: SinkSessions.SinkSessions,
  runId: string,
  { except, fullRefresh, mode }: RecordedResponses.Options
): string | undefined => {
  const open = sessions.open()
  const isAll = open.length === Object.keys(pipeline.sinks).length && except.length === 0
  if (mode !== "live" || fullRefresh || !isAll || !mayRevalidate(pipeline, layout)) return undefined
  // Of a run that has committed parts, and was given up, nobody knows which of its rows are newer.
  const runs = new Set(
    open.map(({ part, writer }) => {
      const resume = Option.getOrUndefined(writer.resume)
      if (resume?.runId === runId) return part?.before ?? undefined
      return CommittedPart.of(writer.resume) === undefined ? resume?.runId : undefined
    })
  )
  const [run] = runs
  return runs.size === 1 ? run : undefined
}

/** Whether rows that are there stay there, and nothing needs to see them. */
export const mayRevalidate = <R>(pipeline: Pipeline.Pipeline<R>, layout: OutputTables.OutputTables): boolean => {
  if (pipeline.source.revalidates !== true || layout.keyNames === undefined) return false
  if (pipeline.steps.some(({ dedupe }) => dedupe !== undefined)) return false
  if (!pipeline.checks.every((check) => needsNoRow(check, layout))) return false
  const { main } = layout
  const own = layout.tables.filter((table) => table === main || table.parent?.table === main.name)
  return Object.values(pipeline.sinks).every((sink) =>
    own.every((table) => ["merge", "scd2"].includes(writeOf(sink, layout, table)))
  )
}

/** Whether what is unchanged changes nothing of what a check finds, but its count. */
const needsNoRow = (check: Check.Check, { main }: OutputTables.OutputTables): boolean => {
  if (check.whole !== undefined || check.not_null !== undefined || check.accepted !== undefined) return true
  if (check.table !== undefined && check.table !== main.name) return false
  if (check.rows !== undefined || check.ok_status !== undefined) return true
  return check.freshness?.column === "_fetched_at"
}

/**
 * What rows are made by, as a few characters: whether another run would make the same of the same things. Another salt makes
 * other hashes, and JSON shows none.
 */
export const printOf = <R>({ source, steps, table }: Pipeline.Pipeline<R>): string => {
  const salts = steps.map(({ salt }) => (salt === undefined ? "" : Redacted.value(salt)))
  const of = [source.type, source.options, steps, table, ...(salts.join("") === "" ? [] : [salts])]
  return createHash("sha256").update(JSON.stringify(of)).digest("hex").slice(0, 12)
}
