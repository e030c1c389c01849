/**
 * Whether a JSON value is one of a JSON Schema: ajv, loaded where a schema is compiled, because that costs start-up time.
 *
 * No reference is fetched; a schema that refers to another document is refused. Formats are checked in every draft.
 * `multipleOf` is computed in decimal digits.
 */
import type { Ajv as Draft07, ErrorObject } from "ajv"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Draft, inPlainWords, type JsonSchema } from "./JsonSchemaDraft.ts"
import type { Misread } from "./JsonSchemaRow.ts"
import * as Digits from "./jsonSchema/Digits.ts"
import { formats } from "./jsonSchema/JsonSchemaFormats.ts"

/** A schema that is not valid, or not complete. */
export class JsonSchemaError extends Schema.TaggedError<JsonSchemaError>()("JsonSchemaError", {
  message: Schema.String
}) {}

/** The check by a schema, or by the part of it at a JSON pointer. */
export const compile = Effect.fn("JsonSchemaValidator.compile")(function* (
  schema: JsonSchema,
  draft: Draft,
  path = ""
): Effect.fn.Return<(json: unknown) => Misread | undefined, JsonSchemaError> {
  const ajv = yield* Effect.promise(() => engineOf(draft))
  const validate = yield* Effect.try({
    try: () => {
      const own = inPlainWords(schema, draft)
      if (path === "") return ajv.compile(own)
      ajv.addSchema(own, "rows")
      return ajv.compile({ $ref: `rows#${path}` })
    },
    catch: (cause) =>
      new JsonSchemaError({
        message: `the JSON Schema cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`
      })
  })
  return (json) => {
    try {
      return validate(json) ? undefined : misread(validate.errors ?? [])
    } catch (cause) {
      // a value nested deeper than the stack is, or a schema that leads back to itself without taking a step
      return { path: "", message: `it cannot be checked: ${cause instanceof Error ? cause.message : String(cause)}` }
    }
  }
})

const engineOf = async (draft: Draft): Promise<Draft07> => {
  const addFormats = await import("ajv-formats")
  const options = { strict: false, logger: false, verbose: true, ownProperties: true } as const
  const ajv =
    draft === "2020-12"
      ? new (await import("ajv/dist/2020.js")).Ajv2020(options)
      : // oxlint-disable-next-line typescript/no-deprecated -- draft 7 says it so, and ajv has no other word for it
        new (await import("ajv")).Ajv({ ...options, ignoreKeywordsWithRef: true })
  addFormats.default.default(ajv)
  for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, { type: "string", validate })
  ajv.removeKeyword("multipleOf")
  ajv.addKeyword({
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    validate: (divisor: number, value: number) => Digits.isMultiple(value, divisor),
    error: { message: ({ schema }) => `must be multiple of ${schema}` }
  })
  return ajv
}

/** ajv tells the branches of a choice before the choice itself, which is the one to tell. */
const misread = (errors: ReadonlyArray<ErrorObject>): Misread => {
  const error = errors.findLast(({ keyword }) => keyword === "anyOf" || keyword === "oneOf") ?? errors[0]
  if (error === undefined) return { path: "", message: "it does not fit the schema" }
  const { instancePath: path, message = "it does not fit the schema", keyword, params, data } = error
  if (keyword === "required" || keyword === "dependentRequired") return { path, message }
  if (keyword === "additionalProperties") return { path, message: `${message}: ${params["additionalProperty"]}` }
  const text = JSON.stringify(data) ?? String(data)
  const allowed = keyword === "enum" ? ` ${JSON.stringify(params["allowedValues"])}` : ""
  return { path, message: `${message}${allowed}: ${text.length > 60 ? `${text.slice(0, 60)}...` : text}` }
}
