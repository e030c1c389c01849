/**
 * What a merge costs: changed pages of 4 KB into a DuckDB table of many, against a hand-written MERGE INTO.
 *
 *     node bench/merge.ts [rows] [changed] [times]        1000000 100000 3 unless told
 *
 * Each figure is one process of its own, on a copy of one and the same database. What is measured begins when all changed
 * rows but the last group are in a temporary table, and ends when the file is closed: for ours that is the commit with
 * its ledger, for the hand-written one `MERGE INTO pages USING staged ON url` and COMMIT. "by hand" is DuckDB as it comes,
 * with all threads and most of the memory, as it needs: with the 128 MB that the sink has it ends for want of memory. "one
 * thread" takes one, as the sink does. "scd2" makes versions of the same rows. CPU seconds are user + system of all
 * threads; each is the least of so many times, taken by turns; "of hand" is against the first.
 */
import * as Fs from "node:fs/promises"
import { availableParallelism, tmpdir, totalmem } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { duckdb } from "../connectors/duckdb/index.ts"
import * as Database from "../src/duckdb/Database.ts"
import * as Column from "../src/pipeline/Column.ts"
import type * as Sink from "../src/pipeline/Sink.ts"
import * as Table from "../src/pipeline/Table.ts"
import * as Figures from "./Figures.ts"
import { makeRows, pages } from "./pages.ts"

const batch = 2000
/** Every eleventh page changes: of as many changes as a tenth of the rows, one in eleven is of a new page. */
const step = 11
const columns = pages.columns.map(({ name, type }) => `${Column.quote(name)} ${Column.toSql(type)}`).join(", ")

/** What DuckDB takes unless told. */
const memory = `${Math.round(totalmem() * 0.8e-6)}MB`

const attached = Effect.fnUntraced(function* (file: string, threads: number) {
  const database = yield* Database.open({ threads, memory, spill: `${file}.spill` })
  yield* database.run(`ATTACH '${file}' AS target (ROW_GROUP_SIZE 20480)`)
  return database
})

/** Rows of the table or changes of it, by a statement for each batch. */
const insert = Effect.fnUntraced(function* (database: Database.Database, into: string, count: number, step: number) {
  const feed = yield* database.feed(pages.columns)
  const make = makeRows()
  for (let at = 0; at < count; at += batch) {
    feed.load(make(at * step, Math.min(batch, count - at), step))
    yield* database.run(`INSERT INTO ${into} FROM ${feed.call}`)
  }
})

/** A table as the sink leaves it. */
const build = Effect.fnUntraced(function* (file: string, rows: number) {
  const database = yield* attached(file, availableParallelism())
  yield* database.run("BEGIN")
  yield* database.run(`CREATE TABLE target.pages (${columns})`)
  yield* insert(database, "target.pages", rows, 1)
  yield* database.run("COMMIT")
  yield* database.run("CHECKPOINT target")
})

const byHand = (threads: number) =>
  Effect.fnUntraced(function* (file: string, changed: number) {
    const database = yield* attached(file, threads)
    yield* database.run("BEGIN")
    yield* database.run(`CREATE TEMP TABLE staged (${columns})`)
    yield* insert(database, "staged", changed, step)
    Figures.begin()
    const set = pages.columns.map(({ name }) => `${Column.quote(name)} = s.${Column.quote(name)}`).join(", ")
    const values = pages.columns.map(({ name }) => `s.${Column.quote(name)}`).join(", ")
    yield* database.run(
      `MERGE INTO target.pages AS t USING staged AS s ON t.url = s.url
        WHEN MATCHED THEN UPDATE SET ${set} WHEN NOT MATCHED THEN INSERT VALUES (${values})`
    )
    yield* database.run("COMMIT")
    yield* database.run("CHECKPOINT target")
    yield* database.run("DETACH target")
  })

const ours = (write: Sink.WriteDisposition) =>
  Effect.fnUntraced(function* (file: string, changed: number) {
    const writer = yield* duckdb.with({ path: file }).open({
      pipeline: "bench",
      runId: "run",
      directory: ".",
      evolve: true,
      tables: [{ table: pages, write, fingerprint: ["title", "markdown", "metadata", "links"] }]
    })
    const make = makeRows()
    for (let at = 0; at < changed; at += batch) {
      yield* writer.write(Table.batch(pages, make(at * step, Math.min(batch, changed - at), step)))
    }
    Figures.begin()
    yield* writer.commit({
      checkpoint: { runId: "run", state: 1 },
      run: { runId: "run", pipeline: "bench", startedAt: 1n, committedAt: 2n, facts: {}, rows: {} },
      checks: [],
      complete: true
    })
  })

type Work = (file: string, count: number) => Effect.Effect<void, unknown, Scope.Scope>

const works: Readonly<Record<string, Work>> = {
  build,
  "by hand": byHand(availableParallelism()),
  "one thread": byHand(1),
  merge: ours("merge"),
  scd2: ours("scd2")
}

/** One work in this process; its figures as a line of JSON. */
const measure = async (name: string, file: string, count: number) => {
  const work = works[name]
  if (work === undefined) throw new Error(`no work is called ${name}; there are ${Object.keys(works).join(", ")}`)
  await Effect.runPromise(Effect.scoped(work(file, count)))
  Figures.tell()
}

const inProcess = (name: string, file: string, count: number): Figures.Figures =>
  Figures.of(fileURLToPath(import.meta.url), "--measure", name, file, String(count))

const compare = async (rows: number, changed: number, times: number) => {
  const directory = await Fs.mkdtemp(join(tmpdir(), "millrace-bench-"))
  const [base, copy] = [join(directory, "base.duckdb"), join(directory, "pages.duckdb")]
  try {
    inProcess("build", base, rows)
    const bytes = (await Fs.stat(base)).size
    const measured = new Map<string, Figures.Figures>()
    for (let time = 0; time < times; time++) {
      for (const name of Object.keys(works).filter((name) => name !== "build")) {
        await Fs.copyFile(base, copy)
        const figures = inProcess(name, copy, changed)
        const least = measured.get(name) ?? figures
        measured.set(name, {
          cpu: Math.min(least.cpu, figures.cpu),
          wall: Math.min(least.wall, figures.wall),
          peak: Math.max(least.peak, figures.peak)
        })
      }
    }
    console.log(`${changed} changed pages into ${rows} (${Math.round(bytes / 1e6)} MB)`)
    console.log("work             CPU s   wall s   peak MB   of hand: CPU   wall")
    const [hand] = measured.values()
    for (const [name, { cpu, wall, peak }] of measured) {
      const cells = [
        name.padEnd(12),
        cpu.toFixed(2).padStart(9),
        wall.toFixed(1).padStart(8),
        Math.round(peak).toString().padStart(9),
        (cpu / (hand?.cpu ?? cpu)).toFixed(2).padStart(14),
        (wall / (hand?.wall ?? wall)).toFixed(2).padStart(6)
      ]
      console.log(cells.join(" "))
    }
  } finally {
    await Fs.rm(directory, { recursive: true, force: true })
  }
}

const [first, name = "", file = "", count] = process.argv.slice(2)
if (first === "--measure") await measure(name, file, Number(count))
else await compare(Number(first ?? 1_000_000), Number(process.argv[3] ?? 100_000), Number(process.argv[4] ?? 3))
