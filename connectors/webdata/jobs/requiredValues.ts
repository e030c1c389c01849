/**
 * Counts the values that a row must have by its schema, and how many of them were found.
 *
 * Null is a value that was not found. A property that may be null does not count as required.
 */

import { has, type Shape } from "#engine/JsonSchemaShape"
import { isObject } from "../foundJson.ts"

export interface RequiredValues {
  readonly filled: number
  /** How many were not found, at any depth. */
  readonly missing: number
  /** The properties of the row itself that were not found. */
  readonly properties: ReadonlyArray<string>
}

export const requiredValues = (shape: Shape, json: unknown): RequiredValues => {
  const items = shape.items
  if (Array.isArray(json)) return items === undefined ? none : sum(json.map((item) => requiredValues(items, item)))
  if (!isObject(json)) return none
  const own = [...shape.required].filter((name) => {
    const inner = shape.properties.get(name)
    return inner !== undefined && !has(inner, "null")
  })
  const properties = own.filter((name) => (Object.hasOwn(json, name) ? json[name] : undefined) == null)
  const inside = Object.entries(json).flatMap(([name, member]) => {
    const inner = shape.properties.get(name)
    return inner === undefined || typeof member !== "object" ? [] : [requiredValues(inner, member)]
  })
  const { filled, missing } = sum(inside)
  return {
    filled: filled + own.length - properties.length,
    missing: missing + properties.length,
    properties
  }
}

const none: RequiredValues = { filled: 0, missing: 0, properties: [] }

const sum = (all: ReadonlyArray<RequiredValues>): RequiredValues =>
  all.reduce(
    (total, { filled, missing }) => ({
      filled: total.filled + filled,
      missing: total.missing + missing,
      properties: []
    }),
    none
  )
