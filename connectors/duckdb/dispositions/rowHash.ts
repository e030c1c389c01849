/**
 * A hash of what a row says, as SQL: rows with the same hash say the same.
 *
 * It has 64 bits, so that one difference in 10^19 goes unseen. What describes the visit does not count.
 */
import * as Database from "../../../src/duckdb/Database.ts"
import * as Column from "../../../src/pipeline/Column.ts"
import { comparedColumns } from "../../../src/pipeline/comparedColumns.ts"
import type * as Table from "../../../src/pipeline/Table.ts"
import type { WrittenColumn } from "../table/prepareTable.ts"

/** The hash of a row of a table, without what these columns hold. */
export const rowHash = (
  table: Table.Table,
  written: ReadonlyArray<WrittenColumn>,
  without: ReadonlyArray<string>
): string => {
  const columns = comparedColumns(table, table.columns).flatMap(({ column, except }) => {
    const there = written.find(({ ours }) => ours === column.name)
    return there === undefined || without.includes(column.name) ? [] : [{ ...there, except }]
  })
  return hashOf(columns)
}

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
