import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { duckdb } from "#connectors/duckdb/index"
import { folder } from "#testing/folder"
import { pages } from "#testing/specimens"
import { askSql } from "../askSql.ts"
import { visit, withRun } from "../visit.ts"

const table = withRun(pages)
const row = (version: number) => ({ url: "/a", title: null, version })

it.effect("pipelines with schemas of their own have tables of one name, and states, side by side in one file", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const load = (pipeline: string, schema: string | undefined, version: number) =>
      visit({
        directory,
        run: `run-${version}`,
        pipeline,
        write: "replace",
        rows: [[table, [row(version)]]],
        options: { publish: "readers.duckdb", ...(schema === undefined ? {} : { schema }) }
      })
    yield* load("first", undefined, 1)
    yield* load("second", "my-shop", 2)
    yield* load("third", "Other", 3)
    yield* load("first", undefined, 4)

    for (const file of ["w.duckdb", "readers.duckdb"]) {
      const ask = (sql: string) => askSql(join(directory, file), sql)
      expect(yield* ask("SELECT version FROM main.pages")).toEqual(["4"])
      expect(yield* ask('SELECT version FROM "my-shop".pages')).toEqual(["2"])
      expect(yield* ask("SELECT version FROM other.pages")).toEqual(["3"])
      expect(yield* ask('SELECT pipeline, run_id FROM "my-shop"._millrace_state')).toEqual(["second run-2"])
      expect(yield* ask("SELECT table_name, pipeline, first_run_id FROM other._millrace_tables")).toEqual([
        "pages third run-3"
      ])
    }
    const destination = duckdb.with({ path: "w.duckdb", schema: "my-shop" })
    expect((yield* destination.runs(directory)).map(({ runId }) => runId)).toEqual(["run-2"])
    expect(yield* destination.rows(directory, pages)).toEqual([{ url: "/a", title: null, version: 2n }])
    expect(yield* destination.owners?.(directory) ?? Effect.die("it tells no owners")).toEqual(
      new Map([["pages", "second"]])
    )
  })
)

it.effect(
  "a schema that nobody could name without quotes, or that is DuckDB's own, is refused before a file is made",
  () =>
    Effect.gen(function* () {
      const directory = yield* folder
      for (const schema of ["", "a b", 'a"b', "a.b", "1a", "information_schema", "PG_CATALOG", "x".repeat(64)]) {
        const options = { path: "w.duckdb", schema }
        const decoded = yield* Effect.flip(duckdb.decode(options))
        const opened = yield* Effect.flip(
          visit({ directory, run: "run-1", write: "append", rows: [[table, []]], options: { schema } })
        )
        expect(decoded.message).toContain("the name of a schema: letters, digits, _, $ and -")
        expect(opened.message).toContain(`schema ${JSON.stringify(schema)} is not the name of a schema`)
      }
      expect(yield* duckdb.with({ path: "w.duckdb" }).runs(directory)).toEqual([])
    })
)
