/**
 * The JSON Schema of a caller: told whether it is one, and read as far as filling it needs.
 */
import type * as Schema from "effect/Schema"

export type Json = Schema.Json
export interface JsonSchema {
  readonly [keyword: string]: Json
}

/** What is wrong with it; undefined: nothing that is known of JSON Schema. */
export const problem = (schema: JsonSchema): string | undefined =>
  JSON.stringify(schema).length > maxText
    ? `it is longer than ${maxText} characters`
    : isSilent(schema)
      ? "it says nothing of the data: give it a type or properties, or leave it out (an object of a schema library must be converted to JSON Schema first)"
      : check(schema, schema, "", 0)

/** Whether it has only annotations: any data would fit it. */
const isSilent = (schema: JsonSchema): boolean => Object.keys(schema).every((keyword) => annotations.has(keyword))

const annotations = new Set(
  "$schema $id $anchor $comment $defs $vocabulary $dynamicAnchor definitions title description default examples deprecated readOnly writeOnly".split(
    " "
  )
)

/** A schema that only names types, `{ "name": "string" }`, as the object that it means; undefined: it is written out. */
export const ofTypeNames = (schema: JsonSchema): JsonSchema | undefined => {
  const fields = Object.entries(schema)
  const isShort = fields.length > 0 && !("type" in schema) && fields.every(([, type]) => isTypeName(type))
  if (!isShort) return undefined
  return { type: "object", properties: Object.fromEntries(fields.map(([name, type]) => [name, { type }])) }
}

/** Characters of a schema: every page of a job is held against all of it. */
const maxText = 200_000

export const isSchema = (value: Json | undefined): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** As `Array.isArray`, which makes `any` of the members of a readonly list. */
export const isList = (value: Json | undefined): value is ReadonlyArray<Json> => Array.isArray(value)

/** The schema that a local `$ref` means, and the first of `anyOf` or `oneOf` that is not null. */
export const resolve = (schema: JsonSchema, root: JsonSchema, depth = 0): JsonSchema => {
  if (depth > maxDepth) return {}
  const { $ref: reference, allOf } = schema
  if (typeof reference === "string") {
    const target = pointed(root, reference)
    return isSchema(target) ? resolve(target, root, depth + 1) : {}
  }
  if (isList(allOf)) {
    const parts = allOf.filter(isSchema).map((part) => resolve(part, root, depth + 1))
    const all = [...parts, schema]
    const properties = all.flatMap(({ properties }) => (isSchema(properties) ? Object.entries(properties) : []))
    return {
      ...Object.fromEntries(all.flatMap((part) => Object.entries(part))),
      allOf: null,
      properties: Object.fromEntries(properties),
      required: all.flatMap(({ required }) => (isList(required) ? required : []))
    }
  }
  const choices = schema["anyOf"] ?? schema["oneOf"]
  const chosen = isList(choices) ? choices.filter(isSchema).find((choice) => choice["type"] !== "null") : undefined
  return chosen === undefined ? schema : resolve(chosen, root, depth + 1)
}

/** The type that a value is wanted as. */
export const typeOf = (schema: JsonSchema): string | undefined => {
  const { type } = schema
  if (typeof type === "string") return type
  if (isList(type)) return type.find((name): name is string => typeof name === "string" && name !== "null")
  if (schema["properties"] !== undefined) return "object"
  return schema["items"] === undefined ? undefined : "array"
}

const maxDepth = 32
const types = new Set(["string", "number", "integer", "boolean", "object", "array", "null"])
const isTypeName = (value: Json): value is string => typeof value === "string" && types.has(value)

const check = (value: Json, root: JsonSchema, path: string, depth: number): string | undefined => {
  const at = path === "" ? "the schema" : path
  if (typeof value === "boolean") return undefined
  if (!isSchema(value)) return `${at} must be an object`
  if (depth > maxDepth) return `${at} is nested deeper than ${maxDepth}`
  const { type, properties, required, items, enum: choices, pattern, $ref: reference } = value
  const named = isList(type) ? type : type === undefined ? [] : [type]
  const odd = named.find((name) => typeof name !== "string" || !types.has(name))
  if (odd !== undefined || (isList(type) && type.length === 0)) {
    return `${at} has the type ${JSON.stringify(odd ?? type)}; it may be ${[...types].join(", ")}`
  }
  if (properties !== undefined && !isSchema(properties)) return `${at}: properties must be an object`
  if (required !== undefined && !isTexts(required)) return `${at}: required must be a list of names`
  if (choices !== undefined && !isList(choices)) return `${at}: enum must be a list`
  if (pattern !== undefined && typeof pattern !== "string") return `${at}: pattern must be text`
  const broken = pattern === undefined ? undefined : patternFault(pattern)
  if (broken !== undefined) return `${at}: pattern ${JSON.stringify(pattern).slice(0, 100)} is not one: ${broken}`
  if (typeof reference === "string" && reference.startsWith("#") && pointed(root, reference) === undefined) {
    return `${at}: $ref ${reference} has no target`
  }
  if (typeof reference === "string" && !reference.startsWith("#")) {
    return `${at}: $ref ${reference} points outside the schema, which is not followed`
  }
  for (const [name, child] of Object.entries(properties ?? {})) {
    const wrong = check(child, root, `${path === "" ? "" : `${path}.`}${name}`, depth + 1)
    if (wrong !== undefined) return wrong
  }
  const lists = ["allOf", "anyOf", "oneOf"].flatMap((key) => {
    const list = value[key]
    return list === undefined ? [] : [[key, list] as const]
  })
  for (const [key, list] of lists) {
    if (!isList(list) || list.length === 0) return `${at}: ${key} must be a list of schemas`
  }
  const children = [
    ...(items === undefined ? [] : isList(items) ? items : [items]),
    ...lists.flatMap(([, list]) => (isList(list) ? list : [])),
    ...[value["$defs"], value["definitions"]].flatMap((defs) => (isSchema(defs) ? Object.values(defs) : []))
  ]
  for (const child of children) {
    const wrong = check(child, root, `${path}[]`, depth + 1)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

/** Why a text is not a regular expression, neither of JavaScript nor of RE2, whose flags and names of groups it may have. */
const patternFault = (pattern: string): string | undefined => {
  try {
    RegExp(pattern.replaceAll(/\(\?[imsU]+\)/g, "").replaceAll("(?P<", "(?<"))
    return undefined
  } catch (cause) {
    return cause instanceof Error ? cause.message.replace(/^.*: /s, "") : String(cause)
  }
}

const isTexts = (value: Json): boolean => isList(value) && value.every((item) => typeof item === "string")

/** What a JSON pointer in a fragment leads to. */
const pointed = (root: JsonSchema, reference: string): Json | undefined => {
  if (reference === "#") return root
  if (!reference.startsWith("#/")) return undefined
  let value: Json | undefined = root
  for (const step of reference.slice(2).split("/")) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~")
    value = isSchema(value) && Object.hasOwn(value, key) ? value[key] : undefined
  }
  return value
}
