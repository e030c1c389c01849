/**
 * Reads the json of a service, which reports what it did not find as null, whether the schema allows null or not.
 *
 * Null counts as absent if the value may be absent, and a json of only nulls is nothing.
 */
import * as Predicate from "effect/Predicate"
import { has, type Shape } from "#engine/JsonSchemaShape"

/** Whether nothing was found: null, or an object of only nulls. Very deep values count as found. */
export const isNothing = (json: unknown, depth = 0): boolean => {
  if (!isObject(json) || depth > maxDepth) return json === null
  const members = Object.values(json)
  return members.length > 0 && members.every((member) => isNothing(member, depth + 1))
}
const maxDepth = 100

/** The json without members that are null, may be absent, and may not be null. */
export const found = (shape: Shape, json: unknown): unknown => {
  if (Array.isArray(json)) {
    const { items } = shape
    return items === undefined ? json : json.map((item) => found(items, item))
  }
  if (!isObject(json)) return json
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, member]) => {
      const inner = shape.properties.get(name)
      if (inner === undefined) return [[name, member]]
      if (member === null && !has(inner, "null") && !shape.required.has(name)) return []
      return [[name, found(inner, member)]]
    })
  )
}

export const isObject = (json: unknown): json is Readonly<Record<string, unknown>> =>
  Predicate.isObject(json) && !Array.isArray(json)
