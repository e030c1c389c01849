/**
 * Backfilling a pipeline: the intervals of a stretch of time, each loaded once.
 *
 * The state of an interval is read from the destinations, and from the journals if the destinations have nothing. An
 * interval that every destination has is not loaded again unless the caller asks for it. An interval that fails does not
 * stop the others. An interval is never loaded if it overlaps another loaded one.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import * as Journal from "../Journal.ts"
import type * as Pipeline from "../Pipeline.ts"
import * as Sink from "../Sink.ts"
import * as Interval from "./Interval.ts"
import * as IntervalRun from "./IntervalRun.ts"

/**
 * done: every destination has it. behind: some have. unfinished: a run of it was begun and can go on. held: a check did
 * not pass. failed: its last run failed. stopped: somebody stopped it. pending: nothing was done for it.
 */
export type Status = "done" | "behind" | "unfinished" | "held" | "failed" | "stopped" | "pending"

export interface State {
  readonly interval: Interval.Interval
  readonly status: Status
  /** The run that destinations have of it, where one has. */
  readonly loaded: Sink.RunRecord | undefined
  /** The last run of it, as far as anybody knows. */
  readonly runId: string | undefined
  readonly message: string | undefined
  /** When the run ended that is in its journal; milliseconds since the epoch. */
  readonly endedAt: number | undefined
}

/** A stretch that cannot be backfilled as it was asked for. */
export class BackfillError extends Schema.TaggedError<BackfillError>()("BackfillError", { message: Schema.String }) {}

/** How these intervals stand, and all others that the destinations have, in the order of time. */
export const states = Effect.fn("Backfill.states")(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  intervals: ReadonlyArray<Interval.Interval>
) {
  const journals = yield* Journal.Journals
  const sinks = Object.values(pipeline.sinks)
  const loaded = new Map<string, { readonly run: Sink.RunRecord; readonly sinks: number }>()
  const known = new Map(intervals.map((interval) => [Interval.pipelineOf(pipeline.name, interval), interval]))
  for (const sink of sinks) {
    for (const run of yield* sink.runs(pipeline.directory)) {
      const interval = Interval.ofPipeline(pipeline.name, run.pipeline)
      if (interval === undefined || Sink.isUnfinished(run)) continue
      known.set(run.pipeline, interval)
      loaded.set(run.pipeline, { run, sinks: (loaded.get(run.pipeline)?.sinks ?? 0) + 1 })
    }
  }
  const all = yield* Effect.forEach(known, ([name, interval]) =>
    Effect.map(journals.look(name, pipeline.directory, pipeline.journal.shared), (entries): State => {
      const there = loaded.get(name)
      const last = entries.at(-1)?.state
      const isOpen = last !== undefined && !Journal.isOver(last.status)
      const isWhole = there?.sinks === sinks.length
      return {
        interval,
        status: isOpen
          ? openStatus(last.status)
          : isWhole
            ? "done"
            : there !== undefined
              ? "behind"
              : last === undefined
                ? "pending"
                : last.status === "stopped"
                  ? "stopped"
                  : "failed",
        loaded: there?.run,
        runId: last?.run_id ?? there?.run.runId,
        message: isOpen || !isWhole ? (last?.message ?? undefined) : undefined,
        endedAt: last?.ended_at ?? undefined
      }
    })
  )
  return all.toSorted((a, b) => a.interval.start - b.interval.start || a.interval.end - b.interval.end)
})

const openStatus = (status: Journal.RunStatus): Status =>
  status === "held" || status === "behind" ? status : "unfinished"

/** What came of one interval. */
export interface Ended {
  readonly interval: Interval.Interval
  readonly status: "done" | "behind" | "held" | "failed"
  readonly runId: string | undefined
  readonly rows: Readonly<Record<string, number>>
  readonly message: string | undefined
  readonly durationMillis: number
}

export interface Options<R, E, R2> {
  /** The pipeline with what it asks for this interval; its name may be any. It may use what closes with its scope. */
  readonly pipelineOf: (interval: Interval.Interval) => Effect.Effect<Pipeline.Pipeline<R>, E, R2>
  /** Intervals that are done are loaded again. */
  readonly again: boolean
  /** How many are read at once. */
  readonly concurrency: number
  /** Told of each interval when it has ended. */
  readonly told: (ended: Ended) => Effect.Effect<void>
}

/** Loads the intervals that are not done. The answer says how they stood before. */
export const run = Effect.fn("Backfill.run")(function* <R, E extends { readonly message: string }, R2>(
  pipeline: Pipeline.Pipeline<R>,
  intervals: ReadonlyArray<Interval.Interval>,
  options: Options<R, E, R2>
) {
  // Two backfills at once would both take up the intervals that were not finished.
  yield* (yield* Journal.Journals).take(`${pipeline.name}@backfill`, pipeline.directory, pipeline.journal.shared)
  const all = yield* states(pipeline, intervals)
  const asked = all.filter(({ interval }) => intervals.some((other) => Interval.isSame(interval, other)))
  const fault = overlapOf(asked, all)
  if (fault !== undefined) return yield* new BackfillError({ message: fault })
  yield* prune(pipeline, all)
  const loading = yield* Semaphore.make(1)
  const open = asked.filter(({ status }) => options.again || status !== "done")
  yield* Effect.forEach(open, (state) => Effect.flatMap(endOf(pipeline, state, loading, options), options.told), {
    concurrency: options.concurrency,
    discard: true
  })
  return { before: asked, tried: open.length }
}, Effect.scoped)

/** Removes journals of intervals that ended longer ago than journals are kept. */
const prune = Effect.fnUntraced(function* <R>(pipeline: Pipeline.Pipeline<R>, all: ReadonlyArray<State>) {
  const journals = yield* Journal.Journals
  const { bytes, keepMillis } = pipeline.journal
  const before = (yield* Clock.currentTimeMillis) - keepMillis
  for (const { endedAt, interval, status } of all) {
    if (status !== "done" || endedAt === undefined || endedAt >= before) continue
    const pipelineJournal = journals.take(
      Interval.pipelineOf(pipeline.name, interval),
      pipeline.directory,
      pipeline.journal.shared
    )
    yield* Effect.scoped(Effect.flatMap(pipelineJournal, (journal) => journal.prune({ before, bytes })))
  }
})

/** Why these intervals cannot be loaded beside those that are there. */
const overlapOf = (asked: ReadonlyArray<State>, all: ReadonlyArray<State>): string | undefined => {
  const there = all.filter(({ loaded }) => loaded !== undefined)
  for (const { interval } of asked) {
    const other = there.find(
      (state) => !Interval.isSame(state.interval, interval) && Interval.overlaps(state.interval, interval)
    )
    if (other !== undefined) {
      return (
        `${Interval.shown(interval)} overlaps ${Interval.shown(other.interval)}, which is loaded: its rows would be loaded ` +
        "twice; use the --from and the --every of that backfill, or leave that period out"
      )
    }
  }
  return undefined
}

const endOf = Effect.fnUntraced(function* <R, E extends { readonly message: string }, R2>(
  { name }: Pipeline.Pipeline<R>,
  { interval, loaded }: State,
  loading: Semaphore.Semaphore,
  { again, pipelineOf }: Options<R, E, R2>
) {
  const began = yield* Clock.currentTimeMillis
  const made = yield* Effect.scoped(
    Effect.gen(function* () {
      const pipeline = { ...(yield* pipelineOf(interval)), name: Interval.pipelineOf(name, interval) }
      return yield* IntervalRun.run(pipeline, { loaded, again, loading })
    })
  ).pipe(Effect.result)
  const durationMillis = (yield* Clock.currentTimeMillis) - began
  const ended: Ended =
    made._tag === "Failure"
      ? { interval, status: "failed", runId: undefined, rows: {}, message: made.failure.message, durationMillis }
      : {
          interval,
          status: made.success.status,
          runId: made.success.runId,
          rows: made.success.rows,
          message: made.success.message ?? undefined,
          durationMillis
        }
  return ended
})
