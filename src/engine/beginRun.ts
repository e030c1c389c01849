/**
 * Begins a new run in the journal of a pipeline, or begins a loaded run again under its old id.
 *
 * Ids of runs are in the order of the runs, even if the clock of the machine goes back: a run begins after every run that
 * the journal or a destination has. A history depends on this order.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type * as Journal from "./Journal.ts"
import * as LastRun from "./output/LastRun.ts"
import type * as Pipeline from "./Pipeline.ts"
import type * as Sink from "./Sink.ts"

interface Options {
  /** The run that destinations have, to begin it again. */
  readonly loaded?: Sink.RunRecord | undefined
  /** The caller's key. */
  readonly once?: string | undefined
  /** The sinks that the run is for; default: all. */
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

/** When a new run begins: now, but after the last run if the clock has gone back. Milliseconds since the epoch. */
export const nextStart = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  pipelineJournal: Journal.Journal
) {
  const journaled = (yield* pipelineJournal.runs).reduce((latest, { state }) => Math.max(latest, state.started_at), 0)
  const committed = yield* LastRun.latestStart(pipeline)
  return Math.max(yield* Clock.currentTimeMillis, Math.max(journaled, committed) + 1)
})

/**
 * What is odd about the time of a run that begins now: the run before it began later, or more than a year earlier. Undefined:
 * nothing. `now`: milliseconds since the epoch.
 */
export const clockWarning = (runId: string, before: string | undefined, now: number): string | undefined => {
  const [own, last] = [timeOf(runId), timeOf(before)]
  if (last === 0) return undefined
  const at = new Date(last).toISOString()
  if (own - now > minute) {
    return (
      `the clock of this machine is behind: the last run of this pipeline began at ${at}, so this run is dated right after it; ` +
      "set the clock; if it was ahead in that run, runs are dated after that run until their time comes"
    )
  }
  return own - last > year
    ? `the last run of this pipeline began at ${at}, more than a year before this one; if that is wrong, set the clock of this machine`
    : undefined
}

const minute = 60_000
const year = 366 * 24 * 60 * minute

/**
 * The id of a run: its start time and six random hexadecimal digits, so that ids sort by time and are unique.
 */
export const runId = (startedAt: number, random: number): string => {
  const time = new Date(startedAt).toISOString().replace(/[-:.]/g, "")
  return `${time}-${Math.floor(random * 0x1000000)
    .toString(16)
    .padStart(6, "0")}`
}

/** When a run began, from its id: milliseconds since the epoch; 0: there is no id, or it has no time. */
export const timeOf = (runId: string | undefined): number => {
  const [, y, mo, d, h, mi, s, ms] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z/.exec(runId ?? "") ?? []
  return ms === undefined ? 0 : Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}.${ms}Z`) || 0
}
