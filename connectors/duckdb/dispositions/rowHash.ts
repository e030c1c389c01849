/**
 * A hash of what a row says, as SQL: rows with the same hash say the same.
 *
 * It has 64 bits, so that one difference in 10^19 goes unseen. What describes the visit does not count.
 */
import * as Database from "../../../src/duckdb/Database.ts"
import * as Column from "../../../src/pipeline/Column.ts"
import { type Compared, comparedColumns, versionColumn, withoutReading } from "../../../src/pipeline/comparedColumns.ts"
import type * as Table from "../../../src/pipeline/Table.ts"
import type { WrittenColumn } from "../table/prepareTable.ts"

/** The hash of a row of a table, without what these columns hold. */
export const rowHash = (
  table: Table.Table,
  written: ReadonlyArray<WrittenColumn>,
  without: ReadonlyArray<string>
): string => {
  return hashOf(there(comparedColumns(table, table.columns), written, without))
}

/**
 * How rows of two readings are compared: the column with the version, and the hash of what the reading does not fill;
 * undefined where rows have no version. `fingerprint`: the columns of a history's; what merge compares where absent.
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

/** The condition that a staged row `s` is the stored row `t` read anew, by their `version` and their `rest`. */
export const isReread = "(s.version IS NOT NULL AND t.version IS DISTINCT FROM s.version AND t.rest = s.rest)"

/** Of compared columns those that a run writes, under the names of the database. */
const there = (
  compared: ReadonlyArray<Compared>,
  written: ReadonlyArray<WrittenColumn>,
  without: ReadonlyArray<string>
) =>
  compared.flatMap(({ column, except }) => {
    const own = written.find(({ ours }) => ours === column.name)
    return own === undefined || without.includes(column.name) ? [] : [{ ...own, except }]
  })

/** The hash of some columns. `except`: the members of a JSON object that do not count. */
export const hashOf = (
  columns: ReadonlyArray<{ readonly name: string; readonly sql: string; readonly except?: ReadonlyArray<string> }>
): string => {
  const cells = columns.flatMap(({ except = [], name, sql }) => cellsOf(Column.quote(name), sql, except))
  return cells.length === 0 ? "0::UBIGINT" : `hash(${cells.join(", ")})`
}

/**
 * DuckDB's hash takes an empty list, and one that holds null alone, for null: of a list of plain values its length counts
 * too, and what is nested deeper is hashed as its text.
 */
const cellsOf = (name: string, sql: string, except: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (sql === "JSON" && except.length > 0) {
    // A patch takes members away that it says are null, and would make an object of what is none.
    const patch = JSON.stringify(Object.fromEntries(except.map((member) => [member, null])))
    return [
      `CASE WHEN json_type(${name}) = 'OBJECT' THEN json_merge_patch(${name}, ${Database.literal(patch)}::JSON) ELSE ${name} END`
    ]
  }
  if (/^[^()]*\[\]$|^DECIMAL\([^)]*\)\[\]$/.test(sql) && !sql.endsWith("[][]")) return [name, `len(${name})`]
  return sql.endsWith("]") || sql.startsWith("STRUCT") ? [`CAST(to_json(${name}) AS VARCHAR)`] : [name]
}
