/**
 * A caller's JSON Schema as a validator can take it: keywords of all drafts that mean something for an answer, in the
 * words of 2020-12, without those that name other schemas, switch the validator over or cannot be compiled.
 *
 * What is left out can only make the check weaker. A pattern is matched in linear time, because pattern and text are
 * both untrusted: a pattern that needs more than RE2 is left out.
 */
import { RE2JS } from "re2js"
import { isSchema, type Json, type JsonSchema } from "#contract/JsonSchema"
import * as Limits from "#contract/Limits"

export const checkable = (schema: JsonSchema): JsonSchema => {
  const entries = Object.entries(schema).flatMap(([keyword, value]): ReadonlyArray<readonly [string, Json]> => {
    if (left.has(keyword)) return []
    if (isTuple(keyword, value)) return [["prefixItems", value.map(part)]]
    if (maps.has(keyword)) return isSchema(value) ? [[keyword, eachOf(value)]] : []
    if (single.has(keyword)) return typeof value === "boolean" || isSchema(value) ? [[keyword, part(value)]] : []
    if (lists.has(keyword)) return Array.isArray(value) && value.length > 0 ? [[keyword, value.map(part)]] : []
    if (numbers.has(keyword))
      return typeof value === "number" && value >= (least.get(keyword) ?? value) ? [[keyword, value]] : []
    if (keyword === "pattern")
      return typeof value === "string" && compiled(value) !== undefined ? [[keyword, value]] : []
    if (keyword === "enum") return Array.isArray(value) && value.length > 0 ? [[keyword, value]] : []
    return [[keyword, value]]
  })
  return Object.fromEntries(entries)
}

/** A pattern as a validator asks it; undefined: it is none. */
export const compiled = (pattern: string): { readonly test: (text: string) => boolean } | undefined => {
  if (pattern.length > Limits.maxPatternLength) return undefined
  try {
    const expression = RE2JS.compile(pattern)
    return { test: (text) => expression.matcher(text).find() }
  } catch {
    return undefined
  }
}

const part = (value: Json): Json => (isSchema(value) ? checkable(value) : value)

const eachOf = (parts: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, part(value)]))

/** Items of a list one by one, as they were written before 2020-12. */
const isTuple = (keyword: string, value: Json): value is ReadonlyArray<Json> =>
  keyword === "items" && Array.isArray(value)

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "))

const left = words(
  "$schema $id id $async $vocabulary $anchor $dynamicAnchor $dynamicRef $recursiveAnchor $recursiveRef nullable " +
    "discriminator format not if then else dependencies dependentSchemas dependentRequired patternProperties " +
    "propertyNames contains minContains maxContains unevaluatedItems unevaluatedProperties additionalItems " +
    "minProperties maxProperties uniqueItems contentSchema contentEncoding contentMediaType required"
)
const maps = words("properties $defs definitions")
const single = words("items additionalProperties")
const lists = words("anyOf oneOf allOf prefixItems")
const numbers = words(
  "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems"
)
const least: ReadonlyMap<string, number> = new Map([
  ["multipleOf", Number.MIN_VALUE],
  ["minLength", 0],
  ["maxLength", 0],
  ["minItems", 0],
  ["maxItems", 0]
])
