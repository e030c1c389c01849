/**
 * The outcome of an attempt, and what the journal keeps of it: the rows that the sinks got, the counts of the source, and why
 * sinks failed.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Journal from "../Journal.ts"
import * as LastRun from "../output/LastRun.ts"
import type * as Pipeline from "../Pipeline.ts"
import type * as Sink from "../Sink.ts"
import * as Accounting from "./Accounting.ts"
import type * as Remarks from "./Remarks.ts"
import * as Revalidation from "./Revalidation.ts"
import * as RowProcessor from "./RowProcessor.ts"
import type * as SinkSessions from "./SinkSessions.ts"
import * as Wholeness from "./Wholeness.ts"

/** The outcome of an attempt that did not fail. */
export interface Outcome {
  /** done: every sink committed. behind: some sinks failed. held: a check did not pass, and nothing was committed. */
  readonly status: "done" | "behind" | "held"
  /** The sinks that the attempt was for. */
  readonly served: ReadonlyArray<string>
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>
  /** The last counts of the source, by name. */
  readonly facts: Readonly<Record<string, number>>
  /** Rows that did not fit their table. */
  readonly rejects: number
  /** Rows that only one destination rejected, by sink; they are not in `rejects`. */
  readonly rejected: Readonly<Record<string, number>>
  /** What happened to everything that the source discovered; none: the source does not count that. */
  readonly accounting: Option.Option<Accounting.Accounting>
  /** What is missing; undefined: the source does not report how much it has discovered. */
  readonly wholeness: Wholeness.Wholeness | undefined
  /** The results of the checks. */
  readonly checks: ReadonlyArray<Sink.CheckRecord>
  /** The warnings of the source, the most frequent kind first; empty if this call has read nothing. */
  readonly warnings: ReadonlyArray<Remarks.WarningKind>
  /** The results of the commits, by sink. */
  readonly commitResults: Readonly<Record<string, Sink.CommitResult>>
  /** The sinks that could not commit, with their errors. The next run gives them the missed rows first. */
  readonly failures: Readonly<Record<string, Sink.SinkError>>
}

/** The facts of a run: the counts of its source, and what was missing. */
export const factsOf = <R>(
  pipeline: Pipeline.Pipeline<R>,
  facts: Readonly<Record<string, number>>,
  counts: Wholeness.Counts,
  wholeness: Wholeness.Wholeness | undefined
): Readonly<Record<string, number>> => ({
  ...facts,
  ...(counts.revalidated === undefined || counts.revalidated === 0 ? {} : { revalidated: counts.revalidated }),
  ...(facts["read"] === undefined && counts.failed + (counts.unread ?? 0) > 0
    ? { failed: (facts["failed"] ?? 0) + counts.failed + (counts.unread ?? 0) }
    : {}),
  ...(wholeness === undefined
    ? {}
    : {
        options: LastRun.printOf(pipeline),
        // If someone has committed a run that lacks too much, later runs expect no more than it had.
        ...(wholeness.isPartial && !wholeness.isLacking
          ? { expected: wholeness.expected, ...wholeness.unreadBefore }
          : { expected: wholeness.present }),
        ...(wholeness.isPartial || wholeness.isLacking ? { partial: 1, missing_rows: wholeness.missing } : {})
      })
})

/** The rows that the sinks got, by table: the greatest number of any sink, because a history gets no rows that are gone. */
export const handedOf = (
  { rows }: RowProcessor.RowProcessor,
  sessions: SinkSessions.SinkSessions
): Readonly<Record<string, number>> => {
  const open = sessions.open()
  if (open.length === 0) return { ...rows }
  return Object.fromEntries(
    Object.keys(rows).map((table) => [table, Math.max(...open.map((session) => session.rows[table] ?? 0))])
  )
}

/**
 * The outcome if every sink has the run already: an earlier attempt made the last commit, and its process died before the
 * journal was updated. The counts are read from the destinations.
 */
export const nothingLeft = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  journal: Journal.RunJournal,
  { failures, have }: SinkSessions.SinkSessions
) {
  const { run_id: own } = journal.state
  const records = yield* Effect.forEach(Object.values(pipeline.sinks), (sink) =>
    LastRun.findLast(pipeline, sink, ({ runId }) => runId === own)
  )
  const { facts, rows } = records.findLast((record) => record !== undefined) ?? journal.state
  yield* journal.keepKnown(Revalidation.printOf(pipeline))
  const ended_at = yield* Clock.currentTimeMillis
  yield* journal.save({ status: "done", committed: have, facts, rows, ended_at, message: null })
  return yield* ofFacts({ status: "done", served: have, facts, rows, failures })
})

/** The outcome of a run of which this call has read nothing, from the facts in its destinations or its journal. */
export const ofFacts = Effect.fnUntraced(function* (
  known: Pick<Outcome, "status" | "served" | "facts" | "rows"> & Partial<Pick<Outcome, "failures">>
) {
  const { dropped = 0, gone = 0, loaded, rejected = 0, revalidated = 0 } = known.facts
  // The sum was checked when the run committed. In its facts, `loaded` does not contain `gone`, as in a history.
  const counts = { seen: loaded ?? 0, gone, rejected, failed: 0, revalidated }
  const accounting =
    loaded === undefined
      ? Option.none<Accounting.Accounting>()
      : yield* Effect.orElseSucceed(Accounting.account(known.facts, counts, { dropped, isHistory: true }), () =>
          Option.none<Accounting.Accounting>()
        )
  const made: Outcome = {
    rejects: rejected,
    rejected: {},
    accounting,
    wholeness: Wholeness.ofFacts(known.facts),
    checks: [],
    warnings: [],
    commitResults: {},
    failures: {},
    ...known
  }
  return made
})

export const of = (
  status: Outcome["status"],
  reading: RowProcessor.RowProcessor,
  judged: Pick<Outcome, "served" | "accounting" | "wholeness" | "checks">,
  ended: Pick<Outcome, "rows" | "commitResults" | "rejected" | "failures">
): Outcome => ({
  status,
  served: judged.served,
  accounting: judged.accounting,
  wholeness: judged.wholeness,
  checks: judged.checks,
  facts: reading.remarks.facts,
  rejects: RowProcessor.rejected(reading),
  warnings: reading.remarks.warnings(),
  ...ended
})

export const messageOf = ({ failures }: SinkSessions.SinkSessions): string | null =>
  Object.entries(failures)
    .map(([name, { message }]) => `sink ${name}: ${message}`)
    .join("; ") || null
