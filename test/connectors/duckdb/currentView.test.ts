import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { pages } from "#testing/specimens"
import { askSql } from "./askSql.ts"
import { runSql } from "./runSql.ts"
import { visit, withRun } from "./visit.ts"

const table = withRun(pages)
const color = { name: "color", type: { _tag: "VARCHAR" }, nullable: true } as const
const page = (version: number, more: object = {}) => ({ url: "/a", title: null, version, ...more })

it.effect("a history has a view of its current rows, in its schema, with the columns that it gets", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const load = (run: string, of: Table.Table, row: Table.Row) =>
      visit({
        directory,
        run,
        write: "scd2",
        fingerprint: ["version"],
        rows: [[of, [row]]],
        options: { schema: "web" }
      })
    yield* load("run-1", table, page(1))
    yield* load("run-2", Table.extend(table, [color]), page(2, { color: "red" }))

    const ask = (sql: string) => askSql(join(directory, "w.duckdb"), sql)
    expect(yield* ask("SELECT count(*) FROM web.pages")).toEqual(["2"])
    expect(yield* ask("SELECT url, version, color FROM web.pages_current")).toEqual(["/a 2 red"])
    expect(yield* ask("SELECT comment FROM duckdb_views() WHERE NOT internal")).toEqual([
      "the rows of pages that are in force"
    ])
  })
)

it.effect("a table or a view that has the name already stays what it is", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    for (const [at, mine] of [
      "CREATE TABLE pages_current AS SELECT 7 AS n",
      "CREATE VIEW Pages_Current AS SELECT 7 AS n"
    ].entries()) {
      const options = { path: `${at}.duckdb` }
      const file = join(directory, options.path)
      yield* runSql(file, [mine])
      yield* visit({
        directory,
        run: "run-1",
        write: "scd2",
        fingerprint: ["version"],
        rows: [[table, [page(1)]]],
        options
      })

      expect(yield* askSql(file, "SELECT * FROM pages_current")).toEqual(["7"])
      expect(yield* askSql(file, "SELECT version FROM pages")).toEqual(["1"])
    }
  })
)
