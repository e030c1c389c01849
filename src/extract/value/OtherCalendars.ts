/**
 * Days of calendars that count other years: that of Iran, whose months are others too, and that of Thailand.
 *
 * They are told apart by the name of the month or by the language: a number alone says no calendar.
 */
import type { CalendarDay } from "./CalendarDay.ts"

/** 1 to 12: a month of Iran by its name. */
export const persianMonthOf = (word: string): number | undefined => {
  const at = persianMonths.indexOf(word.replaceAll("ي", "ی"))
  return at === -1 ? undefined : at + 1
}

const persianMonths = "فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند".split(" ")

/** The day of our calendar; undefined: there is no such day. */
export const ofPersian = ({ day, month, year }: CalendarDay): CalendarDay | undefined => {
  // The year begins on 19 to 22 March; six months have 31 days, and those behind them 30.
  const about =
    Date.UTC(year + 621, 2, 21) + (Math.min(month - 1, 6) * 31 + Math.max(0, month - 7) * 30 + day - 1) * day24
  for (const shift of [0, -1, 1, -2]) {
    const date = new Date(about + shift * day24)
    const parts = persian().formatToParts(date)
    const [y, m, d] = (["year", "month", "day"] as const).map((part) =>
      Number.parseInt(parts.find(({ type }) => type === part)?.value ?? "", 10)
    )
    if (y === year && m === month && d === day) {
      return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
    }
  }
  return undefined
}

const day24 = 86_400_000

let format: Intl.DateTimeFormat | undefined

const persian = (): Intl.DateTimeFormat =>
  (format ??= new Intl.DateTimeFormat("en-u-ca-persian", {
    year: "numeric",
    month: "numeric",
    day: "numeric",
    timeZone: "UTC"
  }))

/** The day that numbers say on a page of this language. */
export const ofNumbers = (said: CalendarDay, language: string | undefined): CalendarDay | undefined => {
  const { year } = said
  if (/^fa\b/i.test(language ?? "") && year >= 1300 && year < 1500) return ofPersian(said)
  return /^th\b/i.test(language ?? "") ? ofThai(said) : said
}

/** Years of the Buddha are 543 more; a year of ours stays. */
export const ofThai = (said: CalendarDay): CalendarDay =>
  said.year >= 2400 ? { ...said, year: said.year - 543 } : said
