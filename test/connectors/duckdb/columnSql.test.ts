import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { duckdb } from "#connectors/duckdb/index"
import * as Column from "#engine/Column"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { askSql } from "./askSql.ts"
import { runSql } from "./runSql.ts"
import { visit, withRun } from "./visit.ts"

const events = withRun(
  Table.make({
    name: "events",
    description: "what happened, and when: it's all here",
    schema: Schema.Struct({
      id: Schema.String,
      at: Column.Timestamp,
      seen: Schema.NullOr(Schema.Array(Column.Timestamp))
    }),
    key: ["id"]
  })
)
const noon = 1_795_262_400_000_000n
const row = { id: "a", at: noon, seen: [noon, 0n] }
const file = (directory: string) => join(directory, "w.duckdb")

it.effect("a new table has a comment, NOT NULL, and moments that every time zone shows as one instant", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* visit({ directory, run: "run-1", write: "scd2", fingerprint: ["at"], rows: [[events, [row]]] })
    const ask = (sql: string) => askSql(file(directory), sql)

    expect(
      yield* ask("SELECT column_name, data_type, is_nullable FROM duckdb_columns() WHERE table_name = 'events'")
    ).toEqual([
      "id VARCHAR false",
      "at TIMESTAMP WITH TIME ZONE false",
      "seen TIMESTAMP WITH TIME ZONE[] true",
      "_run_id VARCHAR false",
      "valid_from TIMESTAMP WITH TIME ZONE false",
      "valid_to TIMESTAMP WITH TIME ZONE true",
      "is_current BOOLEAN false"
    ])
    expect(yield* ask("SELECT comment FROM duckdb_tables() WHERE table_name = 'events'")).toEqual([events.description])
    expect(yield* ask(`SELECT CAST("at" AS VARCHAR), epoch_us("at"), epoch_us(seen[2]) FROM events`)).toEqual([
      `2026-11-21 07:00:00-05 ${noon} 0`
    ])
    expect(yield* duckdb.with({ path: "w.duckdb" }).rows(directory, events)).toEqual([{ ...row, _run_id: "run-1" }])
  })
)

it.effect("a table from before keeps its moments without zone, and a user's words about it, and still loads", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* runSql(file(directory), [
      `CREATE TABLE events (id VARCHAR, "at" TIMESTAMP, _run_id VARCHAR)`,
      "COMMENT ON TABLE events IS 'mine'",
      `INSERT INTO events VALUES ('a', make_timestamp(${noon}), 'run-0'), ('b', make_timestamp(0), 'run-0')`
    ])
    const load = (run: string, at: bigint) =>
      visit({ directory, run, write: "merge", rows: [[events, [{ id: "a", at, seen: null }]]] })

    expect((yield* load("run-1", noon)).tables?.["events"]).toMatchObject({ written: 0, unchanged: 1 })
    expect((yield* load("run-2", 5n)).tables?.["events"]).toMatchObject({ written: 1, unchanged: 0 })

    const ask = (sql: string) => askSql(file(directory), sql)
    expect(yield* ask("SELECT data_type FROM duckdb_columns() WHERE table_name = 'events'")).toEqual([
      "VARCHAR",
      "TIMESTAMP",
      "VARCHAR",
      "TIMESTAMP WITH TIME ZONE[]"
    ])
    expect(yield* ask("SELECT comment FROM duckdb_tables() WHERE table_name = 'events'")).toEqual(["mine"])
    expect(yield* duckdb.with({ path: "w.duckdb" }).rows(directory, events)).toEqual([
      { id: "b", at: 0n, seen: null, _run_id: "run-0" },
      { id: "a", at: 5n, seen: null, _run_id: "run-2" }
    ])
  })
)

it.effect("a column that a run may leave null, or does not have, is NOT NULL no more", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const table = (fields: Schema.Struct.Fields): Table.Table => ({
      ...events,
      columns: [...Column.fromSchema(Schema.Struct({ id: Schema.String, ...fields })), ...events.columns.slice(-1)]
    })
    const load = (run: string, fields: Schema.Struct.Fields, some: Table.Row) =>
      visit({ directory, run, write: "merge", rows: [[table(fields), [some]]] })
    yield* load("run-1", { a: Schema.String, b: Schema.String }, { id: "1", a: "a", b: "b" })

    yield* load("run-2", { a: Schema.NullOr(Schema.String) }, { id: "2", a: null })

    expect(yield* askSql(file(directory), "SELECT id, a, b FROM events ORDER BY id")).toEqual(["1 a b", "2 null null"])
  })
)
