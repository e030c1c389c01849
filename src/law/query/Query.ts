/**
 * What a query asks for, read from its words: citations, whose law, as of when, which kind and version, and what about.
 *
 * A word that is read as a name still counts as a word, with less weight. A wish changes the order and removes nothing,
 * so a query that is misread still finds.
 */
import { isDullInLaw } from "#base/dullWords"
import { wordsIn } from "#base/Words"
import type { Collection, Status } from "../GovText.ts"
import * as Citation from "../text/Citation.ts"
import type { Mention, Vocabulary } from "./Vocabulary.ts"

export interface Query {
  readonly text: string
  /** Without the day as of which it asks. */
  readonly undated: string
  readonly cited: ReadonlyArray<Citation.Cited>
  /** Numbers without a text, as in "section 5". */
  readonly bare: ReadonlyArray<Citation.Cited>
  /** Whether it has enough words, without citations and names, to be copied text. */
  readonly isText: boolean
  /** The words that it is about. */
  readonly words: ReadonlyArray<string>
  /** The words of names in it, which count less. */
  readonly nameWords: ReadonlyArray<string>
  /** Words that a phrase implies, which count less: "how long" asks for a duration. */
  readonly hints: ReadonlyArray<string>
  /** Phrases in quotation marks, which must be found exactly. */
  readonly phrases: ReadonlyArray<string>
  readonly mentions: ReadonlyArray<Mention>
  /** ISO. */
  readonly asOf: string | undefined
  readonly statuses: ReadonlySet<Status>
  readonly collections: ReadonlySet<Collection>
  /** All words, to choose versions by them. */
  readonly versionWords: ReadonlySet<string>
}

/** Longer queries are cut: the question is clear by then. */
const maxLength = 2_000

export const read = (whole: string, vocabulary: Vocabulary): Query => {
  const text = whole.slice(0, maxLength)
  const cited = Citation.find(text)
  const mentions = vocabulary.mentions(text)
  const asOf = readAsOf(text)
  // A name that no text in the index has is a part of the question.
  const known = mentions.filter(({ documents }) => documents.size > 0)
  const own = blank(text, [...cited, ...known, ...(asOf === undefined ? [] : [asOf])])
  const about = wordsIn(own).length === 0 ? [] : telling(own)
  const nameWords = telling(known.map(({ start, end }) => text.slice(start, end)).join(" "))
  const all = wordsIn(text)
  return {
    text,
    undated: asOf === undefined ? text : blank(text, [asOf]),
    cited: cited.filter(({ isBare }) => !isBare),
    bare: cited.filter(({ isBare }) => isBare),
    isText: wordsIn(own).length >= minText,
    words: about,
    nameWords: nameWords.filter((word) => !about.includes(word)),
    hints: hints.flatMap(([sign, some]) => (sign.test(text) ? some : [])).filter((word) => !about.includes(word)),
    phrases: Array.from(text.matchAll(/["“]([^"“”]{2,200})["”]/g), (match) => match[1] ?? "").filter(
      (phrase) => wordsIn(phrase).length > 1
    ),
    mentions,
    asOf: asOf?.day,
    statuses: new Set(statusSigns.flatMap(([sign, status]) => (sign.test(text) ? [status] : []))),
    collections: new Set(collectionSigns.flatMap(([sign, some]) => (sign.test(text) ? some : []))),
    versionWords: new Set(all.flatMap((word) => [word, ...(stageCodes[word] ?? [])]))
  }
}

/** As many consecutive words do not occur in another text by chance. */
const minText = 5

const blank = (text: string, spans: ReadonlyArray<{ readonly start: number; readonly end: number }>): string =>
  spans.reduce((left, { start, end }) => left.slice(0, start) + " ".repeat(end - start) + left.slice(end), text)

const hints: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
  [/\bhow long\b|\bhow many (?:days|months|years)\b/i, ["duration", "term", "period", "time"]],
  [/\bhow much (?:is|are|does|do|will|can)\b|\bwhat does .* cost\b/i, ["amount", "rate", "fee"]],
  [/\bwhat happens (?:if|when)\b|\bget in trouble\b/i, ["penalty", "violation"]],
  [/\bwho (?:can|may|is allowed to|qualifies|is eligible)\b/i, ["eligibility", "eligible"]],
  [/\b(?:am|are|is) .{1,60} (?:allowed|permitted)\b|\bis it (?:ok|okay|legal|illegal)\b/i, ["prohibited", "permitted"]]
]

const statusSigns: ReadonlyArray<readonly [RegExp, Status]> = [
  [/\b(?:h\.? ?r|s)\.? ?\d+|\bbills?\b(?! of)|\b(?:enrolled|engrossed|introduced in|as introduced)\b/i, "bill"],
  [
    /\b(?:guidance|(?:official|staff) interpretations?|interpretations?|interpretive|commentary|comments? (?=\d)|supplement i)(?!\w*[a-z])/i,
    "guidance"
  ],
  [/\b(?:historical|former|formerly|repealed|superseded|expired|previous version|old version)\b/i, "historical"]
]

const collectionSigns: ReadonlyArray<readonly [RegExp, ReadonlyArray<Collection>]> = [
  [/\bstatut(?:es?|ory)\b/i, ["us-code", "state-code"]],
  [/\bu\.?s\.?c\.?\b|\bu\.?s\.? code\b/i, ["us-code"]],
  [/\bregulations?\b|\bc\.?f\.?r\.?(?![\w])/i, ["cfr"]],
  [/\bfederal register\b|\b(?:final|proposed|interim) rule\b|\bnotices?\b/i, ["federal-register"]],
  [/\bordinances?\b/i, ["municipal-code", "ordinance"]],
  [/\bmunicipal\b|\bcity code\b|\bcity law\b/i, ["municipal-code"]],
  [/\bcharter\b/i, ["charter"]],
  [/\bpub(?:lic|\.) ?l(?:aw|\.)/i, ["act"]],
  [/\bcommentary\b|\bofficial interpretations?\b|\bsupplement i\b/i, ["interpretation"]]
]

/** How the stages of a bill are written for short. */
const stageCodes: Readonly<Record<string, ReadonlyArray<string>>> = {
  ih: ["introduced", "house"],
  eh: ["engrossed", "house"],
  es: ["engrossed", "senate"],
  rh: ["reported", "house"],
  rs: ["reported", "senate"],
  rfs: ["referred", "senate"],
  rfh: ["referred", "house"],
  pcs: ["placed", "calendar", "senate"],
  enr: ["enrolled"],
  passed: ["engrossed"]
}

/**
 * The words of a query that say what it is about.
 *
 * If a query has only common words, these are kept, because "who may and who must" is a heading too.
 */
const telling = (text: string): ReadonlyArray<string> => {
  const all = [...new Set(wordsIn(text))]
  const some = all.filter((word) => !isDullInLaw(word) && (word.length > 1 || /\p{N}/u.test(word)))
  return some.length > 0 ? some : all
}

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

const readAsOf = (text: string): AsOf | undefined => {
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
