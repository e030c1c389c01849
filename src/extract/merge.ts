/**
 * What several pages say, as one: objects are filled from each other, lists of objects are joined by what identifies
 * their rows, duplicates become one row.
 *
 * A merged value is the value of one page: declared values come before shown ones; then the value that more pages or
 * better sources have, then the value of the earlier page. All pages that have the value are its sources.
 */
import { firstNot } from "#base/firstNot"
import { pointerOf } from "#base/pointerOf"
import { isList, isSchema, type Json, type JsonSchema } from "#contract/JsonSchema"
import type { Extracted, Source } from "./Candidates.ts"
import * as Certainty from "./Certainty.ts"
import { trusted } from "./match/CandidateValue.ts"
import * as Names from "./match/Names.ts"
import type { One, Whole } from "./match/Wanted.ts"
import * as Wanted from "./match/Wanted.ts"
import { identity, type MergedPage, type Part, plain } from "./merge/Part.ts"

/**
 * Answers that several pages give to the same questions, as one: of each question the one that is most to the point, of
 * those the one of the earlier page.
 *
 * If a page has the wanted list as a list of its own, passages of other pages are not added to it.
 */

/** Pages whose data is of one shape: lists where any page has one, else one page for the answers of each question. */
const joinAnswers = (pages: ReadonlyArray<MergedPage>): ReadonlyArray<MergedPage> => {
  const others = pages.filter((page) => answersIn(page) === undefined)
  if (others.length === pages.length) return pages
  if (others.some(({ extracted }) => saysSomething(extracted.data))) return others
  const best = new Map<string, Found>()
  for (const page of pages) {
    for (const [i, answer] of (answersIn(page) ?? []).entries()) {
      const { question, relevance } = isSchema(answer) ? answer : {}
      if (typeof question !== "string") continue
      const known = best.get(question)
      const score = typeof relevance === "number" ? relevance : 0
      if (known === undefined || score > known.score) best.set(question, { page, answer, at: i, score })
    }
  }
  return [...best.values()].map(alone)
}

/** The page with this answer and no other. */
const alone = ({ answer, at, page: { extracted, url } }: Found): MergedPage => {
  const own = `/answers/${at}/`
  const moved = (pointer: string) => `/answers/0/${pointer.slice(own.length)}`
  const sources = [...extracted.sources].filter(([pointer]) => pointer.startsWith(own))
  const missing = extracted.missing.filter((pointer) => pointer.startsWith(own)).map(moved)
  return {
    url,
    extracted: {
      data: { answers: [answer] },
      sources: new Map(sources.map(([pointer, source]) => [moved(pointer), source])),
      missing
    }
  }
}

interface Found {
  readonly page: MergedPage
  readonly answer: Json
  readonly at: number
  readonly score: number
}

const answersIn = ({ extracted: { data } }: MergedPage): ReadonlyArray<Json> | undefined => {
  const answers = isSchema(data) && Object.keys(data).length === 1 ? data["answers"] : undefined
  return Array.isArray(answers) ? answers : undefined
}

const saysSomething = (data: Json): boolean =>
  isSchema(data) && Object.values(data).some((value) => Array.isArray(value) && value.length > 0)

interface Merged {
  readonly data: Json
  /** By JSON pointer in `data`: where each page that says it has it. */
  readonly sources: ReadonlyMap<string, ReadonlyArray<PlacedSource>>
  readonly missing: ReadonlyArray<string>
  /** Those of `missing` whose name a page has all the same. */
  readonly unclear: ReadonlyArray<string>
  /** What the caller should know, as a sentence. */
  readonly warning?: string
}

/** Rows of all pages that become one list. */
const maxRows = 50_000

const cutWarning = `the pages have more than ${maxRows.toLocaleString("en")} rows: the rest is not in the data; ask for fewer pages at a time`

type PlacedSource = Source & { readonly url: string }

export const merge = (given: ReadonlyArray<MergedPage>, schema: JsonSchema | undefined): Merged => {
  const merger = new Merger()
  const pages = schema === undefined ? joinAnswers(given) : given
  const parts = pages.map((page): Part => ({ page, json: page.extracted.data, pointer: "" }))
  const wanted = schema === undefined ? Wanted.of(shapeOf(parts)) : Wanted.of(schema)
  const data = merger.merge(wanted, parts, "")
  const { isCut, missing, sources, unclear } = merger
  return { data, sources, missing, unclear, ...(isCut ? { warning: cutWarning } : {}) }
}

/** Without a schema the data says its own shape: properties that any page has. */
const shapeOf = (parts: ReadonlyArray<Part>): JsonSchema => {
  const names = new Set(parts.flatMap(({ json }) => (isSchema(json) ? Object.keys(json) : [])))
  const properties = Object.fromEntries(
    Array.from(names, (name): readonly [string, Json] => {
      const values = parts.flatMap(({ json }) => (isSchema(json) ? [json[name] ?? null] : []))
      const lists = values.filter(isList)
      if (lists.length === 0) return [name, {}]
      const keys = new Set(lists.flatMap((list) => list.flatMap((row) => (isSchema(row) ? Object.keys(row) : []))))
      const items =
        keys.size === 0 ? {} : { type: "object", properties: Object.fromEntries(Array.from(keys, (key) => [key, {}])) }
      return [name, { type: "array", items }]
    })
  )
  return { type: "object", properties }
}

class Merger {
  readonly sources = new Map<string, ReadonlyArray<PlacedSource>>()
  readonly missing: Array<string> = []
  readonly unclear: Array<string> = []
  private readonly named = new Map<Extracted, ReadonlySet<string>>()
  /** Whether the pages have more rows than one list may have. */
  isCut = false
  private readonly places = new Map<Extracted, ReadonlyArray<string>>()

  merge(wanted: Wanted.Wanted, parts: ReadonlyArray<Part>, at: string): Json {
    switch (wanted._tag) {
      case "One":
        return this.one(parts, at)
      case "Many":
        return this.many(parts, at)
      case "Whole":
        return this.whole(wanted, parts, at)
      case "Rows":
        return this.rows(wanted, parts, at)
    }
  }

  /** The value that most is said for. */
  private one(parts: ReadonlyArray<Part>, at: string): Json {
    const byKey = new Map<
      string,
      { readonly json: Json; readonly parts: Array<Part>; weight: number; isDeclared: boolean }
    >()
    for (const part of parts) {
      if (part.json === null) continue
      const key = identity(part.json)
      const known = byKey.get(key) ?? { json: part.json, parts: [], weight: 0, isDeclared: false }
      byKey.set(key, known)
      known.parts.push(part)
      known.weight += weightOf(part)
      known.isDeclared ||= isDeclared(part)
    }
    const all = [...byKey.values()]
    const declared = all.filter((one) => one.isDeclared)
    let best: { readonly json: Json; readonly parts: ReadonlyArray<Part>; readonly weight: number } | undefined
    for (const one of declared.length > 0 ? declared : all) {
      if (best === undefined || one.weight > best.weight + 1e-9) best = one
    }
    if (best === undefined) return this.none(at, parts)
    this.tell(best.parts, at)
    const [first] = best.parts
    if (first !== undefined && typeof best.json === "object") this.tellWithin(first, at)
    return best.json
  }

  private many(parts: ReadonlyArray<Part>, at: string): Json {
    const found = new Map<string, { readonly json: Json; readonly parts: Array<Part> }>()
    for (const { json, page, pointer } of parts) {
      if (!Array.isArray(json)) continue
      const items: ReadonlyArray<Json> = json
      const times = new Map<string, number>()
      for (const [i, item] of items.entries()) {
        // What a page says twice is two items; what two pages say is one.
        const plainItem = plain(item)
        const time = times.get(plainItem) ?? 0
        times.set(plainItem, time + 1)
        const key = `${time} ${plainItem}`
        const known = found.get(key) ?? { json: item, parts: new Array<Part>() }
        found.set(key, known)
        known.parts.push({ page, json: item, pointer: pointerOf(pointer, i) })
      }
    }
    if (found.size === 0) return this.none(at, parts)
    const items = [...found.values()]
    for (const [i, item] of items.entries()) this.tell(item.parts, pointerOf(at, i))
    return items.map(({ json }) => json)
  }

  private whole(whole: Wanted.Whole, parts: ReadonlyArray<Part>, at: string): Json {
    return Object.fromEntries(
      whole.parts.map((wanted): readonly [string, Json] => {
        const inner = parts.flatMap(({ json, page, pointer }): ReadonlyArray<Part> => {
          const value = isSchema(json) && Object.hasOwn(json, wanted.key) ? json[wanted.key] : undefined
          return value === undefined ? [] : [{ page, json: value, pointer: pointerOf(pointer, wanted.key) }]
        })
        return [wanted.key, this.merge(wanted, inner, pointerOf(at, wanted.key))]
      })
    )
  }

  private rows(rows: Wanted.Rows, parts: ReadonlyArray<Part>, at: string): Json {
    const all = parts.flatMap(
      ({ json, page, pointer }): ReadonlyArray<Part> =>
        Array.isArray(json)
          ? json.map((row: Json, i): Part => ({ page, json: row, pointer: pointerOf(pointer, i) }))
          : []
    )
    if (all.length > maxRows) this.isCut = true
    const joined = joinRows(rows.item, all.slice(0, maxRows))
    if (joined.length === 0) return this.none(at, parts)
    return joined.map((same, i) => this.merge(rows.item, same, pointerOf(at, i)))
  }

  private tell(parts: ReadonlyArray<Part>, at: string): void {
    const found = parts.flatMap(({ page: { extracted, url }, pointer }) => {
      const source = extracted.sources.get(pointer)
      return source === undefined ? [] : [{ ...source, url }]
    })
    if (found.length === 0) return
    // Another page that says the same is one witness more.
    const isAgreed = found.some(({ url }) => url !== found[0]?.url)
    this.sources.set(
      at,
      isAgreed ? found.map((source) => ({ ...source, certainty: Certainty.raised(source.certainty) })) : found
    )
  }

  /** A value of no type may be an object, and what is in it says where it stands too. */
  private tellWithin({ page: { extracted, url }, pointer }: Part, at: string): void {
    const start = `${pointer}/`
    const places = this.placesOf(extracted)
    for (let i = firstNot(places, (place) => place < start); places[i]?.startsWith(start) === true; i++) {
      const place = places[i] ?? ""
      const source = extracted.sources.get(place)
      if (source !== undefined) this.sources.set(at + place.slice(pointer.length), [{ ...source, url }])
    }
  }

  /** The places of a page's values in the order of their text, so that those within a value stand together. */
  private placesOf(extracted: Extracted): ReadonlyArray<string> {
    const known = this.places.get(extracted) ?? [...extracted.sources.keys()].toSorted()
    this.places.set(extracted, known)
    return known
  }

  private isUnclear({ page: { extracted }, pointer }: Part): boolean {
    if (extracted.unclear === undefined) return false
    const named = this.named.get(extracted) ?? new Set(extracted.unclear)
    this.named.set(extracted, named)
    return named.has(pointer)
  }

  private none(at: string, parts: ReadonlyArray<Part>): Json {
    if (parts.some((part) => this.isUnclear(part))) this.unclear.push(at)
    this.missing.push(at)
    return null
  }
}

/** Whether a page declares the value as data. */
const isDeclared = ({ page: { extracted }, pointer }: Part): boolean => {
  const source = extracted.sources.get(pointer)
  return source !== undefined && declaredKinds.has(source.kind)
}
const declaredKinds: ReadonlySet<Source["kind"]> = new Set(["data", "json-ld", "microdata", "rdfa", "microformats"])

/** How much a page's word counts: its source, and how much else it knows of what is asked for. */
const weightOf = ({ page: { extracted }, pointer }: Part): number => {
  const { missing, sources } = extracted
  const known = sources.size / Math.max(1, sources.size + missing.length)
  const source = sources.get(pointer)
  return (source === undefined ? 0.5 : trusted[source.kind]) * (0.5 + 0.5 * known)
}

/**
 * Rows of several pages that are about the same thing, together.
 *
 * How: the property that identifies a row is found from the data: it has a value in most rows and none twice on a page;
 * addresses and numbers before names. Without such a property only equal rows are merged; a row that has only a part of
 * another row's values is that row.
 */
export const joinRows = (item: Whole, rows: ReadonlyArray<Part>): ReadonlyArray<ReadonlyArray<Part>> => {
  const ones = item.parts.filter((part): part is One => part._tag === "One")
  const keys = keysOf(ones, rows)
  const groups: Array<Array<Part>> = []
  const known = new Map<string, Array<Part>>()
  const loose: Array<Part> = []
  for (const row of rows) {
    const marks = keys.flatMap(({ key }) => {
      const value = valueOf(row, key)
      return value === null ? [] : [`${key} ${identity(value)}`]
    })
    const [mark] = marks
    if (mark === undefined) {
      loose.push(row)
      continue
    }
    const group = known.get(mark)
    if (group === undefined) {
      const fresh = [row]
      groups.push(fresh)
      known.set(mark, fresh)
    } else group.push(row)
  }
  const same = new Map<string, Array<Part>>()
  for (const row of loose) absorb(row, groups, same, ones)
  return groups
}

/** The one property that identifies, or none. */
const keysOf = (ones: ReadonlyArray<One>, rows: ReadonlyArray<Part>): ReadonlyArray<One> => {
  const ranked = ones
    .map((one) => ({ one, rank: rankOf(one) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
  for (const { one } of ranked) {
    const values = rows
      .map((row) => ({ page: row.page, value: valueOf(row, one.key) }))
      .filter(({ value }) => value !== null)
    if (values.length < rows.length * 0.7 || values.length === 0) continue
    const seen = new Set(values.map(({ page, value }) => `${page.url} ${identity(value)}`))
    if (seen.size >= values.length * 0.98) return [one]
  }
  return []
}

const rankOf = (one: One): number => {
  const concept = Names.conceptOf(one.name)?.id
  const { kind, schemas } = one.expected
  if (kind === "url" || schemas.some(({ format }) => format === "uri" || format === "url"))
    return concept === "image" || concept === "logo" ? 0 : 6
  if (concept === undefined) return 0
  return ranks[concept] ?? 0
}

const ranks: Readonly<Record<string, number>> = {
  gtin: 9,
  ean: 9,
  upc: 9,
  isbn: 9,
  asin: 9,
  sku: 8,
  mpn: 7,
  reference: 7,
  identifier: 7,
  email: 5,
  number: 4,
  section: 4,
  act: 3,
  title: 2,
  job: 2,
  product: 2,
  event: 2,
  person: 2,
  question: 2,
  organization: 1
}

const valueOf = ({ json }: Part, key: string): Json =>
  isSchema(json) && Object.hasOwn(json, key) ? (json[key] ?? null) : null

/** A row without the key is another one where one of the two says all that the other says, and that is not one word. */
const absorb = (
  row: Part,
  groups: Array<Array<Part>>,
  same: Map<string, Array<Part>>,
  ones: ReadonlyArray<One>
): void => {
  const values = ones.flatMap((one) => {
    const value = valueOf(row, one.key)
    return value === null ? [] : [[one.key, plain(value)] as const]
  })
  const mark = JSON.stringify(values)
  const saysAll = ([first]: ReadonlyArray<Part>): boolean => {
    if (first === undefined || values.length === 0) return false
    let same = 0
    let others = 0
    for (const [key, value] of values) {
      const other = valueOf(first, key)
      if (other !== null && plain(other) !== value) return false
      if (other !== null) same++
    }
    for (const { key } of ones) if (valueOf(first, key) !== null) others++
    return same === values.length || (same > 1 && same === others)
  }
  const home = same.get(mark) ?? groups.slice(0, maxCompared).find(saysAll)
  if (home === undefined) {
    const fresh = [row]
    groups.push(fresh)
    same.set(mark, fresh)
  } else home.push(row)
}

/** A row that says less is looked for among as many others. */
const maxCompared = 200
