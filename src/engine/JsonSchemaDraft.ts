/**
 * JSON Schema as text has it: its draft, where in it schemas stand, and each draft in plain words.
 *
 * A value is read as a schema only in a place where the draft has a schema. A member of `enum` or `default` that looks
 * like a schema is a value; a property named `id` or `enum` is a property.
 */
import * as Predicate from "effect/Predicate"

export type JsonSchema = boolean | SchemaObject

export interface SchemaObject {
  readonly [keyword: string]: unknown
}

export type Draft = "draft-04" | "draft-07" | "2020-12"

export const isSchemaObject = (value: unknown): value is SchemaObject => Predicate.isObject(value)

export const isJsonSchema = (value: unknown): value is JsonSchema => typeof value === "boolean" || isSchemaObject(value)

/** The draft that a schema says it is of, else the one whose words it uses, else the newest. */
export const draftOf = (schema: JsonSchema): Draft => {
  if (typeof schema === "boolean") return "2020-12"
  const { $schema } = schema
  if (typeof $schema === "string") {
    if (/draft-0[34]\b/.test($schema)) return "draft-04"
    if (/draft-0[67]\b/.test($schema)) return "draft-07"
    return "2020-12"
  }
  const all = [...schemasIn(schema)]
  const says = (test: (one: SchemaObject) => boolean) => all.some((one) => isSchemaObject(one) && test(one))
  if (says((one) => typeof one["exclusiveMinimum"] === "boolean" || typeof one["exclusiveMaximum"] === "boolean")) {
    return "draft-04"
  }
  return says((one) => Array.isArray(one["items"]) || "additionalItems" in one || "dependencies" in one)
    ? "draft-07"
    : "2020-12"
}

/** Under these keywords stands a schema (or, for `items` of old, a list of them). */
const one =
  "additionalItems additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems unevaluatedProperties"
const many = "allOf anyOf oneOf prefixItems items"
const named = "$defs definitions dependencies dependentSchemas patternProperties properties"
const ones: ReadonlySet<string> = new Set(one.split(" "))
const lists: ReadonlySet<string> = new Set(many.split(" "))
const maps: ReadonlySet<string> = new Set(named.split(" "))

/** A schema and all that stand in it, each with the one that it stands in. */
function* schemasIn(schema: JsonSchema): Generator<JsonSchema> {
  const open: Array<JsonSchema> = [schema]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next
    if (isSchemaObject(next)) for (const child of childrenOf(next)) open.push(child)
  }
}

/** The schemas that stand directly in another. */
export const childrenOf = (schema: SchemaObject): ReadonlyArray<JsonSchema> =>
  Object.entries(schema).flatMap(([keyword, value]) => {
    if (lists.has(keyword) && Array.isArray(value)) return value.filter(isJsonSchema)
    if (ones.has(keyword) && isJsonSchema(value)) return [value]
    if (maps.has(keyword) && isSchemaObject(value)) return Object.values(value).filter(isJsonSchema)
    return []
  })

/** A schema with those that stand directly in it made anew. */
export const mapChildren = (schema: SchemaObject, change: (child: JsonSchema) => JsonSchema): SchemaObject => {
  const one = (child: unknown) => (isJsonSchema(child) ? change(child) : child)
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (lists.has(keyword) && Array.isArray(value)) return [keyword, value.map(one)]
      if (maps.has(keyword) && isSchemaObject(value)) {
        return [keyword, Object.fromEntries(Object.entries(value).map(([name, child]) => [name, one(child)]))]
      }
      return [keyword, ones.has(keyword) ? one(value) : value]
    })
  )
}

/**
 * A schema in the words that a validator of draft 7 or 2020-12 reads as its own draft means them. Of draft 4, `id` is
 * `$id`, an exclusive bound is a number of its own, and what only draft 7 knows is left out. Before 2020-12 a `$ref` takes
 * no `$id` from beside it; since then it stands in `allOf` where it has one beside it. An empty `enum` is `false`. Patterns are
 * those of JavaScript's `u`.
 */
export const inPlainWords = (schema: JsonSchema, draft: Draft): JsonSchema => {
  if (typeof schema === "boolean") return schema
  const words = Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword === "enum" && Array.isArray(value) && value.length === 0) return []
    if (draft === "draft-04") return inDraft07(schema, keyword, value)
    if (keyword === "$id" && "$ref" in schema && draft === "draft-07") return []
    if (keyword === "$schema" || (keyword === "$ref" && "$id" in schema && draft === "2020-12")) return []
    return [[keyword, value] as const]
  })
  const plain = Object.fromEntries(words.map(([keyword, value]) => [keyword, within(keyword, value, draft)]))
  const moved = draft === "2020-12" && "$ref" in schema && "$id" in schema ? [{ $ref: schema["$ref"] }] : []
  const impossible = Array.isArray(schema["enum"]) && schema["enum"].length === 0 ? [false] : []
  const allOf: ReadonlyArray<unknown> = Array.isArray(plain["allOf"]) ? plain["allOf"] : []
  return moved.length + impossible.length === 0 ? plain : { ...plain, allOf: [...allOf, ...moved, ...impossible] }
}

/** A keyword of draft 4, as draft 7 has it. */
const inDraft07 = (
  schema: SchemaObject,
  keyword: string,
  value: unknown
): ReadonlyArray<readonly [string, unknown]> => {
  if (keyword === "id" && typeof value === "string") return "$ref" in schema ? [] : [["$id", value]]
  if (keyword === "minimum" && schema["exclusiveMinimum"] === true) return [["exclusiveMinimum", value]]
  if (keyword === "maximum" && schema["exclusiveMaximum"] === true) return [["exclusiveMaximum", value]]
  return newer.has(keyword) ? [] : [[keyword, value]]
}

const newer: ReadonlySet<string> = new Set(
  "$schema $id const contains propertyNames if then else exclusiveMinimum exclusiveMaximum".split(" ")
)

/** What stands under a keyword. One that nobody knows may hold a schema that a `$ref` points to. */
const within = (keyword: string, value: unknown, draft: Draft): unknown => {
  if (values.has(keyword)) return value
  const one = (child: unknown) => (isSchemaObject(child) ? inPlainWords(child, draft) : child)
  if (Array.isArray(value)) return value.map(one)
  if (keyword === "pattern" && typeof value === "string") return unicodePattern(value)
  if (!maps.has(keyword) || !isSchemaObject(value)) return one(value)
  const nameOf = keyword === "patternProperties" ? unicodePattern : (name: string) => name
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [nameOf(name), one(child)]))
}

const values: ReadonlySet<string> = new Set(["enum", "const", "default", "examples", "required", "type"])

/**
 * A regular expression as people write it, for JavaScript's `u` flag.
 *
 * Only a backslash without meaning is removed: before `-`, `@`, `_` and similar characters, where the `u` flag does not
 * allow it. A pattern that is still invalid stays as it is, and the validator refuses it.
 */
const unicodePattern = (pattern: string): string => {
  if (isPattern(pattern)) return pattern
  let [plain, inClass] = ["", false]
  for (let at = 0; at < pattern.length; at++) {
    const [character = "", next = ""] = [pattern[at], pattern[at + 1]]
    if (character === "\\") {
      plain += meaningless.test(next) && !(inClass && next === "-") ? next : character + next
      at++
      continue
    }
    if (character === "[") inClass = true
    if (character === "]") inClass = false
    plain += character
  }
  return isPattern(plain) ? plain : pattern
}

/** Neither a letter or digit, nor one of the characters that patterns are made of. */
const meaningless = /^[^A-Za-z0-9^$\\.*+?()[\]{}|/]$/

const isPattern = (pattern: string): boolean => {
  try {
    return new RegExp(pattern, "u") instanceof RegExp
  } catch {
    return false
  }
}
