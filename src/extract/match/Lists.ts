/**
 * Lists of values: what comes several times under one name, the items of a list with a name, a column of a table, or one
 * text that lists them.
 */
import type { Candidates, Group } from "../Candidates.ts"
import { fit } from "../value/fit.ts"
import { type CandidateValue, type Leaves, wholeFacet } from "./CandidateValue.ts"
import { isCounted } from "./Facets.ts"
import * as ListItems from "./ListItems.ts"
import * as Names from "./Names.ts"
import type { Scope } from "./Objects.ts"
import { asksAddress, likeEnough, type Scorer, worth } from "./Scorer.ts"
import { cells } from "./Table.ts"
import type { Many } from "./Wanted.ts"

/** `groups`: lists of the page that stand in the scope. */
export const listOf = (
  many: Many,
  scope: Scope,
  groups: Candidates["groups"],
  leaves: Leaves,
  scorer: Scorer
): ReadonlyArray<ListItems.Item> => {
  let best: ReadonlyArray<ListItems.Item> = []
  let most = 0
  const offers: Array<ReadonlyArray<ListItems.Item>> = []
  const offer = (items: ReadonlyArray<ListItems.Item>, score: number) => {
    offers.push(items)
    if (items.length > 0 && score > most) {
      best = items
      most = score
    }
  }
  for (const [near, isInside, factor] of [
    [scope.near, true, 1],
    [scope.far, scope.thing === undefined, 0.95]
  ] as const) {
    for (const all of repeated(near)) {
      const some = onlyItems(all)
      const [first] = some
      const like = first === undefined ? 0 : likeOf(many, first, scorer, isInside)
      if (first === undefined || like < likeEnough) continue
      const items = itemsOf(some, many, scorer)
      const share = items.length / some.length
      // The title of the page is not a list of names.
      const isCalled = items.length < 3 && ofPage.has(first.value.source.kind) && first.path.depth === 0
      const whole = (share < 0.5 ? 0.3 : 1) * (isCalled ? 0.5 : 1)
      offer(items, like * worth(first.trust) * factor * whole + Math.min(items.length, 10) * 0.01)
    }
  }
  for (const group of groups) {
    const like = group.name === undefined ? 0 : nameOf(many, group.name, leaves, scorer)
    const rowsOf = () => group.things.map((thing) => cells(thing, leaves))
    if (like >= likeEnough) {
      const texts = rowsOf().flatMap((row) => [...row.values()].find(({ facet }) => facet === "") ?? [])
      offer(
        ListItems.distinct(
          many,
          texts.flatMap((leaf) => itemOf(leaf, many, scorer) ?? [])
        ),
        like * 0.9
      )
    } else if (scope.thing === undefined || isAround(scope, group))
      offer(...columnOf(many, group, rowsOf, leaves, scorer))
  }
  const [only, second] = best
  if (only === undefined) return onlyList(many, scope, groups, leaves, scorer)
  return second === undefined ? (ListItems.allOf(only, many, offers) ?? best) : best
}

/** The features of a plan are the one list on its card. */
const onlyList = (
  many: Many,
  { far, thing }: Scope,
  groups: Candidates["groups"],
  leaves: Leaves,
  scorer: Scorer
): ReadonlyArray<ListItems.Item> => {
  const [only, other] = groups
  const isPoints = points.has(Names.conceptOf(many.name)?.id ?? "")
  if (!isPoints || thing === undefined || far.length > 0 || only === undefined || other !== undefined) return []
  const rows = only.things.map((row) => [...cells(row, leaves).values()].filter(({ facet }) => facet === ""))
  if (only.source.kind !== "block" || rows.some(({ length }) => length !== 1)) return []
  return ListItems.distinct(
    many,
    rows.flatMap(([leaf]) => (leaf === undefined ? [] : (itemOf(leaf, many, scorer) ?? [])))
  )
}

const ofPage: ReadonlySet<string> = new Set(["heading", "meta", "opengraph"])
const points = new Set(["feature", "benefit", "duty", "requirement", "ingredient", "instruction"])

/** If a list stands under a heading, the sentence that introduces it is not an item. */
const onlyItems = (leaves: ReadonlyArray<CandidateValue>): ReadonlyArray<CandidateValue> => {
  const [first] = leaves
  if (first === undefined || leaves.length < 2 || isItem(first)) return leaves
  const items = leaves.filter(isItem)
  return items.length === leaves.length - 1 ? items : leaves
}

const isItem = ({ value: { source } }: CandidateValue): boolean =>
  source.kind === "heading" && /(?:^|> )li(?:\[\d+\])?$/.test(source.path)

const likeOf = (many: Many, leaf: CandidateValue, scorer: Scorer, isInside: boolean): number =>
  Math.max(scorer.like(many, leaf.path, { isInside }), scorer.like(many.item, leaf.path, { isInside }))

const nameOf = (many: Many, name: string, leaves: Leaves, scorer: Scorer): number =>
  scorer.like(many, leaves.path(name, [], 0), { isInside: true })

const isAround = ({ thing }: Scope, { source }: Group): boolean =>
  thing !== undefined && thing.source.span[0] <= source.span[0] && thing.source.span[1] >= source.span[1]

/** Leaves by their names; parts of values are not a list. */
const repeated = (leaves: ReadonlyArray<CandidateValue>): Iterable<ReadonlyArray<CandidateValue>> => {
  const found = new Map<string, Array<CandidateValue>>()
  for (const leaf of leaves) {
    if (leaf.facet === wholeFacet || isCounted(leaf.facet)) continue
    const key = `${leaf.path.id} ${leaf.facet}`
    const known = found.get(key)
    if (known === undefined) found.set(key, [leaf])
    else known.push(leaf)
  }
  return found.values()
}

const itemOf = (leaf: CandidateValue, many: Many, scorer: Scorer): ListItems.Item | undefined => {
  if (leaf.isAddress && !asksAddress(many.item)) return undefined
  const found = fit(leaf.data, many.item.expected, scorer.setting)
  return found === undefined || found.fit < 0.3 ? undefined : { leaf, fit: found }
}

const itemsOf = (leaves: ReadonlyArray<CandidateValue>, many: Many, scorer: Scorer): ReadonlyArray<ListItems.Item> => {
  const [only, second] = leaves
  const concept = Names.conceptOf(many.name)?.id ?? ""
  const isWhole = only === undefined || second !== undefined || concept === "code"
  const parts = isWhole ? undefined : ListItems.listedIn(String(only.data), writtenInLines.has(concept))
  const all =
    only === undefined || parts === undefined ? leaves : parts.map((data): CandidateValue => ({ ...only, data }))
  const items = ListItems.distinct(
    many,
    all.flatMap((leaf) => itemOf(leaf, many, scorer) ?? [])
  )
  return concept === "author" ? withoutLonger(items) : items
}

/** Lists whose items are lines or sentences of one text. */
const writtenInLines = new Set(["instruction", "ingredient"])

/** A name with more behind it, "Ada Rook Follow", is the same person again. */
const withoutLonger = (items: ReadonlyArray<ListItems.Item>): ReadonlyArray<ListItems.Item> => {
  const names = items.slice(0, 50).map(({ fit: { json } }) => String(json))
  return items.filter(({ fit: { json } }) => !names.some((name) => String(json).startsWith(`${name} `)))
}

/** The column of a list that is named as the values are. */
const columnOf = (
  many: Many,
  group: Group,
  rowsOf: () => ReadonlyArray<ReadonlyMap<string, CandidateValue>>,
  leaves: Leaves,
  scorer: Scorer
): readonly [ReadonlyArray<ListItems.Item>, number] => {
  let best: string | undefined
  let most = 0.75
  const [first] = group.things
  for (const [key, leaf] of first === undefined ? [] : cells(first, leaves)) {
    const like = isCounted(leaf.facet) ? 0 : likeOf(many, leaf, scorer, true) * worth(leaf.trust)
    if (like > most) {
      best = key
      most = like
    }
  }
  if (best === undefined) return [[], 0]
  const key = best
  const rows = rowsOf()
  const found = rows.flatMap((row) => row.get(key) ?? [])
  if (found.some(isPicture) && rows.every((row) => leadsElsewhere(row, scorer))) return [[], 0]
  return [ListItems.dedupe(found.flatMap((leaf) => itemOf(leaf, many, scorer) ?? [])), most * 0.8]
}

const isPicture = ({ path, value: { source } }: CandidateValue): boolean =>
  source.kind === "block" && Names.has(path.own, "image")

/** Whether a card leads to another page of the site: its picture shows that one. A picture may lead to itself, only larger. */
const leadsElsewhere = (row: ReadonlyMap<string, CandidateValue>, { setting: { url } }: Scorer): boolean =>
  [...row.values()].some(({ data, facet, path, value: { source } }) => {
    if (source.kind !== "link" || facet !== "" || Names.conceptOf(path.own)?.id !== "url") return false
    const [there, here] = [URL.parse(String(data)), URL.parse(url)]
    return there !== null && !pictures.test(there.pathname) && there.pathname !== here?.pathname
  })

const pictures = /\.(?:jpe?g|png|webp|avif|gif|bmp|tiff?|svg)$/i
