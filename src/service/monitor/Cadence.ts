/**
 * The schedule of a monitor: a cron expression, or words such as "daily at 9:00", in a time zone.
 *
 * Two checks are always at least five minutes apart. Words that no cron expression can express ("every 7 hours") are
 * refused, never changed. A local time that a clock change skips moves to the next moment that exists, and a time that
 * occurs twice is used once.
 */
import * as Cron from "effect/Cron"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import * as Limits from "#contract/Limits"

export interface ScheduleText {
  readonly cron?: string | null | undefined
  readonly text?: string | null | undefined
  readonly timezone?: string | null | undefined
}

/** A valid schedule. `text`: the words in which it was requested. */
export interface Cadence {
  readonly cron: string
  readonly timezone: string
  readonly text?: string
}

/** Why a schedule is invalid, and which field. */
interface Fault {
  readonly field: "cron" | "text" | "timezone"
  readonly message: string
}

export const parse = ({ cron, text, timezone }: ScheduleText, now: number): Result.Result<Cadence, Fault> => {
  const zone = (timezone ?? "UTC").trim()
  if (DateTime.zoneFromString(zone)._tag === "None") {
    return fault(
      "timezone",
      `${JSON.stringify(zone.slice(0, 60))} is not a time zone; use one such as UTC or Europe/Berlin`
    )
  }
  const field = text == null ? "cron" : "text"
  const expression = text == null ? ofCron((cron ?? "").trim().split(/\s+/).join(" ")) : ofWords(text)
  if (typeof expression !== "string") return fault("text", expression.message)
  if (expression.split(" ").length !== 5) {
    return fault(
      "cron",
      "needs five fields: minute, hour, day of the month, month, day of the week; such as 0 9 * * 1-5"
    )
  }
  const parsed = Cron.parse(expression, zone)
  if (Result.isFailure(parsed)) return fault(field, `is not a cron expression: ${parsed.failure.message.toLowerCase()}`)
  if (shortestMinutes(parsed.success) < Limits.minMonitorMinutes) {
    return fault(field, `checks more often than every ${Limits.minMonitorMinutes} minutes, which is the minimum`)
  }
  const cadence: Cadence = { cron: expression, timezone: zone, ...(text == null ? {} : { text: text.trim() }) }
  return nextAfter(cadence, now) === undefined
    ? fault(field, "never occurs: there is no such date")
    : Result.succeed(cadence)
}

/** The first time after this one, in milliseconds; undefined: there is none. */
export const nextAfter = ({ cron, timezone }: Cadence, now: number): number | undefined => {
  try {
    return Cron.next(Cron.parseUnsafe(cron, timezone), new Date(now)).getTime()
  } catch {
    return undefined
  }
}

/** The number of checks in thirty days, estimated from at most the next 60 checks. */
export const inMonth = (cadence: Cadence, now: number): number => {
  const month = 30 * 86_400_000
  const times: Array<number> = []
  while (times.length < 60) {
    const next = nextAfter(cadence, times.at(-1) ?? now)
    if (next === undefined || next > now + month) return times.length
    times.push(next)
  }
  const [first = now] = times
  return Math.round((month * (times.length - 1)) / ((times.at(-1) ?? now) - first))
}

const fault = (field: Fault["field"], message: string): Result.Result<never, Fault> => Result.fail({ field, message })

/** The minimum number of minutes between two times of the schedule, as if it were the same on every day. */
const shortestMinutes = ({ hours, minutes }: Cron.Cron): number => {
  const times = orAll(hours, 24).flatMap((hour) => orAll(minutes, 60).map((minute) => hour * 60 + minute))
  return times.reduce(
    (least, time, at) => Math.min(least, (times[at + 1] ?? (times[0] ?? 0) + 24 * 60) - time),
    Number.POSITIVE_INFINITY
  )
}

const orAll = (values: ReadonlySet<number>, count: number): ReadonlyArray<number> =>
  values.size === 0 ? Array.from({ length: count }, (_, value) => value) : [...values].toSorted((a, b) => a - b)

/** The names that cron gives to schedules. */
const macros: Readonly<Record<string, string>> = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *"
}

const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
const dayName = String.raw`(sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)?s?`

interface Words {
  readonly pattern: RegExp
  readonly cron: (groups: ReadonlyArray<string | undefined>) => string | Problem
}
class Problem {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

const time = String.raw`(?:\s+at\s+(\d{1,2}(?::\d{2})?\s*(?:am|pm|a\.m\.|p\.m\.)?|noon|midnight))?`
const pastHour = String.raw`(?:\s+at\s+:(\d{1,2}))?`

const phrases: ReadonlyArray<Words> = [
  {
    pattern: /^every\s+(\d+)?\s*(?:minutes?|mins?|m)$/,
    cron: ([count]) => {
      const every = Number(count ?? 1)
      if (every < Limits.minMonitorMinutes) {
        return new Problem(`checks more often than every ${Limits.minMonitorMinutes} minutes, which is the minimum`)
      }
      if (every % 60 === 0) return everyHours(every / 60, 0)
      return 60 % every === 0
        ? `*/${every} * * * *`
        : new Problem(`${every} minutes do not divide an hour evenly; use 5, 6, 10, 12, 15, 20, 30 or 60 minutes`)
    }
  },
  { pattern: /^every\s+half[\s-]?(?:an\s+)?hour$/, cron: () => "*/30 * * * *" },
  {
    pattern: new RegExp(`^(?:hourly|every\\s+hour|each\\s+hour)${pastHour}$`),
    cron: ([minute]) => everyHours(1, minute)
  },
  {
    pattern: new RegExp(`^every\\s+(\\d+)\\s*(?:hours?|hrs?|h)${pastHour}$`),
    cron: ([count, minute]) => everyHours(Number(count), minute)
  },
  {
    pattern: new RegExp(`^(?:daily|every\\s+day|each\\s+day|once\\s+a\\s+day)${time}$`),
    cron: ([at]) => atTime(at, "* * *")
  },
  { pattern: /^(?:nightly|(?:every|each)\s+night)$/, cron: () => "0 0 * * *" },
  {
    pattern: new RegExp(`^(?:nightly|(?:every|each)\\s+(?:morning|night))${time}$`),
    cron: ([at]) => (at === undefined ? "0 6 * * *" : atTime(at, "* * *"))
  },
  { pattern: /^twice\s+(?:a\s+day|daily)$/, cron: () => "0 */12 * * *" },
  {
    pattern: new RegExp(`^(?:every\\s+)?(?:weekdays?|working\\s+days?|business\\s+days?)${time}$`),
    cron: ([at]) => atTime(at, "* * 1-5")
  },
  { pattern: new RegExp(`^(?:every\\s+)?weekends?${time}$`), cron: ([at]) => atTime(at, "* * 0,6") },
  {
    pattern: new RegExp(`^(?:weekly|every\\s+week|once\\s+a\\s+week)(?:\\s+on\\s+${dayName})?${time}$`),
    cron: ([day, at]) => atTime(at, `* * ${day === undefined ? 1 : dayOf(day)}`)
  },
  {
    pattern: new RegExp(`^(?:every\\s+|on\\s+)?${dayName}${time}$`),
    cron: ([day, at]) => atTime(at, `* * ${dayOf(day)}`)
  },
  {
    pattern: new RegExp(
      `^(?:(?:on\\s+)?the\\s+|every\\s+)?(?:first|1st)\\s+${dayName}\\s+of\\s+(?:the|every|each)\\s+month${time}$`
    ),
    // In a field that begins with an asterisk, the days of the month do not stand for themselves: both fields must match.
    cron: ([day, at]) => atTime(at, `*/31,1-7 * ${dayOf(day)}`)
  },
  {
    pattern: new RegExp(
      `^(?:monthly|every\\s+month|once\\s+a\\s+month)(?:\\s+on\\s+(?:the\\s+)?(\\d{1,2})(?:st|nd|rd|th)?)?${time}$`
    ),
    cron: ([day, at]) => atTime(at, `${Number(day ?? 1)} * *`)
  }
]

const ofCron = (text: string): string => macros[text.toLowerCase()] ?? text

/** The cron expression for words, or why there is none. */
const ofWords = (text: string): string | Problem => {
  const words = text.trim().toLowerCase().replaceAll(/\s+/g, " ").replace(/[.!]$/, "")
  const named = macros[words]
  if (named !== undefined) return named
  for (const { cron, pattern } of phrases) {
    const match = pattern.exec(words)
    if (match !== null) return cron(match.slice(1))
  }
  return new Problem(
    `${JSON.stringify(text.slice(0, 60))} is not understood; use every 30 minutes, hourly, every 6 hours at :15, daily at 9:00, weekdays at 9am, weekly on monday at 9:00, monthly, or give cron`
  )
}

const everyHours = (every: number, past: string | number | undefined): string | Problem => {
  const minute = Number(past ?? 0)
  if (minute > 59) return new Problem("an hour has the minutes :00 to :59")
  if (every === 1) return `${minute} * * * *`
  if (every === 24) return `${minute} 0 * * *`
  return every > 0 && 24 % every === 0
    ? `${minute} */${every} * * *`
    : new Problem(`${every} hours do not divide a day evenly; use 1, 2, 3, 4, 6, 8, 12 or 24 hours`)
}

const atTime = (text: string | undefined, rest: string): string | Problem => {
  if (text === undefined || text === "midnight") return `0 0 ${rest}`
  if (text === "noon") return `0 12 ${rest}`
  const [, hours = "", minutes = "0", half] = /^(\d{1,2})(?::(\d{2}))?\s*([ap])?/.exec(text) ?? []
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === "p" ? 12 : 0)
  const isOfClock = half === undefined || (Number(hours) >= 1 && Number(hours) <= 12)
  return hour > 23 || Number(minutes) > 59 || !isOfClock
    ? new Problem(`${JSON.stringify(text)} is not a time of day`)
    : `${Number(minutes)} ${hour} ${rest}`
}

const dayOf = (name: string | undefined): number => days.indexOf((name ?? "").slice(0, 3))
