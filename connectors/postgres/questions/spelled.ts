/** Rewrites queries of `millrace sql` that Postgres does not have, such as FROM and SHOW TABLES. */
import * as Place from "../Place.ts"

interface Spelled {
  readonly text: string
  /** Whether Millrace wrote the query about the schema, with only a quoted name from the user. */
  readonly isOurs: boolean
}

/** FROM t is SELECT * FROM t; SHOW TABLES and DESCRIBE t ask the catalog. */
export const spelled = ({ schema }: Pick<Place.Place, "schema">, sql: string): Spelled => {
  const text = sql.trim().replace(/;+\s*$/, "")
  if (/^show\s+tables$/i.test(text)) {
    return {
      isOurs: true,
      text: `SELECT c.relname AS name FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = ${Place.literal(schema)} AND c.relkind IN ('r', 'p', 'v', 'm') ORDER BY c.relname`
    }
  }
  const [, table] = /^desc(?:ribe)?\s+("(?:[^"]|"")+"|[A-Za-z_][\w$]*)$/i.exec(text) ?? []
  if (table !== undefined) {
    const name = table.startsWith('"') ? table.slice(1, -1).replaceAll('""', '"') : table.toLowerCase()
    return {
      isOurs: true,
      text: `SELECT a.attname AS column_name, pg_catalog.format_type(a.atttypid, a.atttypmod) AS column_type,
          CASE WHEN a.attnotnull THEN 'NO' ELSE 'YES' END AS "null", pg_catalog.col_description(c.oid, a.attnum) AS comment
        FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = ${Place.literal(schema)} AND c.relname = ${Place.literal(name)} AND a.attnum > 0
          AND NOT a.attisdropped ORDER BY a.attnum`
    }
  }
  return { isOurs: false, text: /^from\b/i.test(text) ? `SELECT * ${text}` : text }
}
