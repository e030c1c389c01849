/**
 * A schema filled from the candidates of a page.
 *
 * How: the object of the schema is filled from the thing that covers it best and from what the page says beside
 * (`Scopes`, `Objects`), lists of objects from the list that covers them best (`Table`), lists of values from what is
 * repeated (`Lists`). What nothing on the page supports is null and listed; a `default` is not a value.
 */
import { firstNot } from "#base/firstNot"
import { pointerOf } from "#base/pointerOf"
import type { Considered } from "#contract/Extract"
import type { Json, JsonSchema } from "#contract/JsonSchema"
import { hiddenListWarning } from "#page/hiddenList"
import type { Candidates, Extracted, Group, Source, Thing } from "../Candidates.ts"
import * as Certainty from "../Certainty.ts"
import { cutWarning } from "../page/Budget.ts"
import type { PageLocale } from "../value/PageLocale.ts"
import { type CandidateValue, isCode, Leaves, partsOf } from "./CandidateValue.ts"
import { entities, parts } from "./Concepts.ts"
import * as ConsideredValues from "./Considered.ts"
import * as Filter from "./Filter.ts"
import { listOf } from "./Lists.ts"
import * as Names from "./Names.ts"
import { fillOnes, likeOf, partOf, type Scope } from "./Objects.ts"
import { declared, only, scopeOf } from "./Scopes.ts"
import { fitOf, type Scored, Scorer } from "./Scorer.ts"
import * as Table from "./Table.ts"
import { type Column, cells } from "./Table.ts"
import type { One, Rows, Whole } from "./Wanted.ts"
import * as Wanted from "./Wanted.ts"
import { withWeekHours } from "./weekHours.ts"

/**
 * What is asked about the lists of a page as a whole. If there are very many, only the largest are examined, in their
 * order.
 */
export const largest = (groups: ReadonlyArray<Group>, most: number): ReadonlyArray<Group> => {
  if (groups.length <= most) return groups
  const some = new Set(groups.toSorted((a, b) => b.things.length - a.things.length).slice(0, most))
  return groups.filter((group) => some.has(group))
}

/** Whether a list stands in each of the first parts of a page, as where lists of lists are wanted. */
const holdLists = (things: ReadonlyArray<Thing>, groups: ReadonlyArray<Group>): boolean =>
  things.slice(0, 2).every(({ source: { kind, span } }) => {
    const isIn = (group: Group) =>
      group.source.span[0] >= span[0] && group.source.span[1] <= span[1] && group.things !== things
    return kind === "heading" && groups.some(isIn)
  })

/** The value of a row for a property: that of the best of its columns that has one of the right kind. */
const cellOf = (
  one: One,
  columns: ReadonlyArray<Column>,
  cells: ReadonlyMap<string, CandidateValue>,
  setting: PageLocale
): Scored | undefined => {
  for (const { key, score } of columns) {
    const leaf = cells.get(key)
    const found = leaf === undefined ? undefined : fitOf(leaf, one, setting)
    if (leaf !== undefined && found !== undefined) return { leaf, fit: found, score, like: score }
  }
  return undefined
}

export const match = (
  candidates: Candidates,
  schema: JsonSchema,
  setting: PageLocale,
  prompt?: string,
  showsConsidered = false
): Extracted => new Matcher(candidates, setting, prompt, Wanted.of(schema), showsConsidered).match()

class Matcher {
  private readonly candidates: Candidates
  private readonly leaves: Leaves
  private readonly scorer: Scorer
  private readonly types: ReadonlyMap<string, ReadonlyArray<Thing>>
  private readonly sources = new Map<string, Source>()
  private readonly missing: Array<string> = []
  /** Missing values of rows that have their name. */
  private readonly unclear: Array<string> = []
  private readonly showsConsidered: boolean
  private readonly considered: Array<Considered> = []
  private readonly filter: Filter.Filter
  private readonly schemaName: Names.Name
  private readonly wanted: Wanted.Wanted
  /** Whether a list of the schema was looked for: nothing else of a page is long. */
  private asksForLists = false

  constructor(
    offered: Candidates,
    setting: PageLocale,
    prompt: string | undefined,
    wanted: Wanted.Wanted,
    showsConsidered: boolean
  ) {
    this.wanted = wanted
    this.showsConsidered = showsConsidered
    const candidates = withWeekHours(offered, setting.language)
    // Lists in code are not lists of the page.
    const groups = candidates.groups.filter(({ source }) => !isCode.test(source.path))
    this.candidates = { ...candidates, groups: largest(groups, maxGroups) }
    this.leaves = new Leaves(candidates)
    this.scorer = new Scorer(setting)
    this.types = declared(candidates)
    // The page comes first, whatever room there is.
    this.leaves.of(candidates.page)
    this.filter = Filter.of(prompt)
    this.schemaName = prompt === undefined ? [] : Names.parse(prompt)
  }

  match(): Extracted {
    const data = this.fill(this.wanted)
    const { considered, missing, sources, unclear } = this
    const isCut = this.asksForLists && (this.candidates.isCut || this.leaves.isCut)
    const isHidden = this.asksForLists && this.candidates.hasHiddenList === true
    const warnings = [...(isCut ? [cutWarning] : []), ...(isHidden ? [hiddenListWarning] : [])]
    return {
      data,
      sources,
      missing,
      ...(unclear.length === 0 ? {} : { unclear }),
      ...(considered.length === 0 ? {} : { considered }),
      ...(warnings.length === 0 ? {} : { warning: warnings.join("; ") })
    }
  }

  private fill(wanted: Wanted.Wanted): Json {
    if (wanted._tag === "Whole") {
      const scope = scopeOf(wanted, this.candidates, this.types, this.leaves, this.scorer)
      return this.object(wanted, scope, "")
    }
    const scope = { thing: undefined, near: this.leaves.of(this.candidates.page), far: [], apart: [] }
    if (wanted._tag === "Rows") return this.rows(wanted, scope, "")
    if (wanted._tag === "Many") return this.many(wanted, scope, "")
    // A schema of one value is an object with one property.
    const whole: Wanted.Whole = { ...wanted, _tag: "Whole", parts: [wanted] }
    const chosen = fillOnes(
      whole,
      scopeOf(whole, this.candidates, this.types, this.leaves, this.scorer),
      "",
      this.leaves,
      this.scorer
    )
    return this.one(chosen.get("/"), "")
  }

  private object(whole: Wanted.Whole, scope: Scope, pointer: string): Json {
    const chosen = fillOnes(whole, scope, pointer, this.leaves, this.scorer)
    const all = scope.far.length > 0 ? named(whole, scope, pointer, chosen, this.scorer) : chosen
    return this.build(whole, scope, pointer, all)
  }

  private build(whole: Wanted.Whole, scope: Scope, pointer: string, chosen: ReadonlyMap<string, Scored>): Json {
    return Object.fromEntries(
      whole.parts.map((part): readonly [string, Json] => {
        const at = pointerOf(pointer, part.key)
        if (part._tag === "One") {
          this.consider(part, scope, at, chosen)
          return [part.key, this.one(chosen.get(at), at)]
        }
        if (part._tag === "Many") return [part.key, this.many(part, scope, at)]
        if (part._tag === "Rows") return [part.key, this.rows(part, scope, at)]
        const inner = partOf(part, scope.thing, this.leaves, this.scorer)
        return [
          part.key,
          this.build(part, inner === undefined ? scope : only(inner, this.leaves.of(inner)), at, chosen)
        ]
      })
    )
  }

  /** A row that has the name of what it lacks is not understood; and what else was considered, where that is wanted. */
  private consider(one: Wanted.One, scope: Scope, at: string, chosen: ReadonlyMap<string, Scored>): void {
    const isOfRow = /\/\d+\//.test(at)
    const isOpen = !chosen.has(at)
    if (isOpen && isOfRow && scope.near.some(({ path }) => Names.isSame(one.name, path.own))) this.unclear.push(at)
    if (!this.showsConsidered || this.considered.length >= mostConsidered) return
    if (isOfRow && Number(/\/(\d+)\//.exec(at)?.[1]) >= mostRowsConsidered) return
    this.considered.push(...ConsideredValues.of(one, at, { scope, chosen, scorer: this.scorer }))
  }

  private one(scored: Scored | undefined, pointer: string): Json {
    if (scored === undefined) return this.none(pointer)
    this.sources.set(pointer, placed(scored))
    return scored.fit.json
  }

  private none(pointer: string): Json {
    this.missing.push(pointer)
    return null
  }

  private many(many: Wanted.Many, scope: Scope, pointer: string): Json {
    this.asksForLists = true
    const items = listOf(many, scope, this.groupsFor(scope), this.leaves, this.scorer)
    if (items.length === 0) return this.none(pointer)
    for (const [i, { leaf }] of items.entries()) this.sources.set(pointerOf(pointer, i), leaf.value.source)
    return items.map(({ fit: { json } }) => json)
  }

  /** Lists of the page: all where the scope is the page, else those that stand in the thing. */
  private groupsFor(scope: Scope, orLone = false): ReadonlyArray<Group> {
    const { groups, lone = [] } = this.candidates
    if (scope.far.length > 0 || scope.thing === undefined) return orLone ? [...groups, ...lone] : groups
    const [from, to] = scope.thing.source.span
    return groups.filter(({ source: { span } }) => span[0] >= from && span[1] <= to)
  }

  private rows(rows: Wanted.Rows, scope: Scope, pointer: string): Json {
    this.asksForLists = true
    const table = this.tableFor(rows, scope)
    // A thing alone says less than the page that is about it.
    const isAlone = table === undefined || table.things.length === 1
    const alone = isAlone && this.isWhole(rows, pointer) ? this.itself(rows, pointer, table?.matched ?? 0) : undefined
    const found = alone !== undefined ? [alone] : table === undefined ? [] : this.filled(rows, table, pointer)
    if (found.length > 0) return found
    const own = partsRow(rows, scope, this.leaves, this.scorer)
    if (own === undefined) {
      // A table that was not understood may well be the list.
      if (this.groupsFor(scope).some(isTable)) this.unclear.push(pointer)
      return this.none(pointer)
    }
    return [
      this.build(rows.item, { ...scope, far: [], apart: [] }, pointerOf(pointer, 0), keyed(own, pointerOf(pointer, 0)))
    ]
  }

  /** Whether the list is all that is wanted of the page. */
  private isWhole(rows: Wanted.Rows, pointer: string): boolean {
    const { wanted } = this
    return wanted === rows || (wanted._tag === "Whole" && wanted.parts.length === 1 && pointer.indexOf("/", 1) === -1)
  }

  /** A page without a list may be one of what is listed elsewhere: then it is the only row, if it says `least` values. */
  private itself(rows: Wanted.Rows, pointer: string, least: number): Json | undefined {
    const at = pointerOf(pointer, 0)
    const scope = scopeOf(rows.item, this.candidates, this.types, this.leaves, this.scorer)
    const found = fillOnes(rows.item, scope, at, this.leaves, this.scorer)
    const chosen = pageAsRow(rows.item, found, at, this.candidates, this.scorer.setting.url)
    if (chosen === undefined || chosen.size < least) return undefined
    return this.build(rows.item, scope, at, withAddress(rows.item, chosen, this.leaves.of(this.candidates.page), at))
  }

  private tableFor(rows: Wanted.Rows, scope: Scope): Table.Table | undefined {
    const tables: Array<Table.Table> = []
    const offer = (things: ReadonlyArray<Thing>, affinity: number, least: number) => {
      const table = Table.of(rows, { things }, affinity, this.leaves, this.scorer)
      if (table === undefined || isNoAnswer(rows, table, affinity)) return
      const enough = table.matched > 1 && table.things.length > 2 ? Math.min(least, 0.34) : least
      if (table.score >= enough) tables.push(table)
    }
    for (const [name, things] of partsOf(scope.thing)) {
      const like = likeOf(rows, name, this.leaves, this.scorer)
      const affinity = Math.max(
        like,
        ...(things[0]?.types ?? []).map((type) => likeOf(rows, type, this.leaves, this.scorer))
      )
      offer(things, affinity >= 0.5 ? affinity + 0.6 : 0, affinity >= 0.5 ? 0.3 : 0.55)
    }
    const holdsLists = rows.item.parts.some((part) => part._tag === "Rows")
    for (const { name, source, things } of this.groupsFor(scope, true)) {
      const affinity = this.affinity(rows, [name ?? "", ...(things[0]?.types ?? [])])
      // The way to a list is data of its author too: `#comments > li`.
      const byPath =
        affinity === 0 && source.kind !== "json-ld"
          ? 0.5 * this.affinity(rows, source.path.match(/[#.][\w-]+/g) ?? [])
          : 0
      offer(
        things,
        affinity + byPath + (holdsLists && holdLists(things, this.candidates.groups) ? 0.7 : 0),
        affinity >= 0.5 ? 0.34 : 0.42
      )
    }
    if (scope.far.length > 0 || scope.thing === undefined) {
      for (const [type, things] of [...this.types].slice(0, maxTypes)) {
        // Several of a type are a group already.
        if (type === "" || things.length > 1 || (scope.thing !== undefined && things.includes(scope.thing))) continue
        const affinity = this.affinity(rows, [type])
        offer(things, affinity, affinity >= 0.5 ? 0.34 : 0.5)
      }
    }
    return bestOf(tables, holdsLists, this.leaves)
  }

  /** How like the names of a list are to what is wanted; what the prompt says counts too. */
  private affinity(rows: Wanted.Rows, names: ReadonlyArray<string>): number {
    let most = 0
    for (const name of names) {
      if (name === "") continue
      most = Math.max(
        most,
        likeOf(rows, name, this.leaves, this.scorer),
        likeOf(rows.item, name, this.leaves, this.scorer)
      )
      if (most < 0.5 && this.schemaName.length > 0)
        most = Math.max(most, 0.6 * Names.share(Names.parse(name), this.schemaName))
    }
    return most
  }

  private filled(rows: Wanted.Rows, table: Table.Table, pointer: string): ReadonlyArray<Json> {
    const found: Array<Json> = []
    const inner = rows.item.parts.some((part) => part._tag !== "One")
    for (const thing of this.filter.rows(table.things, this.leaves)) {
      const at = pointerOf(pointer, found.length)
      const cells = Table.cells(thing, this.leaves)
      const chosen = new Map<string, Scored>()
      for (const [one, columns] of table.columns) {
        const scored = cellOf(one, columns, cells, this.scorer.setting)
        if (scored !== undefined) chosen.set(pointerOf(at, one.key), scored)
      }
      const scope = only(thing, this.leaves.of(thing))
      if (inner) {
        const parts = rows.item.parts.filter((part) => part._tag === "Whole")
        for (const [key, scored] of fillOnes({ ...rows.item, parts }, scope, at, this.leaves, this.scorer))
          chosen.set(key, scored)
      }
      if (chosen.size > 0) found.push(this.build(rows.item, scope, at, chosen))
    }
    return found
  }
}

/** The place of a value, and how sure it is. */
const placed = (scored: Scored): Source => {
  const certainty = Certainty.of(choiceOf(scored), (scored.others ?? []).map(choiceOf))
  return { ...scored.leaf.value.source, certainty }
}

const choiceOf = ({ fit: { json }, leaf: { value }, like, score }: Scored) => ({
  json,
  source: value.source,
  like,
  score
})

/** Without a head a table's rows are blocks. */
const isTable = ({ source: { kind, path }, things }: Group): boolean =>
  (kind === "table" || /(?:^|> )table(?:\[\d+\])?$/.test(path)) && things.length > 2

const mostConsidered = 300
const mostRowsConsidered = 3

const maxGroups = 120
const maxTypes = 40

/**
 * Which of several tables answers what is asked: the best, but for those that are parts of another.
 *
 * Where the things of one table hold several things of another, their values tell which of the two is meant. A section with
 * cards in it has a price too, which is the first card's: the cards are meant. A post with its tags has a title of its own:
 * the posts are meant.
 *
 * `holdsLists`: whether a list of lists is asked for.
 */
const bestOf = (tables: ReadonlyArray<Table.Table>, holdsLists: boolean, leaves: Leaves): Table.Table | undefined => {
  const meant = holdsLists ? tables : tables.filter((one) => !tables.some((other) => isLess(one, other, leaves)))
  // Lists within lists may each be less than another.
  const some = meant.length > 0 ? meant : tables
  return some.reduce<Table.Table | undefined>(
    (best, table) => (best === undefined || table.score > best.score ? table : best),
    undefined
  )
}

/** Whether the other table, in which this one is or that is in this one, is meant instead. */
const isLess = (table: Table.Table, other: Table.Table, leaves: Leaves): boolean => {
  if (other === table || other.matched < table.matched || other.score < table.score - closely) return false
  return holds(table, other)
    ? other.matched > 1 && borrows(table, other, leaves)
    : holds(other, table) && !borrows(other, table, leaves)
}

const closely = 0.1

/** Whether the first things of a table hold several things of the other. */
const holds = (table: Table.Table, other: Table.Table): boolean =>
  table.things.slice(0, 2).every(({ source: { span } }) => {
    const at = firstFrom(other.things, span[0])
    return [other.things[at], other.things[at + 1]].every((one) => one !== undefined && one.source.span[1] <= span[1])
  })

/** Whether a value of the first thing of a table stands in a thing of the other. */
const borrows = ({ columns, things }: Table.Table, other: Table.Table, leaves: Leaves): boolean => {
  const [first] = things
  if (first === undefined) return false
  const row = cells(first, leaves)
  return [...columns.values()].some(([column]) => {
    const span = column === undefined ? undefined : row.get(column.key)?.value.source.span
    return span !== undefined && isInOne(span, other.things)
  })
}

const isInOne = ([from, to]: readonly [number, number], things: ReadonlyArray<Thing>): boolean => {
  const at = firstFrom(things, from + 1) - 1
  const span = things[at]?.source.span
  return span !== undefined && from >= span[0] && to <= span[1]
}

/** Where the first thing stands that does not begin before a place. */
const firstFrom = (things: ReadonlyArray<Thing>, from: number): number =>
  firstNot(things, ({ source }) => source.span[0] < from)

/**
 * Whether a list of the page is something else than what is wanted, though some of it would fit: the links of a menu are
 * not people, and paragraphs with nothing but an address are not sections.
 *
 * Every link has a title and an address, so these two answer only a schema that asks for no more, or a list that the
 * page itself calls by the wanted name.
 */
const isNoAnswer = (rows: Rows, table: Table.Table, affinity: number): boolean =>
  isBare(rows, table) ||
  isLittle(rows, table) ||
  (affinity < alike && ((!table.hasLists && isAnyList(rows, table)) || lacksRequired(rows, table)))

/** Whether the table has only those of the wanted fields that every link has: a list of links is not a list of people. */
const isAnyList = ({ item }: Rows, { columns }: Table.Table): boolean => {
  const rest = item.parts.filter((part) => part._tag !== "One" || !columns.has(part))
  const isPlain = ({ name }: One) => ofAnyLink.has(Names.conceptOf(name)?.id ?? "")
  return rest.some((part) => part._tag !== "One" || !isPlain(part)) && [...columns.keys()].every(isPlain)
}

/** Whether no row has something that each must have, and most of the rest is not there either. */
const lacksRequired = ({ item }: Rows, { columns }: Table.Table): boolean =>
  item.parts.some((part) => part._tag === "One" && part.required && !columns.has(part)) &&
  columns.size * 2 <= item.parts.length

/** Whether the rows have addresses and nothing else. */
const isBare = ({ item }: Rows, { columns }: Table.Table): boolean =>
  item.parts.length > columns.size && [...columns.keys()].every(({ name }) => Names.conceptOf(name)?.kind === "url")

/** Whether a card alone says no more than half of what is wanted: it may be of anything. */
const isLittle = ({ item }: Rows, { matched, things: [first, second] }: Table.Table): boolean =>
  first?.source.kind === "block" && second === undefined && matched * 2 <= item.parts.length

const ofAnyLink = new Set(["title", "person", "url", "image"])
/** More than words of the prompt that stand above a list. */
const alike = 0.65

/**
 * What a thing or a page says of itself without saying so: what it is called, and its own offer or address.
 *
 * This is used only if the rest of the object is found there, so that the heading of any page is not taken for a job.
 *
 * `position` of a page that says all else of a job is its heading.
 */
const named = (
  whole: Whole,
  scope: Scope,
  pointer: string,
  chosen: ReadonlyMap<string, Scored>,
  scorer: Scorer
): ReadonlyMap<string, Scored> => {
  const ones = whole.parts.filter((part): part is One => part._tag === "One")
  const open = ones.find(
    (one) => !chosen.has(pointerOf(pointer, one.key)) && entities.has(Names.conceptOf(one.name)?.id ?? "")
  )
  if (open === undefined || chosen.size * 2 < ones.length) return chosen
  const leaf = [...scope.near, ...scope.far].find(
    ({ facet, path, value }) =>
      facet === "" && path.depth === 0 && Names.conceptOf(path.own)?.id === "title" && value.source.kind === "heading"
  )
  const found = leaf === undefined ? undefined : fitOf(leaf, open, scorer.setting)
  if (leaf === undefined || found === undefined || [...chosen.values()].some((one) => one.leaf.value === leaf.value))
    return chosen
  return new Map([...chosen, [pointerOf(pointer, open.key), { leaf, fit: found, like: 0.7, score: 0.5 }]])
}

/** The one row of a list of parts that the thing says of itself: its offer, its address. By key. */
const partsRow = (
  rows: Rows,
  scope: Scope,
  leaves: Leaves,
  scorer: Scorer
): ReadonlyMap<string, Scored> | undefined => {
  const own = parts.get(Names.conceptOf(rows.name)?.id ?? "")
  if (own === undefined) return undefined
  const ones = rows.item.parts.filter(
    (part): part is One => part._tag === "One" && own.has(Names.conceptOf(part.name)?.id ?? "")
  )
  if (ones.length < 2) return undefined
  const chosen = fillOnes({ ...rows.item, parts: ones }, scope, "", leaves, scorer)
  if (chosen.size < 2 || chosen.size * 2 < ones.length) return undefined
  return new Map(
    Array.from(chosen, ([key, scored]) => [key.slice(1).replaceAll("~1", "/").replaceAll("~0", "~"), scored])
  )
}

/** The same values by their pointers. */
const keyed = (values: ReadonlyMap<string, Scored>, pointer: string): ReadonlyMap<string, Scored> =>
  new Map(Array.from(values, ([key, scored]) => [pointerOf(pointer, key), scored]))

/*
 * Whether a page is itself one of the things that a list of them is wanted of: the page of one product, where products
 * are wanted.
 *
 * The page must have all required values, more than half of the others and at least two values, and one of them must be
 * more than any page says of itself (a title, an address, a picture). The listing of such pages must say one that stands
 * under a name.
 */

/** The values where it is one. `at`: the JSON pointer that they stand below; `url`: its address. */
const pageAsRow = (
  item: Whole,
  chosen: ReadonlyMap<string, Scored>,
  at: string,
  { groups, lone = [] }: Pick<Candidates, "groups" | "lone">,
  url: string
): ReadonlyMap<string, Scored> | undefined => {
  const ones = item.parts.filter((part) => part._tag === "One")
  const kindOf = (key: string) => chosen.get(pointerOf(at, key))?.leaf.value.source.kind
  const found = ones.filter(({ key }) => kindOf(key) !== undefined)
  const isWhole = ones.every((one) => !one.required || found.includes(one))
  const saysMore = found.some(({ key }) => !ofAnyPage.has(kindOf(key)))
  const isOne = isWhole && saysMore && found.length > 1 && found.length > ones.length / 2
  // A sum or a day that stands in its text may be of anything, and a listing has days too.
  const isPlain = found.some((one) => !ofAnyListing.has(kindOf(one.key)) && !isDay(one))
  // What the only card says is said of the page that it leads to.
  const isOfCard = lone.some(({ source: { span } }) => [...chosen.values()].some(({ leaf }) => isIn(leaf, span)))
  return isOne && !isOfCard && (isPlain || !listsBelow(groups, url)) ? chosen : undefined
}

const isIn = ({ value: { source } }: CandidateValue, [from, to]: Source["span"]): boolean =>
  source.span[0] >= from && source.span[1] <= to

const isDay = ({ name }: One): boolean => Names.conceptOf(name)?.kind === "date"

/** The address of the row is that of the page, so that lists that link to it say the same row. */
const withAddress = (
  item: Whole,
  chosen: ReadonlyMap<string, Scored>,
  ofPage: ReadonlyArray<CandidateValue>,
  at: string
): ReadonlyMap<string, Scored> => {
  const address = item.parts.find((part) => part._tag === "One" && Names.conceptOf(part.name)?.id === "url")
  const leaf = ofPage.find(({ path, value }) => path.own === pageUrl && value.source.path === "")
  if (address === undefined || leaf === undefined) return chosen
  const own: Scored = { leaf, fit: { json: leaf.data, fit: 1 }, like: 1, score: 1 }
  return new Map([...chosen, [pointerOf(at, address.key), own]])
}

const pageUrl = Names.parse("page url")

const ofAnyPage: ReadonlySet<string | undefined> = new Set(["heading", "link", "meta", "opengraph"])
const ofAnyListing: ReadonlySet<string | undefined> = new Set([...ofAnyPage, "text"])

/**
 * Whether a page is the listing of pages that stand below its address: /jobs of /jobs/1 and /jobs/2. Such a page is not
 * one of the things that it lists, unless it plainly says so.
 */
export const listsBelow = (groups: ReadonlyArray<Group>, page: string): boolean => {
  const start = folderOf(page)
  return (
    start !== undefined &&
    groups.some(({ things }) => {
      const below = things.flatMap(({ properties }) =>
        properties.flatMap(({ name, value }) => {
          const address = name === "url" && value._tag === "Value" ? plain(String(value.data)) : ""
          return address.startsWith(start) && address.length > start.length ? [address] : []
        })
      )
      return new Set(below).size > 1
    })
  )
}

const plain = (address: string): string => address.replace(/[?#].*$/, "")

/** "/jobs", "/jobs/", "/jobs.html" and "/jobs/index.php" are all the listing of "/jobs/1". */
const folderOf = (page: string): string | undefined => {
  const url = URL.parse(page)
  if (url === null) return undefined
  const path = url.pathname.replace(/\/(?:index|default)\.\w{2,5}$/, "/").replace(/\.\w{2,5}$/, "")
  return `${url.origin}${path.replace(/\/$/, "")}/`
}
