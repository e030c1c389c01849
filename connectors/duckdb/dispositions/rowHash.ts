/**
 * The SQL of a hash of a row: rows with equal hashes are equal.
 *
 * It has 64 bits, so one difference in 10^19 is missed. Columns of the visit are ignored.
 */

import * as Column from "#engine/Column"
import { type Compared, comparedColumns, versionColumn, withoutReading } from "#engine/comparedColumns"
import * as Database from "#engine/Duckdb"
import type * as Table from "#engine/Table"
import type { WrittenColumn } from "../table/prepareTable.ts"

/** The hash of a row of a table, without some columns. */
export const rowHash = (
  table: Table.Table,
  written: ReadonlyArray<WrittenColumn>,
  without: ReadonlyArray<string>
): string => {
  return hashOf(there(comparedColumns(table, table.columns), written, without))
}

/**
 * How rows are compared that two versions have read: the column with the version, and the hash of the columns that do not
 * depend on it. Undefined: rows have no version. `fingerprint`: the columns of a history; default: the columns of merge.
 */
export const rereadOf = (
  table: Table.Table,
  written: ReadonlyArray<WrittenColumn>,
  fingerprint?: ReadonlyArray<string>
): { readonly version: string; readonly rest: string } | undefined => {
  const version = versionColumn(table, table.columns)
  const column = written.find(({ ours }) => ours === version)
  if (column === undefined) return undefined
  const compared =
    fingerprint === undefined
      ? comparedColumns(table, table.columns)
      : table.columns.flatMap((column) => (fingerprint.includes(column.name) ? [{ column, except: [] }] : []))
  return {
    version: Column.quote(column.name),
    rest: hashOf(there(withoutReading(table, compared), written, table.key))
  }
}

/** The condition that a staged row `s` is the stored row `t`, read by another version: their `rest` is equal. */
export const isReread = "(s.version IS NOT NULL AND t.version IS DISTINCT FROM s.version AND t.rest = s.rest)"

/** The compared columns that a run writes, by their names in the database. */
const there = (
  compared: ReadonlyArray<Compared>,
  written: ReadonlyArray<WrittenColumn>,
  without: ReadonlyArray<string>
) =>
  compared.flatMap(({ column, except }) => {
    const own = written.find(({ ours }) => ours === column.name)
    return own === undefined || without.includes(column.name) ? [] : [{ ...own, except }]
  })

/** The hash of some columns. `except`: members of a JSON object that are ignored. */
export const hashOf = (
  columns: ReadonlyArray<{ readonly name: string; readonly sql: string; readonly except?: ReadonlyArray<string> }>
): string => {
  const cells = columns.flatMap(({ except = [], name, sql }) => cellsOf(Column.quote(name), sql, except))
  return cells.length === 0 ? "0::UBIGINT" : `hash(${cells.join(", ")})`
}

/**
 * DuckDB's hash of an empty list, and of a list with only null, is that of null. So the length of a list of plain values is
 * hashed too, and values that are nested deeper are hashed as text.
 */
const cellsOf = (name: string, sql: string, except: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (sql === "JSON" && except.length > 0) {
    // A merge patch removes members that are null in it, but would turn a value that is not an object into one.
    const patch = JSON.stringify(Object.fromEntries(except.map((member) => [member, null])))
    return [
      `CASE WHEN json_type(${name}) = 'OBJECT' THEN json_merge_patch(${name}, ${Database.literal(patch)}::JSON) ELSE ${name} END`
    ]
  }
  if (/^[^()]*\[\]$|^DECIMAL\([^)]*\)\[\]$/.test(sql) && !sql.endsWith("[][]")) return [name, `len(${name})`]
  return sql.endsWith("]") || sql.startsWith("STRUCT") ? [`CAST(to_json(${name}) AS VARCHAR)`] : [name]
}
