/** Pages into a sink of ours, from the first row to the commit: `node sink.ts <sink> <rows> <folder>`. */
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { duckdb } from "../../../connectors/duckdb/index.ts"
import { fileStore } from "../../../connectors/file/index.ts"
import { parquet } from "../../../connectors/parquet/index.ts"
import * as ObjectStore from "../../../src/engine/ObjectStore.ts"
import type * as Sink from "../../../src/engine/Sink.ts"
import * as Table from "../../../src/engine/Table.ts"
import { makeRows, pages } from "./pages.ts"
import { begin, tell } from "./work.ts"

const batch = 500

const load = Effect.fnUntraced(function* (
  destination: Sink.Destination<ObjectStore.ObjectStores>,
  write: Sink.WriteDisposition,
  rows: number,
  directory: string
) {
  const make = makeRows()
  begin()
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

const sinks: Record<string, readonly [Sink.Destination<ObjectStore.ObjectStores>, Sink.WriteDisposition]> = {
  parquet: [parquet.with({ path: "lake" }), "append"],
  "parquet 3": [parquet.with({ path: "lake", level: 3 }), "append"],
  "duckdb append": [duckdb.with({ path: "pages.duckdb" }), "append"],
  "duckdb merge": [duckdb.with({ path: "pages.duckdb" }), "merge"]
}

const stores = Layer.succeed(ObjectStore.ObjectStores, {
  open: (location: string, directory: string) => fileStore.open(resolve(directory, location))
})

const [name = "", count, folder = "."] = process.argv.slice(2)
const sink = sinks[name]
if (sink === undefined) throw new Error(`no sink is called ${name}; there are ${Object.keys(sinks).join(", ")}`)
await Effect.runPromise(load(...sink, Number(count), folder).pipe(Effect.scoped, Effect.provide(stores)))
tell(Number(count))
