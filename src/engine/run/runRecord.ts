/** The record of a run that a destination keeps: times, counts, and the rows that it got. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Column from "../Column.ts"
import type * as Journal from "../Journal.ts"
import type * as Sink from "../Sink.ts"
import * as Accounting from "./Accounting.ts"
import type * as SinkSession from "./SinkSession.ts"
import type * as Wholeness from "./Wholeness.ts"

/** The record without `once`: only the last commit of a run has the key, because then the destination has the whole run. */
export const runRecord = (
  { pipeline, run_id: runId, started_at: startedAt }: Pick<Journal.RunState, "pipeline" | "run_id" | "started_at">,
  session: SinkSession.SinkSession,
  of: {
    readonly counts: Wholeness.Counts
    readonly facts: Readonly<Record<string, number>>
    readonly dropped: number
    readonly committedAt: bigint
  }
): Sink.RunRecord => {
  const { gone, loaded } = Accounting.loadedOf(of.counts, session.isHistory)
  return {
    runId,
    pipeline,
    startedAt: Column.timestampFromMillis(startedAt),
    committedAt: of.committedAt,
    facts: {
      ...of.facts,
      loaded: loaded - session.rejected,
      ...(gone === 0 ? {} : { gone }),
      rejected: of.counts.rejected + session.rejected,
      dropped: of.dropped
    },
    rows: { ...session.rows }
  }
}

/** The time of a commit: now, but not before the run began, even if the clock has gone back. Microseconds since the epoch. */
export const committedAt = ({ started_at }: Pick<Journal.RunState, "started_at">): Effect.Effect<bigint> =>
  Effect.map(Clock.currentTimeMillis, (now) => Column.timestampFromMillis(Math.max(started_at, now)))
