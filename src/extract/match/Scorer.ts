/**
 * How well a leaf of the page answers what is wanted: by its names, by what its value is, by how far it is to be trusted.
 *
 * The score is 0 if the names do not mean the same or the value is of another kind; a value of a part (the name of a
 * brand, the date of a review) answers only a property about that part.
 */
import type { Fit } from "../value/Choice.ts"
import { fit } from "../value/fit.ts"
import type { PageLocale } from "../value/PageLocale.ts"
import * as Sum from "../value/Sum.ts"
import type { CandidateValue, Path } from "./CandidateValue.ts"
import { generic, parts, weekdays } from "./Concepts.ts"
import { isCounted } from "./Facets.ts"
import * as Names from "./Names.ts"
import { light } from "./Names.ts"
import { isOpaque, type One, type Wanted } from "./Wanted.ts"

export interface Scored {
  readonly leaf: CandidateValue
  readonly fit: Fit
  readonly score: number
  /** How like the names are. */
  readonly like: number
  /** All that it was chosen from, the best first. */
  readonly others?: ReadonlyArray<Scored>
}

/** A leaf as what is wanted; undefined: it is of another kind. */
export const fitOf = ({ data, facet, value }: CandidateValue, wanted: One, setting: PageLocale): Fit | undefined => {
  const isLess = value.isLess === true && facet === "" && asksNumber(wanted)
  return fit(isLess ? `-${String(data).replaceAll(/[()]/g, "")}` : data, wanted.expected, setting)
}

/** Where a leaf stands to what is wanted. */
interface LeafPosition {
  /** In the very part that is wanted, so that its plain names mean it. */
  readonly isInside: boolean
  /** In a thing beside the one that is wanted: only who names that thing means it. */
  readonly isApart?: boolean
}

/** Weaker likeness is chance. */
export const likeEnough = 0.5

export class Scorer {
  readonly setting: PageLocale
  private readonly likes = new Map<number, number>()

  constructor(setting: PageLocale) {
    this.setting = setting
  }

  score(wanted: One, leaf: CandidateValue, place: LeafPosition): Scored | undefined {
    const like = this.like(wanted, leaf.path, place)
    if (like < likeEnough || (leaf.isAddress && !asksAddress(wanted))) return undefined
    if (isOfOther(wanted, leaf) || isCounted(leaf.facet)) return undefined
    const found = fitOf(leaf, wanted, this.setting)
    if (found === undefined) return undefined
    return { leaf, fit: found, like, score: like * worth(leaf.trust) * (0.6 + 0.4 * found.fit) }
  }

  like(wanted: Wanted, path: Path, { isInside, isApart = false }: LeafPosition): number {
    const key = (wanted.id * maxPaths + path.id) * 4 + (isInside ? 2 : 0) + (isApart ? 1 : 0)
    const known = this.likes.get(key)
    if (known !== undefined) return known
    const found = likeOf(wanted, path, isInside, isApart)
    this.likes.set(key, found)
    return found
  }
}

/**
 * A sum or a day in the text has no name: it is a price or a date, and no `deposit_amount`. A class that says "price" says
 * so of no other sum, `shared_costs`. A deposit or an instalment is the price of nothing.
 */
const isOfOther = ({ expected, name }: One, { path: { context, own, types }, value }: CandidateValue): boolean => {
  const { kind } = value.source
  if (expected.kind === "money" && Sum.isPartName(wordsOf(own)) && !Sum.isPartName(wordsOf(name))) return true
  const isUnnamed = kind === "text" && /^(?:money|date)$/.test(Names.conceptOf(name)?.kind ?? "")
  const isFee = kind === "block" && name.some(({ isHead, word }) => isHead && fees.has(word))
  return (
    (isUnnamed || isFee) &&
    name.some((token) => Names.isSpecial(token) && Names.share([token], [...own, ...context, ...types]) === 0) &&
    !(isFee && own.some(({ word }) => fees.has(word)))
  )
}

const wordsOf = (name: Names.Name): string => name.map(({ word }) => word).join(" ")

/** Sums that are not a price if a word before them says what they are. */
const fees = new Set("cost fee amount kosten gebuhr frais costo custo coste".split(" "))

/** What trust does to a likeness. */
export const worth = (trust: number): number => 0.6 + 0.4 * trust

/** The text of a link names where it leads to, and nothing else. */
export const asksAddress = ({ expected: { kind, schemas } }: One): boolean =>
  kind === "url" || schemas.some(({ format }) => typeof format === "string" && /^(?:ur[il]|iri)/.test(format))

/** Whether only a number fits. */
export const asksNumber = ({ expected: { schemas } }: One): boolean =>
  schemas.every(({ type }) => type === "integer" || type === "number")

const maxPaths = 1_000_000

const likeOf = (wanted: Wanted, path: Path, isInside: boolean, isApart: boolean): number => {
  const { around, name, sentence, title } = wanted
  const { own } = path
  const context = [...path.context, ...path.types]
  const named = Math.max(
    Names.likeness(name, own, context, around),
    isItself(name) ? 0.95 * Names.likeness(around, own, context) : 0,
    0.95 * Names.likeness(Names.ofName(name), own, context, around)
  )
  const titled = title.length === 0 ? 0 : 0.95 * Names.likeness(title, own, context, around)
  // A description that is the label of the page means it, whatever the name is like.
  const isLabel = Names.isSame(sentence, own)
  const mentioned = isLabel ? 0.97 : isOpaque(name) && named < 0.9 ? 0.9 * Names.mentions(sentence, own) : 0
  let like = Math.max(named, titled, mentioned)
  if (like < likeEnough) return like
  // What is asked of a day of the week is what is said of that day.
  const isOfDay = (token: Names.Name[number]) => weekdays.has(token.concept?.id ?? "")
  if (!isInside && around.some(isOfDay) && Names.share(around.filter(isOfDay), [...own, ...path.context]) === 0)
    return 0
  const sought = [...name, ...title, ...around, ...(isOpaque(name) ? sentence : [])]
  const means = Names.conceptOf(own)
  const isGeneric = means === undefined ? own.every(({ word }) => light.has(word)) : generic.has(means.id)
  const meets = (tokens: Names.Name) => Names.share(tokens, sought) > 0
  if (path.isForeign && !meets(path.context)) like *= 0.45
  if ((path.depth > 0 || isApart) && isGeneric && !meets(isApart ? context : path.context)) like *= 0.45
  else if (isApart) like *= 0.85
  // The article number of an offer is less that of the product than its own.
  if (means !== undefined && identifying.has(means.id) && Names.has(path.context, "offer")) like *= 0.8
  // The number of a chapter is not the number of a section.
  if (means?.id === "number" && isOtherPart(own, around)) like *= 0.4
  // The address of a page is not the homepage of its subject.
  if (Names.conceptOf(name)?.id === "website" && means?.id === "url" && path.types.length === 0) like *= 0.5
  const isPart =
    means !== undefined && around.some(({ concept }) => parts.get(concept?.id ?? "")?.has(means.id) === true)
  if (!isInside && around.length > 0 && isGeneric && !isPart && Names.share([...own, ...path.context], around) === 0) {
    like *= 0.4
  }
  return like * 0.985 ** path.depth
}

/** The `value` of a `rating` is the rating. */
const isItself = (name: Names.Name): boolean => name.length === 1 && name[0]?.word === "value"

const identifying = new Set([
  "sku",
  "asin",
  "mpn",
  "gtin",
  "ean",
  "upc",
  "isbn",
  "reference",
  "identifier",
  "title",
  "url"
])
const partsOfLaw = new Set(["section", "chapter"])

const isOtherPart = (own: Names.Name, around: Names.Name): boolean => {
  const lawOf = (name: Names.Name) =>
    name.flatMap(({ concept }) => (concept !== undefined && partsOfLaw.has(concept.id) ? [concept.id] : []))
  const [here, there] = [lawOf(own), lawOf(around)]
  return here.length > 0 && there.length > 0 && !here.some((id) => there.includes(id))
}
