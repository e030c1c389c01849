import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as JsonSchemaTable from "#engine/JsonSchemaTable"
import { validateRow } from "#engine/validateRow"
import { jsonOf } from "./jsonOf.ts"

const product = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  description: "one row a product",
  type: "object",
  required: ["sku", "unitPrice"],
  properties: {
    sku: { type: "string", minLength: 1 },
    unitPrice: { type: "number", multipleOf: 0.01 },
    unit_price: { type: "string" },
    inStock: { type: ["integer", "null"] },
    seenAt: { type: "string", format: "date-time" },
    since: { type: "string", format: "date" },
    variants: {
      type: "array",
      items: { type: "object", properties: { sizeCm: { type: "number" }, madeOn: { type: "string", format: "date" } } }
    },
    anything: true
  }
}
const products = JsonSchemaTable.make({ name: "products", schema: product, key: ["sku"] })

const rowOf = Effect.fnUntraced(function* (table: JsonSchemaTable.JsonSchemaTable, json: unknown) {
  const row = (yield* JsonSchemaTable.reader(table))(json)
  if (Result.isSuccess(row)) {
    expect(validateRow(table.table, row.success)).toBeUndefined()
    expect(jsonOf(table.layout)(row.success)).toEqual(json)
    return row.success
  }
  return row.failure
})

describe("a table from a JSON Schema", () => {
  it("has a column for each property, and tells which", () => {
    expect(products.table.description).toBe("one row a product")
    expect(products.table.key).toEqual(["sku"])
    expect(Object.fromEntries(products.columns)).toEqual({
      sku: "sku",
      unitPrice: "unit_price_08jez40",
      unit_price: "unit_price",
      inStock: "in_stock",
      seenAt: "seen_at",
      since: "since",
      variants: "variants",
      anything: "anything"
    })
    expect(products.table.columns.at(-1)).toMatchObject({ name: "_other", type: { _tag: "JSON" }, nullable: true })
  })

  it.effect("makes a row of a value that validates, and the value of the row again", () =>
    Effect.gen(function* () {
      const json = {
        sku: "ä𝄞",
        unitPrice: 12.5,
        inStock: null,
        seenAt: "2026-11-21T03:23:05.250Z",
        since: "2024-02-29",
        variants: [{ sizeCm: 1.5 }, {}, { madeOn: "2026-01-01" }],
        anything: [{ deep: null }]
      }

      expect(yield* rowOf(products, json)).toEqual({
        sku: "ä𝄞",
        unit_price_08jez40: "12.50",
        in_stock: null,
        seen_at: 1_795_231_385_250_000n,
        since: "2024-02-29",
        variants: [{ size_cm: 1.5 }, {}, { made_on: "2026-01-01" }],
        anything: [{ deep: null }]
      })
    })
  )

  it.effect("keeps what the schema does not name, at its place", () =>
    Effect.gen(function* () {
      const json = { sku: "a", unitPrice: 1, colour: "red", variants: [{}, { sizeCm: 1, fit: { slim: true } }] }

      expect(yield* rowOf(products, json)).toMatchObject({
        _other: { colour: "red", variants: { 1: { fit: { slim: true } } } }
      })
      const dropping = JsonSchemaTable.make({ name: "products", schema: product, undeclared: "drop" })
      const row = (yield* JsonSchemaTable.reader(dropping))(json)
      expect(Result.isSuccess(row) && row.success).toEqual({
        sku: "a",
        unit_price_08jez40: "1.00",
        variants: [{}, { size_cm: 1 }]
      })
    })
  )

  it.effect("refuses what does not validate or has no cell, with its place", () =>
    Effect.gen(function* () {
      const read = yield* JsonSchemaTable.reader(products)
      const fault = (json: object) => {
        const row = read({ sku: "a", unitPrice: 1, ...json })
        return Result.isFailure(row) ? row.failure : undefined
      }

      expect(fault({})).toBeUndefined()
      expect(fault({ since: "2023-02-29" })).toEqual({
        path: "/since",
        message: 'must match format "date": "2023-02-29"'
      })
      expect(fault({ since: "0000-01-01" })).toEqual({
        path: "/since",
        message: 'a text is not a valid DATE: "0000-01-01"'
      })
      expect(fault({ seenAt: "yesterday" })?.path).toBe("/seenAt")
      expect(fault({ unitPrice: 1.005 })?.message).toBe("must be multiple of 0.01: 1.005")
      expect(fault({ unitPrice: 1e17 })?.message).toBe('a text is not a valid DECIMAL(18, 2): "100000000000000000.00"')
      expect(fault({ inStock: 2 ** 53 })).toBeUndefined()
      expect(fault({ inStock: 2 ** 63 })).toEqual({
        path: "/inStock",
        message: "a bigint is not a valid BIGINT: 9223372036854775808"
      })
      expect(fault({ variants: [{}, { madeOn: 5 }] })).toEqual({
        path: "/variants/1/madeOn",
        message: "must be string: 5"
      })
      expect(fault({ sku: undefined })?.message).toBe("must have required property 'sku'")
      expect(fault({ sku: "" })?.message).toBe('must NOT have fewer than 1 characters: ""')
    })
  )

  it.effect("keeps whole numbers beyond 2^53 as bigint", () =>
    Effect.gen(function* () {
      expect(yield* rowOf(products, { sku: "a", unitPrice: 0, inStock: 2 ** 60 })).toMatchObject({
        in_stock: 2n ** 60n
      })
    })
  )

  it.effect("of an array has a row for each item", () =>
    Effect.gen(function* () {
      const schema = {
        definitions: { item: { type: "object", properties: { id: { type: "integer" } }, additionalProperties: false } },
        type: "array",
        minItems: 2,
        items: { $ref: "#/definitions/item" }
      }
      const table = JsonSchemaTable.make({ name: "t", schema, draft: "draft-07" })

      expect(table.table.columns.map(({ name }) => name)).toEqual(["id"])
      expect(JsonSchemaTable.rowsIn(table, [{ id: 1 }, { id: 2 }])).toEqual([{ id: 1 }, { id: 2 }])
      expect(yield* rowOf(table, { id: 1 })).toEqual({ id: 1 })
      expect(yield* rowOf(table, { no: 1 })).toEqual({ path: "", message: "must NOT have additional properties: no" })
    })
  )

  it.effect("is one column where rows are no objects with known properties", () =>
    Effect.gen(function* () {
      const map = JsonSchemaTable.make({
        name: "t",
        schema: { type: "object", additionalProperties: { type: "integer" } }
      })
      const text = JsonSchemaTable.make({ name: "t", schema: { type: "array", items: { type: "string" } } })

      expect(map.table.columns).toEqual([{ name: "value", type: { _tag: "JSON" }, nullable: false }])
      expect(yield* rowOf(map, { a: 1 })).toEqual({ value: { a: 1 } })
      expect(text.table.columns).toEqual([{ name: "value", type: { _tag: "VARCHAR" }, nullable: false }])
      expect(yield* rowOf(text, "a")).toEqual({ value: "a" })
    })
  )

  it.effect("does not let a property take the name of a column of the engine, or what objects inherit", () =>
    Effect.gen(function* () {
      const properties = {
        _run_id: { type: "string" },
        constructor: { type: "string" },
        ["__proto__"]: { type: "number" }
      }
      const table = JsonSchemaTable.make({ name: "t", schema: { type: "object", properties } })

      expect([...table.columns.values()]).toEqual(["_run_id_2", "constructor", "_proto"])
      expect(yield* rowOf(table, {})).toEqual({})
      expect(yield* rowOf(table, JSON.parse('{"__proto__": "x"}'))).toEqual({
        path: "/__proto__",
        message: 'a text is not a valid DOUBLE: "x"'
      })
      expect(yield* rowOf(table, JSON.parse('{"__proto__": 1, "constructor": "x"}'))).toEqual({
        _proto: 1,
        constructor: "x"
      })
    })
  )

  it.effect("reads a schema of draft 4 as draft 4 means it", () =>
    Effect.gen(function* () {
      const schema = {
        $schema: "http://json-schema.org/draft-04/schema#",
        id: "http://example.com/root.json",
        type: "object",
        properties: {
          id: { type: "string", enum: ["id"] },
          n: { $ref: "#/definitions/positive" }
        },
        definitions: { positive: { type: "number", minimum: 0, exclusiveMinimum: true } }
      }
      const table = JsonSchemaTable.make({ name: "t", schema, undeclared: "drop" })

      expect(yield* rowOf(table, { id: "id", n: 0.5 })).toEqual({ id: "id", n: 0.5 })
      expect(yield* rowOf(table, { n: 0 })).toEqual({ path: "/n", message: "must be > 0: 0" })
    })
  )

  it.effect("takes the patterns that people write", () =>
    Effect.gen(function* () {
      const properties = { phone: { type: "string", pattern: "^\\d{3}\\-\\d{4}$" } }
      const table = JsonSchemaTable.make({ name: "t", schema: { type: "object", properties } })

      expect(yield* rowOf(table, { phone: "555-1234" })).toEqual({ phone: "555-1234" })
      expect(yield* rowOf(table, { phone: "5551234" })).toMatchObject({ path: "/phone" })
    })
  )

  it.effect("fails where the schema is none, or refers to another", () =>
    Effect.gen(function* () {
      const compiled = (schema: object) =>
        Effect.flip(JsonSchemaTable.reader(JsonSchemaTable.make({ name: "t", schema: { ...schema } })))

      expect((yield* compiled({ type: "text" })).message).toContain("the JSON Schema cannot be used: ")
      expect((yield* compiled({ $ref: "http://127.0.0.1:1/x.json" })).message).toContain("can't resolve reference")
    })
  )
})

describe("an object whose only property is a list of objects", () => {
  const item = { type: "object", properties: { sku: { type: "string" } } }
  const make = (schema: JsonSchemaTable.Options["schema"], unwrap = true) =>
    JsonSchemaTable.make({ name: "products", schema, unwrap })

  it.effect("is that list where it is unwrapped, also behind references", () =>
    Effect.gen(function* () {
      const schema = {
        $ref: "#/$defs/all",
        $defs: { all: { properties: { "a/b": { $ref: "#/$defs/list" } } }, list: { type: "array", items: item }, item }
      }
      const table = make(schema)
      const read = yield* JsonSchemaTable.reader(table)
      const rows = JsonSchemaTable.rowsIn(table, { "a/b": [{ sku: "1" }, { sku: 2 }] })

      expect([table.within, table.table.columns[0]?.name]).toEqual(["a/b", "sku"])
      expect(rows.map((row) => Result.isSuccess(read(row)))).toEqual([true, false])
      expect([{}, { "a/b": null }, null, []].flatMap((answer) => JsonSchemaTable.rowsIn(table, answer))).toEqual([])
    })
  )

  it("is a row where it is not, has more properties, or has a list of something else", () => {
    const list = { type: "array", items: item }
    const others = [
      make({ type: "object", properties: { list } }, false),
      make({ type: "object", properties: { list, more: { type: "string" } } }),
      make({ type: "object", properties: { list: { type: "array", items: { type: "string" } } } }),
      make({ type: "object", properties: { list: item } })
    ]

    expect(others.map(({ at, within }) => [at, within])).toEqual(others.map(() => ["", undefined]))
    expect(make(list).within).toBeUndefined()
    expect(make(list).at).toBe("/items")
  })
})
