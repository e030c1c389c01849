/**
 * The JSON value in a model's answer, checked against the schema that it was asked to fit.
 *
 * The law: anything but one JSON value that fits is a problem in words, which the model is told when it is asked again.
 * Null stands for what the page does not say, wherever it stands.
 */
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { isSchema, type Json, type JsonSchema } from "../JsonSchema.ts"

export type Answer =
  | { readonly _tag: "Fits"; readonly data: Json }
  | { readonly _tag: "Problem"; readonly problem: string }

export const answerOf = (text: string, schema: JsonSchema): Answer => {
  const json = Option.getOrUndefined(decode(bare(text)))
  if (json === undefined) return { _tag: "Problem", problem: "the answer is not one JSON value" }
  const problem = validatorOf(schema)(json)
  return problem === undefined ? { _tag: "Fits", data: json } : { _tag: "Problem", problem }
}

/** Models like to put a fence round it. */
const bare = (text: string): string => /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/.exec(text)?.[1] ?? text

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Json))

const validators = new WeakMap<JsonSchema, (value: Json) => string | undefined>()

const validatorOf = (schema: JsonSchema): ((value: Json) => string | undefined) => {
  const known = validators.get(schema)
  if (known !== undefined) return known
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })
  const made = (value: Json): string | undefined =>
    ajv.validate(own, value)
      ? undefined
      : `the answer does not fit the schema: ${ajv.errorsText(ajv.errors, { dataVar: "answer" })}`
  const own = orNull(schema)
  validators.set(schema, made)
  return made
}

/** The schema with null allowed for every value. */
export const orNull = (schema: JsonSchema): JsonSchema => {
  const entries = Object.entries(schema).map(([keyword, value]): readonly [string, Json] => {
    if (keyword === "type") return [keyword, [...new Set([value, "null"].flat())]]
    if (keyword === "enum" && Array.isArray(value)) return [keyword, [...value, null]]
    if (keyword === "const") return ["enum", [value, null]]
    if (["properties", "$defs", "definitions"].includes(keyword) && isSchema(value)) return [keyword, eachOf(value)]
    if (["items", "additionalProperties"].includes(keyword) && isSchema(value)) return [keyword, orNull(value)]
    if (["anyOf", "oneOf", "allOf", "prefixItems"].includes(keyword) && Array.isArray(value)) {
      return [keyword === "oneOf" ? "anyOf" : keyword, value.map((part) => (isSchema(part) ? orNull(part) : part))]
    }
    return [keyword, value]
  })
  // What is left out is null, so that nothing is required.
  return Object.fromEntries(entries.filter(([keyword]) => keyword !== "required"))
}

const eachOf = (parts: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, isSchema(part) ? orNull(part) : part]))
