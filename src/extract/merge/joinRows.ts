/**
 * Rows of several pages that are about the same thing, together.
 *
 * How: the property that identifies a row is found from the data: it has a value in most rows and none twice on a page;
 * addresses and numbers before names. Without such a property only equal rows are merged; a row that has only a part of
 * another row's values is that row.
 */
import { isSchema, type Json } from "#contract/JsonSchema"
import * as Names from "../match/Names.ts"
import type { One, Whole } from "../match/Wanted.ts"
import { identity, type Part, plain } from "./Part.ts"

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
