/**
 * Backfilling a pipeline: a period is split into intervals, and each interval is loaded once.
 *
 * The state of an interval is read from the destinations and from the journals. An interval that every destination has is
 * not loaded again unless the caller asks for it. An interval that fails does not stop the others. An interval is never
 * loaded if it overlaps another loaded one.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import * as IntervalRun from "./backfill/IntervalRun.ts"
import * as Interval from "./Interval.ts"
import * as Journal from "./Journal.ts"
import type * as Pipeline from "./Pipeline.ts"
import * as Sink from "./Sink.ts"

/**
 * A backfill that cannot be run: one of its intervals overlaps another interval that is loaded.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { Backfill, type Interval, Journals, Pipeline, rows, Stages } from "millrace"
 * import { memory } from "millrace/connectors/memory"
 *
 * const sinks = { out: memory.with({ name: "halves" }) }
 * const of = ({ start }: Interval.Interval) =>
 *   Pipeline.make({ name: "halves", source: rows([{ start }], { table: "halves" }), sinks })
 * const load = (start: number, end: number) =>
 *   Backfill.run(of({ start, end }), [{ start, end }], {
 *     pipelineOf: (interval) => Effect.succeed(of(interval)),
 *     again: false,
 *     concurrency: 1,
 *     onEnd: () => Effect.void
 *   })
 * const overlapping = Effect.andThen(load(0, 3_600_000), Effect.flip(load(1_800_000, 5_400_000)))
 * const parts = Layer.mergeAll(Journals.layerTemporary, Stages.layer)
 * console.log((await Effect.runPromise(Effect.provide(overlapping, parts)))._tag) // "BackfillError"
 * ```
 */
export class BackfillError extends Schema.TaggedError<BackfillError>()("BackfillError", { message: Schema.String }) {}

/**
 * done: every destination has it. behind: some destinations have it. unfinished: its run can be continued. held: a check
 * did not pass. failed: its last run failed. stopped: its last run was stopped. pending: it was never run.
 */
export type Status = "done" | "behind" | "unfinished" | "held" | "failed" | "stopped" | "pending"

/** The state of one interval. */
export interface State {
  /** The interval. */
  readonly interval: Interval.Interval
  /** How far it came. */
  readonly status: Status
  /** Its run in the destinations; undefined: no destination has it. */
  readonly loaded: Sink.RunRecord | undefined
  /** The id of its last run, from its journal or a destination; undefined: none is known. */
  readonly runId: string | undefined
  /** What went wrong, or what the run waits for; undefined: there is no message. */
  readonly message: string | undefined
  /** When the last run in its journal ended: milliseconds since the epoch; undefined: it did not end, or there is none. */
  readonly endedAt: number | undefined
}

/** The result of one interval. */
export interface Ended {
  /** The interval that was tried. */
  readonly interval: Interval.Interval
  /** done: every destination has it. behind: some destinations have it. held: a check did not pass. failed: its run failed. */
  readonly status: "done" | "behind" | "held" | "failed"
  /** The id of its run; undefined: it failed. */
  readonly runId: string | undefined
  /** Rows committed, by table. */
  readonly rows: Readonly<Record<string, number>>
  /** What went wrong, or what the run waits for; undefined: it is done. */
  readonly message: string | undefined
  /** How long the run took, in milliseconds. */
  readonly durationMillis: number
}

/**
 * How a backfill runs: the pipeline of an interval, and how many intervals at once.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { Backfill, Interval, Journals, Pipeline, rows, Stages } from "millrace"
 * import { memory } from "millrace/connectors/memory"
 *
 * const days = Interval.split(Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 3), { millis: 86_400_000 }) ?? []
 * const sinks = { out: memory.with({ name: "visits" }) }
 * const of = ({ start }: Interval.Interval) =>
 *   Pipeline.make({ name: "visits", source: rows([{ day: new Date(start) }], { table: "visits" }), sinks })
 * const statuses: Array<string> = []
 * const options: Backfill.Options<never, never, never> = {
 *   pipelineOf: (interval) => Effect.succeed(of(interval)),
 *   again: false,
 *   concurrency: 1,
 *   onEnd: ({ rows, status }) => Effect.sync(() => statuses.push(`${status} ${rows["visits"]}`))
 * }
 * const loading = Backfill.run(of({ start: 0, end: 0 }), days, options)
 * await Effect.runPromise(Effect.provide(loading, Layer.mergeAll(Journals.layerTemporary, Stages.layer)))
 * console.log(statuses) // ["done 1", "done 1"]
 * ```
 */
export interface Options<R, E, R2> {
  /** Makes the pipeline that loads an interval. Its name is replaced. Its scope closes when the run has ended. */
  readonly pipelineOf: (interval: Interval.Interval) => Effect.Effect<Pipeline.Pipeline<R>, E, R2>
  /** Whether intervals that are done are loaded again. */
  readonly again: boolean
  /** How many intervals are read at once. They are loaded one after the other. */
  readonly concurrency: number
  /** Called with the result of each interval when it has ended. */
  readonly onEnd: (ended: Ended) => Effect.Effect<void>
}

/**
 * Loads the intervals that are not done. Returns their states before, and how many it tried. The result of each interval
 * goes to `onEnd`. It fails with `BackfillError` if one overlaps an interval that is loaded, and with `JournalError` or
 * `SinkError` if the states cannot be read. An interval that fails does not stop the others.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { Backfill, Interval, Journals, Pipeline, rows, Stages } from "millrace"
 * import { memory } from "millrace/connectors/memory"
 *
 * const sinks = { out: memory.with({ name: "orders" }) }
 * const of = ({ start }: Interval.Interval) =>
 *   Pipeline.make({ name: "orders", source: rows([{ day: new Date(start) }], { table: "orders" }), sinks })
 * const days = Interval.split(Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 3), { millis: 86_400_000 }) ?? []
 * const loading = Backfill.run(of({ start: 0, end: 0 }), days, {
 *   pipelineOf: (interval) => Effect.succeed(of(interval)),
 *   again: false,
 *   concurrency: 1,
 *   onEnd: ({ status }) => Effect.log(status)
 * })
 * const { tried } = await Effect.runPromise(
 *   Effect.provide(loading, Layer.mergeAll(Journals.layerTemporary, Stages.layer))
 * )
 * console.log(tried) // 2
 * ```
 */
export const run = Effect.fn("Backfill.run")(function* <R, E extends { readonly message: string }, R2>(
  pipeline: Pipeline.Pipeline<R>,
  intervals: ReadonlyArray<Interval.Interval>,
  options: Options<R, E, R2>
) {
  // This lock keeps two backfills of a pipeline from continuing the same unfinished intervals.
  yield* (yield* Journal.Journals).take(`${pipeline.name}@backfill`, pipeline.directory, pipeline.journal.shared)
  const all = yield* states(pipeline, intervals)
  const selected = all.filter(({ interval }) => intervals.some((other) => Interval.isSame(interval, other)))
  const fault = overlapOf(selected, all)
  if (fault !== undefined) return yield* new BackfillError({ message: fault })
  yield* prune(pipeline, all)
  const loading = yield* Semaphore.make(1)
  const open = selected.filter(({ status }) => options.again || status !== "done")
  yield* Effect.forEach(open, (state) => Effect.flatMap(endOf(pipeline, state, loading, options), options.onEnd), {
    concurrency: options.concurrency,
    discard: true
  })
  return { before: selected, tried: open.length }
}, Effect.scoped)

/**
 * The states of these intervals, and of all others that the destinations have, in the order of time, from the destinations
 * and the journals. It fails with `JournalError` or `SinkError`.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Backfill, Interval, Journals, Pipeline, rows } from "millrace"
 * import { memory } from "millrace/connectors/memory"
 *
 * const source = rows([{ id: 1 }], { table: "orders" })
 * const pipeline = Pipeline.make({ name: "orders", source, sinks: { out: memory.with({ name: "new" }) } })
 * const days = Interval.split(Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 3), { millis: 86_400_000 }) ?? []
 * const states = await Effect.runPromise(Effect.provide(Backfill.states(pipeline, days), Journals.layerTemporary))
 * console.log(states.map(({ status }) => status)) // ["pending", "pending"]
 * ```
 */
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

/** Removes journals of intervals that are done and ended longer ago than journals are kept. */
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

/** Why these intervals cannot be loaded beside those that are loaded; undefined: they can. */
const overlapOf = (selected: ReadonlyArray<State>, all: ReadonlyArray<State>): string | undefined => {
  const there = all.filter(({ loaded }) => loaded !== undefined)
  for (const { interval } of selected) {
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
