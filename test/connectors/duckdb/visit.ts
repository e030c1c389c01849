/** One run of a pipeline into a DuckDB file: rows of tables, what was kept, and a commit. */
import * as Effect from "effect/Effect"
import { duckdb, type Options } from "#connectors/duckdb/index"
import type * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"

export interface Visit {
  readonly directory: string
  readonly run: string
  readonly pipeline?: string
  readonly write: Sink.WriteDisposition
  readonly rows: ReadonlyArray<readonly [Table.Table, ReadonlyArray<Table.Row>]>
  readonly kept?: readonly [table: string, keys: ReadonlyArray<Table.Row>]
  readonly complete?: boolean
  readonly evolve?: boolean
  readonly fingerprint?: ReadonlyArray<string>
  readonly options?: Partial<Options>
}

export const visit = (of: Visit) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { complete = true, directory, evolve = true, fingerprint = [], options = {}, pipeline = "p", run } = of
      const writer = yield* duckdb.with({ path: "w.duckdb", ...options }).open({
        pipeline,
        runId: run,
        directory,
        evolve,
        shared: options.shared ?? false,
        tables: of.rows.map(([table]) => ({ table, write: of.write, ...(of.write === "scd2" ? { fingerprint } : {}) }))
      })
      for (const [table, rows] of of.rows) {
        for (let from = 0; from < rows.length; from += 700) {
          const some = rows.slice(from, from + 700).map((row) => ({ ...row, _run_id: run }))
          yield* writer.write(Table.batch(table, some))
        }
      }
      if (of.kept !== undefined) yield* writer.retainKeys(...of.kept)
      const at = BigInt(run.replace(/\D/g, ""))
      return yield* writer.commit({
        checkpoint: { runId: run, state: run },
        run: { runId: run, pipeline, startedAt: at, committedAt: at, facts: {}, rows: {} },
        checks: [],
        complete
      })
    })
  )

/** The tables of these tests say by which run their rows are. */
export const withRun = (table: Table.Table): Table.Table =>
  Table.extend(table, [{ name: "_run_id", type: { _tag: "VARCHAR" }, nullable: false }])
