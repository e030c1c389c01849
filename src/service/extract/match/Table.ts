/**
 * A list of objects, filled from things of one shape: each property has its column for all rows, so that a row with a
 * hole in it does not take another column's value.
 */
import type { Group, Thing } from "../Candidates.ts"
import { fit } from "../value/fit.ts"
import { assign, type Pair } from "./assign.ts"
import { entities } from "./Concepts.ts"
import type { Leaf, Leaves } from "./Leaf.ts"
import * as Names from "./Names.ts"
import * as Rest from "./Rest.ts"
import { asksAddress, likeEnough, type Scorer, worth } from "./Scorer.ts"
import { isOpaque, type One, type Rows } from "./Wanted.ts"

export interface Table {
  readonly things: ReadonlyArray<Thing>
  /** How well it is what the schema asks for. */
  readonly score: number
  /** How many properties have a column. */
  readonly matched: number
  /** The columns of each property, best first. */
  readonly columns: ReadonlyMap<One, ReadonlyArray<Column>>
}

export interface Column {
  readonly key: string
  readonly score: number
}

/** Leaves of a row by column: names that come again are columns of their own. */
export const cells = (row: Thing, leaves: Leaves): ReadonlyMap<string, Leaf> => {
  const found = new Map<string, Leaf>()
  const count = new Map<string, number>()
  const add = (leaf: Leaf) => {
    const name = `${leaf.path.id} ${leaf.facet}`
    const times = count.get(name) ?? 0
    count.set(name, times + 1)
    found.set(`${name} ${times}`, leaf)
  }
  const own = leaves.of(row, maxCells)
  for (const leaf of own) add(isAround(leaf, own) ? { ...leaf, facet: "around", trust: leaf.trust * 0.3 } : leaf)
  Rest.restOf(own, leaves).forEach(add)
  return found
}

/** Whether the text of a block is those of others together: all of a card is neither its price nor its title. */
const isAround = ({ data, facet, value }: Leaf, row: ReadonlyArray<Leaf>): boolean => {
  if (typeof data !== "string" || facet !== "" || value.source.kind !== "block") return false
  const [from, to] = value.source.span
  let inner = 0
  for (const other of row) {
    const [begin, end] = other.value.source.span
    const isInner = other.facet === "" && other.value !== value && begin >= from && end <= to && end - begin < to - from
    if (isInner && typeof other.data === "string" && other.data.length < data.length && data.includes(other.data))
      inner++
  }
  return inner > 1 || (inner === 1 && value.href !== undefined)
}

/** `affinity`: how like the list's own name is, 0 to 1. */
export const of = (
  rows: Rows,
  group: Pick<Group, "things">,
  affinity: number,
  leaves: Leaves,
  scorer: Scorer
): Table | undefined => {
  const { things } = group
  const ones = rows.item.parts.filter((part): part is One => part._tag === "One")
  const sample = things.slice(0, maxSample).map((thing) => cells(thing, leaves))
  if (sample.length === 0 || rows.item.parts.length === 0) return undefined
  const keys = [...new Set(sample.flatMap((row) => [...row.keys()]))].slice(0, maxColumns)
  const ranked = new Map<One, ReadonlyArray<Column>>()
  const pairs: Array<Pair> = []
  for (const [row, one] of ones.entries()) {
    const rank = (asked: One): Array<Column & { readonly column: number }> =>
      keys.flatMap((key, column) => {
        const score = scoreOf(asked, key, sample, scorer)
        return score === 0 ? [] : [{ key, score, column }]
      })
    const said = rank(one)
    const called = said.length === 0 ? rankCalled(one, rows, rank) : said
    const typed = called.length === 0 ? rankTyped(one, keys, sample, scorer) : called
    const found = typed.length === 0 && isOwnName(one, rows) ? rankFirst(one, things[0], keys) : typed
    for (const { column, score } of found) pairs.push({ row, column, score: score * (one.required ? 1.15 : 1) })
    ranked.set(
      one,
      found.toSorted((a, b) => b.score - a.score)
    )
  }
  const chosen = assign(ones.length, keys.length, pairs)
  const taken = new Set(chosen.map((column) => (column === undefined ? "" : (keys[column] ?? ""))))
  // Where the number of a heading has a column, the title is what stands behind it.
  const isNumbered = [...taken].some((key) => key.includes(" number "))
  const columns = new Map<One, ReadonlyArray<Column>>()
  let all = 0
  let met = 0
  for (const [row, one] of ones.entries()) {
    const weight = one.required ? 2 : 1
    all += weight
    const key = keys[chosen[row] ?? -1]
    const some = ranked.get(one) ?? []
    const own = some.find((column) => column.key === key)
    if (own === undefined) {
      // A value that serves another property serves this one too where it answers it as well.
      const [shared] = some
      if (shared !== undefined && shared.score >= 0.85) columns.set(one, [shared])
      continue
    }
    met += weight * own.score
    const rest =
      isNumbered && Names.conceptOf(one.name)?.id === "title"
        ? some.find((column) => column.key.includes(" title "))
        : undefined
    if (rest !== undefined) {
      columns.set(one, [rest, own])
      continue
    }
    const others = some.filter((column) => column !== own && !taken.has(column.key) && column.score >= 0.75 * own.score)
    columns.set(one, [own, ...others])
  }
  const inner = rows.item.parts.length - ones.length
  const covered = (met + inner * 0.2) / (all + inner * 0.5)
  if (columns.size === 0 && ones.length > 0) return undefined
  return {
    things,
    columns,
    matched: columns.size,
    score:
      covered +
      0.25 * affinity +
      Math.min(things.length, 20) * 0.005 -
      (things[0]?.source.kind === "heading" ? 0.08 : 0)
  }
}

/**
 * The `position` of a row that says no such thing is what the row is called; and what a row is about is what it is
 * called: the `name` of a row with a `Member`.
 */
const rankCalled = <A extends Column>(
  one: One,
  rows: Rows,
  rank: (asked: One) => ReadonlyArray<A>
): ReadonlyArray<A> => {
  const concept = Names.conceptOf(one.name)?.id ?? ""
  const others =
    entities.has(concept) || isOwnName(one, rows)
      ? ["title"]
      : concept === "title" && one.name.length === 1
        ? ["person", ...entities]
        : (substitutes.get(concept) ?? [])
  for (const [i, other] of others.entries()) {
    const asked = {
      ...one,
      id: one.id + maxAsked * (i + 1),
      name: Names.parse(other),
      title: [],
      sentence: [],
      around: []
    }
    const found = rank(asked)
    // What stands for another thing is less sure than what is it.
    const factor = entities.has(concept) || concept === "title" ? 1 : 0.7
    if (found.length > 0) return found.map((column) => ({ ...column, score: column.score * factor }))
  }
  return []
}

/** What stands for what in a row that says it in no other way. */
const substitutes: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["term", ["title"]],
  ["person", ["title"]],
  ["description", ["body"]],
  ["definition", ["body"]],
  ["answer", ["body"]]
])

/** The `plan` of each of the `plans` is what it is called. */
const isOwnName = ({ name }: One, rows: Rows): boolean =>
  name.length === 1 && rows.name.some(({ isHead, word }) => isHead && word === name[0]?.word)

/**
 * A day or an e-mail address whose name says nothing known, `on` or `x1`: the only such column of the rows is it. Never
 * for other types: any text would do.
 */
const rankTyped = (
  one: One,
  keys: ReadonlyArray<string>,
  sample: ReadonlyArray<ReadonlyMap<string, Leaf>>,
  scorer: Scorer
): ReadonlyArray<Column & { readonly column: number }> => {
  const isTyped = one.expected.schemas.some(({ format }) => typeof format === "string" && telling.test(format))
  if (!isTyped || !isOpaque(one.name)) return []
  const found = keys.flatMap((key, column) => {
    const fits = sample.filter((row) => {
      const leaf = row.get(key)
      return leaf?.facet === "" && (fit(leaf.data, one.expected, scorer.setting)?.fit ?? 0) >= 0.9
    }).length
    return fits >= sample.length * 0.6 ? [{ key, column, score: 0.55 }] : []
  })
  return found.length === 1 ? found : []
}

/** Rows of a table are called by their first cell. */
const rankFirst = (
  { expected }: One,
  thing: Thing | undefined,
  [key]: ReadonlyArray<string>
): ReadonlyArray<Column & { readonly column: number }> => {
  const isText = expected.schemas.some(({ format, type }) => type === "string" && format === undefined)
  return isText && thing?.source.kind === "table" && key !== undefined ? [{ key, score: 0.6, column: 0 }] : []
}

const telling = /^(?:date|date-time|email)$/
const maxAsked = 10_000
const maxSample = 24
const maxColumns = 200
const maxCells = 80

/** A text without a name is an organisation where it is called as they are. */
const byItself = (one: One, { data }: Leaf): number =>
  Names.conceptOf(one.name)?.id === "organization" &&
  one.expected.schemas.some(({ format }) => format === undefined) &&
  Rest.isOrganization(String(data))
    ? 0.6
    : 0

/** Names are judged once for a column, values row by row: most must be of the kind that is wanted. */
const scoreOf = (one: One, key: string, sample: ReadonlyArray<ReadonlyMap<string, Leaf>>, scorer: Scorer): number => {
  let present = 0
  let fits = 0
  let sum = 0
  let best = 0
  for (const row of sample) {
    const leaf = row.get(key)
    if (leaf === undefined) continue
    const like = leaf.facet === Rest.facet ? byItself(one, leaf) : scorer.like(one, leaf.path, { isInside: true })
    if (leaf.facet === Rest.facet) {
      present++
      if (like === 0) continue
      fits++
      sum += 1
      best = Math.max(best, like)
      continue
    }
    if (like < likeEnough || (leaf.isAddress && !asksAddress(one))) return 0
    present++
    const found = fit(leaf.data, one.expected, scorer.setting)
    if (found === undefined) continue
    fits++
    sum += found.fit
    best = Math.max(best, like * worth(leaf.trust))
  }
  if (fits === 0 || fits < present * 0.4) return 0
  return best * (0.6 + 0.4 * (sum / fits)) * (0.25 + 0.75 * Math.sqrt(present / sample.length))
}
