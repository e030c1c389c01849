/**
 * merge: a staged row takes the place of the stored row with its key, unless the two are equal: then the stored row stays. It
 * is changed in its place, so that columns which are somebody else's keep their values.
 *
 * Counts: `same`, `reread` (read by another version of a program, and nothing else), `updated`, `inserted`.
 */
import * as Column from "../Column.ts"
import { narrowKey, tellingColumns } from "../StoredTable.ts"
import { isRereadPrint, printed, rewriteSteps, runOf } from "./rewriteSteps.ts"
import {
  areEqual,
  columnList,
  hasRunId,
  keyPairs,
  numberColumn,
  type StagedTable,
  scratch,
  staged
} from "./StagedTable.ts"
import { count, refuse, run, type Steps, when } from "./Step.ts"
import { allOf, areSame, compared, isReread, isWhole, rereadOf } from "./sameRow.ts"

/** How a staged row stands to the stored row of its key. */
const [isChanged, isSame, isOtherReading, isNotCompared] = [0, 1, 2, 3]

export const mergeSteps = (table: StagedTable): Steps => {
  if (table.spelling.isColumnar) return columnarSteps(table)
  const { rowId, spelling, target } = table
  const rows = staged(table)
  const pairs = scratch(table, "pairs")
  const reread = isReread(table, false)
  const same = areSame(table, compared(table, table.table.key), "s", "t")
  const state = `CASE WHEN NOT ${isWhole(table)} THEN ${isChanged} WHEN ${same} THEN ${isSame}
    ${reread === undefined ? "" : `WHEN ${reread} THEN ${isOtherReading}`} ELSE ${isChanged} END`
  return [
    ...spelling.keep(
      pairs,
      `SELECT s.${numberColumn} AS new, t.${rowId} AS old, ${state} AS state FROM ${rows} AS s JOIN ${target} AS t
        ON ${areEqual(spelling, keyPairs(table), "s", "t")}`
    ),
    when(`SELECT 1 FROM ${pairs} GROUP BY new HAVING count(*) > 1 LIMIT 1`, severalSteps(table, pairs)),
    count("same", `SELECT count(*) FROM ${pairs} WHERE state = ${isSame}`),
    count("reread", `SELECT count(*) FROM ${pairs} WHERE state = ${isOtherReading}`),
    run(
      spelling.update({
        target,
        set: valuesOf(table, reread === undefined ? undefined : `p.state = ${isOtherReading}`),
        from: `${pairs} AS p JOIN ${rows} AS s ON s.${numberColumn} = p.new`,
        where: `t.${rowId} = p.old AND p.state <> ${isSame}`
      }),
      "updated"
    ),
    insertStep(table, `LEFT JOIN ${pairs} AS p ON p.new = s.${numberColumn} WHERE p.new IS NULL`)
  ]
}

/** The same by digests. */
const columnarSteps = (table: StagedTable): Steps => {
  const { rowId, spelling, target } = table
  const [rows, keys, pairs] = [staged(table), scratch(table, "keys"), scratch(table, "pairs")]
  const columns = compared(table, table.table.key)
  const hasVersion = rereadOf(table, false) !== undefined
  const state = `CASE WHEN p.state = ${isChanged} OR NOT t.whole THEN ${isChanged} WHEN s.print = t.print THEN ${isSame}
    ${hasVersion ? `WHEN ${isRereadPrint} THEN ${isOtherReading}` : ""} ELSE ${isChanged} END AS state`
  const rewrite = { pairs, isRemoved: `p.state <> ${isSame}` }
  const isThere = `SELECT 1 FROM ${pairs} WHERE state = ${isOtherReading}`
  const plainly = [
    run(`DELETE FROM ${target} WHERE ${rowId} IN (SELECT p.old FROM ${pairs} AS p WHERE ${rewrite.isRemoved})`),
    insertStep(table, `WHERE s.${numberColumn} NOT IN (SELECT new FROM ${pairs} WHERE state = ${isSame})`)
  ]
  const withOthers = rewriteSteps(table, {
    ...rewrite,
    isReread: hasVersion ? `p.state = ${isOtherReading}` : undefined,
    isInserted: `p.state IS DISTINCT FROM ${isSame}`
  })
  return [
    ...spelling.keep(
      keys,
      `SELECT s.${numberColumn} AS new, t.${rowId} AS old, ${isNotCompared} AS state FROM ${rows} AS s JOIN ${target} AS t
        ON ${areEqual(spelling, keyPairs(table), "s", "t")}`
    ),
    when(`SELECT 1 FROM ${keys} GROUP BY new HAVING count(*) > 1 LIMIT 1`, severalSteps(table, keys)),
    ...spelling.keep(
      pairs,
      `SELECT ${["p.new", "p.old", state, ...runOf(table, false)].join(", ")} FROM ${keys} AS p
        JOIN (SELECT ${printed(table, "s", columns, false).join(", ")} FROM ${rows} AS s
          WHERE s.${numberColumn} IN (SELECT new FROM ${keys})) AS s ON s.new = p.new
        JOIN (SELECT ${printed(table, "t", columns, false).join(", ")} FROM ${target} AS t
          WHERE t.${rowId} IN (SELECT old FROM ${keys})) AS t ON t.old = p.old`,
      "rows"
    ),
    count("same", `SELECT count(*) FROM ${pairs} WHERE state = ${isSame}`),
    ...(hasVersion ? [count("reread", `SELECT count(*) FROM ${pairs} WHERE state = ${isOtherReading}`)] : []),
    ...(table.foreign.length > 0
      ? withOthers
      : hasVersion
        ? [when(`${isThere} LIMIT 1`, withOthers), when(`SELECT 1 WHERE NOT EXISTS (${isThere})`, plainly)]
        : plainly)
  ]
}

/** Inserts the staged rows `s`, or some of them, in their order. */
export const insertStep = (table: StagedTable, some = "") =>
  run(
    `INSERT INTO ${table.target} (${columnList(table)}) SELECT ${columnList(table, "s")} FROM ${staged(table)} AS s
      ${some}${table.spelling.inOrder(`s.${numberColumn}`)}`,
    "inserted",
    "insertions"
  )

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

/** Of several stored rows of one key, which must be equal in all columns, one stays, and becomes the staged row. */
const severalSteps = (table: StagedTable, pairs: string): Steps => {
  const { rowId, spelling, stored, target } = table
  const several = scratch(table, "several")
  const areAlike = tellingColumns(table.table, stored).map(({ name, type }) => {
    const cell = (of: "s" | "t") => `${of}.${Column.quote(name)}`
    // A type that `Column` lacks may have no comparison.
    const value = (of: "s" | "t") =>
      type === undefined ? spelling.text(cell(of)) : spelling.comparable(cell(of), type)
    return spelling.same(value("s"), value("t"), type ?? { _tag: "VARCHAR" })
  })
  return [
    ...spelling.keep(several, `SELECT new, min(old) AS kept FROM ${pairs} GROUP BY new HAVING count(*) > 1`),
    refuse(
      narrowKey(table.table),
      `SELECT 1 FROM ${several} AS x JOIN ${pairs} AS p ON p.new = x.new JOIN ${target} AS s ON s.${rowId} = x.kept
        JOIN ${target} AS t ON t.${rowId} = p.old WHERE NOT ${allOf(areAlike)} LIMIT 1`
    ),
    run(
      `DELETE FROM ${target} WHERE ${rowId} IN
        (SELECT p.old FROM ${pairs} AS p JOIN ${several} AS x ON x.new = p.new WHERE p.old <> x.kept)`
    ),
    run(`DELETE FROM ${pairs} WHERE new IN (SELECT new FROM ${several}) AND old NOT IN (SELECT kept FROM ${several})`),
    run(`UPDATE ${pairs} SET state = ${isChanged} WHERE new IN (SELECT new FROM ${several})`)
  ]
}
