/**
 * Lists of values: what comes several times under one name, the items of a list with a name, a column of a table, or one
 * text that lists them.
 */
import type { Candidates, Group, Source } from "../Candidates.ts"
import type { Fit } from "../value/Choice.ts"
import { type CandidateValue, type Leaves, wholeFacet } from "./CandidateValue.ts"
import { isCounted } from "./Facets.ts"
import * as Names from "./Names.ts"
import type { Scope } from "./Objects.ts"
import { asksAddress, fitOf, likeEnough, type Scorer, worth } from "./Scorer.ts"
import { cells } from "./Table.ts"
import type { Many } from "./Wanted.ts"

/** `groups`: lists of the page that stand in the scope. */
export const listOf = (
  many: Many,
  scope: Scope,
  groups: Candidates["groups"],
  leaves: Leaves,
  scorer: Scorer
): ReadonlyArray<Item> => {
  const offers = [
    ...repeatedOffers(many, scope.near, scorer, { isInside: true, weight: 1 }),
    ...repeatedOffers(many, scope.far, scorer, { isInside: scope.thing === undefined, weight: 0.95 }),
    ...groups.flatMap((group): ReadonlyArray<Offer> => {
      const like = group.name === undefined ? 0 : nameOf(many, group.name, leaves, scorer)
      if (like >= likeEnough) return [{ items: textsOf(many, group, leaves, scorer), score: like * 0.9 }]
      return scope.thing === undefined || isAround(scope, group) ? columnOf(many, group, leaves, scorer) : []
    })
  ]
  let best: Offer = { items: [], score: 0 }
  for (const offer of offers) if (offer.items.length > 0 && offer.score > best.score) best = offer
  const [only, second] = best.items
  if (only === undefined) return onlyList(many, scope, groups, leaves, scorer)
  if (second !== undefined) return best.items
  return (
    allOf(
      only,
      many,
      offers.map(({ items }) => items)
    ) ?? best.items
  )
}

/** Items that may be the list, and how well they are what the schema asks for. */
interface Offer {
  readonly items: ReadonlyArray<Item>
  readonly score: number
}

/** Values that come several times under a name that is like the list's. */
const repeatedOffers = (
  many: Many,
  near: ReadonlyArray<CandidateValue>,
  scorer: Scorer,
  { isInside, weight }: { readonly isInside: boolean; readonly weight: number }
): ReadonlyArray<Offer> =>
  [...repeated(near)].flatMap((all) => {
    const leaves = onlyItems(all)
    const [first] = leaves
    const like = first === undefined ? 0 : likeOf(many, first, scorer, isInside)
    if (first === undefined || like < likeEnough) return []
    const items = itemsOf(leaves, many, scorer)
    const share = items.length / leaves.length
    // The title of the page is not a list of names.
    const isCalled = items.length < 3 && ofPage.has(first.value.source.kind) && first.path.depth === 0
    const whole = (share < 0.5 ? 0.3 : 1) * (isCalled ? 0.5 : 1)
    const score = like * worth(first.trust) * weight * whole + Math.min(items.length, 10) * 0.01
    return [{ items, score }]
  })

const rowsOf = ({ things }: Group, leaves: Leaves): ReadonlyArray<ReadonlyMap<string, CandidateValue>> =>
  things.map((thing) => cells(thing, leaves))

/** The first text of each row of a list. */
const textsOf = (many: Many, group: Group, leaves: Leaves, scorer: Scorer): ReadonlyArray<Item> => {
  const texts = rowsOf(group, leaves).flatMap((row) => [...row.values()].find(({ facet }) => facet === "") ?? [])
  return distinct(
    many,
    texts.flatMap((leaf) => itemOf(leaf, many, scorer) ?? [])
  )
}

/** The features of a plan are the one list on its card. */
const onlyList = (
  many: Many,
  { far, thing }: Scope,
  groups: Candidates["groups"],
  leaves: Leaves,
  scorer: Scorer
): ReadonlyArray<Item> => {
  const [only, other] = groups
  const isPoints = points.has(Names.conceptOf(many.name)?.id ?? "")
  if (!isPoints || thing === undefined || far.length > 0 || only === undefined || other !== undefined) return []
  const rows = only.things.map((row) => [...cells(row, leaves).values()].filter(({ facet }) => facet === ""))
  if (only.source.kind !== "block" || rows.some(({ length }) => length !== 1)) return []
  return distinct(
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

const itemOf = (leaf: CandidateValue, many: Many, scorer: Scorer): Item | undefined => {
  if (leaf.isAddress && !asksAddress(many.item)) return undefined
  const found = fitOf(leaf, many.item, scorer.setting)
  return found === undefined || found.fit < 0.3 ? undefined : { leaf, fit: found }
}

const itemsOf = (leaves: ReadonlyArray<CandidateValue>, many: Many, scorer: Scorer): ReadonlyArray<Item> => {
  const [only, second] = leaves
  const concept = Names.conceptOf(many.name)?.id ?? ""
  const isWhole = only === undefined || second !== undefined || concept === "code"
  const parts = isWhole ? undefined : listedIn(String(only.data), writtenInLines.has(concept))
  const all =
    only === undefined || parts === undefined ? leaves : parts.map((data): CandidateValue => ({ ...only, data }))
  const items = distinct(
    many,
    all.flatMap((leaf) => itemOf(leaf, many, scorer) ?? [])
  )
  return concept === "author" ? withoutLonger(items) : items
}

/** Lists whose items are lines or sentences of one text. */
const writtenInLines = new Set(["instruction", "ingredient"])

/** A name with more behind it, "Ada Rook Follow", is the same person again. */
const withoutLonger = (items: ReadonlyArray<Item>): ReadonlyArray<Item> => {
  const names = items.slice(0, 50).map(({ fit: { json } }) => String(json))
  return items.filter(({ fit: { json } }) => !names.some((name) => String(json).startsWith(`${name} `)))
}

/** The column of a list that is named as the values are. */
const columnOf = (many: Many, group: Group, leaves: Leaves, scorer: Scorer): ReadonlyArray<Offer> => {
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
  if (best === undefined) return []
  const key = best
  const rows = rowsOf(group, leaves)
  const found = rows.flatMap((row) => row.get(key) ?? [])
  if (found.some(isPicture) && rows.every((row) => leadsElsewhere(row, scorer))) return []
  const items = dedupe(found.flatMap((leaf) => itemOf(leaf, many, scorer) ?? []))
  return [{ items, score: most * 0.8 }]
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

interface Item {
  readonly leaf: CandidateValue
  readonly fit: Fit
}

/*
 * The items of a list of values: which of them come once, which text is several, and which one is all of the others.
 */

/** "red, green and blue": a text that lists short things; of steps, a line is one however long it is. */
const listedIn = (text: string, areLines: boolean): ReadonlyArray<string> | undefined => {
  const lines = areLines ? text.split(/\s*\n\s*/).filter((line) => line.trim() !== "") : []
  if (lines.length > 1) return lines
  const mark = [/\s*\n\s*/, /\s*;\s*/, /\s*[|•·]\s*/, /\s*,\s+|,(?=\D)/].find((one) => one.test(text))
  if (mark === undefined || text.length > 2000) return undefined
  const parts = text
    .split(mark)
    .map((part) => part.trim())
    .filter((part) => part !== "")
  return parts.length > 1 && parts.every((part) => part.length <= 80) ? parts : undefined
}

/** Equal items of one list stay, as two pinches of salt do; of a set, and of several places of the page, one is kept. */
const distinct = (many: Many, items: ReadonlyArray<Item>): ReadonlyArray<Item> => {
  const isOne = new Set(items.map(({ leaf: { value } }) => placeOf(value.source))).size === 1
  const isList = isOne && !isSet(many) && !isTwice(items)
  return isList ? (isSum(items) ? items.slice(1) : items) : dedupe(items)
}

/** Where a list stands that an item is of: its way without the numbers. */
const placeOf = ({ kind, path }: Source): string => `${kind} ${path.replaceAll(/\[\d+\]|\/(?:text|name)$/g, "")}`

/** Whether no item can come twice: a page does not name the same author twice. */
const isSet = ({ isUnique, name, item }: Many): boolean =>
  isUnique || asksAddress(item) || sets.has(Names.conceptOf(name)?.id ?? "")

const sets: ReadonlySet<string> = new Set(
  "author person publisher keyword category language brand organization image url color size material country location email phone date published modified".split(
    " "
  )
)

/** Whether a whole list comes once more: pages have one for each width of a screen. */
const isTwice = (items: ReadonlyArray<Item>): boolean => {
  const half = items.length / 2
  return (
    half >= 2 &&
    Number.isInteger(half) &&
    items.slice(0, half).every(({ fit: { json } }, i) => json === items[i + half]?.fit.json)
  )
}

const dedupe = (items: ReadonlyArray<Item>): ReadonlyArray<Item> => {
  const seen = new Set<unknown>()
  const found = items.filter(({ fit: { json } }) => !seen.has(json) && seen.add(json) !== undefined)
  return isSum(found) ? found.slice(1) : found
}

/** Whether the first is all the others together: what stands around a list is not one of its items. */
const isSum = ([first, ...others]: ReadonlyArray<Item>): boolean => {
  if (others.length < 2 || typeof first?.fit.json !== "string") return false
  return bare(first.fit.json) === bare(others.map(({ fit: { json } }) => String(json)).join(""))
}

/** Where the only item is all of a list in one text, or the one picture that a page declares of those that it shows: the list. */
const allOf = (
  { fit: { json } }: Item,
  many: Many,
  offers: ReadonlyArray<ReadonlyArray<Item>>
): ReadonlyArray<Item> | undefined => {
  const isPicture = Names.conceptOf(many.name)?.id === "image"
  const all = offers.filter((items) => {
    if (items.length < 2) return false
    if (isPicture) return items.some((item) => item.fit.json === json)
    return typeof json === "string" && bare(json) === bare(items.map((item) => String(item.fit.json)).join(""))
  })
  return all.length === 0 ? undefined : all.reduce((a, b) => (b.length > a.length ? b : a))
}

const bare = (text: string): string => text.replaceAll(/[\s,;|•·]+/g, "")
