/**
 * DuckDB's own COPY of a table that it already holds in memory, with the settings of our sink: `node copy.ts <level> <rows>
 * <folder>`. It is the wall: only the COPY counts, and no JavaScript takes part.
 */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Column from "../../../src/engine/Column.ts"
import * as Database from "../../../src/engine/Duckdb.ts"
import { makeRows, pages } from "./pages.ts"
import { begin, tell } from "./work.ts"

const [level = "1", count = "0", folder = "."] = process.argv.slice(2)
const rows = Number(count)
const batch = 2000

const copy = Effect.gen(function* () {
  const database = yield* Database.open({ threads: 1, memory: "16GB", spill: join(folder, "spill") })
  const feed = yield* database.feed(pages.columns)
  const columns = pages.columns.map(({ name, type }) => `${Column.quote(name)} ${Column.toSql(type)}`)
  yield* database.run(`CREATE TABLE pages (${columns.join(", ")})`)
  const make = makeRows()
  for (let at = 0; at < rows; at += batch) {
    feed.load(make(at, Math.min(batch, rows - at)))
    yield* database.run(`INSERT INTO pages FROM ${feed.call}`)
  }
  begin()
  yield* database.run(
    `COPY pages TO '${folder}/copy.parquet' (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL ${level}, ROW_GROUP_SIZE 20480)`
  )
})

await Effect.runPromise(Effect.scoped(copy))
tell(rows)
