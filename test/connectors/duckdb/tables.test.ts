import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { duckdb } from "#connectors/duckdb/index"
import * as Column from "#engine/Column"
import * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { askSql } from "./askSql.ts"
import { readTable } from "./readTable.ts"
import { runSql } from "./runSql.ts"

const people = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Table.make({
    name: "people",
    description: "people",
    schema: Schema.Struct({ name: Schema.String, ...fields }),
    key: ["name"]
  })

const destination = duckdb.with({ path: "w.duckdb" })

/** Loads rows, and tells the columns that were there before. */
const load = (
  directory: string,
  table: Table.Table,
  rows: ReadonlyArray<Table.Row>,
  how: { readonly write?: Sink.WriteDisposition; readonly evolve?: boolean } = {}
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { write = "merge", evolve = true } = how
      const fingerprint = ["age"]
      const writer = yield* destination.open({
        pipeline: "p",
        runId: "r",
        directory,
        evolve,
        tables: [{ table, write, fingerprint }]
      })
      if (rows.length > 0) yield* writer.write(Table.batch(table, rows))
      yield* writer.commit({
        checkpoint: { runId: "r", state: 1 },
        run: { runId: "r", pipeline: "p", startedAt: 60_000_000n, committedAt: 1n, facts: {}, rows: {} },
        checks: [],
        complete: true
      })
      return Option.getOrElse(writer.columns(table.name), () => []).map(
        ({ name, type }) => `${name} ${Column.toSql(type)}`
      )
    })
  )

const file = (directory: string) => join(directory, "w.duckdb")

describe("the comments of a table", () => {
  it.effect("say what its columns hold, and leave what people have said", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const table = (description: string) =>
        people({ age: Column.described(Schema.NullOr(Schema.Int), description), born: Schema.NullOr(Column.Day) })
      const said = Effect.suspend(() =>
        askSql(
          file(directory),
          "SELECT comment FROM duckdb_columns() WHERE database_name = 'warehouse' AND table_name = 'people' ORDER BY column_index"
        )
      )
      yield* load(directory, people({ age: Schema.NullOr(Schema.Int) }), [{ name: "a", age: 1 }])
      expect(yield* said).toEqual(["null", "null"])
      yield* load(directory, table("in years"), [{ name: "b", age: 1 }])
      expect(yield* said).toEqual(["null", "in years", "null"])
      yield* load(directory, table("in days"), [{ name: "a", age: 2 }])
      expect(yield* said).toEqual(["null", "in years", "null"])
      yield* load(directory, table("it's in days"), [{ name: "a", age: 2 }], { write: "replace" })
      expect(yield* said).toEqual(["null", "it's in days", "null"])
      yield* load(directory, table("in years"), [{ name: "c", age: 2 }], { write: "scd2" })
      expect(yield* said).toEqual([
        "null",
        "it's in days",
        "null",
        "when this version of the row began",
        "when this version of the row ended; null for the current version",
        "true for the current version of its key"
      ])
    })
  )
})

describe("a table that another program made", () => {
  it.effect(
    "has columns of types that no column has: they are left out, left alone, and refused where a run needs one",
    () =>
      Effect.gen(function* () {
        const directory = yield* folder
        yield* runSql(file(directory), [
          "CREATE TABLE people (name VARCHAR, id UUID, tags MAP(VARCHAR, BIGINT))",
          "INSERT INTO people VALUES ('Ada', '00000000-0000-0000-0000-000000000001', MAP {'a': 1})"
        ])

        const before = yield* load(directory, people({}), [{ name: "Bob" }])
        const error = yield* Effect.flip(load(directory, people({ ID: Schema.String }), [{ name: "Bob", ID: "x" }]))

        expect(before).toEqual(["name VARCHAR"])
        expect(error.message).toBe(
          "column ID of table people is UUID in the database, which cannot hold the VARCHAR of this run; " +
            "rename one, or alter the column"
        )
        expect(yield* destination.rows(directory, people({ id: Schema.String, tags: Schema.Unknown }))).toEqual([
          { name: "Ada", id: "00000000-0000-0000-0000-000000000001", tags: "{a=1}" },
          { name: "Bob", id: null, tags: null }
        ])
      })
  )

  it.effect("is the same table whatever the case of its names, and its narrow numbers become ours", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* runSql(file(directory), [
        `CREATE TABLE "People" ("Name" VARCHAR, age INTEGER, size FLOAT, place STRUCT(x SMALLINT, "in" VARCHAR))`,
        "CREATE SCHEMA other",
        "CREATE TABLE other.people (name BIGINT)",
        "INSERT INTO people VALUES ('Ada', 36, 1.5, {'x': 1, 'in': 'London'}), ('Bob', 1, NULL, NULL)"
      ])
      const table = people({
        age: Schema.NullOr(Schema.BigInt),
        size: Schema.NullOr(Schema.Finite),
        place: Schema.NullOr(Schema.Struct({ x: Schema.BigInt, in: Schema.NullOr(Schema.String) }))
      })

      const before = yield* load(directory, table, [
        { name: "Bob", age: 2n ** 40n, size: 0.1, place: { x: 2n ** 40n, in: null } }
      ])

      expect(before).toEqual(["Name VARCHAR", "age BIGINT", "size DOUBLE", 'place STRUCT("x" BIGINT, "in" VARCHAR)'])
      expect(yield* readTable(file(directory), table)).toEqual([
        { name: "Ada", age: 36n, size: 1.5, place: { x: 1n, in: "London" } },
        { name: "Bob", age: 2n ** 40n, size: 0.1, place: { x: 2n ** 40n, in: null } }
      ])
    })
  )

  it.effect("that is a view is left alone", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* runSql(file(directory), ["CREATE TABLE facts (name VARCHAR)", "CREATE VIEW people AS FROM facts"])

      const error = yield* Effect.flip(load(directory, people({}), [{ name: "Ada" }], { write: "replace" }))

      expect(error.message).toMatch(/^table people: .*View/)
    })
  )

  it.effect("that lacks the key is not merged into without it", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* runSql(file(directory), ["CREATE TABLE people (age BIGINT)"])

      const error = yield* Effect.flip(load(directory, people({ age: Schema.BigInt }), [], { evolve: false }))

      expect(error.message).toBe(
        "table people of the database has no column name, which identifies its rows; add it, or use contract: evolve"
      )
    })
  )
})

describe("where the plan does not evolve", () => {
  it.effect("values go into narrower columns as they stand, and what does not fit is refused and nothing is left", () =>
    Effect.gen(function* () {
      const types = ["BIGINT", "DECIMAL(10, 2)", "DATE", "BOOLEAN", "TIMESTAMP", "BIGINT", "VARCHAR", "DOUBLE"] as const
      const directory = yield* folder
      yield* runSql(file(directory), [
        `CREATE TABLE people (name VARCHAR, ${types.map((type, at) => `c${at} ${type}`).join(", ")})`
      ])
      const table = people({
        c0: Schema.Finite,
        c1: Schema.NullOr(Schema.String),
        c2: Schema.NullOr(Column.Timestamp),
        c3: Schema.NullOr(Schema.String),
        c4: Schema.NullOr(Schema.String),
        c5: Schema.NullOr(Schema.Array(Schema.String)),
        c6: Schema.NullOr(Schema.Unknown),
        c7: Schema.NullOr(Schema.Unknown)
      })
      const fits = {
        name: "Ada",
        c0: 7,
        c1: "12.5",
        c2: 86_400_000_000n,
        c3: "true",
        c4: "2026-11-21 12:00:00",
        c5: null,
        c6: "plain",
        c7: 1.5
      }
      yield* load(directory, table, [fits], { evolve: false })

      const misfits = { c0: 7.5, c1: "12.505", c2: 1n, c3: "maybe", c5: ["a"], c7: { a: 1 } }
      for (const [name, cell] of Object.entries(misfits)) {
        const error = yield* Effect.flip(load(directory, table, [{ ...fits, [name]: cell }], { evolve: false }))
        expect(error.message).toMatch(/^table people: /)
      }

      const seen = people(Object.fromEntries(types.map((_, at) => [`c${at}`, Schema.Unknown])))
      expect(yield* destination.rows(directory, seen)).toEqual([
        {
          name: "Ada",
          c0: 7n,
          c1: "12.50",
          c2: "1970-01-02",
          c3: true,
          c4: 1_795_262_400_000_000n,
          c5: null,
          c6: "plain",
          c7: 1.5
        }
      ])
    })
  )
})

describe("a table that was merged", () => {
  const table = people({ age: Schema.NullOr(Schema.BigInt) })

  it.effect("becomes a history: its rows are the current versions, and nobody knows since when", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const rows = ["Ada", "Bob"].map((name) => ({ name, age: 36n }))
      yield* load(directory, table, rows)

      yield* load(directory, table, [{ name: "Bob", age: 37n }], { write: "scd2" })

      const seen = yield* destination.rows(directory, Table.extend(table, Sink.historyColumns))
      expect(seen).toEqual([
        { name: "Ada", age: 36n, valid_from: 0n, valid_to: null, is_current: true },
        { name: "Bob", age: 36n, valid_from: 0n, valid_to: 60_000_000n, is_current: false },
        { name: "Bob", age: 37n, valid_from: 60_000_000n, valid_to: null, is_current: true }
      ])
    })
  )

  it.effect("becomes none where a key has several rows, and a history is written by nothing but scd2 and replace", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* load(directory, table, [{ name: "Ada" }, { name: "Ada" }], { write: "append" })
      const twice = yield* Effect.flip(load(directory, table, [], { write: "scd2" }))
      yield* load(directory, table, [], { write: "replace" })
      yield* load(directory, table, [{ name: "Ada", age: 1n }], { write: "scd2" })
      const merged = yield* Effect.flip(load(directory, table, [{ name: "Ada", age: 2n }]))
      const appended = yield* Effect.flip(load(directory, table, [{ name: "Ada", age: 2n }], { write: "append" }))

      expect(twice.message).toContain("table people of the database has several rows of one key")
      expect(merged.message).toContain("table people of the database is a history")
      expect(appended.message).toBe(merged.message)
      yield* load(directory, table, [{ name: "Eve", age: 3n }], { write: "replace" })
      expect(yield* destination.rows(directory, table)).toEqual([{ name: "Eve", age: 3n }])
    })
  )
})

describe("a table that somebody changed by hand", () => {
  const table = people({ age: Schema.NullOr(Schema.BigInt) })
  const rows = [
    { name: "Ada", age: 36n },
    { name: "Bob", age: 1n }
  ]
  const changed = (sql: string) =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* load(directory, table, rows)
      yield* runSql(file(directory), [sql])
      return directory
    })
  const seen = (directory: string) =>
    Effect.map(destination.rows(directory, table), (rows) => rows.map(({ age, name }) => `${name} ${age}`).toSorted())

  it.effect("gets a column back that was dropped, and a type that was narrowed", () =>
    Effect.gen(function* () {
      for (const sql of [
        "ALTER TABLE people DROP COLUMN age",
        "ALTER TABLE people ALTER COLUMN age SET DATA TYPE TINYINT"
      ]) {
        const directory = yield* changed(sql)
        yield* load(directory, table, [
          { name: "Ada", age: 2n ** 40n },
          { name: "Bob", age: 1n }
        ])
        expect(yield* seen(directory)).toEqual([`Ada ${2n ** 40n}`, "Bob 1"])
      }
    })
  )

  it.effect("is refused where the column is gone that names its rows, and nothing of it changes", () =>
    Effect.gen(function* () {
      for (const sql of ["ALTER TABLE people RENAME COLUMN name TO who", "ALTER TABLE people DROP COLUMN name"]) {
        for (const write of ["merge", "scd2"] as const) {
          const directory = yield* changed(sql)
          const error = yield* Effect.flip(load(directory, table, rows, { write }))
          expect(error.message).toBe(
            "table people of the database has no column name, which identifies its rows: those that it has would stay " +
              "beside their new versions; give the column its name back, or add and fill it, or write another table"
          )
          expect(yield* seen(directory)).toEqual(["null 1", "null 36"])
        }
      }
    })
  )

  it.effect("takes null again where NOT NULL was set, or says which column where it may not be altered", () =>
    Effect.gen(function* () {
      const directory = yield* changed("ALTER TABLE people ALTER COLUMN age SET NOT NULL")
      const some = [
        { name: "Ada", age: null },
        { name: "Eve", age: 2n }
      ]

      const error = yield* Effect.flip(load(directory, table, some, { evolve: false }))
      expect(error.message).toBe(
        "table people: a row has no age, which is NOT NULL in the database; fill it, or alter the column"
      )
      expect(yield* seen(directory)).toEqual(["Ada 36", "Bob 1"])

      yield* load(directory, table, some)
      expect(yield* seen(directory)).toEqual(["Ada null", "Bob 1", "Eve 2"])
    })
  )
})

it.effect(
  "a column that hides DuckDB's numbers of rows is refused, in the run and in the database, but for append",
  () =>
    Effect.gen(function* () {
      const numbered = people({ age: Schema.NullOr(Schema.Int), RowId: Schema.NullOr(Schema.Int) })
      const rows = ["Ada", "Bob"].map((name) => ({ name, age: 1n, RowId: 7n }))
      for (const write of ["merge", "scd2", "replace"] as const) {
        const directory = yield* folder
        const said = `table people has a column RowId, by which DuckDB numbers its rows for ${write}; rename it, or append`
        expect((yield* Effect.flip(load(directory, numbered, rows, { write }))).message).toBe(said)

        yield* load(directory, numbered, rows, { write: "append" })
        if (write === "replace") continue
        const without = people({ age: Schema.NullOr(Schema.Int) })
        const error = yield* Effect.flip(load(directory, without, [{ name: "Ada", age: 2n }], { write }))
        expect(error.message).toBe(said)
        expect(yield* askSql(file(directory), "SELECT count(*) FROM people")).toEqual(["2"])
      }
    })
)
