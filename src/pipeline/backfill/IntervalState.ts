/**
 * How the intervals of a backfill stand: what the destinations say, and what the journals say if they have nothing.
 */
import * as Effect from "effect/Effect"
import * as Journal from "../Journal.ts"
import type * as Pipeline from "../Pipeline.ts"
import * as Sink from "../Sink.ts"
import * as Interval from "./Interval.ts"

/**
 * done: every destination has it. behind: some have. unfinished: a run of it was begun and can go on. held: a check did
 * not pass. failed: its last run failed. stopped: somebody stopped it. pending: nothing was done for it.
 */
export type Status = "done" | "behind" | "unfinished" | "held" | "failed" | "stopped" | "pending"

/** How one interval stands. */
export interface State {
  /** The interval; its end is no longer in it. */
  readonly interval: Interval.Interval
  /** How far it came. */
  readonly status: Status
  /** The run that destinations have of it, where one has. */
  readonly loaded: Sink.RunRecord | undefined
  /** The last run of it, as far as anybody knows. */
  readonly runId: string | undefined
  /** What went wrong, or what is waited for; undefined where there is nothing to say. */
  readonly message: string | undefined
  /** When the run ended that is in its journal; milliseconds since the epoch. */
  readonly endedAt: number | undefined
}

/**
 * How these intervals stand, and all others that the destinations have, in the order of time. It fails with
 * `JournalError` or `SinkError`.
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
