import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { duckdb } from "#connectors/duckdb/index"
import type * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { readTable } from "./readTable.ts"

const people = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Table.make({ name: "people", description: "people", schema: Schema.Struct(fields) })

const load = (
  directory: string,
  table: Table.Table,
  rows: ReadonlyArray<Table.Row>,
  write: Sink.WriteDisposition = "append"
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const writer = yield* duckdb
        .with({ path: "w.duckdb" })
        .open({ pipeline: "p", runId: "r", directory, evolve: true, tables: [{ table, write }] })
      if (rows.length > 0) yield* writer.write(Table.batch(table, rows))
      return yield* writer.commit({
        checkpoint: { runId: "r", state: 1 },
        run: { runId: "r", pipeline: "p", startedAt: 0n, committedAt: 1n, facts: {}, rows: {} },
        checks: [],
        complete: true
      })
    })
  )

it.effect("names are taken as they are: quotes, words of SQL, and what is no letter", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const odd = Table.make({
      name: `select "x"; drop table y`,
      description: "odd names",
      schema: Schema.Struct({
        order: Schema.Int,
        'a "b" c': Schema.Struct({ "from.where": Schema.String }),
        ü: Schema.Int
      }),
      key: ["order"]
    })
    const row = { order: 1, 'a "b" c': { "from.where": "x" }, ü: 2 }

    yield* load(directory, odd, [row], "merge")
    yield* load(directory, odd, [row], "merge")

    expect(yield* readTable(join(directory, "w.duckdb"), odd)).toEqual([{ ...row, order: 1n, ü: 2n }])
  })
)

it.effect("a cell of another type is refused with its table and column, and nothing is left", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const table = people({ name: Schema.String, age: Schema.Int })

    const error = yield* Effect.flip(
      load(directory, table, [
        { name: "Ada", age: 36 },
        { name: "Bob", age: "old" }
      ])
    )

    expect(error.message).toBe(`table people: column age: a string is not a valid BIGINT: "old"`)
    expect(yield* readTable(join(directory, "w.duckdb"), table)).toEqual([])
  })
)

it.effect("rows beyond one group keep their order over tables that are written by turns", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const [odd, even] = ["odd", "even"].map((name) => ({ ...people({ n: Schema.Int }), name }))
    if (odd === undefined || even === undefined) return expect.fail("two tables were made")
    yield* Effect.scoped(
      Effect.gen(function* () {
        const tables = [odd, even].map((table) => ({ table, write: "append" as const }))
        const writer = yield* duckdb
          .with({ path: "w.duckdb" })
          .open({ pipeline: "p", runId: "r", directory, evolve: true, tables })
        for (let n = 0; n < 12_000; n += 300) {
          const rows = Array.from({ length: 300 }, (_, at) => ({ n: n + at }))
          yield* writer.write(Table.batch((n / 300) % 2 === 0 ? even : odd, rows))
        }
        const { rows } = yield* writer.commit({
          checkpoint: { runId: "r", state: 1 },
          run: { runId: "r", pipeline: "p", startedAt: 0n, committedAt: 1n, facts: {}, rows: {} },
          checks: [],
          complete: true
        })
        expect(rows).toEqual({ odd: 6000, even: 6000 })
      })
    )

    const read = yield* readTable(join(directory, "w.duckdb"), even)
    expect(read.map((row) => Number(row["n"]))).toEqual(
      Array.from({ length: 12_000 }, (_, n) => n).filter((n) => Math.floor(n / 300) % 2 === 0)
    )
  })
)
