/**
 * The monitor group: monitors, their checks, and the pages of each check (specification, POST /v2/monitor; `public-clients`,
 * section 2).
 *
 * An answer has the monitor in `data`, and its `id` also beside it. A page has one status in a check. A schedule is always
 * returned as a cron expression, even if it was written in words.
 */
import * as Schema from "effect/Schema"
import * as Bounds from "./Bounds.ts"
import { clientFields } from "./ClientFields.ts"
import * as JsonRules from "./JsonRules.ts"
import * as Limits from "./Limits.ts"
import * as Check from "./MonitorCheck.ts"
import { Target, Targets } from "./MonitorTarget.ts"
import { MonitorWebhook } from "./Webhook.ts"

const silent = <S extends Schema.Constraint>(schema: S) => Schema.optional(Schema.NullOr(schema))

/** When a monitor checks: a cron expression or words, and its time zone. */
export const MonitorSchedule = Schema.Struct({
  cron: silent(
    Bounds.name
      .check(JsonRules.format("cron"))
      .annotate({ description: "five fields: minute, hour, day, month, day of the week" })
  ),
  text: silent(
    Bounds.name
      .check(JsonRules.format("schedule-in-words"))
      .annotate({ description: "in words: every 30 minutes, hourly, daily at 9:00, weekly" })
  ),
  timezone: silent(
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

/** The e-mail notifications of a monitor: on or off, recipients, and whether they contain the differences. */
export const MonitorNotification = Schema.Struct({
  email: silent(
    Schema.Struct({
      enabled: Schema.optional(Schema.Boolean),
      recipients: Schema.optional(Schema.Array(Address).check(Schema.isMaxLength(Limits.maxMonitorRecipients))),
      includeDiffs: Schema.optional(Schema.Boolean)
    })
  ),
  slack: silent(
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
  webhook: silent(MonitorWebhook),
  notification: silent(MonitorNotification),
  goal: silent(
    Bounds.prompt.annotate({
      description: "which changes matter; only those are reported"
    })
  ),
  judgeEnabled: silent(
    Schema.Boolean.annotate({ description: "judge changes by the goal; default: true if there is a goal" })
  ),
  retentionDays: silent(
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
 * The body of POST /v2/monitor: what to watch, when to check it, and whom to notify.
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

/** The body of PATCH /v2/monitor/ID: the fields of a monitor to change; the others stay. */
export const MonitorUpdate = Schema.Struct({
  name: Schema.optional(Name),
  status: Schema.optional(Schema.Literals(["active", "paused"])),
  schedule: Schema.optional(MonitorSchedule),
  targets: Schema.optional(Targets),
  ...optionalFields,
  ...clientFields
}).annotate({ identifier: "MonitorUpdate" })
export type MonitorUpdate = typeof MonitorUpdate.Type

/** A monitor: what it watches, when it checks, whom it notifies, and the summary of its last check. */
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
