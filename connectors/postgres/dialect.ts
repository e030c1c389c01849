/** Postgres as a dialect of the planner: how it spells, stores and compares, and what it does in its own way. */
import * as Digest from "#base/Digest"
import * as CellJson from "#engine/CellJson"
import * as Column from "#engine/Column"
import * as Instant from "#engine/Instant"
import { parseJson } from "#engine/parseJson"
import type * as Sink from "#engine/Sink"
import type { SqlDialect } from "#engine/SqlDialect"
import type * as Table from "#engine/Table"
import { cast, lossOf } from "./cast.ts"
import { isInJson, isPlain, typeOf, typeSql } from "./columnSql.ts"
import { isMoment, isRefusedByJsonb, jsonbFault, momentFault, nulFault } from "./copy/cellWriter.ts"
import * as DatabaseLocation from "./DatabaseLocation.ts"

const { literal } = DatabaseLocation

/** What is the same in each place. */
export const dialect = {
  // A column that a user made `jsonb` stays so.
  type: (type, stored) => (stored === "jsonb" && isInJson(type) ? stored : typeSql(type)),
  typeOf,
  // The results of checks quote values with U+0000, which Postgres cannot store, so it is written as text.
  literal: (value) => {
    if (typeof value === "string") return literal(value.replaceAll("\0", "\\u0000"))
    return value === null ? "NULL" : String(value)
  },
  moment: (micros) => `timestamptz ${literal(Instant.textOf(micros))}`,
  read: (type) => {
    if (type._tag === "TIMESTAMP") return (value) => momentOf(String(value))
    if (type._tag !== "LIST" || type.of.type._tag !== "TIMESTAMP") return undefined
    return (value) => {
      const items = parseJson(String(value))
      return Array.isArray(items) ? items.map((item) => (item === null ? null : momentOf(String(item)))) : null
    }
  },
  selected: (value: string, type: Column.ColumnType) =>
    type._tag === "LIST" && isPlain(type.of.type) ? `to_json(${value}::text[])::text` : value,
  cellFault: (type, { from, sql }) => (sql === "jsonb" ? jsonbCheck(from) : checkOf(type)),
  nameFault: (table, write) => nameFault(table) ?? keyFault(table, write),
  rowId: () => "ctid",
  isUnordered: true,
  isCaseSensitive: true,
  comparable: (value, type) => (isInJson(type) ? `${value}::text` : value),
  same: (one, other, type) => {
    const same = `${one} IS NOT DISTINCT FROM ${other}`
    if (!isInJson(type)) return same
    // JSON may differ in its spelling only: a row that was stored before its column was widened spells numbers as Postgres does, and
    // has no member for a field that its struct got later.
    const meaning = (text: string) =>
      type._tag === "JSON" ? `${text}::jsonb` : `json_strip_nulls(${text}::json)::jsonb`
    const isText = [one, other].map((text) => `${text} ~ ${literal(refusedByJsonb)}`).join(" OR ")
    return `(${same} OR coalesce(CASE WHEN ${isText} THEN false ELSE ${meaning(one)} = ${meaning(other)} END, false))`
  },
  // A uuid is sorted by its bytes; a text by the words of its language, which is slow.
  digest: (values) => `md5(ROW(${values.join(", ")})::text)::uuid`,
  rowsHash: (cells) => {
    const each = cells.map(({ name, value }) => {
      const seed = BigInt.asIntN(64, BigInt(`0x${Digest.short(name)}`))
      return `coalesce(hashtextextended(${value}::text, '${seed}'::bigint), 0)`
    })
    return `coalesce(sum(hashint8extended(${each.length === 0 ? "0" : each.join(" # ")}, 0)), 0)::text`
  },
  // Postgres cannot parse an object with an escaped U+0000: all of it is compared.
  withoutMembers: (value, members) =>
    `CASE WHEN ${value} IS NULL OR json_typeof(${value}::json) <> 'object' OR strpos(${value}::text, ${literal("\\u0000")}) > 0
      THEN ${value}::text ELSE coalesce((SELECT json_object_agg(m.key, m.value)::text FROM json_each(${value}::json) AS m
        WHERE m.key NOT IN (${members.map(literal).join(", ")})), '{}') END`,
  text: (value) => `${value}::text`,
  cast,
  loses: lossOf,
  // Autovacuum does not analyze temporary tables, and plans of joins need the number of rows.
  analyze: (table) => `ANALYZE ${table}`,
  serial: "bigint GENERATED ALWAYS AS IDENTITY"
} satisfies Partial<SqlDialect>

/** The dialect in a schema. `token`: a unique text of the session, which is in the names of its temporary tables. */
export const dialectIn = (place: Pick<DatabaseLocation.DatabaseLocation, "schema">, token: string): SqlDialect => {
  const named = (table: string) => DatabaseLocation.named(place, table)
  const comment = (what: string, text: string | null) =>
    `COMMENT ON ${what} IS ${text === null ? "NULL" : literal(text)}`
  return {
    ...dialect,
    table: named,
    temporary: (name) => `pg_temp.${Column.quote(`${name}_${token}`)}`,
    describe: (table) => `SELECT a.attname, format_type(a.atttypid, a.atttypmod), NOT a.attnotnull,
        coalesce(pg_get_expr(d.adbin, d.adrelid), CASE WHEN a.attidentity <> '' THEN 'identity' END),
        CASE c.relkind WHEN 'r' THEN NULL ${Object.entries(kinds)
          .map(([kind, what]) => `WHEN '${kind}' THEN '${what}'`)
          .join(" ")} ELSE 'relation' END,
        col_description(c.oid, a.attnum), obj_description(c.oid, 'pg_class'), pg_has_role(c.relowner, 'USAGE')
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE n.nspname = ${literal(place.schema)} AND c.relname = ${literal(table)} ORDER BY a.attnum`,
    alter: (table, clauses) => [`ALTER TABLE ${named(table)} ${clauses.join(", ")}`],
    lock: (table) => `LOCK TABLE ${named(table)} IN SHARE ROW EXCLUSIVE MODE`,
    comments: {
      table: (table, kind, text) => comment(`${kind} ${named(table)}`, text),
      column: (table, column, text) => comment(`COLUMN ${named(table)}.${Column.quote(column)}`, text)
    }
  }
}

const kinds: Readonly<Record<string, string>> = {
  v: "view",
  m: "materialized view",
  f: "foreign table",
  p: "partitioned table",
  S: "sequence",
  i: "index",
  c: "type"
}

/** The escapes of U+0000 and of half a pair, which a text may have and `jsonb` may not, as a pattern of Postgres. */
const refusedByJsonb = String.raw`\\u(0000|[dD][89a-fA-F])`

/** Why Postgres cannot take a cell that fits its column: some characters and moments. */
type Check = (cell: unknown) => string | undefined

const checkOf = (type: Column.ColumnType): Check | undefined => {
  switch (type._tag) {
    case "VARCHAR":
      return (cell) => (typeof cell === "string" && cell.includes("\0") ? nulFault : undefined)
    case "TIMESTAMP":
      return (cell) => (typeof cell === "bigint" && !isMoment(cell) ? momentFault : undefined)
    case "LIST": {
      const check = isPlain(type.of.type) ? checkOf(type.of.type) : undefined
      if (check === undefined) return undefined
      return (cell) => (Array.isArray(cell) ? cell.map(check).find((fault) => fault !== undefined) : undefined)
    }
    case "BIGINT":
    case "BOOLEAN":
    case "DATE":
    case "DECIMAL":
    case "DOUBLE":
    case "JSON":
    case "STRUCT":
      return undefined
  }
}

const jsonbCheck = (type: Column.ColumnType): Check => {
  const convert = CellJson.ofCell(type)
  return (cell) => (isRefusedByJsonb(JSON.stringify(convert(cell))) ? jsonbFault : undefined)
}

/** Why Postgres cannot have the names of a table; undefined: it can. It would cut longer names, and two columns would become one. */
const nameFault = ({ columns, name }: Table.Table): string | undefined => {
  const cut = `has more than ${mostBytes} bytes, which Postgres would cut; rename it`
  if (isLong(name)) return `table ${name}: its name ${cut}`
  const long = columns.find((column) => isLong(column.name))
  if (long !== undefined) return `table ${name}: the name of column ${long.name} ${cut}`
  const taken = columns.find((column) => systemColumns.includes(column.name))
  if (taken !== undefined) {
    return `table ${name}: every table of Postgres has a column ${taken.name} of its own; rename it`
  }
  return columns.length > mostColumns
    ? `table ${name} has ${columns.length} columns, and Postgres takes at most ${mostColumns}`
    : undefined
}

export const isLong = (name: string): boolean => Buffer.byteLength(name) > mostBytes

const mostBytes = 63
/** The maximum of Postgres is 1,600, and Millrace adds a few columns. */
const mostColumns = 1590
const systemColumns = ["ctid", "xmin", "xmax", "cmin", "cmax", "tableoid"]

/** Why rows cannot be found by their key: Postgres cannot compare JSON. Undefined: they can. */
const keyFault = (table: Table.Table, write: Sink.WriteDisposition): string | undefined => {
  if (write !== "merge" && write !== "scd2") return undefined
  const nested = table.columns.find(({ name, type }) => table.key.includes(name) && isInJson(type))
  return (
    nested &&
    `table ${table.name}: its key ${nested.name} is JSON in Postgres, and cannot be compared; name another key`
  )
}

const pattern = /^([+-]?\d{4,})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?)?(?:Z|\+00(?::00)?)?( BC)?$/

/** The microseconds of a moment in UTC, as Postgres and as `Instant.textOf` write it. */
const momentOf = (text: string): bigint => {
  const endless = /^-?infinity$/.test(text) ? Instant.writtenMicrosOf(text) : undefined
  if (endless !== undefined) return endless
  const parts = pattern.exec(text)
  if (parts === null) throw new Error(`${text} is not a point in time of ours; cast it to text`)
  const [, years = "", month = "", day = "", hour = "0", minute = "0", second = "0", fraction = "", before] = parts
  const year = before === undefined ? Number(years) : 1 - Number(years)
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second)
  const days = Instant.daysBefore(year, Number(month), Number(day))
  return BigInt(days) * 86_400_000_000n + BigInt(seconds) * 1_000_000n + BigInt(fraction.padEnd(6, "0"))
}
