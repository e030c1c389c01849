import { describe, expect, it } from "vitest"
import { toSql } from "#engine/Column"
import { type Draft, draftOf, type JsonSchema } from "#engine/JsonSchemaDraft"
import * as JsonSchemaTable from "#engine/JsonSchemaTable"

const columns = (schema: JsonSchema, draft?: Draft) =>
  JsonSchemaTable.make({
    name: "t",
    schema,
    undeclared: "drop",
    ...(draft === undefined ? {} : { draft })
  }).table.columns.map(({ name, type, nullable }) => `${name} ${toSql(type)}${nullable ? "" : " not null"}`)
/** The column of a required property. */
const column = (property: JsonSchema, more: object = {}, draft?: Draft) =>
  columns({ type: "object", properties: { p: property }, required: ["p"], ...more }, draft)[0]

describe("the column of a property", () => {
  it("has the description of its schema, on one line, wherever that stands", () => {
    const said = (property: JsonSchema) =>
      JsonSchemaTable.make({
        name: "t",
        schema: {
          type: "object",
          properties: { p: property },
          $defs: { price: { type: "number", description: "in euros" } }
        }
      }).table.columns[0]?.description
    expect(said({ type: "string", description: " the\n  name " })).toBe("the name")
    expect(said({ $ref: "#/$defs/price" })).toBe("in euros")
    expect(said({ $ref: "#/$defs/price", description: "what it costs" })).toBe("what it costs")
    expect(said({ anyOf: [{ type: "string", description: "the name" }, { type: "null" }] })).toBe("the name")
    expect(
      said({
        anyOf: [
          { type: "string", description: "a" },
          { type: "number", description: "b" }
        ]
      })
    ).toBeUndefined()
    expect(said({ type: "string", description: " " })).toBeUndefined()
    expect(said({ type: "string" })).toBeUndefined()
  })

  it("is of the type that its schema says", () => {
    expect(column({ type: "string" })).toBe("p VARCHAR not null")
    expect(column({ type: "string", format: "date" })).toBe("p DATE not null")
    expect(column({ type: "string", format: "date-time" })).toBe("p TIMESTAMP not null")
    expect(column({ type: "string", format: "email" })).toBe("p VARCHAR not null")
    expect(column({ type: "boolean" })).toBe("p BOOLEAN not null")
    expect(column({ type: "integer", multipleOf: 5 })).toBe("p BIGINT not null")
    expect(column({ type: "number" })).toBe("p DOUBLE not null")
    expect(column({ type: ["integer", "number"] })).toBe("p DOUBLE not null")
  })

  it("is exact where its numbers are multiples of a decimal fraction", () => {
    expect(column({ type: "number", multipleOf: 0.01 })).toBe("p DECIMAL(18, 2) not null")
    expect(column({ type: "number", multipleOf: 0.25 })).toBe("p DECIMAL(18, 2) not null")
    expect(column({ type: "number", multipleOf: 1e-8 })).toBe("p DECIMAL(18, 8) not null")
    expect(column({ type: "number", multipleOf: 10 })).toBe("p BIGINT not null")
    expect(column({ type: "number", multipleOf: 1e-20 })).toBe("p DOUBLE not null")
    expect(column({ allOf: [{ type: "number" }, { multipleOf: 0.01 }] })).toBe("p DECIMAL(18, 2) not null")
    expect(column({ anyOf: [{ type: "number", multipleOf: 0.01 }, { type: "integer" }] })).toBe("p DOUBLE not null")
  })

  it("is of the type of its values where they are told one by one", () => {
    expect(column({ enum: ["a", "b"] })).toBe("p VARCHAR not null")
    expect(column({ enum: ["a", null] })).toBe("p VARCHAR")
    expect(column({ enum: [1, 2] })).toBe("p BIGINT not null")
    expect(column({ enum: [1, 2.5] })).toBe("p DOUBLE not null")
    expect(column({ enum: [1, "a"] })).toBe("p JSON not null")
    expect(column({ const: true })).toBe("p BOOLEAN not null")
    expect(column({ const: true }, {}, "draft-04")).toBe("p JSON")
    expect(column({ enum: [{ a: 1 }] })).toBe("p JSON not null")
  })

  it("is nullable where it may be absent or null", () => {
    expect(columns({ properties: { a: { type: "string" }, b: { type: "string" } }, required: ["a"] })).toEqual([
      "a VARCHAR not null",
      "b VARCHAR"
    ])
    expect(column({ type: ["string", "null"] })).toBe("p VARCHAR")
    expect(column({ anyOf: [{ type: "integer" }, { type: "null" }] })).toBe("p BIGINT")
    expect(column({ oneOf: [{ type: "string", format: "date" }, { const: null }] })).toBe("p DATE")
    expect(column({ type: "null" })).toBe("p JSON")
  })

  it("is JSON where values are of several types, or of one that nobody tells", () => {
    expect(column({ type: ["string", "integer"] })).toBe("p JSON not null")
    expect(column({ oneOf: [{ type: "string" }, { type: "array" }] })).toBe("p JSON not null")
    for (const unknown of [true, {}, { minimum: 1 }, { properties: { a: { type: "string" } } }]) {
      expect(column(unknown)).toBe("p JSON")
    }
    expect(column(false)).toBe("p JSON not null")
    expect(column({ type: "object" })).toBe("p JSON not null")
    expect(column({ type: "object", additionalProperties: { type: "integer" } })).toBe("p JSON not null")
    expect(column({ type: "object", properties: { a: true }, patternProperties: { "^x": {} } })).toBe("p JSON not null")
    expect(columns({ required: ["only_named"] })).toEqual(["only_named JSON"])
  })

  it("is a STRUCT where an object has known properties, and a LIST where items are of one type", () => {
    const address = { type: "object", properties: { zipCode: { type: "string" }, geo: { type: "object" } } }

    expect(column(address)).toBe('p STRUCT("zip_code" VARCHAR, "geo" JSON) not null')
    expect(column({ type: "array", items: address })).toBe('p STRUCT("zip_code" VARCHAR, "geo" JSON)[] not null')
    expect(column({ type: "array", items: { type: "array", items: { type: "number" } } })).toBe("p DOUBLE[][] not null")
    expect(column({ type: "array", items: { type: "object" } })).toBe("p JSON[] not null")
    expect(column({ type: "array" })).toBe("p JSON not null")
    expect(column({ type: "array", items: { type: ["string", "integer"] } })).toBe("p JSON not null")
  })

  it("is a LIST where every place of a tuple is of one type", () => {
    const [text, number] = [{ type: "string" }, { type: "number" }]

    expect(column({ type: "array", prefixItems: [text, text], items: false })).toBe("p VARCHAR[] not null")
    expect(column({ type: "array", prefixItems: [text, number], items: false })).toBe("p JSON not null")
    expect(column({ type: "array", prefixItems: [text] })).toBe("p JSON not null")
    expect(column({ type: "array", items: [text], additionalItems: text }, {}, "draft-07")).toBe("p VARCHAR[] not null")
    expect(column({ type: "array", items: [text] }, {}, "draft-04")).toBe("p JSON not null")
  })

  it("is what all parts of allOf say together, and what any of anyOf says", () => {
    const a = { type: "object", properties: { a: { type: "string" } }, required: ["a"] }
    const b = { type: "object", properties: { b: { type: "integer" } } }
    const closed = { additionalProperties: false }

    expect(column({ allOf: [a, b] })).toBe('p STRUCT("a" VARCHAR, "b" BIGINT) not null')
    expect(
      column({
        anyOf: [
          { ...a, ...closed },
          { ...b, ...closed }
        ]
      })
    ).toBe('p STRUCT("a" VARCHAR, "b" BIGINT) not null')
    expect(column({ anyOf: [a, b] })).toBe('p STRUCT("a" JSON, "b" JSON) not null')
    expect(column({ allOf: [{ type: ["string", "null"] }, { type: ["string", "integer"] }] })).toBe(
      "p VARCHAR not null"
    )
    expect(columns(JSON.parse('{"if": {"properties": {"k": {"const": 1}}}, "then": {"required": ["v"]}}'))).toEqual([
      "k JSON",
      "v JSON"
    ])
  })

  it("is that of the definition that it refers to, and JSON where that leads back to itself", () => {
    const definitions = {
      id: { type: "string" },
      "a/b~c": { type: "integer" },
      node: { type: "object", properties: { next: { $ref: "#/definitions/node" }, id: { $ref: "#/definitions/id" } } },
      loop: { $ref: "#/definitions/loop" }
    }
    const to = (name: string) => column({ $ref: `#/definitions/${name}` }, { definitions }, "draft-07")

    expect(to("id")).toBe("p VARCHAR not null")
    expect(to("a~1b~0c")).toBe("p BIGINT not null")
    expect(to("node")).toBe("p JSON not null")
    expect(to("loop")).toBe("p JSON")
    expect(to("nowhere")).toBe("p JSON")
    expect(column({ $ref: "https://example.com/other.json" })).toBe("p JSON")
    expect(columns({ $ref: "#/definitions/node", definitions })).toEqual(["next JSON", "id VARCHAR"])
    expect(columns({ type: "object", properties: { name: { type: "string" }, of: { $ref: "#" } } })).toEqual([
      "name VARCHAR",
      "of JSON"
    ])
  })

  it("is found by the names that schemas have, each under its own base", () => {
    const schema = {
      $id: "https://example.com/root.json",
      $defs: {
        day: { $anchor: "day", type: "string", format: "date" },
        inner: { $id: "inner/", $defs: { text: { type: "boolean" } }, $ref: "#/$defs/text" }
      },
      properties: { a: { $ref: "#day" }, b: { $ref: "root.json#/$defs/day" }, c: { $ref: "inner/" } }
    }

    expect(columns(schema)).toEqual(["a DATE", "b DATE", "c BOOLEAN"])
  })

  it("takes from beside a reference what its draft takes", () => {
    const property = { $ref: "#/definitions/text", type: ["string", "null"] }
    const definitions = { text: { type: ["string", "null", "integer"] } }

    expect(column(property, { definitions }, "2020-12")).toBe("p VARCHAR")
    expect(column(property, { definitions }, "draft-07")).toBe("p JSON")
  })

  it("has an end, however large its schema is", () => {
    const wide: Record<string, JsonSchema> = { d0: { type: "object", properties: { leaf: { type: "string" } } } }
    for (let n = 1; n < 30; n++) {
      const below = { $ref: `#/$defs/d${n - 1}` }
      wide[`d${n}`] = { type: "object", properties: { a: below, b: below } }
    }
    const deep = Array.from({ length: 5000 }).reduce<JsonSchema>((inner) => ({ allOf: [inner] }), true)

    expect(column({ $ref: "#/$defs/d29" }, { $defs: wide })).toContain("STRUCT")
    expect(column(deep)).toBe("p JSON")
  })
})

it("the draft is the one that a schema says, else the one whose words it uses", () => {
  expect(draftOf({ $schema: "http://json-schema.org/draft-04/schema#" })).toBe("draft-04")
  expect(draftOf({ $schema: "http://json-schema.org/draft-07/schema#" })).toBe("draft-07")
  expect(draftOf({ $schema: "https://json-schema.org/draft/2020-12/schema" })).toBe("2020-12")
  expect(draftOf({ properties: { a: { minimum: 1, exclusiveMinimum: true } } })).toBe("draft-04")
  expect(draftOf({ properties: { a: { items: [{}] } } })).toBe("draft-07")
  expect(draftOf({ properties: { dependencies: true }, enum: [{ items: [] }] })).toBe("2020-12")
})
