import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { duckdb } from "#connectors/duckdb/index"
import * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { pages } from "#testing/specimens"
import { askSql } from "./askSql.ts"
import { runSql } from "./runSql.ts"
import { visit, withRun } from "./visit.ts"

const table = withRun(pages)
const row = { url: "/a", title: null, version: 1 }

/** What a file of the version before owners has: two pipelines, of which the second loaded its tables first. */
const before = [
  "CREATE TABLE _millrace_state (pipeline VARCHAR NOT NULL, run_id VARCHAR NOT NULL, state JSON NOT NULL, committed_at TIMESTAMP NOT NULL)",
  `CREATE TABLE _millrace_runs (run_id VARCHAR NOT NULL, pipeline VARCHAR NOT NULL, started_at TIMESTAMP NOT NULL,
    committed_at TIMESTAMP NOT NULL, facts JSON NOT NULL, "rows" JSON NOT NULL)`,
  `CREATE TABLE _millrace_loads (run_id VARCHAR NOT NULL, table_name VARCHAR NOT NULL, "rows" BIGINT NOT NULL,
    "write" VARCHAR NOT NULL, committed_at TIMESTAMP NOT NULL)`,
  "CREATE TABLE pages (url VARCHAR, title VARCHAR, version BIGINT, _run_id VARCHAR)",
  "CREATE TABLE users_own AS SELECT 1 AS id",
  "INSERT INTO pages VALUES ('/a', NULL, 0, 'run-1')",
  `INSERT INTO _millrace_state VALUES ('docs', 'run-9', '1', make_timestamp(1)), ('shop', 'run-3', '1', make_timestamp(9))`,
  `INSERT INTO _millrace_runs VALUES ('run-3', 'shop', make_timestamp(1), make_timestamp(2), '{}', '{}'),
    ('run-4', 'news@20260101T000000Z..20260102T000000Z', make_timestamp(1), make_timestamp(2), '{}', '{}')`,
  `INSERT INTO _millrace_loads VALUES ('run-2', 'orders', 1, 'merge', make_timestamp(1)),
    ('run-3', 'pages', 1, 'merge', make_timestamp(1)), ('run-9', 'pages', 1, 'merge', make_timestamp(2)),
    ('run-4', 'news', 1, 'append', make_timestamp(3))`
]

it.effect(
  "a table from before there were owners is of the pipeline that loaded it first, else of the first with a state",
  () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const file = join(directory, "w.duckdb")
      yield* runSql(file, before)
      const destination = duckdb.with({ path: "w.duckdb" })
      const owners = destination.owners?.(directory) ?? Effect.die("it tells no owners")
      const expected = new Map([
        ["orders", "docs"],
        ["pages", "shop"],
        ["news", "news"]
      ])

      expect(yield* owners).toEqual(expected)
      const refused = yield* Effect.flip(
        visit({ directory, run: "run-10", pipeline: "docs", write: "replace", rows: [[table, [row]]] })
      )
      expect(refused.message).toBe(
        `table pages of ${file} belongs to the pipeline shop; give this pipeline a schema of its own (schema: NAME) or ` +
          "another table, or set shared: true in all pipelines that write it; if this pipeline was named shop before, set its new " +
          "name in _millrace_tables"
      )
      expect(yield* askSql(file, "SELECT version FROM pages")).toEqual(["0"])

      yield* visit({ directory, run: "run-11", pipeline: "shop", write: "merge", rows: [[table, [row]]] })
      yield* visit({
        directory,
        run: "run-12",
        pipeline: "news",
        write: "append",
        rows: [[{ ...table, name: "news" }, []]]
      })
      expect(yield* owners).toEqual(expected)
      expect(yield* askSql(file, "SELECT version FROM pages")).toEqual(["1"])
      // A user's own table is nobody's, until a pipeline loads it.
      const own = { ...table, name: "users_own" }
      yield* visit({ directory, run: "run-13", pipeline: "docs", write: "append", rows: [[own, []]] })
      expect((yield* owners).get("users_own")).toBe("docs")
    })
)

it.effect("a table that becomes shared gets _pipeline, filled with the name of its owner; then others may come", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const { name } = Sink.pipelineColumn
    const shared: Table.Table = { ...Table.extend(table, [Sink.pipelineColumn]), key: [name, "url"] }
    for (const write of ["merge", "replace", "scd2"] as const) {
      const options = { path: `${write}.duckdb` }
      const alone = { directory, pipeline: "shop", write, fingerprint: ["version"] }
      const rows = ["/a", "/b"].map((url) => ({ ...row, url }))
      yield* visit({ ...alone, run: "run-1", rows: [[table, rows]], options })
      const load = (pipeline: string, run: string, version: number) =>
        visit({
          ...alone,
          pipeline,
          run,
          rows: [[shared, [{ ...row, version, [name]: pipeline }]]],
          complete: false,
          options: { ...options, shared: true }
        })

      const early = yield* Effect.flip(load("docs", "run-2", 2))
      expect(early.message).toMatch(/^table pages of .+ belongs to the pipeline shop, which does not share it yet/)
      yield* load("shop", "run-3", 3)
      yield* load("docs", "run-4", 4)

      const current = write === "scd2" ? " WHERE is_current" : ""
      expect(
        yield* askSql(join(directory, options.path), `SELECT _pipeline, url, version FROM pages${current} ORDER BY ALL`)
      ).toEqual(["docs /a 4", "shop /a 3", "shop /b 1"])
    }
  })
)
