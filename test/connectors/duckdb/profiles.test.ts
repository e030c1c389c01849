import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { duckdb } from "#connectors/duckdb/index"
import type { ColumnProfile } from "#engine/ColumnProfile"
import { folder } from "#testing/folder"
import { pages } from "#testing/specimens"
import { runSql } from "./runSql.ts"

const profile: ColumnProfile = {
  table: "pages",
  column: "url",
  type: "VARCHAR",
  rows: 3,
  filled: 2,
  distinct: 2,
  distinct_exact: true,
  length: { min: 1, mean: 2, max: 3 },
  min: null,
  max: null,
  mean: null,
  quantiles: null,
  top: [{ value: "it's", count: 2 }]
}

const check = { check: "rows", table: "pages", passed: true, found: "3 rows" }

const commit = (directory: string, runId: string) =>
  Effect.scoped(
    Effect.flatMap(
      duckdb.with({ path: "w.duckdb" }).open({
        pipeline: "docs",
        runId,
        directory,
        evolve: true,
        tables: [{ table: pages, write: "merge" }]
      }),
      (writer) =>
        writer.commit({
          checkpoint: { runId, state: null },
          run: { runId, pipeline: "docs", startedAt: 0n, committedAt: 1n, facts: {}, rows: {} },
          checks: [check],
          profiles: [profile],
          complete: true
        })
    )
  )

it.effect("a file of an older version has checks and no profiles, and gets the table with its next commit", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const { details = () => Effect.succeed([]) } = duckdb.with({ path: "w.duckdb" })
    yield* commit(directory, "run-1")
    yield* runSql(join(directory, "w.duckdb"), ["DROP TABLE _millrace_profiles"])

    expect(yield* details(directory, ["run-1"])).toEqual([{ runId: "run-1", checks: [check], profiles: [] }])
    yield* commit(directory, "run-2")
    expect(yield* details(directory, ["run-2", "run-1"])).toEqual([
      { runId: "run-2", checks: [check], profiles: [profile] },
      { runId: "run-1", checks: [check], profiles: [] }
    ])
  })
)
