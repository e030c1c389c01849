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
