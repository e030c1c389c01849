/** What a destination keeps of a run: when it was, what was counted, and the rows that went there. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Column from "../Column.ts"
import type * as Journal from "../Journal.ts"
import type * as Sink from "../Sink.ts"
import * as Accounting from "./Accounting.ts"
import type * as SinkSession from "./SinkSession.ts"
import type * as Wholeness from "./Wholeness.ts"

/** `once` is left out: a key counts when its run is there as a whole. */
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

/** Now; not before the run began, also where the clock went back meanwhile. Microseconds since the epoch. */
export const committedAt = ({ started_at }: Pick<Journal.RunState, "started_at">): Effect.Effect<bigint> =>
  Effect.map(Clock.currentTimeMillis, (now) => Column.timestampFromMillis(Math.max(started_at, now)))
