/**
 * Merge, as SQL over the staged rows: what goes, and what comes.
 *
 * The law: of the staged rows with one key the last counts. Only keys are joined, never whole rows, so that merging a
 * million pages needs the memory of their keys.
 */
import * as Column from "../../src/pipeline/Column.ts"
import type * as Sink from "../../src/pipeline/Sink.ts"
import type * as Table from "../../src/pipeline/Table.ts"
import { names, staged, target } from "./Stage.ts"

/** The statements that merge one table, in order. The last inserts the rows. Parents stay staged while children merge. */
export const mergeStatements = ({ table }: Sink.TablePlan): ReadonlyArray<string> =>
  table.parent === undefined
    ? [keepLast(table), deleteMatches(table, table.name, table.key, table.key), insert(table)]
    : [
        ...(table.key.length > 0 ? [keepLast(table)] : []),
        deleteMatches(table, table.parent.table, Object.keys(table.parent.on), Object.values(table.parent.on)),
        insert(table)
      ]

/** Why these tables cannot be merged, if so: what has no key, and whose parent is not merged with it. */
export const mergeFault = (tables: ReadonlyArray<Sink.TablePlan>): string | undefined => {
  const merged = new Set(tables.filter((each) => each.write === "merge").map(({ table }) => table.name))
  for (const { table, write } of tables) {
    if (write !== "merge") continue
    if (table.parent !== undefined && !merged.has(table.parent.table)) {
      return `table ${table.name} cannot merge without its parent ${table.parent.table}; merge both, or append both`
    }
    if (table.parent === undefined && table.key.length === 0) {
      return `table ${table.name} has no key to merge by; give it one, or append`
    }
  }
  return undefined
}

/** The columns that no row of a merged table may leave null. */
export const required = ({ table, write }: Sink.TablePlan): ReadonlyArray<string> =>
  write === "merge" ? [...new Set([...table.key, ...Object.keys(table.parent?.on ?? {})])] : []

const keepLast = (table: Table.Table): string =>
  `DELETE FROM ${staged(table.name)} WHERE rowid NOT IN
    (SELECT max(rowid) FROM ${staged(table.name)} GROUP BY ${table.key.map(Column.quote).join(", ")})`

const deleteMatches = (
  table: Table.Table,
  from: string,
  ours: ReadonlyArray<string>,
  theirs: ReadonlyArray<string>
): string => {
  const same = ours.map((column, at) => `t.${Column.quote(column)} = s.${Column.quote(theirs[at] ?? column)}`)
  return `DELETE FROM ${target(table)} AS t USING ${staged(from)} AS s WHERE ${same.join(" AND ")}`
}

const insert = (table: Table.Table): string =>
  `INSERT INTO ${target(table)} (${names(table)}) SELECT ${names(table)} FROM ${staged(table.name)}`
