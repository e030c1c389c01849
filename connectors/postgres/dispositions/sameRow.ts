/**
 * The SQL that compares rows: column by column, or by a digest of their text if rows have no key to join them by.
 *
 * Columns of the visit are ignored. JSON is equal if its text is equal, or if only its spelling differs: a row that was stored
 * before its column was widened spells numbers as Postgres does, and has no member for a field that its struct got later.
 */
import * as Column from "#engine/Column"
import { type Compared, comparedColumns, versionColumn, withoutReading } from "#engine/comparedColumns"
import { areNull, areNullInReading } from "#engine/StoredTable"
import type * as Table from "#engine/Table"
import { isJsonSql } from "../columnSql.ts"
import * as Place from "../Place.ts"
import type { Stage } from "../stage.ts"
import type { WrittenColumn } from "../table/TableShape.ts"

/** The condition that two rows have the same key. Keys are never null here. */
export const sameKey = (
  columns: ReadonlyArray<{ readonly one: string; readonly other: string; readonly sql: string }>,
  one: string,
  other: string
): string =>
  columns
    .map(
      (pair) =>
        `${comparable(`${one}.${Column.quote(pair.one)}`, pair.sql)} = ${comparable(`${other}.${Column.quote(pair.other)}`, pair.sql)}`
    )
    .join(" AND ")

/** The key columns of a stage for `sameKey`, in the table and in its staged rows. */
export const keyPairs = ({ shape, table }: Stage) =>
  shape.columns.filter(({ ours }) => table.key.includes(ours)).map(({ name, sql }) => ({ one: name, other: name, sql }))

/** The condition that a staged row `s` equals the stored row `t`. */
export const saysSame = ({ shape, table }: Stage): string =>
  same(there(comparedColumns(table, table.columns), shape.columns, table.key))

/** The condition for a history: both have the same fingerprint. Columns that the run does not write are null in `s`. */
export const sameFingerprint = ({ fingerprint = [], prepared, shape }: Stage): string => {
  const both = shape.columns.filter(({ ours }) => fingerprint.includes(ours))
  return `(${same(both.map((column) => ({ ...column, except: [] })))} AND ${areNull(prepared.lacking, "t")})`
}

/**
 * The condition that a staged row `s` is the stored row `t`, read by another version: nothing else differs. Undefined: rows
 * have no version. `fingerprint`: the columns of a history; default: the columns of merge.
 */
export const isReread = (
  { prepared, shape, table }: Stage,
  fingerprint?: ReadonlyArray<string>
): string | undefined => {
  const version = versionColumn(table, table.columns)
  const column = shape.columns.find(({ ours }) => ours === version)
  if (column === undefined) return undefined
  const compared =
    fingerprint === undefined
      ? comparedColumns(table, table.columns)
      : table.columns.flatMap((column) => (fingerprint.includes(column.name) ? [{ column, except: [] }] : []))
  const name = Column.quote(column.name)
  const rest = same(there(withoutReading(table, compared), shape.columns, table.key))
  const absent = fingerprint === undefined ? "true" : areNullInReading(table, prepared.lacking, "t")
  return `(s.${name} IS NOT NULL AND t.${name} IS DISTINCT FROM s.${name} AND ${rest} AND ${absent})`
}

/** The digest of a row, without some columns. */
export const rowDigest = (
  table: Table.Table,
  columns: ReadonlyArray<WrittenColumn>,
  without: ReadonlyArray<string>,
  of: string
) =>
  `md5(ROW(${there(comparedColumns(table, table.columns), columns, without)
    .map((column) => valueOf(of, column))
    .join(", ")})::text)`

type Own = WrittenColumn & { readonly except: ReadonlyArray<string> }

const there = (
  compared: ReadonlyArray<Compared>,
  written: ReadonlyArray<WrittenColumn>,
  without: ReadonlyArray<string>
): ReadonlyArray<Own> =>
  compared.flatMap(({ column, except }) => {
    const own = written.find(({ ours }) => ours === column.name)
    return own === undefined || without.includes(column.name) ? [] : [{ ...own, except }]
  })

const same = (columns: ReadonlyArray<Own>): string =>
  columns.length === 0
    ? "true"
    : `(${columns.map((column) => isSame(valueOf("s", column), valueOf("t", column), column)).join(" AND ")})`

const isSame = (one: string, other: string, { sql, to }: Own): string => {
  const same = `${one} IS NOT DISTINCT FROM ${other}`
  if (!isJsonSql(sql)) return same
  const meaning = (text: string) => (to._tag === "JSON" ? `${text}::jsonb` : `json_strip_nulls(${text}::json)::jsonb`)
  const isText = [one, other].map((text) => `${text} ~ ${Place.literal(refusedByJsonb)}`).join(" OR ")
  return `(${same} OR coalesce(CASE WHEN ${isText} THEN false ELSE ${meaning(one)} = ${meaning(other)} END, false))`
}

/** The escapes of U+0000 and of half a pair, which a text may have and `jsonb` may not, as a pattern of Postgres. */
const refusedByJsonb = String.raw`\\u(0000|[dD][89a-fA-F])`

const valueOf = (of: string, { except, name, sql }: Own): string => {
  const value = `${of}.${Column.quote(name)}`
  return except.length > 0 && isJsonSql(sql) ? withoutMembers(value, except) : comparable(value, sql)
}

const comparable = (value: string, sql: string): string => (isJsonSql(sql) ? `${value}::text` : value)

/** The text of an object without some members. Postgres cannot parse an object with an escaped U+0000: all of it is compared. */
const withoutMembers = (value: string, except: ReadonlyArray<string>): string =>
  `CASE WHEN ${value} IS NULL OR json_typeof(${value}::json) <> 'object' OR strpos(${value}::text, ${Place.literal("\\u0000")}) > 0
    THEN ${value}::text ELSE coalesce((SELECT json_object_agg(m.key, m.value)::text FROM json_each(${value}::json) AS m
      WHERE m.key NOT IN (${except.map(Place.literal).join(", ")})), '{}') END`
