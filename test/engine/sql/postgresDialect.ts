/** A short dialect of Postgres: the planner with its defaults on a server, without COPY, arrays, comments and changes in place. */
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Client } from "pg"
import { typeOf, typeSql } from "#connectors/postgres/columnSql"
import * as Sink from "#engine/Sink"
import type { SqlConnection, SqlDialect } from "#engine/SqlDialect"
import { sql } from "#engine/sqlSink"

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
const isJson = (tag: string): boolean => tag === "JSON" || tag === "STRUCT" || tag === "LIST"

const of = (table: string): string =>
  `c.relname = ${literal(table)} AND n.nspname = current_schema() AND c.relkind IN ('r', 'v')`
const classes = "pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace"

const dialect: SqlDialect = {
  type: (type) => (type._tag === "LIST" ? "json" : typeSql(type)),
  typeOf,
  store: ({ _tag }) =>
    _tag === "DOUBLE" ? (cell) => (Number.isFinite(cell) ? Number(cell) : String(cell)) : undefined,
  read: ({ _tag }) => (_tag === "TIMESTAMP" ? (value) => micros(String(value)) : undefined),
  cellFault: ({ _tag }) =>
    _tag === "VARCHAR" ? (cell) => (String(cell).includes("\0") ? "Postgres has no U+0000" : undefined) : undefined,
  moment: (at) => `timestamptz 'epoch' + ${at} * interval '1 microsecond'`,
  describe: (table) => `SELECT a.attname, format_type(a.atttypid, a.atttypmod), NOT a.attnotnull,
      pg_get_expr(d.adbin, d.adrelid), CASE c.relkind WHEN 'v' THEN 'view' END
    FROM ${classes} JOIN pg_attribute AS a ON a.attrelid = c.oid
    LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE ${of(table)} AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
  rowId: () => "ctid",
  temporary: (name) => `pg_temp.${quote(name)}`,
  comparable: (value, { _tag }) => (isJson(_tag) ? `${value}::text` : value),
  withoutMembers: (value, members) =>
    `CASE WHEN json_typeof(${value}) = 'object' THEN (${value}::jsonb - ARRAY[${members.map(literal).join(", ")}])::json ELSE ${value} END`,
  keyIndex: (table, key) => [
    `CREATE INDEX IF NOT EXISTS ${quote(`${table}_millrace_key`)} ON ${quote(table)} (${key.map(quote).join(", ")})`
  ],
  drop: (table) => `DROP TABLE ${quote(table)} CASCADE`
}

const micros = (text: string): bigint => {
  const [, before = "", fraction = ""] = /^(.*?:\d\d)(?:\.(\d+))?\+00$/.exec(text) ?? []
  return BigInt(Date.parse(`${before.replace(" ", "T")}Z`)) * 1000n + BigInt(fraction.padEnd(6, "0"))
}

const Options = Schema.Struct({
  url: Schema.RedactedFromValue(Schema.String),
  schema: Schema.String,
  removed: Sink.removedOption
})
type Options = typeof Options.Type

export const postgresByDialect = sql<Options, typeof Options.Encoded>({
  type: "postgres_by_dialect",
  description: "tables of a Postgres database, by the planner",
  options: Options,
  dialect,
  connect: (options) => connect(options, true),
  look: (options) => connect(options, false)
})

const connect = async ({ schema, url }: Options, makes: boolean): Promise<SqlConnection> => {
  const client = new Client({
    connectionString: Redacted.value(url),
    types: { getTypeParser: () => (text: string) => text }
  })
  await client.connect()
  if (makes) await client.query(`CREATE SCHEMA IF NOT EXISTS ${quote(schema)}`)
  await client.query(`SET search_path = ${quote(schema)}; SET TIME ZONE 'UTC'; SET DateStyle = 'ISO, YMD'`)
  return {
    location: `schema ${schema}`,
    run: async (text) => (await client.query(text)).rowCount ?? 0,
    rows: async (text) => (await client.query<Array<unknown>>({ text, rowMode: "array" })).rows,
    close: () => client.end()
  }
}
