/**
 * The single values of a thing, with those of its parts: what one property of a schema may be filled with.
 *
 * A value is a value of the page or a part of one (`Facets`); their number per thing is limited.
 */
import { firstNot } from "#base/firstNot"
import { isWebAddress } from "#page/Address"
import type { Candidates, Group, Kind, Property, Source, Thing, Value } from "../Candidates.ts"
import { maxValues } from "../page/Budget.ts"
import * as Contact from "../value/Contact.ts"
import * as Day from "../value/Day.ts"
import * as Price from "../value/Price.ts"
import { foreign } from "./Concepts.ts"
import { facetsOf } from "./Facets.ts"
import * as Names from "./Names.ts"
import * as Offers from "./Offers.ts"
import * as Steps from "./Steps.ts"

export interface CandidateValue {
  readonly path: Path
  readonly value: Value
  readonly data: string | number | boolean
  /** Which part of the value it is; empty: all of it. */
  readonly facet: string
  /** How far what says it is to be trusted, 0 to 1. */
  readonly trust: number
  /** The things that it stands in, from the outermost. */
  readonly within: ReadonlyArray<Thing>
  /** Whether it is where a link leads to, named by the link's text. */
  readonly isAddress: boolean
  /** Whether it is one of a list of the page: a price of many is not the price. */
  readonly isListed: boolean
}

/** A way of names to leaves, made once for all that are reached by it. */
export interface Path {
  readonly id: number
  readonly own: Names.Name
  /** Of the parts on the way. */
  readonly context: Names.Name
  /** What kind of thing the outermost is. */
  readonly types: Names.Name
  /** Parts of parts that do not belong to the whole. */
  readonly depth: number
  /** Whether it is about something else: a review of the product. */
  readonly isForeign: boolean
}

/** Where values stand, and where their leaves go. */
interface LeafNesting {
  /** The types of the thing, and the names of the parts on the way to it. */
  readonly context: ReadonlyArray<string>
  /** Parts of parts that do not belong to the whole. */
  readonly depth: number
  /** The things that it stands in, from the outermost. */
  readonly within: ReadonlyArray<Thing>
  readonly into: Array<CandidateValue>
  /** How many leaves there may be. */
  readonly most: number
}

/** Makes the leaves of one page; paths are the same for the same names. */
export class Leaves {
  private readonly paths = new Map<string, Path>()
  private readonly known = new Map<Thing, ReadonlyArray<CandidateValue>>()
  private readonly page: Thing | undefined
  /** Whether the page says more than was looked at. */
  isCut = false
  /** A page of many things in one another has no more leaves than this. */
  private left = maxLeavesOfPage
  private readonly lists: ReadonlyArray<readonly [from: number, to: number]>
  private readonly labels: Labelled
  /** Parts of a list: several offers of one thing, and lists in data. Their values do not belong to the thing itself. */
  private readonly several = new Set<Thing>()

  constructor(candidates: Candidates | undefined) {
    this.page = candidates?.page
    this.labels = new Labelled(candidates?.page.properties ?? [])
    this.lists = listSpans(candidates?.groups ?? [], this.labels.inLines)
  }

  of(thing: Thing, most = maxLeaves): ReadonlyArray<CandidateValue> {
    const before = this.known.get(thing)
    if (before !== undefined) return before
    const found: Array<CandidateValue> = []
    if (this.left > 0) {
      const room = thing === this.page ? mostOfPage : most
      this.visit(thing, { context: [thing.types.join(" ")], depth: 0, within: [thing], into: found, most: room })
    } else this.isCut = true
    this.left -= found.length
    const all = thing === this.page ? withOnlyOnes(found) : found
    this.known.set(thing, all)
    return all
  }

  /** The first of the context are the types. */
  path(name: string, [types = "", ...names]: ReadonlyArray<string>, depth: number): Path {
    const key = `${depth}\n${name}\n${types}\n${names.join("\n")}`
    const known = this.paths.get(key)
    if (known !== undefined) return known
    const context = names.flatMap(Names.parse).slice(0, 12)
    const isForeign =
      names.some((one) => isRelated.test(one)) ||
      context.some(({ concept }) => concept !== undefined && foreign.has(concept.id))
    const own = Names.parse(name.replace(/^twitter:/, ""))
    const path = { id: this.paths.size, own, context, types: Names.parse(types), depth, isForeign }
    this.paths.set(key, path)
    return path
  }

  private visit(thing: Thing, place: LeafNesting): void {
    const { context, depth, into, most, within } = place
    const isWhole = within.length === 1
    const offers = isWhole ? Offers.of(thing) : undefined
    for (const part of [...(offers?.several ?? []), ...listedParts(thing)]) this.several.add(part)
    for (const [name, value] of offers?.own ?? []) this.add(name, value, { ...place, context: [...context, "offers"] })
    const letters = leagueNames(thing)
    for (const { name: written, value } of thing.properties) {
      if (into.length >= most) return
      const name = letters.get(written) ?? written
      if (value._tag === "Value") this.addOwn(name, value, thing, place)
      else if (within.length < maxDepth && !within.includes(value)) this.visitPart(name, value, place)
    }
    for (const [name, value] of isWhole ? Steps.wholes(thing) : []) {
      const path = this.path(name, context, depth)
      const trust = 1.2 * trustOf(name, value.source.kind)
      into.push({ path, value, data: value.data, facet: wholeFacet, trust, within, isAddress: false, isListed: false })
    }
    if (depth === 0 && thing.id !== undefined && /^https?:/.test(thing.id) && into.length < most) {
      const value: Value = { _tag: "Value", data: thing.id, source: thing.source }
      if (thing === this.page) this.one("page url", value, place)
      else this.one("url", value, { ...place, depth: 1 })
    }
  }

  private addOwn(name: string, value: Value, thing: Thing, place: LeafNesting): void {
    const unlabelled = thing === this.page ? this.labels.without(name, value) : value
    if (unlabelled === undefined) return
    this.add(name, unlabelled, place)
    // What a thing is called is what it is: the title of a JobPosting is the job.
    if (place.within.length === 1 && isCalled.test(name)) for (const type of thing.types) this.one(type, value, place)
  }

  private visitPart(name: string, part: Thing, place: LeafNesting): void {
    const { context, depth, within } = place
    const inner = { ...place, within: [...within, part] }
    const steps = Steps.of(name, part)
    for (const { value, within: parts } of steps ?? [])
      this.one(name, value, { ...place, within: [...within, ...parts] })
    for (const { name: how, value } of steps === undefined ? representatives(part) : []) {
      const alias = how === "url" && !/url|image|link|photo|logo/i.test(name) ? `${name} url` : name
      this.add(alias, value, inner)
    }
    const names = [part.types.join(" "), ...context.slice(1), name]
    this.visit(part, { ...inner, context: names, depth: transparent.test(name) ? depth : depth + 1 })
  }

  private one(name: string, value: Value, { context, depth, into, within }: LeafNesting): boolean {
    const { data, source } = value
    // Classes in code are for its colours.
    if (source.kind === "block" && isCode.test(source.path)) return false
    const isAddress = source.kind === "link" && typeof data === "string" && isWebAddress(data)
    // The text of a link names an address.
    const path = this.path(isAddress && within[0] === this.page ? `${name} url` : name, context, depth)
    const isListed =
      (within[0] === this.page && shown.has(source.kind) && this.isInList(source.span)) ||
      within.some((thing, i) => i > 0 && this.several.has(thing))
    into.push({ path, value, data, facet: "", trust: trustOf(name, source.kind), within, isAddress, isListed })
    return !isListed
  }

  private isInList([from, to]: readonly [number, number]): boolean {
    const list = this.lists[firstNot(this.lists, ([, end]) => end <= from)]
    return list !== undefined && from >= list[0] && to <= list[1]
  }

  private add(name: string, value: Value, place: LeafNesting): void {
    if (!this.one(name, value, place)) return
    const { context, depth, into, within } = place
    for (const { data, facet, name: part, trust: share } of facetsOf(name, value, within[0] === this.page)) {
      const path = this.path(part, context, depth)
      const trust = trustOf(name, value.source.kind) * share
      into.push({ path, value, data, facet, trust, within, isAddress: false, isListed: false })
    }
  }
}

/**
 * A link in a list whose text no other link has is not one of many: "GitHub" among the links of a company. Nor is what stands
 * under a heading that no other part has: "Description" among the parts of a manual.
 */
const withOnlyOnes = (leaves: ReadonlyArray<CandidateValue>): ReadonlyArray<CandidateValue> => {
  const counts = new Map<number, number>()
  const isCounted = ({ isAddress, value }: CandidateValue): boolean => isAddress || value.source.kind === "heading"
  for (const leaf of leaves) if (isCounted(leaf)) counts.set(leaf.path.id, (counts.get(leaf.path.id) ?? 0) + 1)
  return leaves.map((leaf) =>
    leaf.isListed && isCounted(leaf) && counts.get(leaf.path.id) === 1 ? { ...leaf, isListed: false } : leaf
  )
}

/** Of what is several texts of the page in one. */
export const wholeFacet = "whole"

const shown: ReadonlySet<Kind> = new Set<Kind>(["block", "text", "link", "table", "label", "heading"])
export const isCode = /(?:^|> |\.)(?:pre|code|kbd|samp)\b/
const maxLeaves = 1500
/** Of what the page says of itself, in no list. */
const mostOfPage = 6000
/** A value has up to three: as it is written, and what it says of a name, a day, a sum. */
const maxLeavesOfPage = 3 * maxValues
const maxDepth = 6

/** Names of parts that are other things of the same kind: no page is about them. */
export const isRelated =
  /^(?:isRelatedTo|isSimilarTo|isAccessoryOrSparePartFor|isConsumableFor|isVariantOf|hasVariant)$/
const isCalled = /^(?:name|title|headline)$/
const transparent =
  /^(?:mainEntity|mainEntityOfPage|item|itemListElement|itemOffered|about|@graph|offers?|aggregateRating|baseSalary|value|identifier|jobLocation|geo)$/

/** The first heading says what a page is called, others what a part of it is. */
const trustOf = (name: string, kind: Kind): number => {
  if (kind === "heading") return name === "heading" ? trusted.heading : 0.7
  return name.startsWith("twitter:") ? 0.5 : trusted[kind]
}

/** How far kinds are trusted where names are as like. */
export const trusted: Readonly<Record<Kind, number>> = {
  data: 1,
  "json-ld": 1,
  microdata: 0.98,
  rdfa: 0.97,
  microformats: 0.95,
  table: 0.93,
  definition: 0.93,
  label: 0.9,
  heading: 0.93,
  block: 0.82,
  opengraph: 0.75,
  meta: 0.7,
  link: 0.6,
  text: 0.55,
  model: 0.5
}

/**
 * What a page says under labels, and what that says of values that have no name or only a class: "680 zł" beside "Czynsz" is
 * that, and no price of the page; `class="sku"` with "Art.-Nr.: 12" in it is "12".
 */
class Labelled {
  /** Those of lines and of pairs of elements. */
  readonly inLines: ReadonlyArray<Property>
  private readonly values: ReadonlyArray<Value>

  constructor(properties: ReadonlyArray<Property>) {
    this.inLines = properties.filter(({ value }) => value._tag === "Value" && value.source.kind === "label")
    this.values = properties.flatMap(({ value }) =>
      value._tag === "Value" && /^(?:label|definition|table)$/.test(value.source.kind) ? [value] : []
    )
  }

  /** The value without a label in it; undefined where it has no name, and a label says it. */
  without(name: string, value: Value): Value | undefined {
    const { kind } = value.source
    if (kind !== "block" && (kind !== "text" || name !== "price")) return value
    const concept = kind === "block" ? Names.conceptOf(Names.parse(name))?.id : undefined
    if (concept === undefined) return this.isSaid(value) ? undefined : value
    return texts.has(concept) ? value : this.behind(value)
  }

  private isSaid({ data, source: { span } }: Value): boolean {
    const most = String(data).length + maxMore
    return this.values.some(
      ({ data: own, source }) => source.span[0] <= span[0] && source.span[1] >= span[1] && String(own).length <= most
    )
  }

  /** A label of a known name is one; "Dune: Part Two" begins with none. */
  private behind(value: Value): Value {
    const { data, source } = value
    if (typeof data !== "string" || !/[:：]/.test(data)) return value
    for (const { name, value: own } of this.inLines) {
      if (own._tag !== "Value" || own.source.span[0] < source.span[0] || own.source.span[1] > source.span[1]) continue
      const isAll =
        data.startsWith(name) && data.endsWith(String(own.data)) && /^[:：]/.test(data.slice(name.length).trim())
      if (isAll && Names.conceptOf(Names.parse(name)) !== undefined)
        return { ...own, source: { ...own.source, kind: "block" } }
    }
    return value
  }
}

/** A point or a star may stand beside it. */
const maxMore = 3
/** What may have a colon of its own. */
const texts: ReadonlySet<string> = new Set(["title", "body", "description"])

/**
 * The meanings of the letters above the columns of a league table: next to "W", "D" and "L", "P" is the matches played; in
 * French tables, "P" is the matches lost.
 *
 * One letter has no certain meaning. Letters are read only if the row has wins, losses and most other columns of such tables,
 * all in the letters of one language.
 */

/** The meaning of each name of a row that is a letter of a league table; empty for other rows. */
const leagueNames = ({ properties }: Thing): ReadonlyMap<string, string> => {
  if (properties.length < least || !properties.some(({ name }) => name.length <= 2)) return none
  const known = new Map(properties.map(({ name }) => [plain(name), name] as const))
  let best = none
  for (const league of leagues) {
    const found = new Map<string, string>()
    for (const [meaning, ...letters] of league) {
      const letter = letters.find((one) => known.has(one) && !found.has(known.get(one) ?? ""))
      if (letter !== undefined) found.set(known.get(letter) ?? letter, meaning)
    }
    if (isLeague(new Set(found.values())) && found.size > best.size) best = found
  }
  return best
}

const least = 5
const none: ReadonlyMap<string, string> = new Map()

const plain = (name: string): string => name.trim().replace(/\.$/, "").toLowerCase()

/** Tables of sports without a draw say a share of wins. A width, a depth, a length and a price are four letters too. */
const isLeague = (means: ReadonlySet<string>): boolean =>
  means.has("won") &&
  means.has("lost") &&
  (means.has("winning percentage") || (means.has("drawn") && means.has("points") && means.size >= least))

type League = ReadonlyArray<readonly [meaning: string, ...letters: ReadonlyArray<string>]>

const league = (written: string): League =>
  written.split("; ").map((one): League[number] => {
    const [meaning = "", letters = ""] = one.split(": ")
    return [meaning, ...letters.split(" ")]
  })

/** Longer letters come first: if "Pts" is the points, "P" is something else. */
const leagues = [
  "points: pts; played: gp mp pld pl gms p; points: p; won: w; drawn: d t dr; lost: l; goals for: gf f pf; goals against: ga a pa; goal difference: gd +/- diff; winning percentage: pct",
  "points: pkt pkte punkte pts p; played: sp spiele; won: s g; drawn: u; lost: n v; goal difference: diff td +/- dif",
  "points: pts pt; played: mj j jo; won: g v; drawn: n; lost: p d; goals for: bp; goals against: bc; goal difference: diff dif +/-",
  "points: pts pt p; played: pj j; won: pg g; drawn: pe e; lost: pp p; goals for: gf; goals against: gc; goal difference: dg dif diff +/-",
  "points: pts pt p; played: g pg; won: v; drawn: n; lost: p; goals for: gf; goals against: gs; goal difference: dr diff +/-",
  "points: pts pt p; played: j pj; won: v; drawn: e; lost: d; goals for: gp gm; goals against: gc gs; goal difference: sg dg +/-",
  "points: о очки; played: и; won: в; drawn: н; lost: п; goals for: зм; goals against: пм; goal difference: рм",
  "points: 勝点; played: 試合 試合数; won: 勝; drawn: 分; lost: 負 敗; goals for: 得点; goals against: 失点; goal difference: 得失点差 得失差 得失"
].map(league)

/** What stands for a part where one value is wanted: its name, its value, its address. */
export const representatives = (thing: Thing): ReadonlyArray<{ readonly name: string; readonly value: Value }> => {
  const found: Array<{ readonly name: string; readonly value: Value }> = []
  const isValue = thing.types.includes("PropertyValue")
  for (const name of [
    ...(isValue ? ["value"] : []),
    "name",
    "value",
    "text",
    "title",
    "headline",
    "legalName",
    "ratingValue",
    "address",
    "streetAddress"
  ]) {
    const stated = thing.properties.find((property) => property.name === name)?.value
    if (stated === undefined) continue
    if (stated._tag === "Value") found.push({ name, value: stated })
    else found.push(...representatives(stated).slice(0, 1))
    if (found.length > 0) break
  }
  for (const name of ["url", "contentUrl", "@id"]) {
    const address = thing.properties.find((property) => property.name === name)?.value
    if (address?._tag !== "Value") continue
    found.push({ name: "url", value: address })
    break
  }
  return found
}

/**
 * Where the lists of a page stand: a price in one of them is one of many, and not the price of the page.
 *
 * Facts with names of their own, "Portions: 12" beside "Time: 25 minutes", are not a list of things.
 *
 * A list in a table ends with its last row: what the table says of all rows stands below.
 *
 * `labels`: what the page says under labels.
 */
const listSpans = (
  groups: ReadonlyArray<Group>,
  labels: ReadonlyArray<Property> = []
): ReadonlyArray<readonly [from: number, to: number]> =>
  outermost(
    groups.flatMap(({ areParts = false, source, things }) => {
      if (areParts) return things.map((part) => part.source.span)
      return things.length >= 3 &&
        (source.kind === "block" || source.kind === "table") &&
        !areFacts(things) &&
        !arePairs(things, labels.filter(isIn(source.span)))
        ? [source.kind === "table" ? around(things) : source.span]
        : []
    })
  )

const around = (things: ReadonlyArray<Thing>): Source["span"] => [
  things[0]?.source.span[0] ?? 0,
  things.at(-1)?.source.span[1] ?? 0
]

/**
 * Whether each says one thing under a name of its own: "Portions: 12" in a list of such facts is not one of many things. A
 * few of them may have no name, "For 6 people".
 */
const areFacts = (things: ReadonlyArray<Thing>): boolean => {
  const small = things.filter(({ properties }) => properties.length <= 4)
  const names = small.flatMap(({ properties }) => {
    const labels = properties.filter(isLabel)
    return labels.length === 1 ? [labels[0]?.name] : []
  })
  const bare = small.filter(({ properties }) => !properties.some(isLabel) && properties.length === 1)
  return (
    names.length + bare.length === things.length &&
    names.length > bare.length * 2 &&
    new Set(names).size === names.length
  )
}

/**
 * Whether each is a label and its value in elements of their own. Where all values are sums, or a class says what they
 * are, as in a menu with its prices, they are a list.
 */
const arePairs = (things: ReadonlyArray<Thing>, labels: ReadonlyArray<Property>): boolean => {
  if (labels.length < things.length || things.length > maxFacts) return false
  const pairs = things.flatMap(({ properties, source: { span } }) => {
    const own = properties.filter((one) => !isLabel(one))
    const [first, ...others] = labels.filter(isIn(span))
    const isPair = own.length <= 3 && others.every(({ name }) => name === first?.name) && !own.some(isNamed)
    return first?.value._tag === "Value" && isPair ? [[first.name, kindOf(String(first.value.data))] as const] : []
  })
  const kinds = new Set(pairs.map(([, kind]) => kind))
  const isOfOneKind = kinds.size === 1 && !kinds.has(undefined)
  return pairs.length === things.length && new Set(pairs.map(([name]) => name)).size === pairs.length && !isOfOneKind
}

/** What has more rows is a list. */
const maxFacts = 100

const isLabel = ({ value }: Property): boolean => value._tag === "Value" && value.source.kind === "label"

const isIn =
  ([from, to]: readonly [number, number]) =>
  ({ value: { source } }: Property): boolean =>
    source.span[0] >= from && source.span[1] <= to

/** A sum is called a price wherever it stands, and a value may be a link. */
const isNamed = ({ name }: Property): boolean => {
  const concept = Names.conceptOf(Names.parse(name))?.id
  return concept !== undefined && !ofAnyText.has(concept) && name !== "price"
}

const ofAnyText: ReadonlySet<string> = new Set(["title", "body", "url", "website"])

const kindOf = (text: string): string | undefined =>
  Price.parse(text)?.mark !== undefined
    ? "sum"
    : Contact.email(text) !== undefined
      ? "mail"
      : Day.all(text).length > 0
        ? "day"
        : Contact.phone(text) !== undefined
          ? "phone"
          : undefined

/** Spans in order, those in others left out. */
const outermost = (spans: ReadonlyArray<readonly [number, number]>): ReadonlyArray<readonly [number, number]> => {
  const found: Array<readonly [number, number]> = []
  for (const span of spans.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const last = found.at(-1)
    if (last === undefined || span[0] >= last[1]) found.push(span)
  }
  return found
}

/** The parts of a thing by the name that they have in it. */
export const partsOf = (thing: Thing | undefined): ReadonlyMap<string, ReadonlyArray<Thing>> => {
  const found = new Map<string, Array<Thing>>()
  for (const { name, value } of thing?.properties ?? []) {
    if (value._tag !== "Thing") continue
    const known = found.get(name)
    if (known === undefined) found.set(name, [value])
    else known.push(value)
  }
  return found
}

/**
 * The parts that are a list in an answer that is data: the first of ten products is not what the answer is about. Of
 * several authors that a page declares, the first is an author of the page, so declared parts are not such a list.
 */
export const listedParts = (thing: Thing): ReadonlyArray<Thing> =>
  thing.source.kind === "data" ? [...partsOf(thing).values()].filter((parts) => parts.length > 1).flat() : []
