/**
 * Points in time as people write them: a day with a time of day, "22 janvier 2015 à 14h40", "2026-05-03T09:00+02:00",
 * "Dec 12, 2014 8:25 pm".
 *
 * A time without a zone is given as UTC, since the place of the page is not known; a written zone stays, and one that is
 * not known makes the time unknown.
 */
import { asciiDigits } from "./asciiDigits.ts"
import * as Day from "./Day.ts"
import * as DayHalf from "./DayHalf.ts"
import * as EastAsianTime from "./EastAsianTime.ts"
import * as Zone from "./Zone.ts"

/** As ISO date-time; midnight where only the day is written. */
export const parse = (text: string, options: Day.Options = {}): string | undefined => {
  if (text.length > 200) return undefined
  const { rest, time } = split(text, options)
  const day = Day.parse(rest, options)
  if (day === undefined || (time === undefined && isUnread.test(asciiDigits(rest)))) return undefined
  if (time !== undefined && time.zone === undefined && Zone.behind(text.slice(time.to)) !== undefined) return undefined
  return `${day}T${time?.clock ?? "00:00:00"}${time?.zone ?? "Z"}`
}

/** Whether the text says a time of day. */
export const hasTime = (text: string): boolean => timeOf(text.slice(0, 200), {}) !== undefined

/** Whether the text says a point in time and nothing else. */
export const isWhole = (text: string, options: Day.Options = {}): boolean => {
  const { rest } = split(text, options)
  const days = Day.all(rest, options)
  return days.length === 1 && Day.isAll(rest, days, options)
}

/** The time of a text, and the text without it: what stands behind keeps its place. */
const split = (text: string, options: Day.Options) => {
  const time = timeOf(text, options) ?? pointed(text, options)
  if (time === undefined) return { rest: text }
  return { time, rest: text.slice(0, time.from) + " ".repeat(time.to - time.from) + text.slice(time.to) }
}

/** An hour that no clock has, as the nights of Japan do: "25時", "24:00". */
const isUnread = /(?<!\d)(?:2[4-9]|3\d)\s?(?:[時时시点點](?!間|间|간)|:[0-5]\d(?!\d))/u

/** "3 maj 2025 kl. 15.05": beside a day, two numbers with a point are a time if they are not part of the day and not a sum. */
const pointed = (text: string, options: Day.Options): Time | undefined => {
  const ascii = asciiDigits(text)
  const [day, ...more] = ascii.includes(".") || /\dh?\s?h|à\s/i.test(ascii) ? Day.all(ascii, options) : []
  if (day === undefined || more.length > 0) return undefined
  const rest = ascii.slice(0, day.from) + "#".repeat(day.to - day.from) + ascii.slice(day.to)
  const match =
    /(?<![\d.,#])([01]?\d|2[0-3])(?:\.([0-5]\d)|\s?h(?:\s?([0-5]\d))?|\s?ч\.?\s?([0-5]\d)\s?мин\.?)(?![\d.,:%\p{Sc}\p{L}])/iu.exec(
      rest
    )
  if (match === null) return undefined
  const from = match.index
  const to = from + match[0].length
  const behind = /^\s?\(?([a-z]{3,4})\b\)?/i.exec(rest.slice(to))
  const zone = behind?.[1] === undefined ? undefined : Zone.offsetOf(behind[1], options.language)
  // "2 h" alone is a length, unless it follows its day or a word for "at".
  if (/h$/i.test(match[0]) && !/(?:[#,–-]|(?<!\p{L})(?:à|às|dès|las|alle))\s*$/iu.test(rest.slice(0, from)))
    return undefined
  // Other text with a number or a sum is not a time: "3 May 2025, 12.50 Euro".
  if (/[\d%\p{Sc}]/u.test(rest.slice(0, from) + rest.slice(to)) || (zone === undefined && !isEnd.test(rest.slice(to))))
    return undefined
  const clock = `${(match[1] ?? "").padStart(2, "0")}:${match[2] ?? match[3] ?? match[4] ?? "00"}:00`
  return zone === undefined ? { clock, from, to } : { clock, zone, from, to: to + (behind?.[0].length ?? 0) }
}

/** What may stand behind such a time. */
const isEnd = /^\s*(?:(?:uhr|uur|น|hrs)\b\.?|น\.|[)\]|,;•·–-]|#|$)/i

interface Time {
  readonly clock: string
  readonly zone?: string
  readonly from: number
  readonly to: number
}

const timeOf = (written: string, { language }: Day.Options): Time | undefined => {
  const text = asciiDigits(written)
  const eastAsian = /[時时點点시午晚早凌오夜朝]/.test(text) ? EastAsianTime.first(text) : undefined
  if (eastAsian !== undefined) return eastAsian
  for (const match of text.matchAll(clock)) {
    const [whole, hours, colon, seconds = "00", fraction = "", point, half = "", zone, alone] = match
    const offset = zone === undefined ? undefined : Zone.offsetOf(zone, language)
    // A zone that is not known is not read.
    const all = zone !== undefined && offset === undefined ? whole.slice(0, whole.lastIndexOf(zone)) : whole
    const minutes = colon ?? point ?? "00"
    const word = alone === undefined ? undefined : words[alone.toLowerCase()]
    const side = half === "" ? DayHalf.near(text, match.index, match.index + all.length) : undefined
    const hour =
      word ??
      (side === undefined
        ? hourOf(Number(hours), half.toLowerCase().replaceAll(/[.\s]/g, ""))
        : DayHalf.hourOf(Number(hours), side))
    if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) continue
    const at = [hour, minutes, seconds].map((part) => String(part).padStart(2, "0")).join(":")
    const part = fraction === "" ? "" : `.${fraction.slice(0, 6)}`
    return {
      clock: at + part,
      from: side === undefined ? match.index : Math.min(match.index, side.from),
      to: side === undefined ? match.index + all.length : Math.max(match.index + all.length, side.to),
      ...(offset === undefined ? {} : { zone: offset })
    }
  }
  return undefined
}

const hourOf = (hour: number, half: string): number => {
  if (late.test(half)) return hour < 12 ? hour + 12 : hour
  return early.test(half) && hour === 12 ? 0 : hour
}

/** The halves of the day, of English, Hindi, Arabic, Persian and Greek. */
const late = /^(?:p|अपराह्न|م|بظ|μμ)/
const early = /^(?:a|पूर्वाह्न|ص|قظ|πμ)/

const words: Readonly<Record<string, number>> = { noon: 12, midnight: 0 }

/** A time has a colon, an h, or the half of the day or its word behind, so that no day or price is taken for one. */
const clock =
  /(?:(?<![\d.,/:])|(?<=\d)t)(?:(\d{1,2})(?:[:h](\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?!\d)|\.(\d{2})(?=\s?uhr)|(?=\s?(?:[ap]\.?m\b|uhr\b))))\s?([ap]\.?\s?m\b\.?|uhr\b|h\b|अपराह्न|पूर्वाह्न|[مص](?![\u0600-\u06ff])|[بق]\.ظ\.?|[μπ]\.?μ\.?(?![\u0370-\u03ff]))?(?:\s?\(?((?:utc|gmt)?\s?[+−-]\d{1,2}(?::?\d{2})?(?!\d)|(?:z|utc|gmt|wet|bst|ces?t|ees?t|mes?z|msk|[ecmp][sd]t|[ijk]st|hkt|sgt|wit|wita|wib|pkt|ae[sd]t|nz[sd]t|sast|[bt]rt)\b|мск(?!\p{L}))\)?)?|\b(noon|midnight)\b/giu
