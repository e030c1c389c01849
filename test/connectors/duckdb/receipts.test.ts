import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { duckdb } from "#connectors/duckdb/index"
import * as Column from "#engine/Column"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { links, pages } from "#testing/specimens"
import { readTable } from "./readTable.ts"
import { runSql } from "./runSql.ts"

const runs = Table.make({
  name: "_millrace_runs",
  description: "runs",
  schema: Schema.Struct({
    run_id: Schema.String,
    pipeline: Schema.String,
    started_at: Column.Timestamp,
    committed_at: Column.Timestamp,
    facts: Schema.Unknown,
    rows: Schema.Unknown,
    status: Schema.NullOr(Schema.String),
    credits: Schema.NullOr(Schema.BigInt),
    discovered: Schema.NullOr(Schema.BigInt),
    loaded: Schema.NullOr(Schema.BigInt),
    left_over: Schema.NullOr(Schema.BigInt)
  })
})
const checks = Table.make({
  name: "_millrace_checks",
  description: "checks",
  schema: Schema.Struct({
    run_id: Schema.String,
    check_name: Schema.String,
    table_name: Schema.String,
    passed: Schema.Boolean,
    found: Schema.String
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
              facts: { discovered: commit * 10, credits: commit * 12, left: 1, odd: 0.5 },
              rows: { pages: commit * 3 }
            },
            checks: [{ check: "not_null: title", table: "pages", passed: commit === 2, found: `${commit} it's` }],
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
        facts: { discovered: 20, credits: 24, left: 1, odd: 0.5 },
        rows: { pages: 6 },
        status: "done",
        credits: 24n,
        discovered: 20n,
        loaded: null,
        left_over: 1n
      }
    ])
    expect(yield* readTable(file, checks)).toEqual([
      { run_id: "run-1", check_name: "not_null: title", table_name: "pages", passed: true, found: "2 it's" }
    ])
    const load = (table_name: string, rows: bigint) => ({ run_id: "run-1", table_name, rows, write: "merge" })
    expect(yield* readTable(file, loads)).toEqual([
      load("pages", 2n),
      load("links", 0n),
      // The second commit said what the first had.
      load("pages", 0n),
      load("links", 0n)
    ])
  })
)

it.effect(
  "a file of an older version gets the columns that it lacks, and what is known of its runs stands in them",
  () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const file = join(directory, "w.duckdb")
      // As the version before wrote it.
      yield* runSql(file, [
        "CREATE TABLE _millrace_state (pipeline VARCHAR NOT NULL, run_id VARCHAR NOT NULL, state JSON NOT NULL, committed_at TIMESTAMP NOT NULL)",
        `CREATE TABLE _millrace_runs (run_id VARCHAR NOT NULL, pipeline VARCHAR NOT NULL, started_at TIMESTAMP NOT NULL,
        committed_at TIMESTAMP NOT NULL, facts JSON NOT NULL, "rows" JSON NOT NULL)`,
        `CREATE TABLE _millrace_loads (run_id VARCHAR NOT NULL, table_name VARCHAR NOT NULL, "rows" BIGINT NOT NULL,
        "write" VARCHAR NOT NULL, committed_at TIMESTAMP NOT NULL)`,
        "INSERT INTO _millrace_state VALUES ('docs', 'run-0', '{\"at\":1}', make_timestamp(2))",
        `INSERT INTO _millrace_runs VALUES
        ('run-0', 'docs', make_timestamp(1), make_timestamp(2), '{"discovered":3,"credits":2.0,"left":1}', '{"pages":2}')`
      ])
      const before = yield* duckdb.with({ path: "w.duckdb" }).runs(directory)

      const commit = (runId: string) =>
        Effect.scoped(
          Effect.gen(function* () {
            const writer = yield* duckdb
              .with({ path: "w.duckdb" })
              .open({ pipeline: "docs", runId, directory, evolve: true, tables: [{ table: pages, write: "merge" }] })
            yield* writer.commit({
              checkpoint: { runId, state: 2 },
              run: { runId, pipeline: "docs", startedAt: 3n, committedAt: 4n, facts: { loaded: 5 }, rows: {} },
              checks: [],
              complete: true
            })
            return Option.map(writer.resume, (stored) => stored.runId)
          })
        )

      expect(yield* commit("run-1")).toEqual(Option.some("run-0"))
      expect(yield* commit("run-2")).toEqual(Option.some("run-1"))
      const counts = (yield* readTable(file, runs)).map((row) =>
        [row["run_id"], row["status"], row["credits"], row["discovered"], row["loaded"], row["left_over"]].join(" ")
      )
      expect(counts).toEqual(["run-0 done 2 3  1", "run-1 done   5 ", "run-2 done   5 "])
      const after = yield* duckdb.with({ path: "w.duckdb" }).runs(directory)
      expect(after.map(({ runId }) => runId)).toEqual(["run-0", "run-1", "run-2"])
      expect(after[0]).toEqual(before[0])
    })
)
