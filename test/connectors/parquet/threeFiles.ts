/** A run that writes three files, a partition each, and commits: what meets faults on its way to a store. */
import * as Effect from "effect/Effect"
import { parquet } from "#connectors/parquet/index"
import * as Table from "#engine/Table"
import { pages } from "#testing/specimens"

const rows = (run: string) => ["a", "b", "c"].map((url) => ({ url: `${run}/${url}`, title: run, version: 1 }))

/** The URLs of these runs, in order. */
export const urls = (...runs: ReadonlyArray<string>) => runs.flatMap((run) => rows(run).map((row) => row.url))

/** Loads into a folder or a bucket, working in a folder of this machine. */
export const load = (path: string, run: string, directory: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const writer = yield* parquet
        .with({ path, partition: ["url"] })
        .open({ pipeline: "p", runId: run, directory, evolve: true, tables: [{ table: pages, write: "append" }] })
      yield* writer.write(Table.batch(pages, rows(run)))
      return yield* writer.commit({
        checkpoint: { runId: run, state: run },
        run: { runId: run, pipeline: "p", startedAt: 0n, committedAt: 1n, facts: {}, rows: {} },
        checks: [],
        complete: true
      })
    })
  )
