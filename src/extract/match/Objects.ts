/**
 * An object of the schema, filled from the thing that covers it best, and from what the page says beside.
 *
 * One assignment covers all single values of the object and of the objects in it, so a value serves the property that it
 * answers best; it serves a second property only if their names really mean the same.
 */

import { pointerOf } from "#base/pointerOf"
import type { Kind, Thing } from "../Candidates.ts"
import { assign, type Pair } from "./assign.ts"
import type { CandidateValue, Leaves } from "./CandidateValue.ts"
import { entities } from "./Concepts.ts"
import { labelled, sumFacet } from "./Facets.ts"
import * as Names from "./Names.ts"
import { conceptOf } from "./Names.ts"
import type { Scored, Scorer } from "./Scorer.ts"
import type { One, Wanted, Whole } from "./Wanted.ts"

/** What an object may be filled from. */
export interface Scope {
  /** The thing that it is, where there is one. */
  readonly thing: Thing | undefined
  readonly near: ReadonlyArray<CandidateValue>
  /** What the page says of itself. */
  readonly far: ReadonlyArray<CandidateValue>
  /** Of other things of the page. */
  readonly apart: ReadonlyArray<CandidateValue>
}

interface Slot {
  readonly one: One
  readonly pointer: string
  readonly found: ReadonlyArray<Scored>
}

/** The values of an object's properties and of the objects in it, by JSON pointer. */
export const fillOnes = (whole: Whole, scope: Scope, pointer: string, leaves: Leaves, scorer: Scorer) => {
  const slots: Array<Slot> = []
  collect(whole, scope, pointer, leaves, scorer, slots, true)
  return choose(slots)
}

const collect = (
  whole: Whole,
  scope: Scope,
  pointer: string,
  leaves: Leaves,
  scorer: Scorer,
  into: Array<Slot>,
  isInside: boolean
): void => {
  for (const part of whole.parts) {
    const at = pointerOf(pointer, part.key)
    if (part._tag === "One") into.push({ one: part, pointer: at, found: ranked(part, scope, scorer, isInside) })
    else if (part._tag === "Whole") {
      const inner = partOf(part, scope.thing, leaves, scorer)
      if (inner === undefined) collect(part, scope, at, leaves, scorer, into, isInside && isSubject(part, whole))
      else {
        const near = leaves.of(inner)
        collect(part, { thing: inner, near, far: [], apart: [] }, at, leaves, scorer, into, true)
      }
    }
  }
}

/** The part of a thing that an object in the schema means. */
export const partOf = (wanted: Wanted, thing: Thing | undefined, leaves: Leaves, scorer: Scorer): Thing | undefined => {
  let best: Thing | undefined
  let most = 0.55
  const visit = (from: Thing, depth: number): void => {
    for (const { name, value } of from.properties) {
      if (value._tag !== "Thing") continue
      const like = Math.max(
        likeOf(wanted, name, leaves, scorer),
        ...value.types.map((type) => 0.9 * likeOf(wanted, type, leaves, scorer))
      )
      const score =
        like + (wanted._tag === "Whole" ? 0.4 * coverage(wanted, leaves.of(value), scorer) : 0) - depth * 0.1
      if (like >= 0.5 && score > most) {
        best = value
        most = score
      }
      if (depth < 2) visit(value, depth + 1)
    }
  }
  if (thing !== undefined) visit(thing, 0)
  return best
}

export const likeOf = (wanted: Wanted, name: string, leaves: Leaves, scorer: Scorer): number =>
  scorer.like(wanted, leaves.path(name, [], 0), { isInside: true })

/** How many of an object's values some leaves have, 0 to 1; what is required counts twice. */
export const coverage = (
  whole: Whole,
  near: ReadonlyArray<CandidateValue>,
  scorer: Scorer,
  isInside = true
): number => {
  const place = { isInside }
  let all = 0
  let matched = 0
  for (const part of whole.parts) {
    const weight = part.required ? 2 : 1
    all += weight
    let most = 0
    if (part._tag === "One") for (const leaf of near) most = Math.max(most, scorer.score(part, leaf, place)?.score ?? 0)
    else if (part._tag === "Many")
      for (const leaf of near) most = Math.max(most, scorer.score(part.item, leaf, place)?.score ?? 0)
    else if (part._tag === "Whole") most = coverage(part, near, scorer, isInside && isSubject(part, whole))
    // A list of things says nothing of the thing that it is a part of.
    else all -= weight
    matched += weight * most
  }
  return all === 0 ? 0 : matched / all
}

const ranked = (one: One, { apart, far, near }: Scope, scorer: Scorer, isInside: boolean): ReadonlyArray<Scored> => {
  const found: Array<Scored> = []
  const add = (leaf: CandidateValue, factor: number, isApart: boolean) => {
    const scored = scorer.score(one, leaf, { isInside, isApart })
    if (scored !== undefined) found.push(factor === 1 ? scored : { ...scored, score: scored.score * factor })
  }
  for (const leaf of near) if (!leaf.isListed) add(leaf, 1, false)
  for (const leaf of far) if (!leaf.isListed) add(leaf, 0.95, false)
  for (const leaf of apart) if (!leaf.isListed) add(leaf, 0.85, true)
  return priced(one, found)
    .sort((a, b) => b.score - a.score || a.leaf.value.source.span[0] - b.leaf.value.source.span[0])
    .slice(0, maxChoices)
}

/**
 * Sums that nobody names come behind one that has a label or is declared. Among them the one that the title or the description
 * of the page says too is that of what the page is about: others are of something else on it.
 */
const priced = (one: One, found: Array<Scored>): Array<Scored> => {
  if (one.expected.kind !== "money") return found
  const hasNamed = found.some(
    ({ fit, leaf: { facet, value }, like }) =>
      !weak.has(value.source.kind) && facet !== sumFacet && like >= sureName && fit.fit >= sureName
  )
  const ofHead = new Set(found.filter(isOfHead).map(({ fit: { json } }) => json))
  return found.map((scored) => {
    if (!isUnnamed(scored)) return scored
    const isConfirmed = !isOfHead(scored) && ofHead.has(scored.fit.json)
    return { ...scored, score: scored.score * (hasNamed ? 0.7 : 1) * (isConfirmed ? 1.1 : 1) }
  })
}

/** What says no sum of the page itself: a tag in its head may be about the application of the site. */
const weak: ReadonlySet<Kind> = new Set<Kind>(["text", "meta", "link", "heading"])
/** A label that is this like what is wanted means it: "Guide price". */
const sureName = 0.8

const isUnnamed = ({ leaf: { facet, value } }: Scored): boolean =>
  value.source.kind === "text" || (facet === sumFacet && !labelled.has(value.source.kind))

const isOfHead = ({ leaf: { facet, value } }: Scored): boolean =>
  facet === sumFacet && (value.source.kind === "meta" || value.source.kind === "opengraph")

const maxChoices = 12

/** Two properties may have the same value where both names are this like its own. */
const sameName = 0.88

const unitOf = ({ leaf }: Scored): string =>
  `${leaf.value.source.span.join("-")} ${leaf.value.source.path} ${leaf.facet}`

const choose = (slots: ReadonlyArray<Slot>): ReadonlyMap<string, Scored> => {
  const units = new Map<string, number>()
  const pairs: Array<Pair> = []
  for (const [row, { found, one }] of slots.entries()) {
    for (const [i, scored] of found.entries()) {
      const unit = unitOf(scored)
      const column = units.get(unit) ?? units.size
      units.set(unit, column)
      // Of what is as good the first is taken.
      pairs.push({ row, column, score: scored.score * (one.required ? 1.15 : 1) - i * 1e-4 })
    }
  }
  const columns = assign(slots.length, units.size, pairs)
  const chosen = new Map<string, Scored>()
  for (const [row, { found, one, pointer }] of slots.entries()) {
    const column = columns[row]
    const taken = found.find((scored) => column !== undefined && units.get(unitOf(scored)) === column)
    const [first] = found
    // What is called by two names, `title` and `headline`, is not called by the next best.
    const isSame = first !== undefined && first.like >= sameName && conceptOf(one.name)?.id === "title"
    const own = isSame && taken !== undefined && taken.score < 0.97 * first.score ? first : taken
    const source = own ?? (first !== undefined && first.like >= sameName ? first : undefined)
    if (source !== undefined) chosen.set(pointer, { ...source, others: found })
  }
  return numbersApart(slots, chosen)
}

/** Where the number of a heading has a property of its own, the title is what stands behind it. */
const numbersApart = (slots: ReadonlyArray<Slot>, chosen: Map<string, Scored>): ReadonlyMap<string, Scored> => {
  const hasNumber = [...chosen.values()].some(({ leaf }) => leaf.facet === "number")
  if (!hasNumber) return chosen
  for (const { found, one, pointer } of slots) {
    const whole = chosen.get(pointer)
    if (whole === undefined || whole.leaf.facet !== "" || conceptOf(one.name)?.id !== "title") continue
    const rest = found.find(({ leaf }) => leaf.facet === "title" && leaf.value === whole.leaf.value)
    if (rest !== undefined) chosen.set(pointer, { ...rest, others: found })
  }
  return chosen
}

/**
 * Whether an object in a schema is what the page is about: `product` in `{ product: { name, price } }`. Then what the page is
 * called is its name.
 *
 * Its name says so and nothing else, and nothing beside it has a name of its own. An author, an address or an offer is a part
 * of something else, and a related product is another one: the heading of the page is not what they are called.
 */
const isSubject = (part: Whole, { parts }: Whole): boolean =>
  isOfPage(part) && !parts.some((other) => other !== part && (isName(other) || isOfPage(other)))

const isOfPage = ({ name, _tag }: Wanted): boolean =>
  _tag === "Whole" &&
  name.length > 0 &&
  name.every(({ concept, word }) => subjects.has(word) || entities.has(concept?.id ?? ""))

const isName = ({ _tag, name }: Wanted): boolean => _tag === "One" && Names.conceptOf(name)?.id === "title"

/** What pages are about, and what people call the object that holds all that they want of a page. */
const subjects: ReadonlySet<string> = new Set(
  (
    "data result results record response output object entity item page content main detail details info information posting post " +
    "listing recipe book film movie series episode podcast song album game app software package release dataset paper thesis " +
    "course lesson class hotel restaurant place property apartment house vehicle car bike trip tour exhibition concert " +
    "law section statute regulation bill species plant animal"
  ).split(" ")
)
