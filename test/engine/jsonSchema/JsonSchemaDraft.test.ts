import { expect, it } from "vitest"
import { childrenOf, inPlainWords, isSchemaObject, type JsonSchema } from "#engine/JsonSchemaDraft"

it("draft 4 is told in the words of draft 7, wherever a schema stands and nowhere else", () => {
  const schema = {
    $schema: "http://json-schema.org/draft-04/schema#",
    id: "http://example.com/a",
    minimum: 1,
    exclusiveMinimum: true,
    maximum: 5,
    exclusiveMaximum: false,
    const: 1,
    enum: [{ id: "value" }],
    properties: { id: { id: "#anchor", type: "string" }, minimum: { maximum: 1, exclusiveMaximum: true } },
    components: { thing: { minimum: 0, exclusiveMinimum: true } },
    items: [{ $ref: "#", id: "ignored" }]
  }

  expect(inPlainWords(schema, "draft-04")).toEqual({
    $id: "http://example.com/a",
    exclusiveMinimum: 1,
    maximum: 5,
    enum: [{ id: "value" }],
    properties: { id: { $id: "#anchor", type: "string" }, minimum: { exclusiveMaximum: 1 } },
    components: { thing: { exclusiveMinimum: 0 } },
    items: [{ $ref: "#" }]
  })
})

it("what a draft says about a reference and its neighbours is made plain", () => {
  const schema = { allOf: [{ minimum: 1 }], $id: "a", $ref: "b" }

  expect(inPlainWords(schema, "2020-12")).toEqual({ allOf: [{ minimum: 1 }, { $ref: "b" }], $id: "a" })
  expect(inPlainWords(schema, "draft-07")).toEqual({ allOf: [{ minimum: 1 }], $ref: "b" })
  expect(inPlainWords({ enum: [] }, "2020-12")).toEqual({ allOf: [false] })
  expect(inPlainWords(true, "draft-04")).toBe(true)
})

it("a property is no keyword, and a value is no schema", () => {
  const schema = { properties: { properties: { enum: [{ items: {} }] } }, default: { not: {} }, not: { items: [true] } }

  const within = (one: JsonSchema): number =>
    isSchemaObject(one) ? 1 + childrenOf(one).reduce((sum, child) => sum + within(child), 0) : 1

  expect(within(schema)).toBe(4)
})

const patternOf = (pattern: string) => inPlainWords({ pattern }, "2020-12")

it("a backslash that means nothing is taken away where the u flag does not have it", () => {
  expect(patternOf("^\\d{3}\\-\\d{4}$")).toEqual({ pattern: "^\\d{3}-\\d{4}$" })
  expect(patternOf("[a\\-z\\@]\\_\\.\\/")).toEqual({ pattern: "[a\\-z@]_\\.\\/" })
  expect(patternOf('\\"\\\\\\-')).toEqual({ pattern: '"\\\\-' })
})

it("a pattern that the u flag has stays, and one that is none does too", () => {
  for (const pattern of ["^[\\w\\-]+$", "\\p{L}", "", "\\a", "(", "\\"]) expect(patternOf(pattern)).toEqual({ pattern })
})
