/**
 * Whether a run may request only what has changed. That is possible only if every destination already has the rows of
 * unchanged things, as this run would write them.
 *
 * Guarantee: each sink has committed the same last run, and writes the main table with merge or scd2; the pipeline still makes
 * the same rows of the same things; and no step or check needs all rows.
 */
import { createHash } from "node:crypto"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Check from "../Check.ts"
import type * as OutputTables from "../OutputTables.ts"
import type * as Pipeline from "../Pipeline.ts"
import { writeOf } from "../planOf.ts"
import * as CommittedPart from "./CommittedPart.ts"
import type * as RecordedResponses from "./RecordedResponses.ts"
import type * as SinkSessions from "./SinkSessions.ts"

/** The id of the run whose knowledge can be used; undefined: everything is read. */
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
  // If a destination has only parts of a run that was given up, nobody knows which of its rows are newer.
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

/** Whether every sink keeps stored rows, and no step or check needs to see them. */
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

/** Whether unchanged rows cannot change the result of a check, or only by their number. */
const needsNoRow = (check: Check.Check, { main }: OutputTables.OutputTables): boolean => {
  if (!Check.looksAtRows(check) || check.not_null !== undefined || check.accepted !== undefined) return true
  if (check.table !== undefined && check.table !== main.name) return false
  if (check.rows !== undefined || check.ok_status !== undefined) return true
  return check.freshness?.column === "_fetched_at"
}

/**
 * A short hash of everything that decides how rows are made: two runs with the same hash make the same rows of the same
 * things. Salts are added as text, because the JSON of a step hides them.
 */
export const printOf = <R>({ source, steps, table }: Pipeline.Pipeline<R>): string => {
  const salts = steps.map(({ salt }) => (salt === undefined ? "" : Redacted.value(salt)))
  const of = [source.type, source.options, steps, table, ...(salts.join("") === "" ? [] : [salts])]
  return createHash("sha256").update(JSON.stringify(of)).digest("hex").slice(0, 12)
}
