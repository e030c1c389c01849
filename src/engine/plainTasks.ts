/**
 * Rewrites tasks so that other schedulers understand them: cron has no `3/15`, Kubernetes has no weekday 7, and none of them
 * has a time zone such as `+02:00` or `europe/berlin`.
 */
import * as Cron from "effect/Cron"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { Exported } from "./ScheduleExport.ts"
import type { Task } from "./ScheduleTask.ts"

interface Plain {
  readonly tasks: ReadonlyArray<Task>
  readonly losses: Exported["losses"]
}

export const plainTasks = (tasks: ReadonlyArray<Task>): Plain => {
  const zoned = tasks.map((task) => ({ task, timezone: zoneOf(task.timing.timezone) }))
  return {
    tasks: zoned.flatMap(({ task, timezone }) =>
      timezone === undefined
        ? []
        : [{ ...task, timing: { ...task.timing, timezone, expression: expressionOf(task.timing.expression) } }]
    ),
    losses: zoned.flatMap(({ task, timezone }) =>
      timezone === undefined
        ? [
            `${task.name}: other schedulers have no time zone ${task.timing.timezone}: it is left out; use one such as Europe/Berlin`
          ]
        : []
    )
  }
}

/** The name in the database of time zones. Whole hours are Etc/GMT there, with the opposite sign. */
const zoneOf = (timezone: string): string | undefined => {
  const zone = Option.getOrUndefined(DateTime.zoneFromString(timezone))
  if (zone === undefined) return undefined
  if (zone._tag === "Named") return /[a-z]/.test(timezone) ? zone.id : timezone
  const hours = zone.offset / 3_600_000
  return Number.isInteger(hours) ? `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}` : undefined
}

/**
 * Fields that other schedulers read differently become lists of numbers. A day or weekday that begins with `*` stays, because
 * it decides how the two combine.
 */
const expressionOf = (expression: string): string => {
  const { days, hours, minutes, months, weekdays } = Cron.parseUnsafe(expression, "UTC")
  const fields = expression.trim().split(/\s+/)
  const values = [minutes, hours, days, months, weekdays]
  const seconds = fields.length - values.length
  return fields
    .map((field, at) => {
      const fieldValues = values[at - seconds]
      const isOfDays = at - seconds === 2 || at - seconds === 4
      const isOdd = /(?:^|,)\w+\//.test(field) || (at - seconds === 4 && /7/.test(field))
      if (fieldValues === undefined || fieldValues.size === 0 || !isOdd || (isOfDays && field.startsWith("*")))
        return field
      return [...fieldValues].sort((a, b) => a - b).join(",")
    })
    .join(" ")
}
