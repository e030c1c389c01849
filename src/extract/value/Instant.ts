/**
 * Points in time as people write them: a day with a time of day, "22 janvier 2015 à 14h40", "2026-05-03T09:00+02:00",
 * "Dec 12, 2014 8:25 pm".
 *
 * A time without a zone is given as UTC, since the place of the page is not known; a written zone stays.
 */
import { asciiDigits } from "./asciiDigits.ts"
import * as Day from "./Day.ts"
import * as EastAsianTime from "./EastAsianTime.ts"

/** As ISO date-time; midnight where only the day is written. */
export const parse = (text: string, options: Day.Options = {}): string | undefined => {
  if (text.length > 200) return undefined
  const time = timeOf(text)
  const rest =
    time === undefined ? text : text.slice(0, time.from) + " ".repeat(time.to - time.from) + text.slice(time.to)
  const day = Day.parse(rest, options)
  return day === undefined ? undefined : `${day}T${time?.clock ?? "00:00:00"}${time?.zone ?? "Z"}`
}

/** Whether the text says a time of day. */
export const hasTime = (text: string): boolean => timeOf(text.slice(0, 200)) !== undefined

/** Whether the text says a point in time and nothing else. */
export const isWhole = (text: string, options: Day.Options = {}): boolean => {
  const time = timeOf(text)
  const rest =
    time === undefined ? text : text.slice(0, time.from) + " ".repeat(time.to - time.from) + text.slice(time.to)
  const days = Day.all(rest, options)
  return days.length === 1 && Day.isAll(rest, days, options)
}

interface Time {
  readonly clock: string
  readonly zone?: string
  readonly from: number
  readonly to: number
}

const timeOf = (said: string): Time | undefined => {
  const text = asciiDigits(said)
  const eastAsian = /[時时點点시午晚早凌오]/.test(text) ? EastAsianTime.first(text) : undefined
  if (eastAsian !== undefined) return eastAsian
  for (const match of text.matchAll(clock)) {
    const [all, hours, colon, seconds = "00", fraction = "", point, half = "", zone, alone] = match
    const minutes = colon ?? point ?? "00"
    const word = alone === undefined ? undefined : words[alone.toLowerCase()]
    const hour = word ?? hourOf(Number(hours), half.toLowerCase().replaceAll(/[.\s]/g, ""))
    if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) continue
    const at = [hour, minutes, seconds].map((part) => String(part).padStart(2, "0")).join(":")
    const said = zone === undefined ? undefined : zoneOf(zone)
    const part = fraction === "" ? "" : `.${fraction.slice(0, 6)}`
    return {
      clock: at + part,
      from: match.index,
      to: match.index + all.length,
      ...(said === undefined ? {} : { zone: said })
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

const zoneOf = (zone: string): string | undefined => {
  const named = zones[zone.toUpperCase()]
  if (named !== undefined) return named
  const offset = /([+-])(\d{1,2}):?(\d{2})?$/.exec(zone)
  return offset === null ? undefined : `${offset[1]}${(offset[2] ?? "").padStart(2, "0")}:${offset[3] ?? "00"}`
}

const words: Readonly<Record<string, number>> = { noon: 12, midnight: 0 }

const zones: Readonly<Record<string, string>> = {
  Z: "Z",
  UTC: "Z",
  GMT: "Z",
  WET: "Z",
  BST: "+01:00",
  CET: "+01:00",
  CEST: "+02:00",
  EET: "+02:00",
  EEST: "+03:00",
  MSK: "+03:00",
  EST: "-05:00",
  EDT: "-04:00",
  CST: "-06:00",
  CDT: "-05:00",
  MST: "-07:00",
  MDT: "-06:00",
  PST: "-08:00",
  PDT: "-07:00",
  JST: "+09:00"
}

/** A time has a colon, an h, or the half of the day or its word behind, so that no day or price is taken for one. */
const clock =
  /(?:(?<![\d.,/:])|(?<=\d)t)(?:(\d{1,2})(?:[:h](\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?!\d)|\.(\d{2})(?=\s?uhr)|(?=\s?(?:[ap]\.?m\b|uhr\b))))\s?([ap]\.?\s?m\b\.?|uhr\b|h\b|अपराह्न|पूर्वाह्न|[مص](?![\u0600-\u06ff])|[بق]\.ظ\.?|[μπ]\.?μ\.?(?![\u0370-\u03ff]))?(?:\s?((?:utc|gmt)?\s?[+-]\d{1,2}(?::?\d{2})?(?!\d)|(?:z|utc|gmt|wet|bst|ces?t|ees?t|msk|[ecmp][sd]t|jst)\b))?|\b(noon|midnight)\b/gi
