/**
 * Days as people write them: "2026-05-03", "3 May 2026", "May 3rd, 2026", "3. Mai 2026", "03/05/2026", "2026年5月3日",
 * "٣ مايو ٢٠٢٦", "3 พฤษภาคม 2569".
 *
 * A date without a year is not a day. Day and month of "03/05/2026" are distinguished by what can be a month, else by the
 * order of the language, else not at all. A text with several days has no single day.
 */
import { asciiDigits } from "./asciiDigits.ts"
import type { CalendarDay, FoundDay } from "./EastAsianDay.ts"
import * as EastAsianDay from "./EastAsianDay.ts"
import { isWeekday, monthOf } from "./Months.ts"
import * as OtherCalendars from "./OtherCalendars.ts"

export interface Options {
  /** Of the page, as it says it: "en", "en-GB". */
  readonly language?: string
}

/** The day of a text, as ISO date. */
export const parse = (text: string, options: Options = {}): string | undefined => {
  const days = all(text, options)
  const [first] = days
  return first !== undefined && days.every((day) => iso(day) === iso(first)) ? iso(first) : undefined
}

export const iso = ({ day, month, year }: Pick<FoundDay, "day" | "month" | "year">): string =>
  `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`

/** All days of a text in their order. */
export const all = (text: string, options: Options = {}): ReadonlyArray<FoundDay> => {
  const ascii = asciiDigits(text.slice(0, maxText))
  const eastAsian = EastAsianDay.all(ascii, options.language).filter(exists)
  const rest = without(ascii, eastAsian)
  const days = hasYear.test(rest)
    ? [...eastAsian, ...others(rest, options)].toSorted((a, b) => a.from - b.from)
    : eastAsian
  return withEnds(ascii, days, options.language)
}

/** Blanks in the place of what was read: what stands behind keeps its place. */
const without = (text: string, days: ReadonlyArray<FoundDay>): string =>
  days.reduce((rest, { from, to }) => rest.slice(0, from) + " ".repeat(to - from) + rest.slice(to), text)

const others = (text: string, options: Options): ReadonlyArray<FoundDay> => {
  const tokens = tokenize(text)
  const found: Array<FoundDay> = []
  for (let at = 0; at < tokens.length && found.length < 4; at++) {
    const read = numeric(tokens, at, options) ?? worded(tokens, at, options)
    if (read === undefined) continue
    const { count, ...day } = read
    const first = tokens[at]
    const last = tokens[at + count - 1]
    if (first === undefined || last === undefined || !exists(day)) continue
    found.push({ ...day, from: first.from, to: last.to })
    at += count - 1
  }
  return found
}

/** Whether nothing else is said than days: names of weekdays and words between are no more. */
export const isAll = (text: string, days: ReadonlyArray<FoundDay>, { language }: Options): boolean => {
  return tokenize(without(asciiDigits(text), days)).every(
    ({ text: word }) => !/[\p{L}\d]/u.test(word) || filler.has(word) || isWeekday(word, language)
  )
}

interface Token {
  readonly text: string
  readonly from: number
  readonly to: number
}

interface Read extends CalendarDay {
  /** How many tokens it takes. */
  readonly count: number
}

const tokenize = (text: string): ReadonlyArray<Token> => {
  const found: Array<Token> = []
  for (const match of text.slice(0, maxText).toLowerCase().matchAll(token)) {
    found.push({ text: match[0], from: match.index, to: match.index + match[0].length })
    if (found.length === 120) break
  }
  return found
}

/** At least two digits, and not part of a longer number. */
const hasYear = /\d{4}|\d\D{1,3}\d{2}(?!\d)|\d{2}\D{1,3}\d{1,2}\D{1,3}\d|\p{L}\D{1,4}\d{2}(?!\d)/u
const maxText = 500
/** A number; a name cut off in several places, as "ก.พ."; a word; a mark that is seen. */
const token =
  /\d+|\p{L}{1,2}\p{M}*(?:\.\p{L}{1,2}\p{M}*)+(?![\p{L}\p{M}])\.?|\p{L}[\p{L}\p{M}]*|[^\s\p{L}\p{M}\p{Cf}\d]/gu

/** Three numbers with the same mark between, or the eight digits of an ISO day. */
const numeric = (tokens: ReadonlyArray<Token>, at: number, options: Options): Read | undefined => {
  const first = tokens[at]?.text ?? ""
  if (!/^\d+$/.test(first)) return undefined
  const before = tokens[at - 1]
  if (before !== undefined && before.to === tokens[at]?.from && /[\d./:-]/.test(before.text)) return undefined
  if (/^(?:19|20)\d{6}$/.test(first)) {
    return { year: Number(first.slice(0, 4)), month: Number(first.slice(4, 6)), day: Number(first.slice(6)), count: 1 }
  }
  const [mark, second, mark2, third] = [1, 2, 3, 4].map((step) => tokens[at + step]?.text ?? "")
  if (mark === undefined || second === undefined || mark2 === undefined || third === undefined) return undefined
  if (!/^\d{1,2}$/.test(second)) return undefined
  if (/^\d{4}$/.test(first)) {
    if (mark !== mark2 || !/^[-/.]$/.test(mark) || !/^\d{1,2}$/.test(third)) return undefined
    const written = { year: Number(first), month: Number(second), day: Number(third) }
    return read(OtherCalendars.ofNumbers(written, options.language), 5)
  }
  if (isShortYear(first, third, options.language)) {
    return mark === mark2 && /^[-/.]$/.test(mark)
      ? { year: yearOf(first), month: Number(second), day: Number(third), count: 5 }
      : undefined
  }
  const isYear = /^\d{4}$/.test(third) || (/^\d{2}$/.test(third) && !/^[.,:]$/.test(tokens[at + 5]?.text ?? ""))
  if (mark !== mark2 || !/^[-/.]$/.test(mark) || !/^\d{1,2}$/.test(first) || !isYear) return undefined
  const order = orderOf(Number(first), Number(second), mark, options.language)
  if (order === undefined) return undefined
  return read(OtherCalendars.ofNumbers({ year: yearOf(third, options.language), ...order }, options.language), 5)
}

/** Where the year comes first it does so with two digits too: "25/05/03", "25. 5. 3.". */
const isShortYear = (first: string, third: string, language: string | undefined): boolean =>
  /^\d{2}$/.test(first) && /^\d{1,2}$/.test(third) && /^(?:ja|ko|zh|hu|lt|mn)(?![-_]hk)\b/i.test(language ?? "")

const read = (day: CalendarDay | undefined, count: number): Read | undefined =>
  day === undefined ? undefined : { ...day, count }

/** Which of two numbers is the day. */
const orderOf = (a: number, b: number, mark: string, language: string | undefined) => {
  const dayFirst = { day: a, month: b }
  const monthFirst = { day: b, month: a }
  if (a > 12 || a === b) return dayFirst
  if (b > 12) return monthFirst
  if (mark === ".") return dayFirst
  if (language === undefined) return undefined
  return /^en(?:[-_]us)?$|^(?:en|es)[-_](?:us|pr)$|^fil|^ja|^ko|^zh/i.test(language) ? monthFirst : dayFirst
}

/** A day, a month's name and a year in any order that has the year at an end. */
const worded = (tokens: ReadonlyArray<Token>, at: number, { language }: Options): Read | undefined => {
  const parts: Array<number> = []
  let named: Named | undefined
  let place = -1
  let count = 0
  for (let i = at; i < tokens.length && parts.length + (named === undefined ? 0 : 1) < 3; i++) {
    const { text } = tokens[i] ?? { text: "" }
    if (/^\d{1,4}$/.test(text)) {
      parts.push(i)
    } else {
      const found: Named | undefined = /^\p{L}/u.test(text) ? namedAt(tokens, i, language) : undefined
      // "3 أيار/مايو 2025" names its month twice.
      if (found !== undefined && (named === undefined || (found.month === named.month && !link.has(text)))) {
        named ??= found
        if (named === found) place = parts.length
        i += found.count - 1
      } else if (i === at || !(link.has(text) || isWeekday(text, language)) || i - at > 9) return undefined
    }
    count = i - at + 1
  }
  const [a, b] = parts.map((index) => tokens[index]?.text ?? "")
  if (a === undefined || b === undefined || named === undefined) return undefined
  const { calendar, isLatin, isThai, month } = named
  // Year, day and month: Georgian, Kazakh, Hindi.
  if (a.length === 4 && (place <= 1 || !isLatin)) {
    return b.length <= 2 ? read(calendar({ year: Number(a), month, day: Number(b) }), count) : undefined
  }
  if (a.length > 2 || place > 1 || (b.length !== 4 && (b.length !== 2 || place === 0))) return undefined
  return read(calendar({ year: yearOf(b, isThai ? "th" : undefined), month, day: Number(a) }), count)
}

/** A month by its name. */
interface Named {
  readonly month: number
  /** How many tokens name it. */
  readonly count: number
  readonly isLatin: boolean
  readonly isThai?: boolean
  /** The day in our calendar. */
  readonly calendar: (day: CalendarDay) => CalendarDay | undefined
}

const namedAt = (tokens: ReadonlyArray<Token>, at: number, language: string | undefined): Named | undefined => {
  const { text } = tokens[at] ?? { text: "" }
  const next = tokens[at + 1]?.text ?? ""
  const isLatin = /^\p{Script=Latin}/u.test(text)
  // Vietnamese counts its months: "5 tháng 3 2026".
  if (text === "tháng" && /^\d{1,2}$/.test(next)) return { month: Number(next), count: 2, isLatin, calendar: ours }
  const ofTwo = /^\p{L}/u.test(next) ? monthOf(`${text} ${next}`, language) : undefined
  if (ofTwo !== undefined) return { month: ofTwo, count: 2, isLatin, calendar: ours }
  // Thai joins the word "month" to the name.
  const month = monthOf(text.replace(/^เดือน/, ""), language)
  if (month !== undefined) {
    const isThai = /^[ก-๙]/.test(text)
    return { month, count: 1, isLatin, isThai, calendar: isThai ? OtherCalendars.ofThai : ours }
  }
  const persian = OtherCalendars.persianMonthOf(text)
  if (persian !== undefined) return { month: persian, count: 1, isLatin, calendar: OtherCalendars.ofPersian }
  const two = OtherCalendars.islamicMonthOf(`${text} ${next}`)
  const islamic = two ?? OtherCalendars.islamicMonthOf(text)
  if (islamic === undefined) return undefined
  return { month: islamic, count: two === undefined ? 1 : 2, isLatin, calendar: OtherCalendars.ofIslamic }
}

const ours = (day: CalendarDay) => day

/**
 * Two digits are of this century or, from 70, of the last. Thailand counts other years: "68" is 2568; what is small may be
 * of either count.
 */
const yearOf = (digits: string, language?: string): number => {
  const year = Number(digits)
  if (digits.length === 2 && /^th\b/i.test(language ?? "")) return year < 43 ? Number.NaN : 2500 + year
  return digits.length > 2 ? year : year + (year < 70 ? 2000 : 1900)
}

const exists = ({ day, month, year }: CalendarDay): boolean =>
  year >= 1000 &&
  year <= 2999 &&
  month >= 1 &&
  month <= 12 &&
  day >= 1 &&
  day <= new Date(Date.UTC(year, month, 0)).getUTCDate()

/** What may stand between the parts of a day. */
const link = new Set(
  (
    ". , - / ' ’ ] [ ( ) « » „ “ º ª ° ، of the st nd rd th er e eme ème ste de den der del do da di du le el il al van year " +
    "ᵉʳ η го ый ое г года год р року ж শে ই লা রা ঠা সাল सन् ปี พ.ศ พ.ศ. ค.ศ ค.ศ. წლის წ წ. năm ngày thn ng ماه هـ م m d"
  ).split(" ")
)

const filler = new Set([
  ...link,
  ..."on am le el il op em in à a at um the ab as from seit since dal vom uhr".split(" ")
])

/*
 * The other end of a range of days, where it is not written out: "12.–14. September 2025", "12 au 14 juin 2025", "May 30 – June
 * 2, 2026", "2025年9月12日～14日". A text with such a range says two days.
 */

/** The days of a text whose digits are ASCII, with the ends that are cut off. */
const withEnds = (text: string, days: ReadonlyArray<FoundDay>, language: string | undefined): ReadonlyArray<FoundDay> =>
  days.flatMap((day) => {
    const first = beginning(text.slice(Math.max(0, day.from - reach), day.from), day, language)
    const last = end(text.slice(day.to, day.to + reach), day)
    const isEnd = (other: FoundDay | undefined): other is FoundDay => other !== undefined && !isSame(other, day)
    return [...[first].filter(isEnd), day, ...[last].filter(isEnd)]
  })

/** "12-12 June 2021" is one day. */
const isSame = (a: CalendarDay, b: CalendarDay): boolean => a.day === b.day && a.month === b.month && a.year === b.year

const reach = 40

const beginning = (before: string, day: FoundDay, language: string | undefined): FoundDay | undefined => {
  const [whole, word, first = "", mark, second, other] = cutBefore.exec(before) ?? []
  if (whole === undefined) return undefined
  const name = other ?? word
  const named = name === undefined ? undefined : monthOf(name.toLowerCase(), language)
  // Other text between the two is not a month: "3 Zimmer - 14. Mai 2026".
  if (other !== undefined && named === undefined) return undefined
  const numbers = second === undefined ? [Number(first)] : [Number(first), Number(second)]
  const isMonthFirst = mark === "/" && numbers[0] === day.month && numbers[1] !== day.month
  const [own = 0, month = named] = isMonthFirst ? numbers.toReversed() : numbers
  const found = { day: own, month: month ?? (own <= day.day ? day.month : day.month - 1), year: day.year }
  const at = day.from - whole.length
  return isPossible(found)
    ? { ...(found.month === 0 ? { ...found, month: 12, year: day.year - 1 } : found), from: at, to: day.from }
    : undefined
}

const end = (behind: string, { month: own, to, year }: FoundDay): FoundDay | undefined => {
  const [whole, month, day] = cutBehind.exec(behind) ?? []
  if (whole === undefined) return undefined
  const found = { year, month: month === undefined ? own : Number(month), day: Number(day) }
  return isPossible(found) ? { ...found, from: to, to: to + whole.length } : undefined
}

const isPossible = ({ day, month }: CalendarDay): boolean => day >= 1 && day <= 31 && month >= 0 && month <= 12

const between =
  "[-–—~～〜/&+]|(?<!\\p{L})(?:bis|to|till?|au|al|a|ad|do|até|až|po|по|до|ως|έως|ile|إلى|الى|עד|تا|से|ถึง|đến|sampai|s/d|hingga|und|and|et|e|y|i|и|й|та|og|och|ja|en|és|ve|và|dan)(?!\\p{L})"

/** Perhaps the name of a month, a number, perhaps a second one or the name of a month, and what joins it to the day behind. */
const cutBefore = new RegExp(
  `(?<![\\p{L}\\d.,:/-])(?:(\\p{L}{3,12})\\.?\\s)?(\\d{1,2})(?:er|st|nd|rd|th|[º°η])?(?:\\s?([./])\\s?(\\d{1,2})?\\.?)?(?:\\s(?:de\\s)?(\\p{L}{3,12})\\.?)??\\s?(?:${between})\\s?(?:(?:el|le|the|den)\\s)?$`,
  "u"
)
const cutBehind =
  /^\s?(?:[（(][^（()）]{1,4}[)）]\s?)?(?:[-–—~～〜至到]|から|부터)\s?(?:(?:\d{4}\s?[年년]\s?)?(\d{1,2})\s?[月월]\s?)?(\d{1,2})\s?[日일号號]/u
