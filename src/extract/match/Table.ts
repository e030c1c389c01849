/**
 * A list of objects, filled from things of one shape: each property has its column for all rows, so that a row with a
 * hole in it does not take another column's value.
 */
import type { Group, Thing } from "../Candidates.ts"
import { assign, type Pair } from "./assign.ts"
import type { CandidateValue, Leaves } from "./CandidateValue.ts"
import { calledFacet, isCounted } from "./Facets.ts"
import { fallbackColumns } from "./fallbackColumns.ts"
import * as Names from "./Names.ts"
import { asksAddress, asksNumber, fitOf, likeEnough, type Scorer, worth } from "./Scorer.ts"
import * as unlabelledText from "./unlabelledText.ts"
import type { Many, One, Rows } from "./Wanted.ts"

export interface Table {
  readonly things: ReadonlyArray<Thing>
  /** How well it is what the schema asks for. */
  readonly score: number
  /** How many properties have a column. */
  readonly matched: number
  /** Whether its rows have a list of values that is wanted. */
  readonly hasLists: boolean
  /** The columns of each property, best first. */
  readonly columns: ReadonlyMap<One, ReadonlyArray<Column>>
}

export interface Column {
  readonly key: string
  readonly score: number
}

/** Leaves of a row by column: names that come again are columns of their own. */
export const cells = (row: Thing, leaves: Leaves): ReadonlyMap<string, CandidateValue> => {
  const found = new Map<string, CandidateValue>()
  const count = new Map<string, number>()
  const add = (leaf: CandidateValue) => {
    const name = `${leaf.path.id} ${leaf.facet}`
    const times = count.get(name) ?? 0
    count.set(name, times + 1)
    found.set(`${name} ${times}`, leaf)
  }
  const own = leaves.of(row, maxCells)
  const around = new Set(own.flatMap((leaf) => (isAround(leaf, own) ? [leaf.value] : [])))
  // A card with a heading is called by it, and not by "Read more".
  const hasHeading = own.some(({ path, value }) => value.source.kind === "block" && path.own[0]?.word === "heading")
  for (const leaf of own) {
    if (hasHeading && leaf.facet === calledFacet) add({ ...leaf, trust: leaf.trust * 0.3 })
    else if (!around.has(leaf.value) || (leaf.facet !== "" && leaf.facet !== calledFacet)) add(leaf)
    else add({ ...leaf, facet: leaf.facet === "" ? "around" : leaf.facet, trust: leaf.trust * 0.3 })
  }
  unlabelledText.restOf(own, leaves).forEach(add)
  return found
}

/** Whether the text of a block, or of a link around a card, is those of others together: all of a card is neither its price nor its title. */
const isAround = ({ data, facet, value }: CandidateValue, row: ReadonlyArray<CandidateValue>): boolean => {
  const { kind } = value.source
  if (typeof data !== "string" || facet !== "" || (kind !== "block" && kind !== "link")) return false
  const [from, to] = value.source.span
  const inner: Array<readonly [at: number, length: number]> = []
  for (const other of row) {
    const [begin, end] = other.value.source.span
    const isInner = other.facet === "" && other.value !== value && begin >= from && end <= to && end - begin < to - from
    if (isInner && typeof other.data === "string" && other.data.length < data.length && data.includes(other.data))
      inner.push([begin, other.data.length])
  }
  if (kind === "block") return inner.length > 1 || (inner.length === 1 && value.href !== undefined)
  // A word of a title may stand in an element of its own.
  const parts = new Map(inner)
  return parts.size > 1 && [...parts.values()].reduce((sum, length) => sum + length, 0) >= data.length * 0.8
}

/** `affinity`: how like the list's own name is, 0 to 1. */
export const of = (
  rows: Rows,
  group: Pick<Group, "things">,
  affinity: number,
  leaves: Leaves,
  scorer: Scorer
): Table | undefined => {
  const { parts } = rows.item
  const { things } = group
  const ones = parts.filter((part): part is One => part._tag === "One")
  const sample = things.slice(0, maxSample).map((thing) => cells(thing, leaves))
  if (sample.length === 0 || parts.length === 0) return undefined
  const keys = [...new Set(sample.flatMap((row) => [...row.keys()]))].slice(0, maxColumns)
  const rank = (one: One): ReadonlyArray<Ranked> =>
    keys.flatMap((key, column) => {
      const score = scoreOf(one, key, sample, scorer)
      return score === 0 ? [] : [{ key, score, column }]
    })
  const ranked = ones.map((one) => {
    const named = rank(one)
    return named.length === 0 ? fallbackColumns(one, rows, { keys, sample, things, rank }, scorer) : named
  })
  const { columns, matched } = chooseColumns(ones, keys, ranked)
  if (columns.size === 0 && ones.length > 0) return undefined
  const all = ones.reduce((sum, one) => sum + weightOf(one), 0)
  const inner = parts.length - ones.length
  const covered = (matched + inner * 0.2) / (all + inner * 0.5)
  return {
    things,
    columns,
    matched: columns.size,
    hasLists: parts.some((part) => part._tag === "Many" && isSaid(part, sample, scorer)),
    score:
      covered +
      0.25 * affinity +
      Math.min(things.length, 20) * 0.005 -
      (things[0]?.source.kind === "heading" ? 0.08 : 0)
  }
}

/** A column with its number. */
interface Ranked extends Column {
  readonly column: number
}

const weightOf = ({ required }: One): number => (required ? 2 : 1)

/** Gives each property its columns, best first, and sums how well they fit. */
const chooseColumns = (
  ones: ReadonlyArray<One>,
  keys: ReadonlyArray<string>,
  ranked: ReadonlyArray<ReadonlyArray<Ranked>>
): { readonly columns: ReadonlyMap<One, ReadonlyArray<Column>>; readonly matched: number } => {
  const pairs = ones.flatMap((one, row) =>
    (ranked[row] ?? []).map(({ column, score }): Pair => ({ row, column, score: score * (one.required ? 1.15 : 1) }))
  )
  const chosen = assign(ones.length, keys.length, pairs).map((column) => keys[column ?? -1])
  const taken = new Set(chosen)
  // Where the number of a heading has a column, the title is what stands behind it.
  const isNumbered = [...taken].some((key) => key?.includes(" number ") === true)
  const columns = new Map<One, ReadonlyArray<Column>>()
  let matched = 0
  for (const [row, one] of ones.entries()) {
    const some = (ranked[row] ?? []).toSorted((a, b) => b.score - a.score)
    const own = some.find(({ key }) => key === chosen[row])
    if (own === undefined) {
      // A value that serves another property serves this one too where it answers it as well.
      const [shared] = some
      if (shared !== undefined && shared.score >= 0.85) columns.set(one, [shared])
      continue
    }
    matched += weightOf(one) * own.score
    const behind = isNumbered && isTitle(one) ? some.find(({ key }) => key.includes(" title ")) : undefined
    const isAlso = ({ key, score }: Column) => !taken.has(key) && score >= 0.75 * own.score
    columns.set(one, behind === undefined ? [own, ...some.filter(isAlso)] : [behind, own])
  }
  return { columns, matched }
}

const isSaid = (many: Many, sample: ReadonlyArray<ReadonlyMap<string, CandidateValue>>, scorer: Scorer): boolean =>
  sample
    .slice(0, 3)
    .some((row) =>
      [...row.values()].some(
        ({ facet, path }) => !isCounted(facet) && scorer.like(many, path, { isInside: true }) >= likeEnough
      )
    )

const maxSample = 24
const maxColumns = 200
const maxCells = 80

/** A text without a name is an organisation where it is called as they are. */
const byItself = (one: One, { data }: CandidateValue): number =>
  Names.conceptOf(one.name)?.id === "organization" &&
  one.expected.schemas.some(({ format }) => format === undefined) &&
  unlabelledText.isOrganization(String(data))
    ? 0.6
    : 0

const isTitle = ({ name }: One): boolean => Names.conceptOf(name)?.id === "title"

/** "1.", "2.", "3.": a column that only numbers the rows is not their title. */
const countsRows = (key: string, sample: ReadonlyArray<ReadonlyMap<string, CandidateValue>>): boolean => {
  const numbers = sample.map((row) => Number(/^#?(\d{1,6})[.)]?$/.exec(String(row.get(key)?.data))?.[1]))
  return numbers.length > 1 && numbers.every((number, i) => number === (numbers[0] ?? 0) + i)
}

/** "Read more" of each row: a link below other texts that says the same in all rows names none of them. */
const saysOneThing = (key: string, sample: ReadonlyArray<ReadonlyMap<string, CandidateValue>>): boolean => {
  const first = sample[0]?.get(key)
  return (
    first?.value.source.kind === "link" &&
    sample.length > 1 &&
    sample.every((row) => {
      const leaf = row.get(key)
      return leaf === undefined || (leaf.data === first.data && isBelow(leaf, row))
    })
  )
}

const isBelow = ({ value }: CandidateValue, row: ReadonlyMap<string, CandidateValue>): boolean =>
  [...row.values()].some(
    (other) =>
      other.facet === "" && other.value.source.kind === "block" && other.value.source.span[1] <= value.source.span[0]
  )

/** Names are judged once for a column, values row by row: most must be of the kind that is wanted. */
const scoreOf = (
  one: One,
  key: string,
  sample: ReadonlyArray<ReadonlyMap<string, CandidateValue>>,
  scorer: Scorer
): number => {
  if (isTitle(one) && (countsRows(key, sample) || saysOneThing(key, sample))) return 0
  let present = 0
  let fits = 0
  let sum = 0
  let best = 0
  for (const row of sample) {
    const leaf = row.get(key)
    if (leaf === undefined) continue
    const like =
      leaf.facet === unlabelledText.facet ? byItself(one, leaf) : scorer.like(one, leaf.path, { isInside: true })
    if (leaf.facet === unlabelledText.facet) {
      present++
      if (like === 0) continue
      fits++
      sum += 1
      best = Math.max(best, like)
      continue
    }
    if (like < likeEnough || (leaf.isAddress && !asksAddress(one))) return 0
    if (isCounted(leaf.facet) && !asksNumber(one)) return 0
    present++
    const found = fitOf(leaf, one, scorer.setting)
    if (found === undefined) continue
    fits++
    sum += found.fit
    best = Math.max(best, like * worth(leaf.trust))
  }
  if (fits === 0 || fits < present * 0.4) return 0
  return best * (0.6 + 0.4 * (sum / fits)) * (0.25 + 0.75 * Math.sqrt(present / sample.length))
}
