/**
 * Drops staged rows whose key was staged again later. The last row of a key stays, with the children that came after it.
 */
import * as Column from "../Column.ts"
import {
  areEqual,
  keyColumns,
  keyPairs,
  numberColumn,
  parentPairs,
  type StagedTable,
  scratch,
  stagedKeys
} from "./StagedTable.ts"
import { run, type Steps, when } from "./Step.ts"

/** Counts `superseded`. The steps of the parent come first: its table of duplicates is used. */
export const duplicateSteps = (table: StagedTable, parent?: StagedTable): Steps => {
  const { spelling } = table
  const rows = stagedKeys(table)
  const drop = (from: string, on: string, isStale: string) =>
    run(
      `DELETE FROM ${rows} WHERE ${numberColumn} IN (SELECT s.${numberColumn} FROM ${rows} AS s JOIN ${from} AS d ON ${on} WHERE ${isStale})`,
      "superseded"
    )
  const stale =
    parent === undefined || parent.table.key.length === 0
      ? []
      : [
          when(`SELECT 1 FROM ${duplicates(parent)} LIMIT 1`, [
            drop(
              duplicates(parent),
              areEqual(spelling, parentPairs(table, parent), "s", "d"),
              `s.${numberColumn} < d.${lastColumn}`
            )
          ])
        ]
  if (table.table.key.length === 0) return stale
  const key = keyColumns(table)
    .map(({ name }) => Column.quote(name))
    .join(", ")
  return [
    ...stale,
    ...spelling.keep(
      duplicates(table),
      `SELECT ${key}, max(${numberColumn}) AS ${lastColumn} FROM ${rows} GROUP BY ${key} HAVING count(*) > 1`
    ),
    when(`SELECT 1 FROM ${duplicates(table)} LIMIT 1`, [
      drop(duplicates(table), areEqual(spelling, keyPairs(table), "s", "d"), `s.${numberColumn} < d.${lastColumn}`)
    ])
  ]
}

const lastColumn = "_millrace_last"
const duplicates = (table: StagedTable): string => scratch(table, "duplicates")
