/**
 * merge: a staged row takes the place of the stored row with its key, unless the two are equal: then the stored row stays. It
 * is changed in its place, so that columns which are somebody else's keep their values.
 *
 * Counts: `same`, `reread` (read by another version of a program, and nothing else), `updated`, `inserted`.
 */
import * as Column from "../Column.ts"
import {
  comparisonSteps,
  isChanged,
  isOtherReading,
  isSame,
  matches,
  pairs,
  several,
  severalSteps
} from "./comparison.ts"
import * as RowNotes from "./RowNotes.ts"
import { removeSteps, rewriteSteps } from "./rewriteSteps.ts"
import { areEqual, columnList, hasRunId, keyPairs, numberColumn, type StagedTable, staged } from "./StagedTable.ts"
import { count, run, type Steps, when } from "./Step.ts"
import { areSame, compared, isReread, isWhole, rereadOf } from "./sameRow.ts"

export const mergeSteps = (table: StagedTable): Steps => {
  if (table.spelling.isColumnar) return columnarSteps(table)
  const { rowId, spelling, target } = table
  const [rows, comparedRows] = [staged(table), pairs(table)]
  const reread = isReread(table, false)
  const same = areSame(table, compared(table, table.table.key), "s", "t")
  const state = `CASE WHEN NOT ${isWhole(table)} THEN ${isChanged} WHEN ${same} THEN ${isSame}
    ${reread === undefined ? "" : `WHEN ${reread} THEN ${isOtherReading}`} ELSE ${isChanged} END`
  const values = valuesOf(table, reread === undefined ? undefined : `p.state = ${isOtherReading}`)
  const from = `${comparedRows} AS p JOIN ${rows} AS s ON s.${numberColumn} = p.new`
  const where = `t.${rowId} = p.old AND p.state <> ${isSame}`
  return [
    ...spelling.keep(
      comparedRows,
      `SELECT s.${numberColumn} AS new, t.${rowId} AS old, ${state} AS state FROM ${rows} AS s JOIN ${target} AS t
        ON ${areEqual(spelling, keyPairs(table), "s", "t")}`
    ),
    ...severalSteps(table, comparedRows, oneOf(table, comparedRows)),
    count("same", `SELECT count(*) FROM ${comparedRows} WHERE state = ${isSame}`),
    count("reread", `SELECT count(*) FROM ${comparedRows} WHERE state = ${isOtherReading}`),
    ...RowNotes.removed(table, `${rowId} IN (SELECT old FROM ${comparedRows} WHERE state <> ${isSame})`),
    ...RowNotes.updated(table, values, `${target} AS t, ${from} WHERE ${where}`),
    run(spelling.update({ target, set: values, from, where }), "updated"),
    ...insertSteps(table, `LEFT JOIN ${comparedRows} AS p ON p.new = s.${numberColumn} WHERE p.new IS NULL`)
  ]
}

/** The same by digests. */
const columnarSteps = (table: StagedTable): Steps => {
  const { rowId } = table
  const comparedRows = pairs(table)
  const hasVersion = rereadOf(table, false) !== undefined
  const rewrite = { pairs: comparedRows, isRemoved: `p.state <> ${isSame}` }
  const isThere = `SELECT 1 FROM ${comparedRows} WHERE state = ${isOtherReading}`
  const plainly = [
    ...removeSteps(table, `${rowId} IN (SELECT p.old FROM ${comparedRows} AS p WHERE ${rewrite.isRemoved})`),
    ...insertSteps(table, `WHERE s.${numberColumn} NOT IN (SELECT new FROM ${comparedRows} WHERE state = ${isSame})`)
  ]
  const withOthers = rewriteSteps(table, {
    ...rewrite,
    isReread: hasVersion ? `p.state = ${isOtherReading}` : undefined,
    isInserted: `p.state IS DISTINCT FROM ${isSame}`
  })
  return [
    ...comparisonSteps(table, { several: severalSteps(table, matches(table), oneOf(table, matches(table))) }),
    count("same", `SELECT count(*) FROM ${comparedRows} WHERE state = ${isSame}`),
    ...(hasVersion ? [count("reread", `SELECT count(*) FROM ${comparedRows} WHERE state = ${isOtherReading}`)] : []),
    ...(table.foreign.length > 0
      ? withOthers
      : hasVersion
        ? [when(`${isThere} LIMIT 1`, withOthers), when(`SELECT 1 WHERE NOT EXISTS (${isThere})`, plainly)]
        : plainly)
  ]
}

/** Of several stored rows of one key one stays. */
const oneOf = (table: StagedTable, of: string): Steps => {
  const [{ rowId }, these] = [table, several(table)]
  return [
    ...removeSteps(
      table,
      `${rowId} IN
        (SELECT p.old FROM ${of} AS p JOIN ${these} AS x ON x.new = p.new WHERE p.old <> x.kept)`
    ),
    run(`DELETE FROM ${of} WHERE new IN (SELECT new FROM ${these}) AND old NOT IN (SELECT kept FROM ${these})`)
  ]
}

/** Inserts the staged rows `s`, or some of them, in their order. */
export const insertSteps = (table: StagedTable, some = ""): Steps => [
  ...RowNotes.added(table, some),
  run(
    `INSERT INTO ${table.target} (${columnList(table)}) SELECT ${columnList(table, "s")} FROM ${staged(table)} AS s
      ${some}${table.spelling.inOrder(`s.${numberColumn}`)}`,
    "inserted",
    "insertions"
  )
]

/** The new values of a stored row: those of the staged row `s`. `keepsRun`: the condition that no other run has written it. */
export const valuesOf = (
  table: StagedTable,
  keepsRun: string | undefined
): ReadonlyArray<readonly [column: string, value: string]> => [
  ...table.columns
    .filter(({ ours }) => !table.table.key.includes(ours))
    .map(({ name }): readonly [string, string] => {
      const quoted = Column.quote(name)
      const isRun = name === "_run_id" && keepsRun !== undefined && hasRunId(table)
      return [quoted, isRun ? `CASE WHEN ${keepsRun} THEN t.${quoted} ELSE s.${quoted} END` : `s.${quoted}`]
    }),
  ...table.cleared.map((name): readonly [string, string] => [Column.quote(name), "NULL"])
]
