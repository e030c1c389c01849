/**
 * The place of a sink's tables: a schema of a database, and the names of the tables in SQL and in messages.
 *
 * Rows and the sink's own tables are in one schema, so that pipelines with different schemas never share a table. Messages
 * have the user, the host and the database, and never the password.
 */
import * as Redacted from "effect/Redacted"
import * as Column from "#engine/Column"

export interface DatabaseLocation {
  readonly url: Redacted.Redacted
  readonly schema: string
  /** The database in messages: postgres://USER@HOST/DATABASE, with the schema if it is not `public`. */
  readonly location: string
}

/** The place for options; default schema: `public`. */
export const of = ({
  schema = "public",
  url: given
}: {
  readonly url: Redacted.Redacted
  readonly schema?: string
}): DatabaseLocation => {
  // A program in JavaScript has no types that say it, and gives the text.
  const url = typeof given === "string" ? Redacted.make(given) : given
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

/** The SQL name of a table in this place. */
export const named = (place: Pick<DatabaseLocation, "schema">, table: string): string =>
  `${schemaOf(place)}.${Column.quote(table)}`

/** The SQL name of the schema. */
export const schemaOf = ({ schema }: Pick<DatabaseLocation, "schema">): string => Column.quote(schema)

/** The names that a schema can have. Readers would have to quote others, or they are names of Postgres itself. */
export const schemaName = /^(?!pg_|information_schema$)[a-z_][a-z0-9_$]{0,62}$/

export const schemaRule =
  "the name of a schema: lower-case letters, digits, _ and $, at most 63 of them, a letter or _ first, and none of Postgres's own (information_schema, pg_...)"

/** Why the name of the schema is not allowed; undefined: it is. */
export const faultOf = ({ schema }: Pick<DatabaseLocation, "schema">): string | undefined =>
  schemaName.test(schema) ? undefined : `schema ${JSON.stringify(schema)} is not ${schemaRule}`

/** A text as an SQL literal. */
export const literal = (text: string): string =>
  `${text.includes("\\") ? "E" : ""}'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`
