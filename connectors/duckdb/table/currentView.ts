/**
 * The view `NAME_current` of a history: its current rows.
 *
 * If the name belongs to a table or to another view, the view is not made. Its columns follow those of the table, because
 * DuckDB expands its `*` at each query.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import * as Catalog from "../file/Catalog.ts"
import * as Place from "../Place.ts"

/** Makes the view if its name is free. */
export const showCurrent = Effect.fnUntraced(function* (
  database: Database.Database,
  { catalog, place }: { readonly catalog: Catalog.Catalog; readonly place: Place.DatabaseLocation },
  table: string,
  planned: ReadonlyArray<string>
) {
  const name = nameOf(table)
  if (planned.some((other) => other.toLowerCase() === name.toLowerCase())) return
  if (Catalog.hasTable(catalog, name) || catalog.views.has(name.toLowerCase())) return
  // The view does not contain the name under which the file is attached here, because other programs use other names.
  const within = (name: string) => `${Column.quote(place.schema)}.${Column.quote(name)}`
  yield* database.run(`USE ${Place.schemaOf(place)}`)
  yield* database.run(`CREATE VIEW ${within(name)} AS SELECT * FROM ${within(table)} WHERE is_current`)
  yield* database.run("USE memory")
  yield* database.run(`COMMENT ON VIEW ${Place.named(place, name)} IS ${Database.literal(commentOf(table))}`)
})

/** Removes the view if Millrace made it, because its table is no longer a history. */
export const hideCurrent = Effect.fnUntraced(function* (
  database: Database.Database,
  place: Place.DatabaseLocation,
  table: string
) {
  const view = yield* Catalog.viewOf(database, place, nameOf(table))
  if (view?.comment === commentOf(table)) yield* database.run(`DROP VIEW ${Place.named(place, nameOf(table))}`)
})

const nameOf = (table: string): string => `${table}_current`
const commentOf = (table: string): string => `the rows of ${table} that are in force`
