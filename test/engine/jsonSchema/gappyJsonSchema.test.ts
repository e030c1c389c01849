import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { gappyJsonSchema } from "#engine/gappyJsonSchema"
import type { JsonSchema } from "#engine/JsonSchemaDraft"
import * as Validator from "#engine/JsonSchemaValidator"

const faultsOf = Effect.fnUntraced(function* (schema: JsonSchema, ...values: ReadonlyArray<unknown>) {
  const faultOf = yield* Validator.compile(gappyJsonSchema(schema), "2020-12")
  return values.map((value) => faultOf(value)?.message)
})

describe("a schema with gaps", () => {
  it.effect("requires nothing, however deep, and still checks what is there", () =>
    Effect.gen(function* () {
      const offer = { type: "object", required: ["price"], properties: { price: { type: "number" } } }
      const schema = {
        type: "object",
        required: ["name"],
        minProperties: 1,
        properties: {
          // A property of that name is a property.
          required: { type: "string" },
          offers: { type: "array", minItems: 1, items: { $ref: "#/$defs/offer" } }
        },
        $defs: { offer }
      }

      expect(yield* faultsOf(schema, {}, { offers: [] }, { offers: [{}] }, { required: "x" })).toEqual(
        [1, 2, 3, 4].map(() => undefined)
      )
      expect(yield* faultsOf(schema, { offers: [{ price: "1" }] }, { required: 1 })).toEqual([
        'must be number: "1"',
        "must be string: 1"
      ])
    })
  )

  it.effect("takes what fits several of which one was required", () =>
    Effect.gen(function* () {
      const schema = { oneOf: [{ required: ["a"] }, { required: ["b"] }], anyOf: [{ type: "object" }] }

      expect(yield* faultsOf(schema, { a: 1 }, {}, 5)).toEqual([
        undefined,
        undefined,
        "must match a schema in anyOf: 5"
      ])
    })
  )

  it.effect("asks no less where less asked is more refused", () =>
    Effect.gen(function* () {
      const schema = {
        not: { required: ["gone"] },
        if: { required: ["a"] },
        else: { properties: { b: { type: "string" } } }
      }

      expect(yield* faultsOf(schema, {}, { gone: 1 }, { a: 1, b: 1 }, { b: 1 })).toEqual([
        undefined,
        'must NOT be valid: {"gone":1}',
        undefined,
        "must be string: 1"
      ])
    })
  )
})
