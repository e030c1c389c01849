/** What an attached database says of its tables: whether there is one, and its columns. */
import * as Effect from "effect/Effect"
import type * as Database from "../../src/duckdb/Database.ts"
import * as Column from "../../src/pipeline/Column.ts"
import { columnFromSql } from "../../src/pipeline/columnFromSql.ts"

/** A column as it is there: its name and type in DuckDB's words, and ours where we have one for it. */
export interface Present {
  readonly name: string
  readonly sql: string
  readonly type: Column.ColumnType | undefined
}

/** Names that differ in the case of their letters alone are one name to DuckDB. */
export const has = (database: Database.Database, catalog: string, table: string) =>
  Effect.map(
    database.query(
      `SELECT count(*) AS n FROM duckdb_tables()
        WHERE database_name = $1 AND schema_name = 'main' AND lower(table_name) = lower($2)`,
      counted,
      [catalog, table]
    ),
    ([row]) => Number(row?.["n"]) > 0
  )

/** The columns of a table or a query. */
export const describe = (database: Database.Database, from: string) =>
  Effect.map(
    database.query(`SELECT column_name, column_type FROM (DESCRIBE FROM ${from})`, described),
    (rows): ReadonlyArray<Present> =>
      rows.map((row) => {
        const sql = String(row["column_type"])
        return { name: String(row["column_name"]), sql, type: columnFromSql(sql) }
      })
  )

/** Types in DuckDB's words, which leave out quotes that no name needs. */
export const spell = Effect.fnUntraced(function* (
  database: Database.Database,
  types: ReadonlyArray<Column.ColumnType>
) {
  if (types.length === 0) return []
  const columns = types.map((type, at) => `CAST(NULL AS ${Column.toSql(type)}) AS c${at}`)
  return (yield* describe(database, `(SELECT ${columns.join(", ")})`)).map(({ sql }) => sql)
})

/** A column by its name, as DuckDB matches names: whatever the case of their letters. */
export const find = <Named extends { readonly name: string }>(columns: ReadonlyArray<Named>, name: string) =>
  columns.find((column) => column.name.toLowerCase() === name.toLowerCase())

export const counted: ReadonlyArray<Column.Column> = [{ name: "n", type: { _tag: "BIGINT" }, nullable: false }]

const described: ReadonlyArray<Column.Column> = [
  { name: "column_name", type: { _tag: "VARCHAR" }, nullable: false },
  { name: "column_type", type: { _tag: "VARCHAR" }, nullable: false }
]
