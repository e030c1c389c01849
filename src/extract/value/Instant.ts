/**
 * Points in time as people write them: a day with a time of day, "22 janvier 2015 à 14h40", "2026-05-03T09:00+02:00",
 * "Dec 12, 2014 8:25 pm".
 *
 * A time without a zone is given as UTC, since the place of the page is not known; a written zone stays, and one that is
 * not known makes the time unknown.
 */
import { asciiDigits } from "./asciiDigits.ts"
import * as Day from "./Day.ts"
import * as EastAsianDay from "./EastAsianDay.ts"

/** As ISO date-time; midnight where only the day is written. */
export const parse = (text: string, options: Day.Options = {}): string | undefined => {
  if (text.length > 200) return undefined
  const { rest, time } = split(text, options)
  const day = Day.parse(rest, options)
  if (day === undefined || (time === undefined && isUnread.test(asciiDigits(rest)))) return undefined
  if (time !== undefined && time.zone === undefined && zoneBehind(text.slice(time.to)) !== undefined) return undefined
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
  const zone = behind?.[1] === undefined ? undefined : offsetOf(behind[1], options.language)
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
  const eastAsian = /[時时點点시午晚早凌오夜朝]/.test(text) ? eastAsianTime(text) : undefined
  if (eastAsian !== undefined) return eastAsian
  for (const match of text.matchAll(clock)) {
    const [whole, hours, colon, seconds = "00", fraction = "", point, half = "", zone, alone] = match
    const offset = zone === undefined ? undefined : offsetOf(zone, language)
    // A zone that is not known is not read.
    const all = zone !== undefined && offset === undefined ? whole.slice(0, whole.lastIndexOf(zone)) : whole
    const minutes = colon ?? point ?? "00"
    const word = alone === undefined ? undefined : words[alone.toLowerCase()]
    const side = half === "" ? halfNear(text, match.index, match.index + all.length) : undefined
    const hour =
      word ??
      (side === undefined
        ? hourOf(Number(hours), half.toLowerCase().replaceAll(/[.\s]/g, ""))
        : hourIn(Number(hours), side))
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

interface Half {
  readonly isLate: boolean
  /** Whether it is the night, whose first hours belong to the next day. */
  readonly isNight: boolean
  readonly from: number
  readonly to: number
}

/**
 * Words beside a time that say which half of the day it is in, before it or behind: "3:05 مساءً", "शाम 5:30", "3:05 CH",
 * "ÖS 3:05", "9:30 вечера".
 *
 * The word that stands before or behind `from` to `to`.
 */
const halfNear = (text: string, from: number, to: number): Half | undefined => {
  const before = wordBefore.exec(text.slice(Math.max(0, from - 20), from))
  const own = halfOf(before?.[1], from - (before?.[0].length ?? 0), from)
  if (own !== undefined) return own
  const behind = wordBehind.exec(text.slice(to, to + 20))
  return halfOf(behind?.[1], to, to + (behind?.[0].length ?? 0))
}

/** 0 to 24: an hour that is said with its half. */
const hourIn = (hour: number, { isLate, isNight }: Half): number => {
  if (hour > 12) return hour
  if (isNight) return hour === 12 ? 0 : hour < 6 ? hour : hour + 12
  if (isLate) return hour < 12 ? hour + 12 : hour
  return hour === 12 ? 0 : hour
}

const halfOf = (word: string | undefined, from: number, to: number): Half | undefined => {
  const plain = word?.normalize("NFC").replaceAll(/[\u064b-\u0652]/g, "")
  if (plain === undefined || !(earlyWords.has(plain) || lateWords.has(plain) || nightWords.has(plain))) return undefined
  return { isLate: lateWords.has(plain), isNight: nightWords.has(plain), from, to }
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "))

const earlyWords = setOf("صباحا صباح الصبح صبح सुबह सकाळी সকাল ÖÖ SA sáng утра ранку पूर्वाह्न")
const lateWords = setOf("مساء ظهرا عصرا عصر शाम दोपहर अपराह्न संध्या দুপুর বিকাল সন্ধ্যা ÖS CH chiều вечера вечора дня")
const nightWords = setOf("ليلا شب रात রাত tối đêm ночи ночі")

const wordBefore = /(?<![\p{L}\p{M}])([\p{L}\p{M}]{2,10})[\s,:]{1,2}$/u
const wordBehind = /^\s?([\p{L}\p{M}]{2,10})(?![\p{L}\p{M}])/u

interface Found {
  /** "21:40:00" */
  readonly clock: string
  readonly from: number
  readonly to: number
}

/**
 * Times of day as Chinese, Japanese and Korean write them: "21時40分", "下午3:05", "오후 3시 5분", "15時半", "下午三时".
 *
 * The first of a text whose digits are ASCII.
 */
const eastAsianTime = (text: string): Found | undefined => {
  for (const match of text.matchAll(written)) {
    const [whole, half, hourText = "", colon, colonSeconds, digits, word, seconds] = match
    const spoken = digits ?? word
    if (whole === "正午") return { clock: "12:00:00", from: match.index, to: match.index + whole.length }
    const hours = EastAsianDay.numberOf(hourText)
    const minutes = /^[半반]$/.test(spoken ?? "") ? 30 : spoken === "一刻" ? 15 : spoken === "三刻" ? 45 : spoken
    // A time with a colon and without its half of the day is everybody's (`Instant`).
    if (half === undefined && colon !== undefined) continue
    const hour = eastAsianHour(hours, half)
    const [minute, second] = [Number(colon ?? minutes ?? 0), Number(colonSeconds ?? seconds ?? 0)]
    if (hour > 23 || minute > 59 || second > 59) continue
    const clock = [hour, minute, second].map((part) => String(part).padStart(2, "0")).join(":")
    return { clock, from: match.index, to: match.index + whole.length }
  }
  return undefined
}

const written =
  /正午|(午前|午後|上午|下午|晚上?|夜|朝|早上|凌晨|中午|오전|오후|저녁)?\s?(?<![\d〇一二三四五六七八九十])(\d{1,2}|[一二三四五六七八九十]{1,3}(?=[時时點点]))(?:[:：](\d{2})(?:[:：](\d{2}))?(?!\d)|\s?[時时點点시](?!間|间|간)\s?(?:(\d{1,2})\s?[分분]|(?:(?<=[時时點点시]\s?)(半|반|一刻|三刻)))?\s?(?:(\d{1,2})\s?[秒초])?)/gu

const eastAsianHour = (hour: number, half: string | undefined): number => {
  if (half === undefined) return hour
  const isLate = /午後|下午|晚|夜|오후|저녁/.test(half) || (half === "中午" && hour < 11)
  if (isLate) return hour < 12 ? hour + 12 : hour
  return hour === 12 && half !== "中午" ? 0 : hour
}

/*
 * Zones as they stand behind a time: "UTC+2", "CET", "(MSK)". Where an abbreviation is that of several countries, the language
 * of the page decides; what is not known makes the time unknown, and is not UTC.
 */

/** As ISO offset; undefined where it is not plain which. */
const offsetOf = (zone: string, language: string | undefined): string | undefined => {
  const upper = zone.toUpperCase()
  const own = shared[upper]
  if (own !== undefined) return own.find(([of]) => of.test(language ?? ""))?.[1]
  const named = zones[upper]
  if (named !== undefined) return named
  const offset = /([+−-])(\d{1,2}):?(\d{2})?$/.exec(zone)
  return offset === null
    ? undefined
    : `${offset[1] === "+" ? "+" : "-"}${(offset[2] ?? "").padStart(2, "0")}:${offset[3] ?? "00"}`
}

/** What stands behind a time and looks like a zone: "ET", "ACST", "Europe/Berlin". */
const zoneBehind = (text: string): string | undefined =>
  /^\s?\(?([A-Z]{1,3}[SD]?T(?![\p{L}\d])|TSİ|[A-Z][a-z]+\/[A-Z]\w+)/u.exec(text)?.[1]

const shared: Readonly<Record<string, ReadonlyArray<readonly [language: RegExp, offset: string]>>> = {
  CST: [
    [/^zh\b/i, "+08:00"],
    [/^/, "-06:00"]
  ],
  IST: [
    [/^(?:hi|bn|ta|te|mr|gu|kn|ml|pa)\b|^en[-_]in\b/i, "+05:30"],
    [/^(?:he|iw)\b/i, "+02:00"],
    [/^ga\b|^en[-_]ie\b/i, "+01:00"]
  ]
}

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
  CDT: "-05:00",
  MST: "-07:00",
  MDT: "-06:00",
  PST: "-08:00",
  PDT: "-07:00",
  JST: "+09:00",
  KST: "+09:00",
  HKT: "+08:00",
  SGT: "+08:00",
  WIB: "+07:00",
  WITA: "+08:00",
  WIT: "+09:00",
  PKT: "+05:00",
  AEST: "+10:00",
  AEDT: "+11:00",
  NZST: "+12:00",
  NZDT: "+13:00",
  SAST: "+02:00",
  BRT: "-03:00",
  TRT: "+03:00",
  MEZ: "+01:00",
  MESZ: "+02:00",
  МСК: "+03:00"
}
