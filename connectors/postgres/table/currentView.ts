/**
 * The view `NAME_current` of a history: the rows in force, for readers who do not want its past.
 *
 * A name that is somebody else's stays theirs: where a table or another view has it, there is no such view. Postgres keeps the
 * columns that a view had when it was made, so it is made anew where those of its table change.
 */
import * as Effect from "effect/Effect"
import type { Connection } from "../server/Connection.ts"
import * as catalog from "../server/catalog.ts"
import * as Place from "../server/Place.ts"
import { isLong } from "./nameFault.ts"

/** Makes it where its name is free, and anew where it is ours. */
export const showCurrent = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.Place,
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

/** Takes it away, where it is the one that was made here: its table is a history no more, or gets other types. */
export const hideCurrent = Effect.fnUntraced(function* (connection: Connection, place: Place.Place, table: string) {
  const there = yield* catalog.relationOf(connection, place, nameOf(table))
  if (there?.comment === commentOf(table)) yield* connection.run(`DROP VIEW ${Place.named(place, nameOf(table))}`)
})

const nameOf = (table: string): string => `${table}_current`
const commentOf = (table: string): string => `the rows of ${table} that are in force`
