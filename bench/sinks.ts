/**
 * How fast the sinks write pages of 4 KB with nested columns, and in how much memory, against DuckDB's own COPY.
 *
 *     node bench/sinks.ts [rows...]        10000 100000 unless told
 *
 * Each figure is one process of its own: CPU seconds are user + system of all its threads, the peak is its own RSS.
 * "copy" is the wall: DuckDB writes a table that it already holds in memory, with the same settings; only the COPY is
 * counted, and no JavaScript takes part. "of copy" is against the copy above. The other figures contain making the rows
 * ("rows" is that alone).
 */
import * as Fs from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { duckdb } from "../connectors/duckdb/index.ts"
import { file } from "../connectors/file/index.ts"
import { parquet } from "../connectors/parquet/index.ts"
import * as Database from "../src/duckdb/Database.ts"
import * as Column from "../src/pipeline/Column.ts"
import * as ObjectStore from "../src/pipeline/ObjectStore.ts"
import type * as Sink from "../src/pipeline/Sink.ts"
import * as Table from "../src/pipeline/Table.ts"
import * as Figures from "./Figures.ts"
import { makeRows, pages } from "./pages.ts"

const batch = 500

const load = (
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

const copy = (level: number) => (directory: string, rows: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const database = yield* Database.open({ threads: 1, memory: "16GB", spill: join(directory, "spill") })
      const feed = yield* database.feed(pages.columns)
      const columns = pages.columns.map(({ name, type }) => `${Column.quote(name)} ${Column.toSql(type)}`)
      yield* database.run(`CREATE TABLE pages (${columns.join(", ")})`)
      const make = makeRows()
      for (let at = 0; at < rows; at += 2000) {
        feed.load(make(at, Math.min(2000, rows - at)))
        yield* database.run(`INSERT INTO pages FROM ${feed.call}`)
      }
      Figures.begin()
      yield* database.run(
        `COPY pages TO '${directory}/copy.parquet' (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL ${level}, ROW_GROUP_SIZE 20480)`
      )
    })
  )

const works: Record<
  string,
  (directory: string, rows: number) => Effect.Effect<void, unknown, ObjectStore.ObjectStores>
> = {
  rows: (_, rows) =>
    Effect.sync(() => {
      const make = makeRows()
      for (let at = 0; at < rows; at += batch) make(at, Math.min(batch, rows - at))
    }),
  copy: copy(1),
  parquet: (directory, rows) => load(parquet.with({ path: "lake" }), directory, rows, "append"),
  "copy zstd 3": copy(3),
  "parquet zstd 3": (directory, rows) => load(parquet.with({ path: "lake", level: 3 }), directory, rows, "append"),
  "duckdb append": (directory, rows) => load(duckdb.with({ path: "pages.duckdb" }), directory, rows, "append"),
  "duckdb merge": (directory, rows) => load(duckdb.with({ path: "pages.duckdb" }), directory, rows, "merge")
}

const stores = Layer.succeed(ObjectStore.ObjectStores, {
  open: (location: string, directory: string) => file.open(resolve(directory, location))
})

/** One work in this process; its figures as a line of JSON. */
const measure = async (name: string, rows: number) => {
  const work = works[name]
  if (work === undefined) throw new Error(`no work is called ${name}; there are ${Object.keys(works).join(", ")}`)
  const directory = await Fs.mkdtemp(join(tmpdir(), "millrace-bench-"))
  try {
    await Effect.runPromise(Effect.provide(work(directory, rows), stores))
    Figures.tell()
  } finally {
    await Fs.rm(directory, { recursive: true, force: true })
  }
}

const compare = (counts: ReadonlyArray<number>) => {
  console.log("work            rows      CPU s   rows/CPU s   wall s   peak MB   of copy")
  for (const rows of counts) {
    let wall: number | undefined
    for (const name of Object.keys(works)) {
      // The table of a million pages does not fit into memory beside everything else.
      const isCopy = name.startsWith("copy")
      if (isCopy && rows > 300_000) continue
      const { cpu, wall: seconds, peak } = Figures.of(fileURLToPath(import.meta.url), "--measure", name, String(rows))
      if (isCopy) wall = cpu
      const cells = [
        name.padEnd(14),
        String(rows).padStart(8),
        cpu.toFixed(2).padStart(8),
        Math.round(rows / cpu)
          .toString()
          .padStart(12),
        seconds.toFixed(1).padStart(8),
        Math.round(peak).toString().padStart(9),
        (wall === undefined || name.startsWith("duckdb") ? "" : (wall / cpu).toFixed(2)).padStart(9)
      ]
      console.log(cells.join(" "))
    }
  }
}

const [first, name = "", rows] = process.argv.slice(2)
if (first === "--measure") await measure(name, Number(rows))
else compare(process.argv.length > 2 ? process.argv.slice(2).map(Number) : [10_000, 100_000])
