/**
 * The other end of a range of days, where it is not written out: "12.–14. September 2025", "12 au 14 juin 2025", "May 30 – June
 * 2, 2026", "2025年9月12日～14日". A text with such a range says two days.
 */
import type { CalendarDay, FoundDay } from "./CalendarDay.ts"
import { monthOf } from "./Months.ts"

/** The days of a text whose digits are ASCII, with the ends that are cut off. */
export const withEnds = (
  text: string,
  days: ReadonlyArray<FoundDay>,
  language: string | undefined
): ReadonlyArray<FoundDay> =>
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
  return exists(found)
    ? { ...(found.month === 0 ? { ...found, month: 12, year: day.year - 1 } : found), from: at, to: day.from }
    : undefined
}

const end = (behind: string, { month: own, to, year }: FoundDay): FoundDay | undefined => {
  const [whole, month, day] = cutBehind.exec(behind) ?? []
  if (whole === undefined) return undefined
  const found = { year, month: month === undefined ? own : Number(month), day: Number(day) }
  return exists(found) ? { ...found, from: to, to: to + whole.length } : undefined
}

const exists = ({ day, month }: CalendarDay): boolean => day >= 1 && day <= 31 && month >= 0 && month <= 12

const between =
  "[-–—~～〜/&+]|(?<!\\p{L})(?:bis|to|till?|au|al|a|ad|do|até|až|po|по|до|ως|έως|ile|إلى|الى|עד|تا|से|ถึง|đến|sampai|s/d|hingga|und|and|et|e|y|i|и|й|та|og|och|ja|en|és|ve|và|dan)(?!\\p{L})"

/** Perhaps the name of a month, a number, perhaps a second one or the name of a month, and what joins it to the day behind. */
const cutBefore = new RegExp(
  `(?<![\\p{L}\\d.,:/-])(?:(\\p{L}{3,12})\\.?\\s)?(\\d{1,2})(?:er|st|nd|rd|th|[º°η])?(?:\\s?([./])\\s?(\\d{1,2})?\\.?)?(?:\\s(?:de\\s)?(\\p{L}{3,12})\\.?)??\\s?(?:${between})\\s?(?:(?:el|le|the|den)\\s)?$`,
  "u"
)
const cutBehind =
  /^\s?(?:[（(][^（()）]{1,4}[)）]\s?)?(?:[-–—~～〜至到]|から|부터)\s?(?:(?:\d{4}\s?[年년]\s?)?(\d{1,2})\s?[月월]\s?)?(\d{1,2})\s?[日일号號]/u
