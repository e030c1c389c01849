/** Pages of 4 KB into a sink, as a run loads them: batch after batch, then one commit. What benches of rows have in common. */
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { file } from "../connectors/file/index.ts"
import * as ObjectStore from "../src/pipeline/ObjectStore.ts"
import type * as Sink from "../src/pipeline/Sink.ts"
import * as Table from "../src/pipeline/Table.ts"
import { makeRows, pages } from "./pages.ts"

const batch = 500

export const loadRows = (
  destination: Sink.Destination<ObjectStore.ObjectStores>,
  directory: string,
  rows: number,
  write: Sink.WriteDisposition
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const make = makeRows()
      const writer = yield* destination.open({
        pipeline: "bench",
        runId: "run",
        directory,
        evolve: true,
        tables: [{ table: pages, write }]
      })
      for (let at = 0; at < rows; at += batch) {
        yield* writer.write(Table.batch(pages, make(at, Math.min(batch, rows - at))))
      }
      yield* writer.commit({
        checkpoint: { runId: "run", state: rows },
        run: { runId: "run", pipeline: "bench", startedAt: 0n, committedAt: 1n, facts: {}, rows: { pages: rows } },
        checks: [],
        complete: true
      })
    })
  )

/** Folders of this machine. */
export const stores = Layer.succeed(ObjectStore.ObjectStores, {
  open: (location: string, directory: string) => file.open(resolve(directory, location))
})
