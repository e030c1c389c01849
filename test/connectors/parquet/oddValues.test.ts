/** Values that SQL, JSON or the names of folders take for something else: each is read as what it was. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { parquet } from "#connectors/parquet/index"
import * as Column from "#engine/Column"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { readLake, stores } from "./lake.ts"
import { load } from "./load.ts"

const table = Table.make({
  name: "odd",
  description: "odd values",
  schema: Schema.Struct({ id: Schema.Int, place: Schema.NullOr(Schema.String), any: Schema.Unknown }),
  key: ["id"]
})

/** What `millrace sql` answers. */
const asked = (directory: string, sql: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const queries = yield* parquet.with({ path: "lake" }).queries?.(directory, {}) ?? Effect.die("it answers")
      const { rows } = yield* queries.ask(sql)
      return (yield* Stream.runCollect(rows)).flat()
    })
  )

/** The lines of a version of the Delta log. */
const logOf = (directory: string, version: number) =>
  readFileSync(join(directory, `lake/odd/_delta_log/${String(version).padStart(20, "0")}.json`), "utf8")

const partitionsIn = (directory: string, version: number) =>
  logOf(directory, version)
    .trim()
    .split("\n")
    .flatMap((line) => JSON.parse(line).add?.partitionValues ?? [])

it.effect("half a surrogate pair in JSON is U+FFFD, and the table is read and merged", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const rows = [
      { id: 1, place: "a", any: { "\ud800": "cut \ud83d" } },
      { id: 2, place: "b", any: null }
    ]

    yield* load(directory, "run1", { table, rows })
    yield* load(directory, "run2", { table, rows: [{ id: 2, place: "b", any: ["\udfff"] }] })

    expect(yield* readLake(join(directory, "lake"), table)).toEqual([
      { id: 1n, place: "a", any: { "\ufffd": "cut \ufffd" } },
      { id: 2n, place: "b", any: ["\ufffd"] }
    ])
  }).pipe(Effect.provide(stores))
)

it.effect("a partition by a text that says null is not among the rows without one, in any case of its letters", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const options = { partition: ["place"] }
    const rows = [null, "NULL", "null", "Null", "nullable"].map((place, id) => ({ id, place, any: 1 }))

    yield* load(directory, "run1", { table, options, rows })
    yield* load(directory, "run2", { table, options, rows: [{ id: 2, place: "null", any: 2 }] })

    expect(yield* asked(directory, "SELECT id::INTEGER AS id, place FROM odd ORDER BY id")).toEqual(
      rows.map(({ id, place }) => ({ id, place }))
    )
  }).pipe(Effect.provide(stores))
)

it.effect("a partition by the text that names the folder of nulls is that text", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const rows = ["__HIVE_DEFAULT_PARTITION__", null, "a"].map((place, id) => ({ id, place, any: 1 }))

    yield* load(directory, "run1", { table, options: { partition: ["place"] }, rows })

    expect(yield* asked(directory, "SELECT id::INTEGER AS id, place FROM odd ORDER BY id")).toEqual(
      rows.map(({ id, place }) => ({ id, place }))
    )
  }).pipe(Effect.provide(stores))
)

it.effect("a partition by a text with U+0000 is merged", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const options = { partition: ["place"] }

    yield* load(directory, "run1", { table, options, rows: [{ id: 1, place: "a\0'b", any: 1 }] })
    yield* load(directory, "run2", { table, options, rows: [{ id: 1, place: "a\0'b", any: 2 }] })

    expect(yield* asked(directory, `SELECT place, "any"::VARCHAR AS said FROM odd`)).toEqual([
      { place: "a\0'b", said: "2" }
    ])
  }).pipe(Effect.provide(stores))
)

it.effect("a key that begins with a byte order mark is found in a file that was written anew", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const names = Table.make({
      name: "odd",
      description: "odd keys",
      schema: Schema.Struct({ name: Schema.String, said: Schema.Int }),
      key: ["name"]
    })
    const both = ["a", "\ufeffb"].map((name) => ({ name, said: 1 }))

    yield* load(directory, "run1", { table: names, rows: both })
    yield* load(directory, "run2", { table: names, rows: [{ name: "a", said: 2 }] })
    yield* load(directory, "run3", { table: names, rows: [{ name: "\ufeffb", said: 3 }] })

    expect(yield* asked(directory, "SELECT name, said::INTEGER AS said FROM odd ORDER BY name")).toEqual([
      { name: "a", said: 2 },
      { name: "\ufeffb", said: 3 }
    ])
  }).pipe(Effect.provide(stores))
)

it.effect("half a surrogate pair in a partition is U+FFFD in Delta, whose readers refuse its escape", () =>
  Effect.gen(function* () {
    const directory = yield* folder

    yield* load(directory, "run1", { table, options: { partition: ["place"] }, rows: [{ id: 1, place: "cut \ud83d" }] })

    expect(logOf(directory, 0)).not.toContain("\\ud83d")
    expect(partitionsIn(directory, 0)).toEqual([{ place: "cut \ufffd" }])
  }).pipe(Effect.provide(stores))
)

it.effect("Delta has a decimal of a partition at the scale of its column, also after that became wider", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const of = (scale: number) =>
      Table.make({
        name: "odd",
        description: "",
        schema: Schema.Struct({ id: Schema.Int, p: Column.Decimal(20, scale) })
      })
    const options = { partition: ["p"] }
    const write = "append"

    yield* load(directory, "run1", {
      table: of(2),
      options,
      write,
      rows: [
        { id: 1, p: "1" },
        { id: 2, p: "+0.500" }
      ]
    })
    yield* load(directory, "run2", { table: of(4), options, write, rows: [{ id: 3, p: "-0.0001" }] })

    expect(partitionsIn(directory, 0)).toEqual([{ p: "1.00" }, { p: "0.50" }])
    expect(partitionsIn(directory, 1)).toEqual([{ p: "1.0000" }, { p: "0.5000" }, { p: "-0.0001" }])
  }).pipe(Effect.provide(stores))
)

it.effect("a lake that is partitioned by a column whose name no path can have is read", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const schema = Schema.Struct({ id: Schema.Int, "a/b": Schema.NullOr(Schema.String), "😀": Schema.Int })
    const named = Table.make({ name: "odd", description: "", schema })

    const rows = [
      { id: 1, "a/b": "x", "😀": 1 },
      { id: 2, "a/b": null, "😀": 2 }
    ]
    yield* load(directory, "run1", { table: named, write: "append", options: { partition: ["a/b", "😀"] }, rows })

    expect(
      yield* asked(directory, `SELECT id::INTEGER AS id, "a/b", "😀"::INTEGER AS "😀" FROM odd ORDER BY id`)
    ).toEqual(rows)
  }).pipe(Effect.provide(stores))
)

it.effect("a column with the name by which DuckDB numbers rows is refused where rows are merged, and appended", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const column = { name: "file_row_number", type: { _tag: "BIGINT" }, nullable: true } as const
    const numbered = Table.extend(table, [column])
    const run = (name: string, write: "append" | "merge") =>
      load(directory, name, {
        table: numbered,
        write,
        rows: [{ id: 1, place: "a", any: null, file_row_number: 7n }]
      }).pipe(Effect.provide(stores))

    const error = yield* Effect.flip(run("one", "merge"))
    yield* run("two", "append")

    expect(error.message).toContain("table odd has a column file_row_number, by which DuckDB numbers the rows")
    expect(yield* readLake(join(directory, "lake"), numbered)).toMatchObject([{ id: 1n, file_row_number: 7n }])
  })
)
