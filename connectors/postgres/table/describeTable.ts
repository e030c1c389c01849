/**
 * What a table and its columns are, as comments in the database.
 *
 * The law: words that are there stay, whoever wrote them. Only the owner of a table can comment on it: a pipeline that
 * writes into somebody else's table says nothing.
 */
import * as Effect from "effect/Effect"
import * as Column from "../../../src/pipeline/Column.ts"
import type * as Table from "../../../src/pipeline/Table.ts"
import type { Connection } from "../server/Connection.ts"
import * as catalog from "../server/catalog.ts"
import * as Place from "../server/Place.ts"
import { columnComment } from "./columnSql.ts"

/** Says it where nothing is said. `columns`: those of the table with what the sink adds. */
export const describeTable = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.Place,
  { description, name }: Pick<Table.Table, "description" | "name">,
  columns: ReadonlyArray<Column.Column>
) {
  const relation = yield* catalog.relationOf(connection, place, name)
  if (relation?.isOurs !== true) return
  const target = Place.named(place, name)
  // All in one message: a round trip for each column is what a first run would wait for.
  const said: Array<string> = []
  if (relation.comment === null && description !== "") {
    said.push(`COMMENT ON TABLE ${target} IS ${Place.literal(description)}`)
  }
  for (const { comment, name: own, type } of yield* catalog.describe(connection, place, name)) {
    const column = Column.named(columns, own)
    if (type === undefined || column === undefined) continue
    // The type alone, where the database has no word for it: nobody has said what the column is.
    const isSilent = comment === null || comment === columnComment({ type })
    const wanted = columnComment({ ...column, type })
    if (!isSilent || wanted === undefined || wanted === comment) continue
    said.push(`COMMENT ON COLUMN ${target}.${Column.quote(own)} IS ${Place.literal(wanted)}`)
  }
  if (said.length > 0) yield* connection.run(said.join(";\n"))
})

/** Writes down the type of a column that the database has no word for, and what it holds. */
export const noteColumn = (connection: Connection, target: string, name: string, column: Noted) => {
  const note = noteOf(target, name, column)
  return note === undefined ? Effect.void : connection.run(note)
}

/** The same as a statement; undefined where there is nothing to write down. */
export const noteOf = (target: string, name: string, column: Noted): string | undefined => {
  const comment = columnComment(column)
  return comment && `COMMENT ON COLUMN ${target}.${Column.quote(name)} IS ${Place.literal(comment)}`
}

type Noted = Pick<Column.Column, "type" | "description">
