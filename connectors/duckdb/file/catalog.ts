/** What DuckDB says of tables and types: whether there is one, and how it spells them. */
import * as Effect from "effect/Effect"
import type * as Database from "../../../src/duckdb/Database.ts"
import { describe } from "../../../src/duckdb/describe.ts"
import * as Column from "../../../src/pipeline/Column.ts"
import type { Place } from "./Place.ts"

/** Names that differ in the case of their letters alone are one name to DuckDB. */
export const has = (database: Database.Database, { catalog, schema }: Place, table: string) =>
  Effect.map(
    database.query(
      `SELECT count(*) AS n FROM duckdb_tables()
        WHERE database_name = $1 AND lower(schema_name) = lower($2) AND lower(table_name) = lower($3)`,
      counted,
      [catalog, schema, table]
    ),
    ([row]) => Number(row?.["n"]) > 0
  )

/** The view of a name; undefined where there is none. */
export const viewOf = (database: Database.Database, { catalog, schema }: Place, name: string) =>
  Effect.map(
    database.query(
      `SELECT comment FROM duckdb_views()
        WHERE database_name = $1 AND lower(schema_name) = lower($2) AND lower(view_name) = lower($3)`,
      [{ name: "comment", type: { _tag: "VARCHAR" }, nullable: true }],
      [catalog, schema, name]
    ),
    ([row]) => (row === undefined ? undefined : { comment: row["comment"] })
  )

/** Whether a table has no row. */
export const isEmpty = (database: Database.Database, from: string) =>
  Effect.map(database.values(`SELECT 1 FROM ${from} LIMIT 1`), (rows) => rows.length === 0)

/** Types in DuckDB's words, which leave out quotes that no name needs. */
export const spell = Effect.fnUntraced(function* (
  database: Database.Database,
  types: ReadonlyArray<Column.ColumnType>
) {
  if (types.length === 0) return []
  const columns = types.map((type, at) => `CAST(NULL AS ${Column.toSql(type)}) AS c${at}`)
  return (yield* describe(database, `(SELECT ${columns.join(", ")})`)).map(({ sql }) => sql)
})

export const counted: ReadonlyArray<Column.Column> = [{ name: "n", type: { _tag: "BIGINT" }, nullable: false }]
