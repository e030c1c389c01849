/**
 * The view `NAME_current` of a history: its current rows.
 *
 * If the name belongs to a table or to another view, the view is not made. In Postgres, a view keeps the columns that it had
 * when it was made, so it is made again when the columns of its table change.
 */
import * as Effect from "effect/Effect"
import * as Place from "../Place.ts"
import type { Connection } from "../server/Connection.ts"
import * as catalog from "../server/catalog.ts"
import { isLong } from "./nameFault.ts"

/** Makes the view if its name is free, and again if Millrace made it. */
export const showCurrent = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.DatabaseLocation,
  table: string,
  planned: ReadonlyArray<string>
) {
  const name = nameOf(table)
  if (planned.includes(name) || isLong(name)) return
  const there = yield* catalog.relationOf(connection, place, name)
  if (there !== undefined && there.comment !== commentOf(table)) return
  const view = Place.named(place, name)
  yield* connection.run(`CREATE OR REPLACE VIEW ${view} AS SELECT * FROM ${Place.named(place, table)} WHERE is_current`)
  yield* connection.run(`COMMENT ON VIEW ${view} IS ${Place.literal(commentOf(table))}`)
})

/** Removes the view if Millrace made it, because its table is no longer a history, or gets other types. */
export const hideCurrent = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.DatabaseLocation,
  table: string
) {
  const there = yield* catalog.relationOf(connection, place, nameOf(table))
  if (there?.comment === commentOf(table)) yield* connection.run(`DROP VIEW ${Place.named(place, nameOf(table))}`)
})

const nameOf = (table: string): string => `${table}_current`
const commentOf = (table: string): string => `the rows of ${table} that are in force`
