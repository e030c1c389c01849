import { describe, expect, it } from "vitest"
import { checkable, compiled } from "#extract/modelAnswerOf"

describe("what a validator is given of a schema", () => {
  it("has the keywords that mean something for an answer, in the words of today", () => {
    expect(
      checkable({
        type: "object",
        properties: { a: { type: "array", items: [{ type: "string" }] } },
        additionalProperties: { $schema: "x", type: "number", minimum: 1 },
        definitions: { b: { anyOf: [{ const: 1 }] } }
      })
    ).toEqual({
      type: "object",
      properties: { a: { type: "array", prefixItems: [{ type: "string" }] } },
      additionalProperties: { type: "number", minimum: 1 },
      definitions: { b: { anyOf: [{ const: 1 }] } }
    })
  })

  it("has nothing that names other schemas, switches it over, or is not what the keyword takes", () => {
    expect(
      checkable({
        $schema: "http://json-schema.org/draft-04/schema#",
        $id: "https://site.test/schema",
        $async: true,
        nullable: true,
        required: true,
        minimum: "5",
        exclusiveMinimum: true,
        multipleOf: 0,
        maxLength: -1,
        enum: [],
        anyOf: [],
        items: "none",
        properties: [],
        uniqueItems: true,
        pattern: "(?=x)"
      })
    ).toEqual({})
  })

  it("matches patterns unanchored, and none that needs more than RE2 or is too long", () => {
    expect(compiled("b+")?.test("abc")).toBe(true)
    expect([compiled("(?<=a)b"), compiled("(a)\\1"), compiled("a".repeat(2001))]).toEqual([
      undefined,
      undefined,
      undefined
    ])
  })
})
