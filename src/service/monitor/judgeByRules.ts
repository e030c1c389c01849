/**
 * Judges by words whether a change matters to a goal.
 *
 * A change matters if the added or removed text mentions what the goal names, or if the goal names prices, dates or
 * numbers and one of those differs. What the goal excludes never makes a change matter. If a goal names nothing ("tell me
 * about any change"), every change matters. The judgment has a confidence.
 */
import { isDull } from "#base/dullWords"
import * as Words from "#base/Words"
import type { Judgment } from "#contract/MonitorCheck"

/** The removed and added lines in one place of a page. */
export interface ChangeHunk {
  readonly added: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
}

/** A change, place by place. The URL and the title say what the page is about. */
export interface Change {
  readonly status: "changed" | "new" | "removed"
  readonly url: string
  readonly title: string
  readonly hunks: ReadonlyArray<ChangeHunk>
}

export const judgeByRules = (goal: string, change: Change): Judgment => {
  const { ignored, kinds, wanted } = readGoal(goal)
  const all = change.hunks.flatMap((hunk) => paired(hunk, kinds))
  const pairs = all.filter((pair) => !isIgnored(ignored, textOf(pair.lines), wanted))
  const isGeneral = wanted.size === 0 && kinds.length === 0
  const judged = (
    meaningful: boolean,
    confidence: Judgment["confidence"],
    reason: string,
    of: ReadonlyArray<Reasoned>
  ) => ({
    meaningful,
    confidence,
    reason,
    meaningfulChanges: of.slice(0, 20),
    judge: "rules"
  })
  if (all.length > 0 && pairs.length === 0) {
    return judged(false, "high", "the only changes are those that the goal says to ignore", [])
  }
  if (isGeneral) {
    return judged(
      true,
      "medium",
      "the goal names nothing specific",
      pairs.map(({ lines }) => ({ ...lines, reason: "it differs" }))
    )
  }
  const about = new Set(Words.wordsOf(`${change.title} ${pathOf(change.url)}`))
  const mattering = pairs.flatMap((pair): ReadonlyArray<Reasoned> => {
    const reason = reasonOf(pair, wanted)
    return reason === undefined ? [] : [{ ...pair.lines, reason }]
  })
  if (mattering.length > 0) {
    const isSure =
      mattering.some(({ reason }) => reason.includes("differs")) ||
      shared(wanted, mattering.map(textOf).join(" ")).length > 1
    return judged(true, isSure ? "high" : "medium", mattering[0]?.reason ?? "", mattering)
  }
  // A whole page that is new or removed matters if it is about what the goal names, even if none of its lines mentions it.
  const named = [...wanted].filter((word) => about.has(word))
  if (change.status !== "changed" && named.length > 0) {
    return judged(true, "medium", `the page is about ${named.slice(0, 3).join(", ")}`, [])
  }
  return judged(false, wanted.size > 0 ? "medium" : "low", "no change mentions the goal", [])
}

/** A removed line, and the line that replaced it. */
interface Lines {
  readonly type: "added" | "removed" | "changed"
  readonly before: string | null
  readonly after: string | null
}
interface Pair {
  readonly lines: Lines
  /** The kinds of values that differ in its place. */
  readonly differing: ReadonlyArray<GoalKind>
}
type Reasoned = Lines & { readonly reason: string }

/** Pairs each removed line with the added line that replaced it: by position if there are as many, otherwise by words. */
const paired = ({ added, removed }: ChangeHunk, kinds: ReadonlyArray<GoalKind>): ReadonlyArray<Pair> => {
  const before = removed.filter((line) => line.trim() !== "")
  const after = added.filter((line) => line.trim() !== "")
  const differing = kinds.filter((kind) => valuesOf(kind, before) !== valuesOf(kind, after))
  const partners = before.length === after.length ? after : likest(before, after)
  const unmatched = [...after]
  const pairs = before.map((line, at): Lines => {
    const partner = partners[at]
    if (partner === undefined) return { type: "removed", before: short(line), after: null }
    unmatched.splice(unmatched.indexOf(partner), 1)
    return { type: "changed", before: short(line), after: short(partner) }
  })
  const come = unmatched.map((line): Lines => ({ type: "added", before: null, after: short(line) }))
  return [...pairs, ...come].map((lines) => ({ lines, differing }))
}

/** The values of a kind, sorted, because a value that only moves to another line does not differ. */
const valuesOf = ({ values }: GoalKind, lines: ReadonlyArray<string>): string =>
  lines
    .flatMap((line) => line.match(values) ?? [])
    .map((value) => value.toLowerCase())
    .toSorted()
    .join(" ")

/** For each line the other line with the most common words, each used once. For very many lines, the line at its position. */
const likest = (lines: ReadonlyArray<string>, others: ReadonlyArray<string>): ReadonlyArray<string | undefined> => {
  if (lines.length * others.length > 10_000) return lines.map((_, at) => others[at])
  const rest = others.map((line) => ({ line, words: new Set(Words.wordsOf(line)) }))
  return lines.map((line) => {
    const words = Words.wordsOf(line)
    const likeness = rest.map(({ words: own }) => words.filter((word) => own.has(word)).length)
    const best = likeness.indexOf(Math.max(0, ...likeness))
    return (likeness[best] ?? 0) === 0 ? undefined : rest.splice(best, 1)[0]?.line
  })
}

const short = (line: string): string => line.trim().slice(0, 500)

const textOf = ({ after, before }: Lines): string => `${before ?? ""} ${after ?? ""}`

const reasonOf = ({ differing, lines }: Pair, wanted: ReadonlySet<string>): string | undefined => {
  const { after, before } = lines
  for (const kind of differing) {
    const [old, now] = [valuesOf(kind, before === null ? [] : [before]), valuesOf(kind, after === null ? [] : [after])]
    if (old !== now)
      return `a ${kind.name} differs: ${old === "" ? "none" : old} before, ${now === "" ? "none" : now} now`
  }
  const words = shared(wanted, textOf(lines))
  return words.length === 0 ? undefined : `it mentions ${words.slice(0, 3).join(", ")}`
}

const shared = (wanted: ReadonlySet<string>, text: string): ReadonlyArray<string> => [
  ...new Set(Words.wordsOf(text).filter((word) => wanted.has(word) || wanted.has(stem(word))))
]

const stem = (word: string): string => word.replace(/(?:ing|ed|er|ly)$/, "")

const isIgnored = (ignored: ReadonlySet<string>, text: string, wanted: ReadonlySet<string>): boolean =>
  ignored.size > 0 && shared(ignored, text).length > 0 && shared(wanted, text).length === 0

const pathOf = (url: string): string => (URL.parse(url)?.pathname ?? "").replaceAll(/[/_.-]+/g, " ")

interface Goal {
  readonly wanted: ReadonlySet<string>
  readonly ignored: ReadonlySet<string>
  readonly kinds: ReadonlyArray<GoalKind>
}

/** A kind of values that goals can name, and the pattern of such values. */
interface GoalKind {
  readonly name: string
  readonly values: RegExp
}

/**
 * Reads a goal: the words that it names, and the words that it excludes.
 *
 * "Prices and fees, but ignore opening hours" names prices and fees. An exclusion ends with its clause: in "do not tell me
 * about cookies; only prices", prices are wanted. "not available" excludes nothing. The word for prices is known in some
 * languages; the rest of a goal is read as English.
 */
const readGoal = (goal: string): Goal => {
  const clauses = goal.split(clauseEnd).map((clause) => clause.split(leftOut))
  const positive = clauses.map(([wanted = ""]) => wanted).join(" ")
  const negative = clauses.flatMap(([, ...rest]) => rest).join(" ")
  const ignored = new Set(Words.wordsOf(negative).filter(isTelling))
  const wanted = new Set(Words.wordsOf(positive).filter(isTelling))
  for (const word of ignored) wanted.delete(word)
  return { ignored, wanted, kinds: kinds.filter(({ named }) => named.test(positive)) }
}

const clauseEnd = /[.;!?\n]+|,\s*(?=only\b)|\s+(?=(?:but|and)\s+only\b)/i
const leftOut =
  /\b(?:ignor(?:e|ing)|except(?: for)?|but not|excluding|unless|other than|not about|(?:do not|don't|never|no need to) (?:tell|alert|notify|inform|report|care|bother|send|show|include|track|watch|want))\b|,\s*not\b/i

const isTelling = (word: string): boolean => word.length > 2 && !isDull(word) && !vague.has(word)

/** Words in goals that do not name anything. */
const vague = new Set(
  "alert notify tell let know watch monitor track change changed changing update updated new any anything something important meaningful major significant minor content site website text section added removed appear publish published report want care only also about when whenever happen become only detect matter item thing user more less".split(
    " "
  )
)

const sign = String.raw`(?:\p{Sc}|(?:usd|eur|gbp|chf|jpy|cny|inr|sek|nok|dkk|pln|czk|dollars?|euros?|pounds?|francs?|rupees?|kr|zł|kč|руб|грн|円|元|원|บาท|دينار|درهم|ريال)(?![\p{L}\d]))`
const sum = String.raw`\p{Nd}[\p{Nd}.,'’]{0,20}`

const kinds = [
  {
    name: "price",
    named:
      /\b(?:pric\w*|cost\w*|fees?|cheaper|discount\w*|tariffs?|rates?)\b|preis|gebühr|kosten|prix|tarif|precio|prezz|preço|цен[аыеу]|тариф|سعر|أسعار|رسوم|价格|價格|価格|料金|가격|요금|ราคา|ค่าธรรมเนียม/iu,
    values: new RegExp(`${sum}\\s?${sign}|${sign}\\s?${sum}`, "giu")
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
    values: /\b(?:(?:in|out of) stock|sold out|(?:un|not )?available|backorder\w*|pre-?order\w*)\b/gi
  }
]
