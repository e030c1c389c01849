/**
 * A new run in the journal of a pipeline; or a run that destinations have already, started again under its own name.
 *
 * Runs are in the order of their ids, whatever the clock of the machine does: a run begins after every run that the
 * journal or a destination has. A history depends on this order.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type * as Journal from "../Journal.ts"
import type * as Pipeline from "../Pipeline.ts"
import type * as Sink from "../Sink.ts"
import * as LastRun from "./LastRun.ts"

export interface Options {
  /** The run that destinations have, to start again. */
  readonly loaded?: Sink.RunRecord | undefined
  /** Its caller's key. */
  readonly once?: string | undefined
  /** The sinks that it is for; default: all. */
  readonly sinks?: ReadonlyArray<string> | undefined
}

export const beginRun = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  pipelineJournal: Journal.Journal,
  { loaded, once, sinks }: Options = {}
) {
  const startedAt =
    loaded === undefined ? yield* nextStart(pipeline, pipelineJournal) : Number(loaded.startedAt / 1000n)
  return yield* pipelineJournal.begin({
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

/** When a new run begins: now, or after the last one where the clock has gone back. Milliseconds since the epoch. */
export const nextStart = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  pipelineJournal: Journal.Journal
) {
  const journaled = (yield* pipelineJournal.runs).reduce((latest, { state }) => Math.max(latest, state.started_at), 0)
  const committed = yield* LastRun.latestStart(pipeline)
  return Math.max(yield* Clock.currentTimeMillis, Math.max(journaled, committed) + 1)
})

/**
 * The name of a run: the time it started and six random digits, so runs sort by time and never meet.
 */
export const runId = (startedAt: number, random: number): string => {
  const time = new Date(startedAt).toISOString().replace(/[-:.]/g, "")
  return `${time}-${Math.floor(random * 0x1000000)
    .toString(16)
    .padStart(6, "0")}`
}

/** When a run started, by its name, in milliseconds since the epoch; 0 where there is none, or where the name says no time. */
export const timeOf = (runId: string | undefined): number => {
  const [, y, mo, d, h, mi, s, ms] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z/.exec(runId ?? "") ?? []
  return ms === undefined ? 0 : Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}.${ms}Z`) || 0
}
