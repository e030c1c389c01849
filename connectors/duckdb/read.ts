/** Reads stored rows, as readers see them. */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import type * as Database from "#engine/Duckdb"
import * as Cell from "#engine/DuckdbCell"
import { describe } from "#engine/describeDuckdb"
import type * as Sink from "#engine/Sink"
import type { StoredColumn } from "#engine/StoredTable"
import type * as Table from "#engine/Table"
import { failure } from "./failure.ts"
import * as Catalog from "./file/Catalog.ts"
import { reading } from "./file/ReadersDatabase.ts"
import type { Options } from "./options.ts"
import * as Place from "./Place.ts"

/** The rows of a table, with cells of the types in the file. */
export const rows = (
  options: Options,
  directory: string,
  table: Table.Table
): Effect.Effect<ReadonlyArray<Table.Row>, Sink.SinkError> =>
  reading(options, directory, (database, file) =>
    rowsOf(database, Place.of(options), table).pipe(
      Effect.mapError(failure(`cannot read table ${table.name} of ${file}`))
    )
  )

/** The same, of a database that is open. */
export const rowsOf = Effect.fnUntraced(function* (
  database: Database.Database,
  place: Place.DatabaseLocation,
  table: Table.Table
) {
  if (!(yield* Catalog.has(database, place, table.name))) return []
  const target = Place.named(place, table.name)
  const present = yield* describe(database, target)
  const columns = table.columns.map(({ name }) => columnOf(name, Column.named(present, name)))
  const values = columns.map(({ value }) => value).join(", ")
  return yield* database.query(`SELECT ${values} FROM ${target}`, columns)
})

/** How a column is read: as null if it is missing, and as text if `Column` does not have its type. */
const columnOf = (name: string, there: StoredColumn | undefined): Column.Column & { readonly value: string } => {
  const column: Column.Column = { name, type: there?.type ?? { _tag: "VARCHAR" }, nullable: true }
  const value =
    there === undefined
      ? "NULL"
      : there.type === undefined
        ? `CAST(${Column.quote(name)} AS VARCHAR)`
        : Cell.selected(column)
  return { ...column, value }
}
