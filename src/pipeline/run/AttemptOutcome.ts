/**
 * What came of an attempt, and what the journal keeps of it: rows that went to the sinks, counts of the source, and why sinks
 * stay behind.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Journal from "../Journal.ts"
import type * as Pipeline from "../Pipeline.ts"
import type * as Sink from "../Sink.ts"
import * as Accounting from "./Accounting.ts"
import * as LastRun from "./LastRun.ts"
import type * as Remarks from "./Remarks.ts"
import * as Revalidation from "./Revalidation.ts"
import type * as RowProcessor from "./RowProcessor.ts"
import type * as SinkSessions from "./SinkSessions.ts"
import * as Wholeness from "./Wholeness.ts"

/** What came of an attempt that did not fail. */
export interface Outcome {
  readonly status: "done" | "behind" | "held"
  /** The sinks that it was for. */
  readonly served: ReadonlyArray<string>
  readonly rows: Readonly<Record<string, number>>
  readonly facts: Readonly<Record<string, number>>
  readonly rejects: number
  /** Rows that a destination did not take, by its sink, beside those. */
  readonly rejected: Readonly<Record<string, number>>
  readonly accounting: Option.Option<Accounting.Accounting>
  /** What is missing, where the source says how much there is. */
  readonly wholeness: Wholeness.Wholeness | undefined
  readonly checks: ReadonlyArray<Sink.CheckRecord>
  /** What the source warns of, the most frequent kind first; empty where this call has read nothing. */
  readonly warnings: ReadonlyArray<Remarks.Said>
  readonly commitResults: Readonly<Record<string, Sink.CommitResult>>
  /** The sinks that could not commit, and why; the next run catches them up. */
  readonly failures: Readonly<Record<string, Sink.SinkError>>
}

/** What is known of a run beside its rows: what its source counted, and what was missing. */
export const factsOf = <R>(
  pipeline: Pipeline.Pipeline<R>,
  facts: Readonly<Record<string, number>>,
  counts: Wholeness.Counts,
  wholeness: Wholeness.Wholeness | undefined
): Readonly<Record<string, number>> => ({
  ...facts,
  ...(counts.revalidated === undefined || counts.revalidated === 0 ? {} : { revalidated: counts.revalidated }),
  ...(facts["read"] === undefined && counts.failed > 0 ? { failed: (facts["failed"] ?? 0) + counts.failed } : {}),
  ...(wholeness === undefined
    ? {}
    : {
        options: LastRun.printOf(pipeline),
        // What somebody has let pass is what is expected from now on.
        ...(wholeness.isPartial && !wholeness.isLacking
          ? { expected: wholeness.expected, ...wholeness.unreadBefore }
          : { expected: wholeness.present }),
        ...(wholeness.isPartial || wholeness.isLacking ? { partial: 1, missing_rows: wholeness.missing } : {})
      })
})

/** Rows that went to the sinks: to the one that got most, as a history gets no row of what is gone. */
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
 * An attempt before this one got as far as the last commit, and its process died before it wrote that down: what it counted
 * is in the destinations.
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

/** A run that is over as far as this call goes, by what its destinations or its journal say. */
export const ofFacts = Effect.fnUntraced(function* (
  known: Pick<Outcome, "status" | "served" | "facts" | "rows"> & Partial<Pick<Outcome, "failures">>
) {
  const { dropped = 0, gone = 0, loaded, rejected = 0, revalidated = 0 } = known.facts
  // The sum was true when the run committed; the facts have what is gone apart already.
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

export const make = (
  status: Outcome["status"],
  { facts, rejects, remarks, rows }: RowProcessor.RowProcessor,
  rest: Pick<Outcome, "served" | "accounting" | "wholeness" | "checks" | "commitResults" | "rejected" | "failures">
): Outcome => ({
  status,
  rows: { ...rows },
  facts,
  rejects: rejects(),
  warnings: remarks.warnings(),
  ...rest
})

export const messageOf = ({ failures }: SinkSessions.SinkSessions): string | null =>
  Object.entries(failures)
    .map(([name, { message }]) => `sink ${name}: ${message}`)
    .join("; ") || null
