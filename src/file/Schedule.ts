/**
 * When a pipeline runs by itself, and what becomes of a run that is late, or fails: the `schedule` of its file.
 */
import * as Cron from "effect/Cron"
import { millisOf } from "../pipeline/KeySchemas.ts"
import type { PipelineKeys } from "./PipelineKeys.ts"
import { expandCron } from "./ScheduleKeys.ts"

export interface Timing {
  /** Five fields, or six with seconds; aliases written out. */
  readonly expression: string
  readonly timezone: string
  /** What becomes of a time that comes while the run before it goes on. */
  readonly overlap: "skip" | "queue"
  /** Which of the missed times are run later. */
  readonly catch_up: "last" | "all" | "none"
  readonly jitterMillis: number
  readonly retries: number
  readonly backoffMillis: number
  readonly timeoutMillis: number | undefined
  /** The folder for reports, as the file has it; undefined: none are made. */
  readonly report: string | undefined
}

export interface Schedule extends Timing {
  /** The expression, in its time zone. */
  readonly cron: Cron.Cron
}

/** With what is meant where the file is silent. */
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
