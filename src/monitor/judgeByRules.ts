/**
 * Whether a change matters to a goal, by the words of both.
 *
 * A change matters if the added or removed text mentions what the goal names, or if the goal names prices, dates or
 * numbers and one of those differs; words after "ignore" or "except" never make it matter. If a goal names nothing
 * ("tell me about any change"), every change matters. The judgment says how sure it is.
 */
import type { Judgment } from "../api/MonitorCheck.ts"
import { isDull } from "../text/dullWords.ts"
import * as Words from "../text/Words.ts"

/** A change, as lines; the page's own words say what it is about. */
export interface Change {
  readonly status: "changed" | "new" | "removed"
  readonly url: string
  readonly title: string
  readonly added: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
}

export const judgeByRules = (goal: string, change: Change): Judgment => {
  const { ignored, kinds, wanted } = read(goal)
  const pairs = paired(change).filter(
    ({ after, before }) => !isIgnored(ignored, `${before ?? ""} ${after ?? ""}`, wanted)
  )
  const isGeneral = wanted.size === 0 && kinds.length === 0
  const judged = (
    meaningful: boolean,
    confidence: Judgment["confidence"],
    reason: string,
    of: ReadonlyArray<Told>
  ) => ({
    meaningful,
    confidence,
    reason,
    meaningfulChanges: of.slice(0, 20).map(({ reason: why, ...pair }) => ({ ...pair, reason: why })),
    judge: "rules"
  })
  if (pairs.length === 0) return judged(false, "high", "the only changes are those that the goal says to ignore", [])
  if (isGeneral) {
    return judged(
      true,
      "medium",
      "the goal names nothing specific",
      pairs.map((pair) => ({ ...pair, reason: "it differs" }))
    )
  }
  const about = new Set(Words.wordsOf(`${change.title} ${pathOf(change.url)}`))
  const told = pairs.flatMap((pair): ReadonlyArray<Told> => {
    const reason = reasonOf(pair, wanted, kinds)
    return reason === undefined ? [] : [{ ...pair, reason }]
  })
  if (told.length > 0) {
    const isSure =
      told.some(({ reason }) => reason.includes("differs")) || shared(wanted, told.map(textOf).join(" ")).length > 1
    return judged(true, isSure ? "high" : "medium", told[0]?.reason ?? "", told)
  }
  // A page that comes or goes whole, about what the goal names, matters though its lines were not read one by one.
  const named = [...wanted].filter((word) => about.has(word))
  if (change.status !== "changed" && named.length > 0) {
    return judged(true, "medium", `the page is about ${named.slice(0, 3).join(", ")}`, [])
  }
  return judged(false, wanted.size > 0 ? "medium" : "low", "no change mentions the goal", [])
}

interface Pair {
  readonly type: "added" | "removed" | "changed"
  readonly before: string | null
  readonly after: string | null
}
interface Told extends Pair {
  readonly reason: string
}

/** Kinds of values that goals name, and how such a value is recognised. */
const kinds = [
  {
    name: "price",
    named: /\b(?:pric\w*|cost\w*|fees?|cheaper|discount\w*|tariffs?|rates?)\b/i,
    values: /(?:[$€£¥]\s?\d[\d.,]*|\d[\d.,]*\s?(?:[$€£¥]|usd|eur|gbp|dollars?|euros?|pounds?)\b)/gi
  },
  {
    name: "date",
    named: /\b(?:dates?|deadlines?|when|schedul\w*|closing|due|expir\w*)\b/i,
    values:
      /\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}(?:st|nd|rd|th)?\.?\s(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*\.?(?:\s\d{4})?|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*\.?\s\d{1,2}(?:,?\s\d{4})?)\b/giu
  },
  {
    name: "version",
    named: /\b(?:versions?|releases?|changelog)\b/i,
    values: /\bv?\d+\.\d+(?:\.\d+)*(?:-[\w.]+)?\b/gi
  },
  {
    name: "number",
    named: /\b(?:numbers?|amounts?|counts?|how many|quantit\w*|figures?|stock|availab\w*)\b/i,
    values: /\b\d[\d.,]*\b/g
  },
  {
    name: "availability",
    named: /\b(?:stock|availab\w*|sold out|back)\b/i,
    values: /\b(?:(?:in|out of) stock|sold out|(?:un)?available|backorder\w*|pre-?order\w*)\b/gi
  }
] as const
type Kind = (typeof kinds)[number]

const read = (goal: string) => {
  const [positive = "", ...rest] = goal.split(
    /\b(?:ignor(?:e|ing)|except(?: for)?|but not|not(?: about)?|excluding|unless|other than)\b/i
  )
  const ignored = new Set(rest.flatMap((part) => Words.wordsOf(part)).filter(isTelling))
  const wanted = new Set(Words.wordsOf(positive).filter(isTelling))
  for (const word of ignored) wanted.delete(word)
  return { ignored, wanted, kinds: kinds.filter(({ named }) => named.test(positive)) }
}

const isTelling = (word: string): boolean => word.length > 2 && !isDull(word) && !vague.has(word)

/** What goals say around what they name. */
const vague = new Set(
  "alert notify tell let know watch monitor track change changed changing update updated new any anything something important meaningful major significant minor content site website text section added removed appear publish published report want care only also about when whenever happen become only detect matter item thing user more less".split(
    " "
  )
)

const paired = ({ added, removed }: Change): ReadonlyArray<Pair> => {
  const before = removed.filter((line) => line.trim() !== "")
  const after = added.filter((line) => line.trim() !== "")
  const length = Math.max(before.length, after.length)
  return Array.from({ length }, (_, at): Pair => {
    const [a = null, b = null] = [before[at], after[at]]
    return { type: a === null ? "added" : b === null ? "removed" : "changed", before: short(a), after: short(b) }
  })
}

const short = (line: string | null): string | null => (line === null ? null : line.trim().slice(0, 500))

const textOf = ({ after, before }: Pair): string => `${before ?? ""} ${after ?? ""}`

const reasonOf = (pair: Pair, wanted: ReadonlySet<string>, asked: ReadonlyArray<Kind>): string | undefined => {
  for (const { name, values } of asked) {
    const of = (text: string | null) => (text?.match(values) ?? []).join(" ").toLowerCase()
    const [before, after] = [of(pair.before), of(pair.after)]
    if (before !== after)
      return `a ${name} differs: ${before === "" ? "none" : before} before, ${after === "" ? "none" : after} now`
  }
  const words = shared(wanted, textOf(pair))
  return words.length === 0 ? undefined : `it mentions ${words.slice(0, 3).join(", ")}`
}

const shared = (wanted: ReadonlySet<string>, text: string): ReadonlyArray<string> => [
  ...new Set(Words.wordsOf(text).filter((word) => wanted.has(word) || wanted.has(stem(word))))
]

const stem = (word: string): string => word.replace(/(?:ing|ed|er|ly)$/, "")

const isIgnored = (ignored: ReadonlySet<string>, text: string, wanted: ReadonlySet<string>): boolean =>
  ignored.size > 0 && shared(ignored, text).length > 0 && shared(wanted, text).length === 0

const pathOf = (url: string): string => (URL.parse(url)?.pathname ?? "").replaceAll(/[/_.-]+/g, " ")
