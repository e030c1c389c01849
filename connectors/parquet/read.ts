/** The rows of a table in the newest manifest. Its files are fetched first. */
import { tmpdir } from "node:os"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Database from "#engine/Duckdb"
import * as Cell from "#engine/DuckdbCell"
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
  return yield* Effect.scoped(read(store, state, table)).pipe(
    Effect.mapError(failure(`cannot read table ${table.name} of ${store.location}`))
  )
})

const read = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  state: Manifest.TableState,
  table: Table.Table
) {
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
  const select = projection(columnsOf(state.columns), table.columns).join(", ")
  const files = readFiles(state, locals)
  const cells = table.columns.map(Cell.selected).join(", ")
  return yield* database.query(`SELECT ${cells} FROM (SELECT ${select} FROM ${files})`, table.columns)
})
