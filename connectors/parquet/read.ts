/** The rows of a table in the newest manifest. Its files are fetched first. */
import { tmpdir } from "node:os"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import * as Cell from "#engine/DuckdbCell"
import { lossOf } from "#engine/duckdbCast"
import type * as LosslessPlan from "#engine/LosslessPlan"
import type * as ObjectStore from "#engine/ObjectStore"
import type * as Sink from "#engine/Sink"
import type * as Table from "#engine/Table"
import { failure } from "./failure.ts"
import { projection } from "./format/fileSql.ts"
import { placeOf, readFiles } from "./format/filesSql.ts"
import { openLake } from "./lake/openLake.ts"
import { columnsOf } from "./manifest/columnsAfter.ts"
import type * as Manifest from "./manifest/Manifest.ts"
import * as PrivateFolder from "./manifest/PrivateFolder.ts"
import { takeFile } from "./manifest/takeFile.ts"
import type { Options } from "./options.ts"

export const rows = Effect.fn("parquet.rows")(function* (
  options: Options,
  directory: string,
  table: Table.Table
): Effect.fn.Return<ReadonlyArray<Table.Row>, Sink.SinkError, ObjectStore.ObjectStores> {
  const { store, newest } = yield* openLake(options, directory)
  const state = Option.getOrUndefined(newest)?.tables[table.name]
  if (state === undefined || state.files.length === 0) return []
  const select = projection(columnsOf(state.columns), table.columns).join(", ")
  const cells = table.columns.map(Cell.selected).join(", ")
  const reading = Effect.flatMap(openFiles(store, state), ({ database, files }) =>
    database.query(`SELECT ${cells} FROM (SELECT ${select} FROM ${files})`, table.columns)
  )
  return yield* Effect.scoped(reading).pipe(
    Effect.mapError(failure(`cannot read table ${table.name} of ${store.location}`))
  )
})

/** Whether a stored value of a table would change where its column is widened. */
export const changes = (
  store: ObjectStore.ObjectStore,
  state: Manifest.TableState,
  widening: LosslessPlan.Widening
) => {
  const { from, name, to } = widening
  const loss = lossOf(Column.quote(name), from, to)
  if (state.files.length === 0 || loss === undefined) return Effect.succeed(false)
  const select = projection(columnsOf(state.columns), [{ name, type: from, nullable: true }]).join(", ")
  const asking = Effect.flatMap(openFiles(store, state), ({ database, files }) =>
    database.values(`SELECT 1 FROM (SELECT ${select} FROM ${files}) WHERE ${loss} LIMIT 1`)
  )
  return Effect.scoped(asking).pipe(
    Effect.map((found) => found.length > 0),
    Effect.mapError(failure(`cannot read ${store.location}`))
  )
}

/** Fetches the files of a table, and opens a database that reads them. */
const openFiles = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, state: Manifest.TableState) {
  const folder = yield* PrivateFolder.create(tmpdir(), "millrace-rows-")
  const locals = yield* Effect.forEach(
    state.files,
    (file, at) => {
      const local = placeOf(folder, at, file)
      return Effect.flatMap(takeFile(store, file, local), (fault) =>
        fault === undefined ? Effect.succeed(local) : failure(fault)()
      )
    },
    { concurrency: 8 }
  )
  const database = yield* Database.open({ threads: 1, memory: "256MB", spill: Path.join(folder, "spill") })
  return { database, files: readFiles(state, locals) }
})
