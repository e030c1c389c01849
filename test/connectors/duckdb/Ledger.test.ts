import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { duckdb } from "../../../connectors/duckdb/index.ts"
import * as Column from "../../../src/pipeline/Column.ts"
import * as Table from "../../../src/pipeline/Table.ts"
import { folder } from "../../../src/testing/folder.ts"
import { links, pages } from "../../../src/testing/specimens.ts"
import { readTable } from "./readTable.ts"

const runs = Table.make({
  name: "_millrace_runs",
  description: "runs",
  schema: Schema.Struct({
    run_id: Schema.String,
    pipeline: Schema.String,
    started_at: Column.Timestamp,
    committed_at: Column.Timestamp,
    facts: Schema.Unknown,
    rows: Schema.Unknown
  })
})
const loads = Table.make({
  name: "_millrace_loads",
  description: "loads",
  schema: Schema.Struct({ run_id: Schema.String, table_name: Schema.String, rows: Schema.Int, write: Schema.String })
})

it.effect("a run is one row however often it commits, and each commit is a load of each table", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* Effect.scoped(
      Effect.gen(function* () {
        const writer = yield* duckdb.with({ path: "w.duckdb" }).open({
          pipeline: "docs",
          runId: "run-1",
          directory,
          evolve: true,
          tables: [
            { table: pages, write: "merge" },
            { table: links, write: "merge" }
          ]
        })
        for (const commit of [1, 2]) {
          const rows = [1, 1, 2].map((version) => ({ url: `/${version}`, title: null, version }))
          yield* writer.write(Table.batch(pages, rows))
          yield* writer.commit({
            checkpoint: { runId: "run-1", state: { commit } },
            run: {
              runId: "run-1",
              pipeline: "docs",
              startedAt: 1_000_000n,
              committedAt: BigInt(commit) * 2_000_001n,
              facts: { discovered: commit * 10 },
              rows: { pages: commit * 3 }
            },
            checks: [],
            complete: true
          })
        }
      })
    )

    const file = join(directory, "w.duckdb")
    expect(yield* readTable(file, runs)).toEqual([
      {
        run_id: "run-1",
        pipeline: "docs",
        started_at: 1_000_000n,
        committed_at: 4_000_002n,
        facts: { discovered: 20 },
        rows: { pages: 6 }
      }
    ])
    const load = (table_name: string, rows: bigint) => ({ run_id: "run-1", table_name, rows, write: "merge" })
    expect(yield* readTable(file, loads)).toEqual([
      load("pages", 2n),
      load("links", 0n),
      load("pages", 2n),
      load("links", 0n)
    ])
  })
)
