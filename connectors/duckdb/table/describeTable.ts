/**
 * Writes the descriptions of a table and its columns as comments in the database.
 *
 * Guarantee: existing comments stay, whoever wrote them. Comments are written before any row is changed, like everything that
 * alters a table.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import type * as Table from "#engine/Table"
import type { ThereTable } from "../file/Catalog.ts"

/**
 * Writes missing comments. `target`: the SQL name of the table; `columns`: all columns, with those that the sink adds;
 * `there`: the table before this transaction, if it existed.
 */
export const describeTable = (
  database: Database.Database,
  { description }: Pick<Table.Table, "description">,
  target: string,
  columns: ReadonlyArray<Column.Column>,
  there: ThereTable | undefined
): Effect.Effect<void, Database.DatabaseError> => {
  const comments = columns.flatMap(({ description, name }) =>
    description === undefined || there?.columns.get(name.toLowerCase()) !== undefined
      ? []
      : [`COMMENT ON COLUMN ${target}.${Column.quote(name)} IS ${Database.literal(description)}`]
  )
  if (description !== "" && there?.comment === undefined) {
    comments.push(`COMMENT ON TABLE ${target} IS ${Database.literal(description)}`)
  }
  return comments.length === 0 ? Effect.void : Effect.asVoid(database.run(comments.join(";\n")))
}
