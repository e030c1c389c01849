import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Column from "#engine/Column"
import * as JsonSchemaColumn from "#engine/JsonSchemaColumn"

const columnsOf = (schema: object) =>
  JsonSchemaColumn.of("data", { ...schema }).columns.map(
    ({ name, nullable, type }) => `${name} ${Column.toSql(type)}${nullable ? "" : " NOT NULL"}`
  )

const cellsOf = Effect.fnUntraced(function* (schema: object, json: unknown) {
  const cells = (yield* JsonSchemaColumn.reader(JsonSchemaColumn.of("data", { ...schema })))(json)
  return Result.isSuccess(cells) ? cells.success : cells.failure
})

describe("a column from a JSON Schema", () => {
  it("is of the type of its values, whole: an object is a STRUCT, and a list is a LIST", () => {
    const point = { type: "object", properties: { x: { type: "integer" } }, additionalProperties: false }

    expect(columnsOf(point)).toEqual(['data STRUCT("x" BIGINT)'])
    expect(columnsOf({ type: "array", items: point })).toEqual(['data STRUCT("x" BIGINT)[]'])
    expect(columnsOf({ type: "string", format: "date-time" })).toEqual(["data TIMESTAMP"])
    expect(columnsOf({ type: "object", additionalProperties: { type: "integer" } })).toEqual(["data JSON"])
    expect(columnsOf({})).toEqual(["data JSON"])
  })

  it("has one beside it where there may be properties that the schema does not name, however deep", () => {
    const open = { type: "object", properties: { x: { type: "integer" } } }
    const around = {
      type: "object",
      properties: { points: { type: "array", items: open } },
      additionalProperties: false
    }

    expect(columnsOf(open)).toEqual(['data STRUCT("x" BIGINT)', "data_other JSON"])
    expect(columnsOf(around)).toEqual(['data STRUCT("points" STRUCT("x" BIGINT)[])', "data_other JSON"])
  })

  it("takes a name of the engine for a field: it is inside of a column", () => {
    const schema = {
      type: "object",
      properties: { _run_id: { type: "string" }, value: {} },
      additionalProperties: false
    }

    expect(columnsOf(schema)).toEqual(['data STRUCT("_run_id" VARCHAR, "value" JSON)'])
  })

  it.effect("has cells of what validates, and keeps the rest at its place", () =>
    Effect.gen(function* () {
      const item = { type: "object", properties: { madeOn: { type: "string", format: "date" } } }
      const json = [{ madeOn: "2026-01-31" }, { colour: "red" }, {}]

      expect(yield* cellsOf({ type: "array", items: item }, json)).toEqual({
        data: [{ made_on: "2026-01-31" }, {}, {}],
        data_other: { 1: { colour: "red" } }
      })
      expect(yield* cellsOf(item, {})).toEqual({ data: {} })
    })
  )

  it.effect("refuses what does not validate, or has no cell, with its place", () =>
    Effect.gen(function* () {
      const schema = { type: "array", minItems: 1, items: { type: "integer" } }

      expect(yield* cellsOf(schema, [1, 1.5])).toEqual({ path: "/1", message: "must be integer: 1.5" })
      expect(yield* cellsOf(schema, [])).toEqual({ path: "", message: "must NOT have fewer than 1 items: []" })
      expect(yield* cellsOf(schema, [2 ** 63])).toMatchObject({ path: "/0" })
    })
  )

  it.effect("has a null cell for null, whatever the schema says of it", () =>
    Effect.gen(function* () {
      expect(yield* cellsOf({ type: "integer" }, null)).toEqual({ data: null })
    })
  )

  it.effect("cannot be read where the schema is none", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(JsonSchemaColumn.reader(JsonSchemaColumn.of("data", { type: "text" })))

      expect(error.message).toContain("the JSON Schema cannot be used: ")
    })
  )
})
