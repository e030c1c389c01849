/**
 * Where the tables of a sink are: a schema of a database file, and how SQL names what is in it.
 *
 * Rows and the sink's own tables are in one schema, so that pipelines with schemas of their own never meet.
 */
import { closeSync, openSync, readSync, statSync } from "node:fs"
import * as Column from "../../../src/pipeline/Column.ts"

export interface Place {
  /** What the file is attached as. */
  readonly catalog: string
  readonly schema: string
}

/** The place that options name: `main` where they name none. */
export const of = ({ schema = "main" }: { readonly schema?: string | undefined }): Place => ({
  catalog: "target",
  schema
})

/** A table there, as SQL writes it. */
export const named = (place: Place, table: string): string => `${schemaOf(place)}.${Column.quote(table)}`

/** The schema, as SQL writes it. */
export const schemaOf = ({ catalog, schema }: Place): string => `${catalog}.${Column.quote(schema)}`

/** How a message names a table: without `main`, which no user wrote. */
export const spoken = ({ schema }: Place, table: string): string =>
  schema.toLowerCase() === "main" ? table : `${schema}.${table}`

/** The names that a schema can have. Others would have to be quoted by everybody who reads it, or are DuckDB's own. */
export const schemaName = /^(?!(?:information_schema|pg_catalog)$)[A-Za-z_][A-Za-z0-9_$-]{0,62}$/i

export const schemaRule =
  "the name of a schema: letters, digits, _, $ and -, at most 63 of them, a letter or _ first, and none of DuckDB's own (information_schema, pg_catalog)"

/** Why a schema cannot be named so, if so. */
export const faultOf = ({ schema }: Place): string | undefined =>
  schemaName.test(schema) ? undefined : `schema ${JSON.stringify(schema)} is not ${schemaRule}`

/** Why a file cannot be the database: something else is there. A file that cannot be looked at may be one. */
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

/** What every DuckDB file has behind its checksum. */
const mark = { start: 8, text: "DUCK" }

export const notOurs = (file: string): string =>
  `${file} exists and is not a DuckDB database; choose another path, or move it away`
