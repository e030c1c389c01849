import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { cast } from "../../src/duckdb/cast.ts"
import * as Database from "../../src/duckdb/Database.ts"
import { columnFromSql } from "../../src/pipeline/columnFromSql.ts"
import { folder } from "../../src/testing/folder.ts"

const typeOf = (sql: string) => columnFromSql(sql) ?? expect.fail(`${sql} is no type`)

/** What a value of one type is as one of another. */
const casted = (value: string, from: string, to: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const spill = join(yield* folder, "spill")
      const database = yield* Database.open({ threads: 1, memory: "128MB", spill })
      const sql = `SELECT ${cast("value", typeOf(from), typeOf(to))} FROM (SELECT CAST(${value} AS ${from}) AS value)`
      const [row] = yield* database.query(sql, [{ name: "value", type: typeOf(to), nullable: true }])
      return row?.["value"]
    })
  )

it.effect("what becomes JSON is written as JSON and never read as such", () =>
  Effect.gen(function* () {
    expect(yield* casted(`'[1]'`, "VARCHAR", "JSON")).toBe("[1]")
    expect(yield* casted("[1, NULL]", "BIGINT[]", "JSON")).toEqual([1, null])
    expect(yield* casted(`{"it's": '{}'}`, `STRUCT("it's" VARCHAR)`, `STRUCT("it's" JSON)`)).toEqual({ "it's": "{}" })
  })
)

it.effect("null stays null at every depth, and fields that are missing are null", () =>
  Effect.gen(function* () {
    const [narrow, wide] = [
      "STRUCT(a STRUCT(x BIGINT)[])[]",
      "STRUCT(a STRUCT(y VARCHAR, x DOUBLE)[], b DATE)[]"
    ] as const
    expect(yield* casted("NULL", narrow, wide)).toBeNull()
    expect(yield* casted(`[NULL, {a: NULL}, {a: [NULL, {x: 1}]}]`, narrow, wide)).toEqual([
      null,
      { a: null, b: null },
      { a: [null, { y: null, x: 1 }], b: null }
    ])
  })
)

it.effect("a text that was JSON is that text where the table has texts", () =>
  Effect.gen(function* () {
    expect(yield* casted(`'"say \\"ü\\""'`, "JSON", "VARCHAR")).toBe(`say "ü"`)
    expect(yield* casted("NULL", "JSON", "VARCHAR")).toBeNull()
  })
)
