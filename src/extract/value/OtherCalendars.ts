/**
 * Days of calendars that count other years: those of Iran and of Islam, whose months are others too, and that of Thailand.
 *
 * They are recognised by the name of the month or by the language: a number alone names no calendar.
 */
import type { CalendarDay } from "./EastAsianDay.ts"

/** 1 to 12: a month of Iran by its name. */
export const persianMonthOf = (word: string): number | undefined =>
  arabic.test(word) ? persianMonths.get(word.replaceAll("ي", "ی")) : undefined

/** 1 to 12: a month of the Islamic calendar by its name, of one word or of two. */
export const islamicMonthOf = (words: string): number | undefined =>
  arabic.test(words)
    ? islamicMonths.get(
        words
          .replaceAll(/[\u064b-\u0655\u0670\u0640]/g, "")
          .replaceAll(/[أإآ]/g, "ا")
          .replaceAll(/[یى]/g, "ي")
      )
    : undefined

/** Words of other scripts, which are most words, name no such month. */
const arabic = /[\u0600-\u06ff]/

/** The names of the months in their order; several names of one month stand between commas. */
const numbered = (months: string): ReadonlyMap<string, number> =>
  new Map(months.split("|").flatMap((names, i) => names.split(",").map((name) => [name, i + 1] as const)))

const persianMonths = numbered("فروردین|اردیبهشت|خرداد|تیر|مرداد|شهریور|مهر|آبان|آذر|دی|بهمن|اسفند")

const islamicMonths = numbered(
  "محرم,محرم الحرام|صفر|ربيع الاول|ربيع الثاني,ربيع الاخر|جمادي الاولي,جمادي الاول|جمادي الثانية,جمادي الاخرة,جمادي الثاني|" +
    "رجب|شعبان|رمضان|شوال|ذو القعدة,ذي القعدة|ذو الحجة,ذي الحجة"
)

/** The day of our calendar; undefined: there is no such day. */
export const ofPersian = (written: CalendarDay): CalendarDay | undefined =>
  // The year begins on 19 to 22 March; six months have 31 days, and those behind them 30.
  dayOf(
    written,
    persian,
    Date.UTC(written.year + 621, 2, 21) +
      (Math.min(written.month - 1, 6) * 31 + Math.max(0, written.month - 7) * 30) * day24
  )

/** As Saudi Arabia counts (Umm al-Qura): a country that looks for the moon itself may be a day apart. */
export const ofIslamic = (written: CalendarDay): CalendarDay | undefined =>
  dayOf(written, islamic, Date.UTC(622, 6, 19) + ((written.year - 1) * 354.367 + (written.month - 1) * 29.5306) * day24)

/** The day whose year, month and day are these there; `first` is about the first day of the month. */
const dayOf = ({ day, month, year }: CalendarDay, format: () => Intl.DateTimeFormat, first: number) => {
  if (year < 1200 || year > 1500) return undefined
  for (const shift of [0, -1, 1, -2, 2, -3, 3]) {
    const date = new Date(Math.round(first / day24 + day - 1 + shift) * day24)
    const parts = format().formatToParts(date)
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

const formatOf = (calendar: string) => {
  let format: Intl.DateTimeFormat | undefined
  return (): Intl.DateTimeFormat =>
    (format ??= new Intl.DateTimeFormat(`en-u-ca-${calendar}`, {
      year: "numeric",
      month: "numeric",
      day: "numeric",
      timeZone: "UTC"
    }))
}

const persian = formatOf("persian")
const islamic = formatOf("islamic-umalqura")

/** The day that numbers say on a page of this language. */
export const ofNumbers = (written: CalendarDay, language: string | undefined): CalendarDay | undefined => {
  const { year } = written
  if (/^fa\b/i.test(language ?? "") && year >= 1300 && year < 1500) return ofPersian(written)
  if (/^ar\b/i.test(language ?? "") && year >= 1300 && year < 1500) return ofIslamic(written)
  return /^th\b/i.test(language ?? "") ? ofThai(written) : written
}

/** Years of the Buddha are 543 more; a year of ours stays. */
export const ofThai = (written: CalendarDay): CalendarDay =>
  written.year >= 2400 ? { ...written, year: written.year - 543 } : written
