/**
 * Whether a change matters to a goal, by the words of both.
 *
 * A change matters if the added or removed text mentions what the goal names, or if the goal names prices, dates or
 * numbers and one of those differs; what the goal leaves out never makes it matter. If a goal names nothing ("tell me about
 * any change"), every change matters. The judgment says how sure it is.
 */
import type { Judgment } from "../api/MonitorCheck.ts"
import * as Words from "../text/Words.ts"
import * as Goal from "./Goal.ts"

/** What went and came in one place of a page. */
export interface Place {
  readonly added: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
}

/** A change, place by place; the page's own words say what it is about. */
export interface Change {
  readonly status: "changed" | "new" | "removed"
  readonly url: string
  readonly title: string
  readonly places: ReadonlyArray<Place>
}

export const judgeByRules = (goal: string, change: Change): Judgment => {
  const { ignored, kinds, wanted } = Goal.read(goal)
  const all = change.places.flatMap((place) => paired(place, kinds))
  const pairs = all.filter((pair) => !isIgnored(ignored, textOf(pair.lines), wanted))
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
  const told = pairs.flatMap((pair): ReadonlyArray<Told> => {
    const reason = reasonOf(pair, wanted)
    return reason === undefined ? [] : [{ ...pair.lines, reason }]
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

/** A line that went, and the one that came for it. */
interface Lines {
  readonly type: "added" | "removed" | "changed"
  readonly before: string | null
  readonly after: string | null
}
interface Pair {
  readonly lines: Lines
  /** Kinds of values that are others in its place. */
  readonly differing: ReadonlyArray<Goal.Kind>
}
type Told = Lines & { readonly reason: string }

/** Lines that went, each with the one that came for it: the one that shares most words, or else the next. */
const paired = ({ added, removed }: Place, kinds: ReadonlyArray<Goal.Kind>): ReadonlyArray<Pair> => {
  const before = removed.filter((line) => line.trim() !== "")
  const after = added.filter((line) => line.trim() !== "")
  const differing = kinds.filter((kind) => valuesOf(kind, before) !== valuesOf(kind, after))
  const partners = before.length === after.length ? after : likest(before, after)
  const left = [...after]
  const pairs = before.map((line, at): Lines => {
    const partner = partners[at]
    if (partner === undefined) return { type: "removed", before: short(line), after: null }
    left.splice(left.indexOf(partner), 1)
    return { type: "changed", before: short(line), after: short(partner) }
  })
  const come = left.map((line): Lines => ({ type: "added", before: null, after: short(line) }))
  return [...pairs, ...come].map((lines) => ({ lines, differing }))
}

/** In any order: what only stands in another line is no other value. */
const valuesOf = ({ values }: Goal.Kind, lines: ReadonlyArray<string>): string =>
  lines
    .flatMap((line) => line.match(values) ?? [])
    .map((value) => value.toLowerCase())
    .toSorted()
    .join(" ")

/** For each line the one that is most like it, each once; so many lines that comparing all would take long: the next. */
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
