/**
 * What a run tells when it has ended.
 *
 * The law: telling is the last thing that a run does with its journal: runs that are over and older than they are kept go.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Journal from "../Journal.ts"
import type * as Pipeline from "../Pipeline.ts"
import type * as Attempt from "./Attempt.ts"

export interface Report extends Attempt.Outcome {
  readonly pipeline: string
  readonly runId: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly durationMillis: number
  /** Whether it went on with a run that an earlier attempt had begun. */
  readonly resumed: boolean
  /** The runs before it that destinations got from the journal. */
  readonly caughtUp: ReadonlyArray<string>
  /** Runs of this call before it, for destinations that stood at other places. */
  readonly before: ReadonlyArray<string>
}

export const make = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  home: Journal.Journal,
  journal: Journal.RunJournal,
  outcome: Attempt.Outcome,
  of: Pick<Report, "resumed" | "caughtUp" | "before"> & { readonly began: number }
) {
  const now = yield* Clock.currentTimeMillis
  const { bytes, keepMillis } = pipeline.journal
  yield* home.prune({ before: now - keepMillis, bytes })
  const made: Report = {
    ...outcome,
    pipeline: pipeline.name,
    runId: journal.state.run_id,
    startedAt: journal.state.started_at,
    durationMillis: now - of.began,
    resumed: of.resumed,
    caughtUp: of.caughtUp,
    before: [...of.before]
  }
  return made
})
