/**
 * The tables of a sink as one DuckDB file that DuckDB-WASM reads without an extension.
 *
 * An extension would come from a server of somebody else. So times are UTC without a zone, and JSON is text, as are whole
 * numbers that no type of a file has.
 */
import { rm } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import { describe } from "#engine/describeDuckdb"
import { tooLarge } from "#engine/duckdbQueries"
import type * as Queries from "#engine/Queries"
import { failed } from "../CliFailure.ts"
import type { TableInfo } from "./ExploreApi.ts"
import type * as Explorer from "./Explorer.ts"

/** The oldest that has small files of texts; the DuckDB of the page is older than ours. */
const storage = "v1.2.0"

/** Writes the file; the answer is the tables as they are in it. */
export const folderTables = Effect.fn("folderTables")(function* (
  { loaded, sink }: Explorer.Explorer,
  tables: ReadonlyArray<TableInfo>,
  /** For files that are gone when this ends. */
  scratch: string,
  file: string
) {
  const parquet = join(scratch, "table.parquet")
  const spill = join(scratch, "spill")
  const database = yield* within(Database.open({ threads: 1, memory: "1GB", spill }))
  yield* within(database.run(`ATTACH ${Database.literal(file)} AS data (STORAGE_VERSION '${storage}')`))
  const written = yield* Effect.forEach(tables, (table) =>
    Effect.gen(function* () {
      // Each question has its own state of the sink; a run that commits meanwhile is in the tables after it.
      yield* Effect.scoped(
        Effect.flatMap(sink.queries(loaded.pipeline.directory, { file: parquet }), (queries) =>
          toParquet(queries, Column.quote(table.name), parquet)
        )
      )
      const from = `read_parquet(${Database.literal(parquet)})`
      const columns = (yield* within(describe(database, from))).map(({ name, sql }) => {
        const description = Column.named(table.columns, name)?.description
        return { name, type: plainType(sql), ...(description === undefined ? {} : { description }) }
      })
      const selected = columns.map(
        ({ name, type }) => `CAST(${Column.quote(name)} AS ${type}) AS ${Column.quote(name)}`
      )
      const own = `data.${Column.quote(table.name)}`
      yield* within(database.run(`CREATE TABLE ${own} AS SELECT ${selected.join(", ")} FROM ${from}`))
      const [rows = 0] = yield* within(Database.numbers(database, `SELECT count(*) FROM ${own}`))
      yield* Effect.promise(() => rm(parquet, { force: true }))
      const info: TableInfo = { ...table, columns, rows }
      return info
    })
  )
  yield* within(database.run("DETACH data"))
  return written
}, Effect.scoped)

/** The rows of a table. Where a file cannot have its whole numbers, those columns are asked for as text. */
const toParquet = (queries: Queries.Queries, name: string, file: string) =>
  Effect.catchIf(
    queries.toParquet(`SELECT * FROM ${name}`),
    ({ message }) => message.includes(tooLarge),
    () =>
      Effect.scoped(
        Effect.flatMap(queries.ask(`SELECT * FROM ${name}`), ({ columns }) => {
          const cells = columns.map(({ name, type }) => {
            const isWhole = type._tag === "DECIMAL" && type.scale === 0
            return isWhole ? `CAST(${Column.quote(name)} AS VARCHAR) AS ${Column.quote(name)}` : Column.quote(name)
          })
          // DuckDB would write a new file beside the unfinished one, which is not allowed here.
          const removed = Effect.promise(() => rm(file, { force: true }))
          return Effect.andThen(removed, queries.toParquet(`SELECT ${cells.join(", ")} FROM ${name}`))
        })
      )
  )

/** A field of a struct may be called JSON: a type has no other word behind it. */
const plainType = (sql: string): string =>
  sql.replace(/"(?:[^"]|"")*"|TIMESTAMP WITH TIME ZONE|\bJSON(?=$|[,)[])/g, (found) =>
    found.startsWith('"') ? found : found === "JSON" ? "VARCHAR" : "TIMESTAMP"
  )

const within = Effect.mapError(({ message }: Database.DatabaseError) =>
  failed(`the tables of the folder cannot be written: ${message}`)
)
