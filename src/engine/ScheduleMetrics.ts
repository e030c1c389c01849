/** The metrics of a scheduler, with their names in Prometheus. */
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { Outcome } from "./ScheduleRunner.ts"
import type * as ScheduleStore from "./ScheduleStore.ts"

const runs = Metric.counter("millrace_schedule_runs_total", {
  description: "runs that ended, by pipeline and outcome",
  incremental: true
})
const failures = Metric.counter("millrace_schedule_failures_total", {
  description: "failed attempts, including those that were tried again",
  incremental: true
})
const skips = Metric.counter("millrace_schedule_skipped_total", {
  description: "due times that did not become runs",
  incremental: true
})
const rows = Metric.counter("millrace_schedule_rows_total", { description: "rows of all tables", incremental: true })
const seconds = Metric.histogram("millrace_schedule_run_seconds", {
  description: "how long attempts took",
  boundaries: [1, 5, 15, 60, 300, 900, 3600, 14_400]
})
const lag = Metric.gauge("millrace_schedule_lag_seconds", {
  description: "how long after its time the last run began"
})
const overdue = Metric.gauge("millrace_schedule_overdue_seconds", {
  description: "how long the oldest run that could begin has waited for its turn"
})
const nextRun = Metric.gauge("millrace_schedule_next_run_timestamp_seconds", {
  description: "when the pipeline is due next"
})
const running = Metric.gauge("millrace_schedule_running", { description: "runs in progress" })

export const began = (pipeline: string, lagMillis: number) =>
  Metric.update(Metric.withAttributes(lag, { pipeline }), Math.max(0, lagMillis) / 1000)

export const ended = (pipeline: string, state: ScheduleStore.State, outcome: Outcome) =>
  Effect.all([
    Metric.update(Metric.withAttributes(runs, { pipeline, status: state }), 1),
    Metric.update(
      Metric.withAttributes(rows, { pipeline }),
      Object.values(outcome.rows).reduce((sum, count) => sum + count, 0)
    )
  ])

export const attempted = (pipeline: string, isGood: boolean, millis: number) =>
  Effect.all([
    Metric.update(Metric.withAttributes(failures, { pipeline }), isGood ? 0 : 1),
    Metric.update(Metric.withAttributes(seconds, { pipeline }), millis / 1000)
  ])

export const skipped = (pipeline: string, reason: "overlap" | "missed", count: number) =>
  Metric.update(Metric.withAttributes(skips, { pipeline, reason }), count)

/** Updates the gauges that are read at the moment of a request. */
export const now = (
  tasks: ReadonlyArray<{ readonly name: string; readonly next: number | undefined }>,
  underWay: number,
  overdueMillis: number
) =>
  Effect.all([
    Metric.update(running, underWay),
    Metric.update(overdue, overdueMillis / 1000),
    ...tasks.flatMap(({ name, next }) =>
      next === undefined ? [] : [Metric.update(Metric.withAttributes(nextRun, { pipeline: name }), next / 1000)]
    )
  ])
