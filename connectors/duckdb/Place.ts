/**
 * The place of a sink's tables: a schema of a database file, and the SQL names of the tables in it.
 *
 * Rows and the sink's own tables are in one schema, so that pipelines with different schemas never share a table.
 */
import { closeSync, openSync, readSync, statSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"

export interface DatabaseLocation {
  /** The name under which the file is attached. */
  readonly catalog: string
  readonly schema: string
}

/** The place for options; default schema: `main`. */
export const of = ({ schema = "main" }: { readonly schema?: string | undefined }): DatabaseLocation => ({
  catalog: "target",
  schema
})

/** The SQL name of a table in this place. */
export const named = (place: DatabaseLocation, table: string): string => `${schemaOf(place)}.${Column.quote(table)}`

/** The SQL name of the schema. */
export const schemaOf = ({ catalog, schema }: DatabaseLocation): string => `${catalog}.${Column.quote(schema)}`

/** The condition that a row of DuckDB's catalog is of this place. */
export const within = ({ catalog, schema }: DatabaseLocation): string =>
  `database_name = ${Database.literal(catalog)} AND lower(schema_name) = ${Database.literal(schema.toLowerCase())}`

/** Whether it has a table of this name. */
export const has = (database: Database.Database, place: DatabaseLocation, table: string) =>
  Effect.map(
    database.values(
      `SELECT 1 FROM duckdb_tables() WHERE ${within(place)} AND lower(table_name) = ${Database.literal(table.toLowerCase())}`
    ),
    (rows) => rows.length > 0
  )

/** The name of a table in messages: without the default schema `main`. */
export const spoken = ({ schema }: DatabaseLocation, table: string): string =>
  schema.toLowerCase() === "main" ? table : `${schema}.${table}`

/** The names that a schema can have. Readers would have to quote others, or they are names of DuckDB itself. */
export const schemaName = /^(?!(?:information_schema|pg_catalog)$)[A-Za-z_][A-Za-z0-9_$-]{0,62}$/i

export const schemaRule =
  "the name of a schema: letters, digits, _, $ and -, at most 63 of them, a letter or _ first, and none of DuckDB's own (information_schema, pg_catalog)"

/** Why the name of the schema is not allowed; undefined: it is. */
export const faultOf = ({ schema }: DatabaseLocation): string | undefined =>
  schemaName.test(schema) ? undefined : `schema ${JSON.stringify(schema)} is not ${schemaRule}`

/** Why a file cannot be the database, because it is something else; undefined: it can, or cannot be read. */
export const fileFault = (file: string): string | undefined => {
  try {
    if (statSync(file).isDirectory()) return `${file} is a folder; name a file in it`
    const head = Buffer.alloc(mark.start + mark.text.length)
    const open = openSync(file, "r")
    try {
      readSync(open, head, 0, head.length, 0)
    } finally {
      closeSync(open)
    }
    return head.toString("latin1", mark.start) === mark.text ? undefined : notOurs(file)
  } catch {
    return undefined
  }
}

/** The bytes after the checksum of every DuckDB file. */
const mark = { start: 8, text: "DUCK" }

export const notOurs = (file: string): string =>
  `${file} exists and is not a DuckDB database; choose another path, or move it away`
