/**
 * A hash of what a row says, as SQL: rows with the same hash say the same.
 *
 * The law: of 64 bits, so that one difference in 10^19 goes unseen. What describes the visit does not count.
 */
import * as Database from "../../src/duckdb/Database.ts"
import * as Column from "../../src/pipeline/Column.ts"
import * as Table from "../../src/pipeline/Table.ts"
import type { Written } from "./evolve.ts"

/** The hash of a row of a table, without what these columns hold. */
export const print = (table: Table.Table, written: ReadonlyArray<Written>, without: ReadonlyArray<string>): string => {
  const counted = written.filter(({ ours }) => !Table.isOfVisit(table, ours) && !without.includes(ours))
  return hashOf(counted.map((column) => ({ ...column, unseen: membersOfVisit(table, column.ours) })))
}

/** The hash of some columns. `unseen`: the members of a JSON object that do not count. */
export const hashOf = (
  columns: ReadonlyArray<{ readonly name: string; readonly sql: string; readonly unseen?: ReadonlyArray<string> }>
): string => {
  const cells = columns.flatMap(({ name, sql, unseen = [] }) => cellsOf(Column.quote(name), sql, unseen))
  return cells.length === 0 ? "0::UBIGINT" : `hash(${cells.join(", ")})`
}

const membersOfVisit = ({ visit }: Table.Table, column: string): ReadonlyArray<string> => {
  const members = visit?.[column]
  return members === undefined || members === true ? [] : members
}

/**
 * DuckDB's hash takes an empty list, and one that holds null alone, for null: of a list of plain values its length counts
 * too, and what is nested deeper is hashed as its text.
 */
const cellsOf = (name: string, sql: string, unseen: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (sql === "JSON" && unseen.length > 0) {
    // A patch takes members away that it says are null, and would make an object of what is none.
    const patch = JSON.stringify(Object.fromEntries(unseen.map((member) => [member, null])))
    return [
      `CASE WHEN json_type(${name}) = 'OBJECT' THEN json_merge_patch(${name}, ${Database.literal(patch)}::JSON) ELSE ${name} END`
    ]
  }
  if (/^[^()]*\[\]$|^DECIMAL\([^)]*\)\[\]$/.test(sql) && !sql.endsWith("[][]")) return [name, `len(${name})`]
  return sql.endsWith("]") || sql.startsWith("STRUCT") ? [`CAST(to_json(${name}) AS VARCHAR)`] : [name]
}
