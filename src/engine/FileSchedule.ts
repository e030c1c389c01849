/**
 * The `schedule` of a pipeline file: when the pipeline runs, and what happens if a run is late or fails.
 */
import * as Cron from "effect/Cron"
import { millisOf } from "./KeySchemas.ts"
import { expandCron } from "./keys/ScheduleKeys.ts"
import type { PipelineKeys } from "./PipelineKeys.ts"

export interface Timing {
  /** The cron expression: five fields, or six with seconds. Aliases are replaced by their expressions. */
  readonly expression: string
  readonly timezone: string
  /** What happens at a time when the run before is not finished. */
  readonly overlap: "skip" | "queue"
  /** Which of the missed times are run later. */
  readonly catch_up: "last" | "all" | "none"
  readonly jitterMillis: number
  readonly retries: number
  readonly backoffMillis: number
  readonly timeoutMillis: number | undefined
  /** The folder for reports, as it is written in the file; undefined: no reports are made. */
  readonly report: string | undefined
}

export interface Schedule extends Timing {
  /** The expression, in its time zone. */
  readonly cron: Cron.Cron
}

/** The schedule with its defaults; undefined: the file has none. */
export const of = (schedule: PipelineKeys["schedule"]): Schedule | undefined => {
  if (schedule === undefined) return undefined
  const { backoff = "1m", catch_up = "last", cron, jitter = "0s", overlap = "skip", retries = 0, timeout } = schedule
  const { report, timezone = "UTC" } = schedule
  const expression = expandCron(cron)
  return {
    cron: Cron.parseUnsafe(expression, timezone), // both were checked by their schemas
    expression,
    timezone,
    overlap,
    catch_up,
    jitterMillis: millisOf(jitter),
    retries,
    backoffMillis: millisOf(backoff),
    timeoutMillis: timeout === undefined ? undefined : millisOf(timeout),
    report
  }
}
