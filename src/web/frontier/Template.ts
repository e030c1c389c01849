/**
 * What pages of an endless series have in common: the shape of their URLs, and the words of their template.
 *
 * Two pages with different content have different templates. Only what such a series counts up is left out: dates, the
 * numbers of its own URLs, the days of a calendar.
 */
import * as crypto from "node:crypto"
import * as PageUrl from "#contract/PageUrl"

/**
 * The URL with its numbers as `#`; for a path that repeats itself (`/a/b/a/b/a/b`), the repeated parts. Undefined: it
 * cannot belong to a series.
 */
export const shapeOf = (url: URL): Shape | undefined => {
  const parts = url.pathname.split("/").filter((part) => part !== "")
  const round = partsThatRepeat(parts)
  if (round !== undefined) return { text: `${url.host}/(${round.join("|")})...`, goesRound: true }
  if (!/\d/.test(url.pathname + url.search)) return undefined
  const query = PageUrl.parametersOf(url.search).map(([, written]) => counted(written))
  const search = query.length === 0 ? "" : `?${query.toSorted().join("&")}`
  return { text: `${url.host}/${parts.map(counted).join("/")}${search}`, goesRound: false }
}

export interface Shape {
  readonly text: string
  readonly goesRound: boolean
}

/**
 * How many pages of its series a page represents, if its template is computed; 0: it is not. A template costs a good
 * part of the rest of its page, so in long series it is computed for one page in eight, chosen by a hash of the URL.
 */
export const weightOf = (url: URL, { goesRound }: Shape, budget: number): number => {
  if (budget === 0) return 0
  if (goesRound || budget < longRow) return 1
  return Number.parseInt(crypto.hash("sha1", url.href).slice(0, 1), 16) % oneOf === 0 ? oneOf : 0
}
const longRow = 800
const oneOf = 8

/** A hash of the page's words, without those that its series counts up. */
export const templateOf = (markdown: string, url: URL): string => {
  const numbers = new Set((decodeURIComponentOr(url.pathname + url.search).match(/\d+/g) ?? []).map(Number))
  const words = markdown
    .replaceAll(/\]\((?:(?!\]\()[^)\s])*(?:\s"[^"]*")?\)/g, "] ")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+(?:[.,:'-][\p{L}\p{N}]+)*/gu)
  const stable = (words ?? []).filter((word) => !isCountedUp(word, numbers))
  return crypto.hash("sha256", stable.join(" ")).slice(0, 16)
}

/** Names of months and weekdays, and numbers that a calendar or the URL counts. */
const isCountedUp = (word: string, numbers: ReadonlySet<number>): boolean => {
  if (calendarWords().has(word)) return true
  if (!/^\d/.test(word)) return false
  if (/^\d{4}-\d{1,2}(?:-\d{1,2})?$|^\d{1,2}(?:st|nd|rd|th)$/.test(word)) return true
  if (!/^\d+$/.test(word)) return false
  const value = Number(word)
  if (value <= 31 || (value >= 1000 && value <= 9999 && numbers.size > 0 && isYear(value))) return true
  return numbers.has(value) || numbers.has(value - 1) || numbers.has(value + 1)
}

const isYear = (value: number): boolean => value >= 1900 && value < 3000

const partsThatRepeat = (parts: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  if (parts.length < 3) return undefined
  const seen = new Map<string, number>()
  let most = 0
  for (const part of parts) {
    if (/^\d+$/.test(part)) continue
    const times = (seen.get(part) ?? 0) + 1
    seen.set(part, times)
    most = Math.max(most, times)
  }
  return most < 3 ? undefined : [...new Set(parts)].toSorted()
}

const counted = (part: string): string =>
  part
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?=[0-9a-f]*\d)[0-9a-f]{12,}/gi, "*")
    .replaceAll(/\d+/g, "#")

const decodeURIComponentOr = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

let known: ReadonlySet<string> | undefined
const calendarWords = (): ReadonlySet<string> => (known ??= new Set(languages.flatMap(namesOf)))

const languages = ["en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "pl", "cs", "fi", "tr", "ru", "uk"]

const namesOf = (language: string): ReadonlyArray<string> => {
  const days = Array.from({ length: 7 }, (_, day) => Date.UTC(2024, 0, 1 + day))
  const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2024, month, 1))
  const written = (style: "long" | "short") => [
    ...months.map((at) => new Intl.DateTimeFormat(language, { month: style, timeZone: "UTC" }).format(at)),
    ...days.map((at) => new Intl.DateTimeFormat(language, { weekday: style, timeZone: "UTC" }).format(at))
  ]
  return [...written("long"), ...written("short")].map((name) => name.toLowerCase().replace(/\.$/, ""))
}
