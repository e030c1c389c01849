import { describe, expect, it } from "vitest"
import { problem } from "#contract/JsonSchema"

describe("a JSON Schema", () => {
  it.each([
    [{ type: ["string", "null"] }],
    [{ properties: { a: true, b: { items: { type: "string" } } }, required: ["a"] }],
    [{ $ref: "#/$defs/a", $defs: { a: { type: "object" } } }],
    [{ pattern: "^(?=a)\\p{L}{2,}\\d$" }],
    [{ pattern: "(?i)(?P<name>a|b)\\z" }]
  ])("%j is one", (schema) => {
    expect(problem(schema)).toBe(undefined)
  })

  it.each([
    [{}, "it says nothing of the data"],
    [{ title: "a page", $schema: "https://json-schema.org/draft/2020-12/schema" }, "it says nothing of the data"],
    [{ type: "money" }, 'the schema has the type "money"; it may be string, number'],
    [{ properties: { a: { properties: { b: 3 } } } }, "a.b must be an object"],
    [{ properties: [] }, "properties must be an object"],
    [{ required: "a" }, "required must be a list of names"],
    [{ anyOf: [] }, "anyOf must be a list of schemas"],
    [{ $ref: "#/$defs/none" }, "$ref #/$defs/none has no target"],
    [{ $ref: "https://example.com/schema" }, "points outside the schema"],
    [{ items: { type: "list" } }, '[] has the type "list"'],
    [{ properties: { a: { pattern: "((" } } }, 'a: pattern "((" is not one: Unterminated group']
  ])("%j is none, and it is told why", (schema, why) => {
    expect(problem(schema as any)).toContain(why)
  })
})
