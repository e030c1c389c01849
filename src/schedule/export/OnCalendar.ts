/**
 * A cron expression as the calendar events of systemd.
 *
 * Each line is one reading of the cron fields, and the lines together are due when the expression is. Cron's "day of the
 * month or weekday" has no single line in systemd: it becomes two.
 */
import * as Cron from "effect/Cron"
import type { Timing } from "../../file/Schedule.ts"

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

export const make = ({ expression, timezone }: Pick<Timing, "expression" | "timezone">): ReadonlyArray<string> => {
  const { days, hours, minutes, months, seconds, weekdays: week } = Cron.parseUnsafe(expression, "UTC")
  const fields = expression.trim().split(/\s+/)
  const [day = "*", , weekday = "*"] = fields.slice(-3)
  const time = [hours, minutes, seconds].map((values) => list(values, 2)).join(":")
  const line = (ofDays: ReadonlySet<number>, ofWeek: ReadonlySet<number>) => {
    const names = ofWeek.size === 0 || ofWeek.size === 7 ? "" : `${Array.from(ofWeek, (at) => weekdays[at]).join(",")} `
    return `${names}*-${list(months, 2)}-${list(ofDays, 2)} ${time} ${timezone}`
  }
  const isEither = days.size > 0 && week.size > 0 && !day.startsWith("*") && !weekday.startsWith("*")
  return isEither ? [line(days, new Set()), line(new Set(), week)] : [line(days, week)]
}

const list = (values: ReadonlySet<number>, width: number): string =>
  values.size === 0 ? "*" : Array.from(values, (value) => String(value).padStart(width, "0")).join(",")
