/**
 * Columns as an author of a source, of rows or of a map step writes them: a name and an SQL type each, or an Effect schema.
 *
 *     { id: "BIGINT NOT NULL", name: "VARCHAR", tags: "VARCHAR[]" }
 *
 * A wrong type is a mistake of the program, so it throws.
 */
import * as Schema from "effect/Schema"
import * as Column from "#engine/Column"
import { columnFromSql } from "#engine/columnFromSql"

/** Columns by name: an SQL type each, such as "BIGINT NOT NULL", or a struct of Effect's Schema. */
export type Columns = Readonly<Record<string, string>> | Schema.Struct<Schema.Struct.Fields>

export const columnsOf = (columns: Columns): ReadonlyArray<Column.Column> =>
  isStruct(columns) ? Column.fromSchema(columns) : Object.entries(columns).map(([name, sql]) => columnOf(name, sql))

/** Checks and reads the columns that a module exports. */
export const readColumns = (columns: unknown): ReadonlyArray<Column.Column> => {
  if (typeof columns !== "object" && typeof columns !== "function")
    throw new TypeError(`columns is a ${typeof columns}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each member is looked at: a name without a type throws
  return columnsOf((columns ?? {}) as Columns)
}

const isStruct = (columns: Columns): columns is Schema.Struct<Schema.Struct.Fields> => Schema.isSchema(columns)

const columnOf = (name: string, sql: unknown): Column.Column => {
  const text = typeof sql === "string" ? sql.trim() : ""
  const type = columnFromSql(text.replace(notNull, ""))
  if (type === undefined) {
    const shown = typeof sql === "string" ? JSON.stringify(sql) : typeof sql
    throw new TypeError(
      `column ${name}: ${shown} is not an SQL type; types: VARCHAR, BOOLEAN, BIGINT, DOUBLE, DECIMAL(18, 2), DATE, ` +
        "TIMESTAMP, JSON, STRUCT(a BIGINT), VARCHAR[]; add NOT NULL where a row must have it"
    )
  }
  return { name, type, nullable: !notNull.test(text) }
}

const notNull = /\s+NOT\s+NULL$/i
