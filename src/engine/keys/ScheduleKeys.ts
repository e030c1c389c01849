/**
 * The keys of `schedule:` in a pipeline file: when a pipeline runs, and what happens when a run is missed, late or failed.
 */
import * as Cron from "effect/Cron"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { duration } from "../KeySchemas.ts"

const aliases: Readonly<Record<string, string>> = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
  "@yearly": "0 0 1 1 *"
}

/** The cron expression of an alias; any other text stays as it is. */
export const expandCron = (text: string): string => aliases[text.trim()] ?? text

/** A filter that JSON Schema cannot express must add nothing to it; otherwise the description would be lost. */
const asText = { toJsonSchema: () => ({}) }

/** What other programs take, and this one does not. */
const lacking = (text: string): string =>
  /[LW#?]/.test(text)
    ? "; L, W, # and ? have no meaning here: write * and days"
    : /[A-Z\d]-[A-Z\d]/i.test(text)
      ? "; a range goes from the smaller to the larger: FRI-MON is FRI,SAT,SUN,MON"
      : ""

const cronExpression = Schema.String.check(
  Schema.makeFilter((text: string) => {
    const cron = Cron.parse(expandCron(text), "UTC")
    if (Result.isFailure(cron))
      return `${JSON.stringify(text)} is not a cron expression: ${lower(cron.failure.message)}${lacking(text)}`
    return fires(cron.success) || `${JSON.stringify(text)} never occurs: the calendar has no such day`
  }, asText)
).annotate({
  description: "minute hour day month weekday, or @hourly, @daily, @weekly, @monthly, @yearly",
  examples: ["0 2 * * *", "@daily"]
})

const timeZone = Schema.String.check(
  Schema.makeFilter(
    (name: string) =>
      Option.isSome(DateTime.zoneFromString(name)) ||
      `${JSON.stringify(name)} is not a time zone; use one such as Europe/Berlin or UTC`,
    asText
  )
).annotate({ description: "the time zone of the cron expression and of ${run.date}", default: "UTC" })

export const ScheduleKeys = Schema.Struct({
  cron: cronExpression,
  timezone: Schema.optionalKey(timeZone),
  overlap: Schema.optionalKey(
    Schema.Literals(["skip", "queue"]).annotate({
      description: "what happens when the previous run is not finished: skip this one, or queue it",
      default: "skip"
    })
  ),
  catch_up: Schema.optionalKey(
    Schema.Literals(["last", "all", "none"]).annotate({
      description: "after the scheduler was down: which of the missed runs are run later",
      default: "last"
    })
  ),
  jitter: Schema.optionalKey(
    duration.annotate({ description: "a run begins up to this much later, at random", default: "0s" })
  ),
  retries: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 })).annotate({
      description: "how often a failed run is tried again",
      default: 0
    })
  ),
  backoff: Schema.optionalKey(
    duration.annotate({
      description: "the wait before the first retry; it doubles with each retry, up to an hour",
      default: "1m"
    })
  ),
  timeout: Schema.optionalKey(
    duration.annotate({
      description: "an attempt that takes longer is stopped and counts as failed; default: no limit"
    })
  ),
  report: Schema.optionalKey(
    Schema.NonEmptyString.annotate({
      description:
        "a folder: each run writes its report there, as NAME/RUN.html and NAME/latest.html; the last 30 of a pipeline are kept; " +
        "default: no reports",
      examples: ["./reports"]
    })
  )
}).annotate({ description: "when the pipeline runs" })

const fires = (cron: Cron.Cron): boolean => {
  try {
    return Cron.next(cron, 0) instanceof Date
  } catch {
    return false
  }
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
