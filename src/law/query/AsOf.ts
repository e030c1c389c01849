/**
 * The day as of which a query asks: "as of 2018", "in effect on January 1, 2018", "before March 2017".
 *
 * A month or a year means its last day; "before" a day means the day before it. A year without such words is an ordinary
 * word, because the names of Acts contain years.
 */
interface AsOf {
  /** ISO. */
  readonly day: string
  readonly start: number
  readonly end: number
}

export const read = (text: string): AsOf | undefined => {
  for (const match of text.matchAll(dateClause)) {
    const { before, date = "" } = match.groups ?? {}
    const range = rangeOf(date)
    if (range === undefined) continue
    const day = before === undefined ? range.last : dayBefore(range.first)
    return { day, start: match.index, end: match.index + match[0].length }
  }
  return undefined
}

const months = "january february march april may june july august september october november december".split(" ")
const month = String.raw`(?:${months.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?\\.?`).join("|")}|sept\.?)`
const date = String.raw`\d{4}-\d\d-\d\d|\d{4}-\d\d|\d{1,2}/\d{1,2}/\d{4}|${month} \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{1,2} ${month} \d{4}|${month},? \d{4}|\d{4}`
const lead = String.raw`as (?:of|at|it (?:was|stood|read)(?: (?:on|in))?|they (?:were|stood)(?: (?:on|in))?)|(?:in (?:effect|force)|effective|valid|current|applicable)(?: (?:on|in|as of|during|at))?|version (?:of|from|on)|(?:back )?in|during|on|until|through`
const dateClause = new RegExp(
  String.raw`\b(?:(?<before>before|prior to|earlier than)|${lead})(?: the year)? (?<date>${date})\b(?![./-]\d)`,
  "gi"
)

const rangeOf = (text: string): { readonly first: string; readonly last: string } | undefined => {
  const lower = text.toLowerCase()
  const iso = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/.exec(lower)
  if (iso !== null) return range(iso[1], iso[2], iso[3])
  const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(lower)
  if (slashed !== null) return range(slashed[3], slashed[1], slashed[2])
  const name = /[a-z]{3}/.exec(lower.replace(/\d(?:st|nd|rd|th)/, ""))?.[0]
  const at = months.findIndex((one) => one.slice(0, 3) === name)
  const [day] = /\b\d{1,2}(?=\D|$)(?!\d)/.exec(lower) ?? []
  return at < 0 ? undefined : range(/\d{4}/.exec(lower)?.[0], String(at + 1), day)
}

const range = (year = "", month?: string, day?: string) => {
  const [y, m, d] = [Number(year), Number(month ?? 1), Number(day ?? 1)]
  if (y < 1700 || y > 2200 || m < 1 || m > 12 || d < 1 || d > 31) return undefined
  const first = Date.UTC(y, m - 1, d)
  const last = month === undefined ? Date.UTC(y, 11, 31) : day === undefined ? Date.UTC(y, m, 0) : first
  return { first: isoOf(first), last: isoOf(last) }
}

const isoOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10)
const dayBefore = (iso: string): string => isoOf(Date.parse(iso) - 86_400_000)
