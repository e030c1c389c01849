/** Reads stored rows, as readers see them. */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import type * as Sink from "#engine/Sink"
import type * as Table from "#engine/Table"
import { cellReader, selected } from "./copy/cellReader.ts"
import { failure } from "./failure.ts"
import type { Options } from "./options.ts"
import * as Place from "./Place.ts"
import type { Connection } from "./server/Connection.ts"
import * as catalog from "./server/catalog.ts"
import { reading } from "./server/reading.ts"

/** The rows of a table, with cells of the types in the database. */
export const rows = (
  options: Options,
  _directory: string,
  table: Table.Table
): Effect.Effect<ReadonlyArray<Table.Row>, Sink.SinkError> =>
  reading(options, (connection, place) =>
    rowsOf(connection, place, table).pipe(
      Effect.mapError(failure(`cannot read table ${table.name} of ${place.location}`))
    )
  )

/** The same, by a connection that is open. */
export const rowsOf = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.DatabaseLocation,
  table: Table.Table
) {
  if (!(yield* catalog.has(connection, place, table.name))) return []
  const present = yield* catalog.describe(connection, place, table.name)
  const columns = table.columns.map(({ name }) => columnOf(name, Column.named(present, name)))
  const values = columns.map(({ value }) => value).join(", ")
  const { rows } = yield* connection.answer(`SELECT ${values} FROM ${Place.named(place, table.name)}`)
  return yield* Effect.try({
    try: () =>
      rows.map(
        (cells): Table.Row => Object.fromEntries(columns.map(({ name, read }, at) => [name, read(cells[at] ?? null)]))
      ),
    catch: (error) => failure(`table ${table.name}`)(error)
  })
})

/** How a column is read: as null if it is missing, and as text if `Column` does not have its type. */
const columnOf = (name: string, there: catalog.Present | undefined) => {
  if (there === undefined) return { name, value: "NULL::text", read: (): unknown => null }
  const type: Column.ColumnType = there.type ?? { _tag: "VARCHAR" }
  return { name, value: selected({ name: there.name, type, nullable: true }), read: cellReader(type) }
}
