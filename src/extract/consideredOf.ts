/**
 * What the pages of a job offered to each field of its schema and what was left, with the page: a few for each field.
 *
 * What the data has after all, from another page or from a model, was not left.
 */
import { pointerOf } from "#base/pointerOf"
import type { Considered } from "#contract/Extract"
import { isList, isSchema, type Json } from "#contract/JsonSchema"
import type { MergedPage } from "./merge/Part.ts"

export const consideredOf = (pages: ReadonlyArray<MergedPage>, data: Json): ReadonlyArray<Considered> => {
  const all = pages.flatMap(({ extracted: { considered = [] }, url }) => considered.map((one) => ({ ...one, url })))
  if (all.length === 0) return []
  const taken = takenOf(data)
  const others = all.filter(({ field, value }) => taken.get(fieldOf(field))?.has(value) !== true)
  const byField = Map.groupBy(others, ({ field }) => fieldOf(field))
  return [...byField.values()].slice(0, mostFields).flatMap((some) => some.slice(0, mostOfField))
}

const mostFields = 100
const mostOfField = 5

/** The values of each field, as text. */
const takenOf = (data: Json): ReadonlyMap<string, ReadonlySet<string>> => {
  const taken = new Map<string, Set<string>>()
  const visit = (value: Json, field: string): void => {
    if (isList(value)) value.forEach((item) => visit(item, pointerOf(field, "*")))
    else if (isSchema(value)) for (const [name, part] of Object.entries(value)) visit(part, pointerOf(field, name))
    else if (value !== null) taken.set(field, (taken.get(field) ?? new Set()).add(String(value)))
  }
  visit(data, "")
  return taken
}

/** All items of a list are one field. */
const fieldOf = (pointer: string): string => pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*")
