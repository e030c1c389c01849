import { execFileSync, spawnSync } from "node:child_process"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import type * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { draw, everything, seed, special } from "#testing/specimens"
import { columnTypes } from "../columnTypes.ts"
import { filesOf, stores } from "./lake.ts"
import { load } from "./load.ts"

/** A Python that has pyarrow. */
const python = process.env["MILLRACE_TEST_PYTHON"] ?? "python3"
const hasPyarrow = spawnSync(python, ["-c", "import pyarrow"]).status === 0
if (!hasPyarrow) console.warn(`SKIPPED: ${python} has no pyarrow, so it does not read our files (MILLRACE_TEST_PYTHON)`)

/** A file of the sink, and one that DuckDB's COPY makes of the same rows. */
const both = Effect.fnUntraced(function* (directory: string, table: Table.Table, rows: ReadonlyArray<Table.Row>) {
  yield* load(directory, "run", { table, rows, write: "append", options: { row_group: 300 } }).pipe(
    Effect.provide(stores)
  )
  const [file] = yield* filesOf(join(directory, "lake"), table.name)
  const [ours, theirs] = [join(directory, "lake", file?.path ?? ""), join(directory, "theirs.parquet")]
  const database = yield* Database.open({ threads: 1, memory: "512MB", spill: join(directory, "spill") })
  const feed = yield* database.feed(table.columns)
  feed.load(rows)
  // JSON is text in our files, as some readers take the type of Parquet for bytes.
  const texts = table.columns.map(({ name, type }) => {
    const text = Column.toSql(type).replaceAll("JSON", "VARCHAR")
    return `CAST(${Column.quote(name)} AS ${text}) AS ${Column.quote(name)}`
  })
  yield* database.run(
    `COPY (SELECT ${texts.join(", ")} FROM ${feed.call}) TO '${theirs}' (FORMAT parquet, COMPRESSION zstd)`
  )
  return { database, ours, theirs }
})

const drawn = [...special, ...draw(seed, 1200)].map((row, id) => ({ ...row, id }))
const tables = [
  { type: "everything", table: everything, rows: drawn },
  ...columnTypes.map(({ type, table, rowsFrom }) => ({ type, table, rows: rowsFrom(seed, 700) }))
]

it.effect.each(tables)(
  `a file of $type says to DuckDB what its own COPY says (MILLRACE_SEED=${seed})`,
  ({ table, rows }) =>
    Effect.gen(function* () {
      const { database, ours, theirs } = yield* both(yield* folder, table, rows)
      const types = (path: string) => database.values(`DESCRIBE FROM read_parquet('${path}')`)
      expect(yield* types(ours)).toEqual(yield* types(theirs))
      const columns = table.columns.map(({ name }) => Column.quote(name)).join(", ")
      const numbered = (path: string) => `SELECT ${columns} FROM read_parquet('${path}')`
      for (const [a, b] of [
        [ours, theirs],
        [theirs, ours]
      ] as const) {
        expect(yield* database.values(`SELECT count(*) FROM (${numbered(a)} EXCEPT ALL ${numbered(b)})`)).toEqual([
          [0n]
        ])
      }
      // Readers that skip what cannot match find the same rows.
      const half = Math.floor(rows.length / 2)
      const found = (path: string) =>
        database.values(`SELECT count(*), min(id), max(id) FROM read_parquet('${path}') WHERE id >= ${half}`)
      expect(yield* found(ours)).toEqual(yield* found(theirs))
    })
)

// It has no days before the year 1 and no moments beyond 9999.
const readable = tables.filter(({ type }) => !/TIMESTAMP|LIST|STRUCT/.test(type))
for (const { type, table, rows } of readable) {
  it.effect.skipIf(!hasPyarrow)(`a file of ${type} says to pyarrow what one of COPY says (MILLRACE_SEED=${seed})`, () =>
    Effect.gen(function* () {
      const { ours, theirs } = yield* both(yield* folder, table, rows)
      const script = join(import.meta.dirname, "readers.py")
      const out = execFileSync(python, [script, ours, theirs], { encoding: "utf8", maxBuffer: 2 ** 30 })
      const [one, other] = out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))

      expect(one.groups.slice(0, 2)).toEqual([300, 300])
      expect(one.schema).toEqual(other.schema)
      expect(one.rows).toEqual(other.rows)
    })
  )
}
