/**
 * The catalog of a schema of the file, read in one statement: tables, their columns, views, and the comments on them. It does
 * not change when tables are made afterwards. Other functions here ask the database as it is now.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import type * as Database from "#engine/Duckdb"
import { describe } from "#engine/describeDuckdb"
import type { DatabaseLocation } from "../Place.ts"

/** The catalog. Its keys are in lower case, because for DuckDB names that differ only in case are the same. */
export interface Catalog {
  readonly tables: ReadonlyMap<string, ThereTable>
  readonly views: ReadonlyMap<string, { readonly comment: string | undefined }>
}

export interface ThereTable {
  readonly comment: string | undefined
  /** The comment on each column; undefined: there is none. */
  readonly columns: ReadonlyMap<string, string | undefined>
}

export const read = (
  database: Database.Database,
  { catalog, schema }: DatabaseLocation
): Effect.Effect<Catalog, Database.DatabaseError> =>
  Effect.map(
    database.query(
      `SELECT 'table' AS kind, table_name AS name, NULL AS "column", comment FROM duckdb_tables() WHERE ${within}
        UNION ALL SELECT 'view', view_name, NULL, comment FROM duckdb_views() WHERE ${within}
        UNION ALL SELECT 'column', table_name, column_name, comment FROM duckdb_columns() WHERE ${within}`,
      found,
      [catalog, schema]
    ),
    (rows) => {
      const tables = new Map<string, { comment: string | undefined; columns: Map<string, string | undefined> }>()
      const views = new Map<string, { comment: string | undefined }>()
      for (const row of rows) {
        const name = String(row["name"]).toLowerCase()
        const comment = row["comment"] === null ? undefined : String(row["comment"])
        // Tables come before their columns.
        if (row["kind"] === "table") tables.set(name, { comment, columns: new Map<string, string | undefined>() })
        else if (row["kind"] === "view") views.set(name, { comment })
        else tables.get(name)?.columns.set(String(row["column"]).toLowerCase(), comment)
      }
      return { tables, views }
    }
  )

const within = "database_name = $1 AND lower(schema_name) = lower($2)"

const found: ReadonlyArray<Column.Column> = [
  { name: "kind", type: { _tag: "VARCHAR" }, nullable: false },
  { name: "name", type: { _tag: "VARCHAR" }, nullable: false },
  { name: "column", type: { _tag: "VARCHAR" }, nullable: true },
  { name: "comment", type: { _tag: "VARCHAR" }, nullable: true }
]

/** Whether the catalog has a table of this name. */
export const hasTable = ({ tables }: Catalog, name: string): boolean => tables.has(name.toLowerCase())

/** Whether a table has a column of this name. */
export const hasColumn = ({ tables }: Catalog, table: string, column: string): boolean =>
  tables.get(table.toLowerCase())?.columns.has(column.toLowerCase()) === true

/** Whether the database has a table of this name now. */
export const has = (database: Database.Database, { catalog, schema }: DatabaseLocation, table: string) =>
  Effect.map(
    database.query(
      `SELECT count(*) AS n FROM duckdb_tables()
        WHERE database_name = $1 AND lower(schema_name) = lower($2) AND lower(table_name) = lower($3)`,
      counted,
      [catalog, schema, table]
    ),
    ([row]) => Number(row?.["n"]) > 0
  )

/** The view of a name; undefined: there is none. */
export const viewOf = (database: Database.Database, { catalog, schema }: DatabaseLocation, name: string) =>
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

/** Types as DuckDB writes them, without unnecessary quotes. */
export const spell = Effect.fnUntraced(function* (
  database: Database.Database,
  types: ReadonlyArray<Column.ColumnType>
) {
  if (types.length === 0) return []
  const columns = types.map((type, at) => `CAST(NULL AS ${Column.toSql(type)}) AS c${at}`)
  return (yield* describe(database, `(SELECT ${columns.join(", ")})`)).map(({ sql }) => sql)
})

export const counted: ReadonlyArray<Column.Column> = [{ name: "n", type: { _tag: "BIGINT" }, nullable: false }]
