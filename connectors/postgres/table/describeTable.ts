/**
 * Writes the descriptions of a table and its columns as comments in the database.
 *
 * Guarantee: existing comments stay, whoever wrote them. Only the owner of a table can comment on it, so nothing is written
 * into a table of another owner.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import type * as Table from "#engine/Table"
import { columnComment } from "../columnSql.ts"
import * as Place from "../Place.ts"
import type { Connection } from "../server/Connection.ts"
import * as catalog from "../server/catalog.ts"

/** Writes missing comments. `columns`: all columns, with those that the sink adds. */
export const describeTable = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.DatabaseLocation,
  { description, name }: Pick<Table.Table, "description" | "name">,
  columns: ReadonlyArray<Column.Column>
) {
  const relation = yield* catalog.relationOf(connection, place, name)
  if (relation?.isOurs !== true) return
  const target = Place.named(place, name)
  // All comments are sent at once, because a round trip for each column would be slow.
  const comments: Array<string> = []
  if (relation.comment === null && description !== "") {
    comments.push(`COMMENT ON TABLE ${target} IS ${Place.literal(description)}`)
  }
  for (const { comment, name: own, type } of yield* catalog.describe(connection, place, name)) {
    const column = Column.named(columns, own)
    if (type === undefined || column === undefined) continue
    // A comment that has only the type has no description yet.
    const isSilent = comment === null || comment === columnComment({ type })
    const wanted = columnComment({ ...column, type })
    if (!isSilent || wanted === undefined || wanted === comment) continue
    comments.push(`COMMENT ON COLUMN ${target}.${Column.quote(own)} IS ${Place.literal(wanted)}`)
  }
  if (comments.length > 0) yield* connection.run(comments.join(";\n"))
})

/** Writes the comment of a column: its type, if Postgres does not have it, and its description. */
export const noteColumn = (connection: Connection, target: string, name: string, column: Noted) => {
  const note = noteOf(target, name, column)
  return note === undefined ? Effect.void : connection.run(note)
}

/** The statement of `noteColumn`; undefined: the column needs no comment. */
export const noteOf = (target: string, name: string, column: Noted): string | undefined => {
  const comment = columnComment(column)
  return comment && `COMMENT ON COLUMN ${target}.${Column.quote(name)} IS ${Place.literal(comment)}`
}

type Noted = Pick<Column.Column, "type" | "description">
