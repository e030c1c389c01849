/**
 * Where the tables of a sink are: a schema of a database, and how SQL and people name what is in it.
 *
 * Rows and the sink's own tables are in one schema, so that pipelines with schemas of their own never meet. What people
 * read has the user, the host and the database, and never the password.
 */
import * as Redacted from "effect/Redacted"
import * as Column from "../../../src/pipeline/Column.ts"

export interface Place {
  readonly url: Redacted.Redacted
  readonly schema: string
  /** The database as people read it: postgres://USER@HOST/DATABASE, and the schema that is not `public`. */
  readonly location: string
}

/** The place that options name: `public` where they name no schema. */
export const of = ({
  schema = "public",
  url
}: {
  readonly url: Redacted.Redacted
  readonly schema?: string
}): Place => {
  const parsed = URL.parse(Redacted.value(url))
  const user = parsed === null || parsed.username === "" ? "" : `${parsed.username}@`
  const database = parsed === null ? "postgres" : `postgres://${user}${parsed.host}${parsed.pathname}`
  return { url, schema, location: schema === "public" ? database : `${database} (schema ${schema})` }
}

/** The URL without its password. */
export const withoutPassword = (url: Redacted.Redacted): string => {
  const parsed = URL.parse(Redacted.value(url))
  if (parsed === null) return "postgres:///"
  parsed.password = ""
  parsed.searchParams.delete("password")
  return parsed.href
}

export const isDatabaseUrl = (text: string): boolean => /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? "")

/** A table there, as SQL writes it. */
export const named = (place: Pick<Place, "schema">, table: string): string =>
  `${schemaOf(place)}.${Column.quote(table)}`

/** The schema, as SQL writes it. */
export const schemaOf = ({ schema }: Pick<Place, "schema">): string => Column.quote(schema)

/** How a message names a table: without `public`, which no user wrote. */
export const spoken = ({ schema }: Pick<Place, "schema">, table: string): string =>
  schema === "public" ? table : `${schema}.${table}`

/** The names that a schema can have. Others would have to be quoted by everybody who reads it, or are Postgres's own. */
export const schemaName = /^(?!pg_|information_schema$)[a-z_][a-z0-9_$]{0,62}$/

export const schemaRule =
  "the name of a schema: lower-case letters, digits, _ and $, at most 63 of them, a letter or _ first, and none of Postgres's own (information_schema, pg_...)"

/** Why a schema cannot be named so, if so. */
export const faultOf = ({ schema }: Pick<Place, "schema">): string | undefined =>
  schemaName.test(schema) ? undefined : `schema ${JSON.stringify(schema)} is not ${schemaRule}`

/** A text as SQL writes it. */
export const literal = (text: string): string =>
  `${text.includes("\\") ? "E" : ""}'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`
