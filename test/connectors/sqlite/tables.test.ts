import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { sqlite } from "#connectors/sqlite/index"
import type * as Column from "#engine/Column"
import { columnFromSql } from "#engine/columnFromSql"
import type * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { commitOf } from "#testing/SinkBench"

const tableOf = (columns: Readonly<Record<string, string>>, key: ReadonlyArray<string> = ["id"]): Table.Table => ({
  name: "things",
  description: "things",
  key,
  columns: Object.entries(columns).map(([name, sql]): Column.Column => {
    const type = columnFromSql(sql)
    return type === undefined ? expect.fail(`${sql} is no type`) : { name, type, nullable: name !== "id" }
  })
})

const load = (
  directory: string,
  run: string,
  table: Table.Table,
  rows: ReadonlyArray<Table.Row>,
  write: Sink.WriteDisposition = "merge"
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const sink = sqlite.with({ path: "things.sqlite" })
      const tables = [{ table, write, fingerprint: ["v"] }]
      const writer = yield* sink.open({ pipeline: "p", runId: run, directory, evolve: true, tables })
      yield* writer.write(Table.batch(table, rows))
      return yield* writer.commit(commitOf(run, run))
    })
  )

/** Runs SQL as a user does, beside Millrace. */
const ask = (directory: string, sql: string): ReadonlyArray<ReadonlyArray<unknown>> => {
  const database = new DatabaseSync(join(directory, "things.sqlite"))
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row))
  } finally {
    database.close()
  }
}

const types = {
  id: "BIGINT",
  text: "VARCHAR",
  truth: "BOOLEAN",
  real: "DOUBLE",
  exact: "DECIMAL(38, 2)",
  day: "DATE",
  moment: "TIMESTAMP",
  any: "JSON",
  struct: "STRUCT(a BIGINT)",
  list: "VARCHAR[]"
}
const row = {
  id: 2n ** 63n - 1n,
  text: "Zürich 𝄞 \0 end",
  truth: true,
  real: 0.1,
  exact: "123456789012345678901234567890123456.70",
  day: "0001-01-01",
  moment: 1_795_262_400_000_001n,
  any: { a: [1, null] },
  struct: { a: 2n ** 53n + 1n },
  list: ["a", ""]
}

describe("the tables of a SQLite file", () => {
  it.effect("have declared types whose affinity changes no value, as Python reads them", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* load(directory, "run-1", tableOf(types), [row])

      const declared = ask(directory, "SELECT name, type FROM pragma_table_info('things')")
      expect(Object.fromEntries(declared.map(([name, type]) => [String(name), type]))).toEqual({
        id: "INTEGER",
        text: "TEXT",
        truth: "BOOLEAN",
        real: "REAL",
        exact: "DECIMAL_TEXT(38,2)",
        day: "DATE",
        moment: "TIMESTAMP",
        any: "JSON_TEXT",
        struct: "JSON_TEXT",
        list: "JSON_TEXT"
      })
      const script =
        "import sqlite3,json,sys; print(json.dumps(sqlite3.connect(sys.argv[1]).execute('SELECT * FROM things').fetchall()))"
      const read = execFileSync("python3", ["-c", script, join(directory, "things.sqlite")], {
        encoding: "utf8"
      }).trim()
      expect(read.replaceAll(" ", "")).toBe(
        JSON.stringify([
          [
            "ID",
            row.text,
            1,
            0.1,
            row.exact,
            "0001-01-01",
            "2026-11-21T12:00:00.000001Z",
            '{"a":[1,null]}',
            '{"a":"9007199254740993"}',
            '["a",""]'
          ]
        ])
          .replace('"ID"', "9223372036854775807")
          .replaceAll(/[^\0-\u007f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
          .replaceAll(" ", "")
      )
    })
  )

  it.effect("keep what SQLite has no value for, and refuse JSON that is none", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const table = tableOf({ id: "BIGINT", v: "DOUBLE", any: "JSON" })
      const cells = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
      yield* load(
        directory,
        "run-1",
        table,
        cells.map((v, id) => ({ id, v, any: "text" }))
      )

      const rows = yield* sqlite.with({ path: "things.sqlite" }).rows(directory, table)
      expect(rows.map(({ v }) => v)).toEqual(cells)
      expect(() => ask(directory, "UPDATE things SET \"any\" = 'text'")).toThrow(/CHECK constraint failed/)
    })
  )

  it.effect(
    "keep a column of somebody else, its index, trigger and view, also where a column of a run is widened",
    () =>
      Effect.gen(function* () {
        const directory = yield* folder
        const [narrow, wide] = [
          tableOf({ id: "BIGINT", v: "BIGINT" }),
          tableOf({ id: "BIGINT", v: "VARCHAR", w: "DATE" })
        ]
        yield* load(directory, "run-1", narrow, [
          { id: 1, v: 1 },
          { id: 2, v: 2 }
        ])
        for (const sql of [
          "ALTER TABLE things ADD COLUMN note TEXT DEFAULT ('none')",
          "CREATE UNIQUE INDEX by_note ON things (note, id)",
          "CREATE TRIGGER shout AFTER UPDATE OF note ON things BEGIN SELECT 1; END",
          "CREATE VIEW noted AS SELECT id, note FROM things",
          "CREATE VIEW broken AS SELECT * FROM nowhere",
          "UPDATE things SET note = 'mine' WHERE id = 1"
        ])
          ask(directory, sql)

        yield* load(directory, "run-2", narrow, [
          { id: 1, v: 9 },
          { id: 3, v: 3 }
        ])
        yield* load(directory, "run-3", wide, [{ id: 2, v: "two", w: "2026-11-21" }])

        expect(ask(directory, "SELECT id, v, w, note FROM things ORDER BY id")).toEqual([
          [1, "9", null, "mine"],
          [2, "two", "2026-11-21", "none"],
          [3, "3", null, "none"]
        ])
        expect(ask(directory, "SELECT * FROM noted ORDER BY id")).toEqual([
          [1, "mine"],
          [2, "none"],
          [3, "none"]
        ])
        const others = ask(
          directory,
          "SELECT name FROM sqlite_schema WHERE tbl_name IN ('things', 'noted') ORDER BY name"
        )
        expect(others.flat()).toEqual(["by_note", "noted", "shout", "things", "things_millrace_key"])

        yield* load(directory, "run-4", narrow, [{ id: 7, v: 7 }], "replace")
        expect(ask(directory, "SELECT id, v, note FROM things")).toEqual([[7, 7, "none"]])
      })
  )

  it.effect("have a view of the current rows of a history, which follows its columns", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const [narrow, wide] = [tableOf({ id: "BIGINT", v: "BIGINT" }), tableOf({ id: "BIGINT", v: "DOUBLE", w: "DATE" })]
      yield* load(directory, "run-1", narrow, [{ id: 1, v: 1 }], "scd2")
      yield* load(directory, "run-2", wide, [{ id: 1, v: 1.5, w: "2026-11-21" }], "scd2")

      expect(ask(directory, "SELECT id, v, w FROM things_current")).toEqual([[1, 1.5, "2026-11-21"]])
    })
  )

  it.effect("have null where a row lacks a column that is called as what every object inherits", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* load(directory, "run-1", tableOf({ id: "BIGINT", constructor: "VARCHAR" }), [{ id: 1n }], "append")

      expect(ask(directory, "SELECT id, constructor FROM things")).toEqual([[1, null]])
    })
  )

  it.effect("have up to 1,600 columns, also where a run lacks them", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const names = Array.from({ length: 1600 }, (_, at) => `c${at}`)
      const table = tableOf({
        id: "BIGINT",
        v: "BIGINT",
        ...Object.fromEntries(names.map((name) => [name, "VARCHAR"]))
      })
      const cells = Object.fromEntries(names.map((name) => [name, name]))
      const rows = [1, 2].map((id) => ({ id, v: 1, ...cells }))
      yield* load(directory, "run-1", table, rows)
      const again = yield* load(directory, "run-2", table, [...rows, { id: 3, v: 1, ...cells, c1599: "other" }])
      const lacking = yield* load(directory, "run-3", tableOf({ id: "BIGINT", v: "BIGINT" }), [{ id: 2, v: 1 }])

      expect(again.tables["things"]).toMatchObject({ written: 1, unchanged: 2 })
      expect(lacking.tables["things"]).toMatchObject({ written: 1, unchanged: 0 })
      expect(ask(directory, "SELECT id, c0, c1599 FROM things ORDER BY id")).toEqual([
        [1, "c0", "c1599"],
        [2, null, null],
        [3, "c0", "other"]
      ])
      const history = yield* load(directory, "run-4", table, rows, "scd2")
      expect(history.tables["things"]?.received).toBe(2)
    })
  )

  it.effect("are found by other names of their rows where a column has the name rowid", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const table = tableOf({ id: "BIGINT", rowid: "BIGINT", v: "BIGINT" })
      yield* load(directory, "run-1", table, [
        { id: 1, rowid: 7, v: 1 },
        { id: 2, rowid: 7, v: 1 }
      ])
      yield* load(directory, "run-2", table, [{ id: 2, rowid: 7, v: 2 }])
      expect(ask(directory, "SELECT id, v FROM things")).toEqual([
        [1, 1],
        [2, 2]
      ])

      const all = tableOf({ id: "BIGINT", rowid: "BIGINT", _rowid_: "BIGINT", oid: "BIGINT" })
      const error = yield* Effect.flip(load(directory, "run-3", all, [{ id: 1 }]))
      expect(error.message).toContain("its columns have all names by which the database tells rows apart; rename one")
    })
  )
})
