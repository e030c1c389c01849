/**
 * Whether clock changes affect a schedule in the next year: a time that does not exist on a day, or a time that occurs twice.
 * Millrace runs both once; other schedulers do not, and the export says so. A schedule of every hour loses nothing.
 */
import * as Cron from "effect/Cron"
import * as DateTime from "effect/DateTime"
import * as DueTimes from "../../DueTimes.ts"
import type { Timing } from "../../FileSchedule.ts"

interface Changes {
  readonly hasGap: boolean
  readonly hasTwice: boolean
}

const dayMillis = 86_400_000

export const clockChanges = ({ expression, timezone }: Timing, from: number): Changes => {
  const cron = Cron.parseUnsafe(expression, timezone)
  const offsetAt = (instant: number) => DateTime.zonedOffset(DateTime.makeZonedUnsafe(instant, { timeZone: timezone }))
  const times = DueTimes.of({ expression, timezone })
  let [hasGap, hasTwice] = [false, false]
  if (cron.hours.size === 0 || cron.hours.size === 24) return { hasGap, hasTwice }
  for (let day = from; day < from + 366 * dayMillis; day += dayMillis) {
    const moved = offsetAt(day) - offsetAt(day + dayMillis)
    if (moved === 0) continue
    for (let due = times.next(day); due !== undefined && due <= day + dayMillis; due = times.next(due)) {
      hasGap ||= !Cron.match(cron, new Date(due))
      hasTwice ||= moved > 0 && offsetAt(due) - offsetAt(due + moved) === moved
    }
  }
  return { hasGap, hasTwice }
}
