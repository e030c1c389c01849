/**
 * A new run in the journal of a pipeline; or one that destinations have already, begun anew under its own name.
 *
 * The law: runs are in the order of their ids, whatever the clock of the machine does.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type * as Journal from "../Journal.ts"
import type * as Pipeline from "../Pipeline.ts"
import type * as Sink from "../Sink.ts"
import { runId, timeOf } from "./runId.ts"

export interface Options {
  /** The run that destinations have, to be begun anew. */
  readonly loaded?: Sink.RunRecord | undefined
  /** A run that destinations have and that this one comes after. */
  readonly after?: string | undefined
  /** Its caller's key. */
  readonly once?: string | undefined
  /** The sinks that it is for, where it is not for all. */
  readonly sinks?: ReadonlyArray<string> | undefined
}

export const beginRun = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  home: Journal.Journal,
  { after, loaded, once, sinks }: Options = {}
) {
  const last = (yield* home.runs).at(-1)?.state.started_at ?? 0
  const now = Math.max(yield* Clock.currentTimeMillis, last + 1, timeOf(after) + 1)
  const startedAt = loaded === undefined ? now : Number(loaded.startedAt / 1000n)
  return yield* home.begin({
    run_id: loaded?.runId ?? runId(startedAt, yield* Random.next),
    pipeline: pipeline.name,
    source: pipeline.source.type,
    options: pipeline.source.options,
    key: crypto.randomUUID(),
    started_at: startedAt,
    ended_at: null,
    status: "reading",
    start: null,
    checkpoint: null,
    facts: {},
    rows: {},
    message: null,
    sinks: sinks ?? null,
    committed: [],
    ...(once === undefined ? {} : { once })
  })
})
