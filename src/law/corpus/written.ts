/**
 * How headings, numbers and days are written in what readers say.
 */
import { capital } from "#base/Words"

/** Without white space and full stops at its end. */
export const withoutStop = (heading: string): string => heading.trim().replace(stops, "")

/** The stops and blanks at the end, without the stop of an initial. A row of dots is searched only from its first dot. */
const stops = /(?<![.\s]|\b[A-Z])[.\s]+$|(?<=\b[A-Z][.\s])[.\s]+$/

/** A heading of a title or chapter that is all capitals, in the capitals of a title. */
export const titled = (heading: string): string =>
  /[a-z]/.test(heading)
    ? heading
    : heading
        .toLowerCase()
        .replaceAll(/[\p{L}\p{N}'’]+/gu, (word, at: number) =>
          romans.test(word) ? word.toUpperCase() : at > 0 && small.has(word) ? word : capital(word)
        )

const romans = /^[ivx]+$/
const small = new Set(
  "a an and as at but by for from in into nor of on or the to upon with under within without".split(" ")
)

/** "Title 17 Copyrights", of what a number is called, the number, and the heading. */
export const step = (kind: string, number: string, heading: string): string =>
  [titled(kind), number, titled(withoutStop(heading))].filter((part) => part !== "").join(" ")

/** A day as ISO, where it is one that a text can have. */
export const day = (written: string | undefined): string | undefined => {
  const found = /^\s*(\d{4})-(\d{2})-(\d{2})/.exec(written ?? "")
  return found === null || Number(found[1]) < 1600 ? undefined : `${found[1]}-${found[2]}-${found[3]}`
}

/** Fields that are there, without those that are not. */
export const present = <Fields extends Record<string, string | undefined>>(
  fields: Fields
): { readonly [Key in keyof Fields]?: string } =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- entries of `fields` that are strings, under its keys
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== "")) as {
    readonly [Key in keyof Fields]?: string
  }

/** "July 25, 2019", "25 July 2019" and "7/25/2019" as ISO. */
export const englishDay = (written: string): string | undefined => {
  const {
    month = "",
    date = "",
    year = ""
  } = (american.exec(written) ?? dayFirst.exec(written) ?? slashed.exec(written))?.groups ?? {}
  const index = /^\d/.test(month) ? Number(month) - 1 : months.indexOf(month.slice(0, 3).toLowerCase())
  if (index < 0 || index > 11) return undefined
  return `${year}-${String(index + 1).padStart(2, "0")}-${date.padStart(2, "0")}`
}

const american = /\b(?<month>[A-Z][A-Za-z]{2,8})\.? (?<date>\d{1,2}),? (?<year>\d{4})\b/
const dayFirst = /\b(?<date>\d{1,2}) (?<month>[A-Z][a-z]{2,8}) (?<year>\d{4})\b/
const slashed = /\b(?<month>\d{1,2})\/(?<date>\d{1,2})\/(?<year>\d{4})\b/

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
