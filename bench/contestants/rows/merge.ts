/**
 * Changed pages of 4 KB into a DuckDB table of many: `node merge.ts <work> <rows> <folder> [<base>]`.
 *
 * What counts begins when all changed rows but the last group are in a temporary table, and ends when the file is closed:
 * for ours that is the commit with its ledger, for the hand-written one `MERGE INTO pages USING staged ON url` and COMMIT.
 */
import * as Fs from "node:fs/promises"
import { availableParallelism, totalmem } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { duckdb } from "../../../connectors/duckdb/index.ts"
import * as Column from "../../../src/engine/Column.ts"
import * as Database from "../../../src/engine/Duckdb.ts"
import type * as Sink from "../../../src/engine/Sink.ts"
import * as Table from "../../../src/engine/Table.ts"
import { makeRows, pages } from "./pages.ts"
import { begin, tell } from "./work.ts"

const batch = 2000
/** Every eleventh page changes: of as many changes as a tenth of the rows, one in eleven is of a new page. */
const step = 11
const columns = pages.columns.map(({ name, type }) => `${Column.quote(name)} ${Column.toSql(type)}`).join(", ")

/** The default of DuckDB. */
const memory = `${Math.round(totalmem() * 0.8e-6)}MB`

const attached = Effect.fnUntraced(function* (file: string, threads: number) {
  const database = yield* Database.open({ threads, memory, spill: `${file}.spill` })
  yield* database.run(`ATTACH '${file}' AS target (ROW_GROUP_SIZE 10240)`)
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
    begin()
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
    begin()
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

const [name = "", count = "0", folder = ".", base] = process.argv.slice(2)
const work = works[name]
if (work === undefined) throw new Error(`no work is called ${name}; there are ${Object.keys(works).join(", ")}`)
const file = join(folder, "pages.duckdb")
if (base !== undefined) await Fs.copyFile(base, file)
await Effect.runPromise(Effect.scoped(work(file, Number(count))))
tell(Number(count))
