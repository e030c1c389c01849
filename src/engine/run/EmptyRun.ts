/**
 * A run without rows that is held, although its source reports no number that it should have: every row was rejected, or a
 * source that gives everything in each run gave nothing, and a commit would remove what the last run had.
 *
 * Guarantee: an empty answer of a source that was never empty is taken for a fault. `whole: off` lets both through.
 */
import type * as Check from "../Check.ts"
import type * as LastRun from "../output/LastRun.ts"
import type * as Rejects from "../output/Rejects.ts"
import type * as Sink from "../Sink.ts"
import type * as SinkSession from "./SinkSession.ts"
import type { Counts } from "./Wholeness.ts"

interface Reading {
  readonly checks: ReadonlyArray<Check.Check>
  /** The names of the main table and of the table of rejects. */
  readonly table: string
  readonly rejects: string
  readonly sessions: ReadonlyArray<Pick<SinkSession.SinkSession, "isRemoving" | "rejected" | "reasons" | "rows">>
}

interface Read extends Reading {
  readonly counts: Counts
  readonly facts: Readonly<Record<string, number>>
  /** Rows by table, after the steps. */
  readonly rows: Readonly<Record<string, number>>
  readonly reasons: Rejects.Reasons
  readonly last: LastRun.LastRun | undefined
  /** Whether the source reads only what is new. */
  readonly isContinued: boolean
}

/** Judges what was read; undefined: the run is not empty, or may be. */
export const judge = (of: Read): Sink.CheckRecord | undefined => {
  if (isAllowed(of)) return undefined
  const { counts, facts, last, reasons, rejects, rows, sessions, table } = of
  const { failed, gone, revalidated = 0, seen } = counts
  if (seen + gone + failed + revalidated > 0 || !isEmpty(rows, rejects)) return rejectedBySinks(of)
  if (reasons.count > 0) return heldRecord(table, allRejected(reasons))
  const lastRows = last?.rows[table] ?? 0
  const isKept = last?.facts["empty"] === 1
  const removes = !of.isContinued && facts["discovered"] === undefined && sessions.some(({ isRemoving }) => isRemoving)
  if ((lastRows === 0 && !isKept) || !removes) return undefined
  const was = isKept ? "had none either and left those of earlier runs" : `had ${lastRows.toLocaleString("en-US")}`
  return heldRecord(
    table,
    `the source gave no rows, and run ${last?.runId} ${was}, which a commit would remove; look whether the source is well, or allow it with checks: [{ whole: off }]`
  )
}

/** The facts of a run that is committed without rows, and leaves those of earlier runs: the next run is not measured by it. */
export const factsOf = (
  empty: Sink.CheckRecord | undefined,
  { gone, seen }: Counts,
  reasons: Rejects.Reasons
): Readonly<Record<string, number>> =>
  empty !== undefined || (seen + gone === 0 && reasons.count > 0) ? { empty: 1 } : {}

/** Judges what the sinks took: undefined: a row was taken, or none was rejected. */
export const rejectedBySinks = (of: Reading): Sink.CheckRecord | undefined => {
  const { rejects, sessions, table } = of
  const [first] = sessions
  const isAll = sessions.every(({ rejected, rows }) => rejected > 0 && isEmpty(rows, rejects))
  return first === undefined || isAllowed(of) || !isAll ? undefined : heldRecord(table, allRejected(first.reasons))
}

const isAllowed = ({ checks }: Reading): boolean => checks.some(({ whole }) => whole === "off")

const isEmpty = (rows: Readonly<Record<string, number>>, rejects: string): boolean =>
  Object.entries(rows).every(([table, count]) => count === 0 || table === rejects)

const allRejected = ({ count, first }: Rejects.Reasons): string => {
  const rows = count === 1 ? "the only row was" : `all ${count.toLocaleString("en-US")} rows were`
  return `${rows} rejected: ${first.join("; ")}; correct the source or the columns, or commit the rejects with checks: [{ whole: off }]`
}

const heldRecord = (table: string, found: string): Sink.CheckRecord => ({ check: "whole", table, passed: false, found })
