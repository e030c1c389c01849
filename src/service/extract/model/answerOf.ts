/**
 * The JSON value in a model's answer, checked against the schema that it was asked to fit.
 *
 * The law: anything but one JSON value that fits is a problem in words, which the model is told when it is asked again.
 * Null stands for what the page does not say, wherever it stands.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { isSchema, type Json, type JsonSchema } from "../JsonSchema.ts"

export type Answer =
  | { readonly _tag: "Fits"; readonly data: Json }
  | { readonly _tag: "Problem"; readonly problem: string }

export const answerOf = Effect.fnUntraced(function* (text: string, schema: JsonSchema) {
  const json = Option.getOrUndefined(decode(bare(text)))
  if (json === undefined) return problemOf("the answer is not one JSON value")
  const validate = yield* validatorOf(schema)
  const problem = validate(json)
  const answer: Answer = problem === undefined ? { _tag: "Fits", data: json } : problemOf(problem)
  return answer
})

const problemOf = (problem: string): Answer => ({ _tag: "Problem", problem })

/** Models like to put a fence round it. */
const bare = (text: string): string => /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/.exec(text)?.[1] ?? text

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Json))

type Validate = (value: Json) => string | undefined

const validators = new WeakMap<JsonSchema, Validate>()

/** Ajv is loaded with the first answer, because that costs start-up time. */
const validatorOf = (schema: JsonSchema): Effect.Effect<Validate> => {
  const known = validators.get(schema)
  if (known !== undefined) return Effect.succeed(known)
  return Effect.map(
    Effect.promise(() => import("ajv/dist/2020.js")),
    ({ Ajv2020 }) => {
      const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })
      const own = orNull(schema)
      const validate: Validate = (value) =>
        ajv.validate(own, value)
          ? undefined
          : `the answer does not fit the schema: ${ajv.errorsText(ajv.errors, { dataVar: "answer" })}`
      validators.set(schema, validate)
      return validate
    }
  )
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
