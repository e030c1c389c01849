/**
 * The states of the intervals of a backfill, from the destinations and the journals.
 */
import * as Effect from "effect/Effect"
import * as Interval from "../Interval.ts"
import * as Journal from "../Journal.ts"
import type * as Pipeline from "../Pipeline.ts"
import * as Sink from "../Sink.ts"

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

/**
 * The states of these intervals, and of all others that the destinations have, in the order of time. It fails with
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
