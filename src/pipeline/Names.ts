/** Names that users give in pipeline files, and that become part of SQL. */
import * as Schema from "effect/Schema"

export const columnName = Schema.String.check(
  Schema.isPattern(/^[A-Za-z_][A-Za-z0-9_]*$/, { expected: "a column name" })
)
export const tableName = Schema.String.check(
  Schema.isPattern(/^[a-z][a-z0-9_]*$/, { expected: "a snake_case name, such as product_pages" })
)

/** One column, or several. */
export const columnNames = Schema.Union([columnName, Schema.NonEmptyArray(columnName)])
export const listOf = (names: typeof columnNames.Type): ReadonlyArray<string> =>
  typeof names === "string" ? [names] : names
