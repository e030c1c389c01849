/**
 * The monitor group: monitors, their checks, and the result of each check for every page (specification, POST /v2/monitor;
 * `public-clients`, section 2).
 *
 * The answers of a monitor are in `data`, with its `id` beside it; a page has one status in a check; a schedule is always
 * returned as a cron expression, even if it was written in words.
 */
import * as Schema from "effect/Schema"
import * as Bounds from "./api/Bounds.ts"
import { clientFields } from "./api/ClientFields.ts"
import * as JsonRules from "./api/JsonRules.ts"
import * as Limits from "./Limits.ts"
import * as Check from "./MonitorCheck.ts"
import { Target, Targets } from "./MonitorTarget.ts"
import { MonitorWebhook } from "./Webhook.ts"

/** The schedule of a monitor: a cron expression or words, and a time zone. */
export const MonitorSchedule = Schema.Struct({
  cron: Bounds.orNull(
    Bounds.name
      .check(JsonRules.format("cron"))
      .annotate({ description: "five fields: minute, hour, day, month, day of the week" })
  ),
  text: Bounds.orNull(
    Bounds.name
      .check(JsonRules.format("schedule-in-words"))
      .annotate({ description: "in words: every 30 minutes, hourly, daily at 9:00, weekly" })
  ),
  timezone: Bounds.orNull(
    Bounds.name
      .check(JsonRules.format("time-zone"))
      .annotate({ description: "a time zone such as Europe/Berlin; default: UTC" })
  )
})
  .check(
    Schema.makeFilter(
      ({ cron, text }) => ((cron == null) === (text == null) ? "needs either cron or text" : true),
      JsonRules.as(JsonRules.exactlyOne("cron", "text"))
    )
  )
  .annotate({ identifier: "MonitorSchedule" })
export type MonitorSchedule = typeof MonitorSchedule.Type

const Address = Schema.String.check(
  Schema.isMaxLength(320),
  Schema.makeFilter(
    (text: string) => /^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(text) || "is not an e-mail address",
    JsonRules.as({ format: "email", pattern: '^[^\\s@<>,;"]+@[^\\s@<>,;"]+$' })
  )
)

/** The notifications of a monitor by e-mail. */
export const MonitorNotification = Schema.Struct({
  email: Bounds.orNull(
    Schema.Struct({
      enabled: Schema.optional(Schema.Boolean),
      recipients: Schema.optional(Schema.Array(Address).check(Schema.isMaxLength(Limits.maxMonitorRecipients))),
      includeDiffs: Schema.optional(Schema.Boolean)
    })
  ),
  slack: Bounds.orNull(
    Schema.Struct({
      enabled: Schema.optional(
        Schema.Boolean.check(
          Schema.makeFilter(
            (on: boolean) => !on || "this service does not write to Slack: use a webhook instead",
            JsonRules.as({ const: false })
          )
        )
      )
    })
  )
})
export type MonitorNotification = typeof MonitorNotification.Type

const optionalFields = {
  webhook: Bounds.orNull(MonitorWebhook),
  notification: Bounds.orNull(MonitorNotification),
  goal: Bounds.orNull(
    Bounds.prompt.annotate({
      description: "which changes matter; webhook and e-mail report only these, and pages that cannot be read"
    })
  ),
  judgeEnabled: Bounds.orNull(
    Schema.Boolean.annotate({ description: "judge changes by the goal; default: true if there is a goal" })
  ),
  retentionDays: Bounds.orNull(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Limits.maxMonitorRetentionDays })).annotate({
      description: "days that checks are kept, 1 to 365; default: 30"
    })
  )
}

const Name = Schema.String.check(
  Schema.isMaxLength(500),
  Schema.makeFilter(
    (text: string) => text.trim() !== "" || "is empty: give the monitor a name",
    JsonRules.as(JsonRules.filled)
  )
)

/**
 * The body of POST /v2/monitor: what to watch, when, and whom to notify.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { MonitorRequest } from "millrace/api"
 *
 * const request = { name: "prices", schedule: { cron: "0 6 * * *" }, targets: [] }
 * console.log(Schema.is(MonitorRequest)(request)) // false
 * ```
 */
export const MonitorRequest = Schema.Struct({
  name: Name,
  schedule: MonitorSchedule,
  targets: Targets,
  ...optionalFields,
  ...clientFields
}).annotate({ identifier: "MonitorRequest" })
export type MonitorRequest = typeof MonitorRequest.Type

/** The body of PATCH /v2/monitor/ID: the changed fields of a monitor; all others stay. */
export const MonitorUpdate = Schema.Struct({
  name: Schema.optional(Name),
  status: Schema.optional(Schema.Literals(["active", "paused"])),
  schedule: Schema.optional(MonitorSchedule),
  targets: Schema.optional(Targets),
  ...optionalFields,
  ...clientFields
}).annotate({ identifier: "MonitorUpdate" })
export type MonitorUpdate = typeof MonitorUpdate.Type

/** A monitor: what it watches, when, whom it notifies, and how its last check ended. */
export const Monitor = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  status: Schema.Literals(["active", "paused", "deleted"]),
  schedule: Schema.Struct({
    cron: Schema.String,
    text: Schema.optionalKey(Schema.String),
    timezone: Schema.String
  }),
  nextRunAt: Schema.NullOr(Schema.String),
  lastRunAt: Schema.NullOr(Schema.String),
  currentCheckId: Schema.NullOr(Schema.String),
  targets: Schema.Array(Target),
  webhook: Schema.NullOr(MonitorWebhook),
  notification: Schema.NullOr(MonitorNotification),
  retentionDays: Schema.Int,
  estimatedCreditsPerMonth: Schema.NullOr(Schema.Int),
  lastCheckSummary: Schema.NullOr(Check.MonitorSummary),
  goal: Schema.NullOr(Schema.String),
  judgeEnabled: Schema.Boolean,
  createdAt: Schema.String,
  updatedAt: Schema.String
}).annotate({ identifier: "Monitor" })
export type Monitor = typeof Monitor.Type

export const Pagination = Schema.Struct({ limit: Schema.Int, offset: Schema.Int, total: Schema.Int })

export const MonitorAnswer = Schema.Struct({
  success: Schema.Literal(true),
  id: Schema.String,
  data: Monitor,
  warning: Schema.optionalKey(Schema.String)
})
