/**
 * The JSON value in a model's answer, checked against the schema that it was asked to fit.
 *
 * Anything but one JSON value that fits is a problem in words, which the model gets when it is asked again. Null stands
 * for what the page does not say, at any place. Schema and answer are both untrusted, so both are read with limits.
 */
import type { Ajv2020 } from "ajv/dist/2020.js"
import type * as AiError from "effect/ai/AiError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { RE2JS } from "re2js"
import { isList, isSchema, type Json, type JsonSchema } from "#contract/JsonSchema"
import * as Limits from "#contract/Limits"

type CheckedAnswer =
  | { readonly _tag: "Fits"; readonly data: Json }
  /** `isJson`: it is JSON, and does not fit. */
  | { readonly _tag: "Problem"; readonly problem: string; readonly isJson: boolean }

export const answerOf = Effect.fnUntraced(function* (text: string, schema: JsonSchema) {
  if (text.length > maxText) return problemOf(`the answer is longer than ${maxText} characters`)
  const json = Option.getOrUndefined(decode(bare(text)))
  if (json !== undefined && isDeep(json, maxDepth)) return problemOf(`the answer is nested deeper than ${maxDepth}`)
  if (json === undefined) return problemOf("the answer is not one JSON value", false)
  const validate = yield* validatorOf(schema)
  const problem = validate(json)
  const answer: CheckedAnswer = problem === undefined ? { _tag: "Fits", data: json } : problemOf(problem)
  return answer
})

const problemOf = (problem: string, isJson = true): CheckedAnswer => ({ _tag: "Problem", problem, isJson })

/** Models think before it, and like to put a fence round it, and words round the fence. */
const bare = (text: string): string => {
  const trimmed = text.replace(thoughts, "").trim()
  if (/^[[{]/.test(trimmed)) return trimmed
  return /```(?:json\b)?([\s\S]*)```/i.exec(trimmed)?.[1] ?? trimmed
}

const thoughts = /^\s*<(think|thinking|thought|reasoning)>[\s\S]*?<\/\1>/i

/** Whoever walks a value overflows on one that is nested without bound. */
const isDeep = (value: Json, room: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (room === 0 || Object.values(value).some((one) => isDeep(one, room - 1)))

/** Characters of an answer, and how deep it goes, at most. */
const maxText = 500_000
const maxDepth = 100

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
      const validate = compile(Ajv2020, orNull(schema))
      validators.set(schema, validate)
      return validate
    }
  )
}

const compile = (Ajv: typeof Ajv2020, schema: JsonSchema): Validate => {
  const regExp = Object.assign((pattern: string) => compiled(pattern) ?? { test: () => true }, { code: "" })
  const options = { strict: false, validateSchema: false, validateFormats: false, logger: false } as const
  const ajv = new Ajv({ ...options, code: { regExp } })
  // Some schemas cannot be compiled, and one that means itself has no end.
  const orProblem = <A>(check: () => A): A | string => {
    try {
      return check()
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      return `answers cannot be held against the schema: ${why.slice(0, maxTold)}`
    }
  }
  const fits = orProblem(() => ajv.compile(checkable(schema)))
  if (typeof fits === "string") return () => fits
  return (value) =>
    orProblem(() =>
      fits(value)
        ? undefined
        : `the answer does not fit the schema: ${ajv.errorsText(fits.errors, { dataVar: "answer" }).slice(0, maxTold)}`
    )
}

/** Characters of what is wrong. */
const maxTold = 2000

const nullables = new WeakMap<JsonSchema, JsonSchema>()

/** The schema with null allowed for every value: the same one each time it is asked for. */
export const orNull = (schema: JsonSchema): JsonSchema => {
  const known = nullables.get(schema)
  if (known !== undefined) return known
  const nullable = withNull(schema)
  nullables.set(schema, nullable)
  // It allows null already.
  nullables.set(nullable, nullable)
  return nullable
}

const withNull = (schema: JsonSchema): JsonSchema => {
  const entries = Object.entries(schema).map(([keyword, value]): readonly [string, Json] => {
    if (keyword === "type") return [keyword, [...new Set([value, "null"].flat())]]
    if (keyword === "enum" && isList(value)) return [keyword, [...value, null]]
    if (keyword === "const") return ["enum", [value, null]]
    if (keyword === "items" && isList(value))
      return ["prefixItems", value.map((part) => (isSchema(part) ? orNull(part) : part))]
    if (["properties", "$defs", "definitions"].includes(keyword) && isSchema(value)) return [keyword, eachOf(value)]
    if (["items", "additionalProperties"].includes(keyword) && isSchema(value)) return [keyword, orNull(value)]
    if (["anyOf", "oneOf", "allOf", "prefixItems"].includes(keyword) && isList(value)) {
      return [keyword === "oneOf" ? "anyOf" : keyword, value.map((part) => (isSchema(part) ? orNull(part) : part))]
    }
    return [keyword, value]
  })
  // What is left out is null, so that nothing is required.
  return Object.fromEntries(entries.filter(([keyword]) => keyword !== "required"))
}

const eachOf = (parts: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, isSchema(part) ? orNull(part) : part]))

/** A limit that takes longer than this to pass is a model that cannot be asked. */
const longestWait = Duration.seconds(30)

/** An answer that cannot be read is asked for again with words, not by itself. */
export const isWorthwhile = (error: AiError.AiError): boolean =>
  error.reason._tag !== "InvalidOutputError" &&
  error.isRetryable &&
  (error.retryAfter === undefined || Duration.isLessThanOrEqualTo(error.retryAfter, longestWait))

/** After what the endpoint says and no sooner, else after delays that double, with jitter. */
export const patience = Schedule.exponential("500 millis").pipe(
  Schedule.setInputType<AiError.AiError>(),
  Schedule.passthrough,
  Schedule.jittered,
  Schedule.modifyDelay(({ input, duration }) => Effect.succeed(input.retryAfter ?? duration))
)

/**
 * A caller's JSON Schema as a validator can take it: keywords of all drafts that mean something for an answer, in the
 * words of 2020-12, without those that name other schemas, switch the validator over or cannot be compiled.
 *
 * What is left out can only make the check weaker. A pattern is matched in linear time, because pattern and text are
 * both untrusted: a pattern that needs more than RE2 is left out.
 */
export const checkable = (schema: JsonSchema): JsonSchema => {
  const entries = Object.entries(schema).flatMap(([keyword, value]): ReadonlyArray<readonly [string, Json]> => {
    if (left.has(keyword)) return []
    if (isTuple(keyword, value)) return [["prefixItems", value.map(part)]]
    if (maps.has(keyword)) return isSchema(value) ? [[keyword, checkableParts(value)]] : []
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
const compiled = (pattern: string): { readonly test: (text: string) => boolean } | undefined => {
  if (pattern.length > Limits.maxPatternLength) return undefined
  try {
    const expression = RE2JS.compile(pattern)
    return { test: (text) => expression.matcher(text).find() }
  } catch {
    return undefined
  }
}

const part = (value: Json): Json => (isSchema(value) ? checkable(value) : value)

const checkableParts = (parts: JsonSchema): JsonSchema =>
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
