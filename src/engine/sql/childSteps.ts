/**
 * merge of a child table: the staged children of a row take the place of all its stored children, but equal children stay. Each
 * staged child keeps one stored child that equals it, also where several are equal.
 *
 * Rows of both sides are sorted together, and not joined, because a parent may have many children. Where tables are stored by columns,
 * a sum of digests first finds the parents whose children are all the same. Counts: `same`, `inserted`.
 */
import * as Column from "../Column.ts"
import { insertSteps } from "./mergeSteps.ts"
import * as RowNotes from "./RowNotes.ts"
import { removeSteps } from "./rewriteSteps.ts"
import {
  isAmong,
  numberColumn,
  type Pair,
  parentPairs,
  type StagedTable,
  scratch,
  staged,
  stagedKeys
} from "./StagedTable.ts"
import { count, run, type Steps } from "./Step.ts"
import { compared, digestOf, isWhole } from "./sameRow.ts"

/** The rows of the parent are staged, without duplicates. */
export const childSteps = (table: StagedTable, parent: StagedTable): Steps => {
  if (table.spelling.isColumnar) return summedSteps(table, parent)
  const { rowId } = table
  const children = pairedChildren(table)
  return [
    ...pairingSteps(table, parent),
    count("same", `SELECT count(*) FROM ${children} WHERE new IS NOT NULL AND sides = 2`),
    ...removeSteps(table, `${rowId} IN (SELECT old FROM ${children} WHERE old IS NOT NULL AND sides = 1)`),
    ...insertSteps(
      table,
      `WHERE s.${numberColumn} IN (SELECT new FROM ${children} WHERE new IS NOT NULL AND sides = 1)`
    )
  ]
}

/** The table of the numbers of `old` and `new` children, with the `sides` that have an equal one: 2 if both have. */
export const pairedChildren = (table: StagedTable): string => scratch(table, "met")

/** Finds the stored children of the staged parents and the staged children that are equal. It only asks. */
export const pairingSteps = (table: StagedTable, parent: StagedTable): Steps => {
  const { rowId, spelling, target } = table
  const columns = compared(table, [])
  const cells = (of: string) => digestOf(table, columns, of).map((value, at) => `${value} AS c${at}`)
  const names = cells("t").map((_, at) => `c${at}`)
  const whole = isWhole(table)
  const old = ["0 AS side", `t.${rowId} AS old`, "NULL AS new", `CASE WHEN ${whole} THEN 1 ELSE 0 END AS whole`]
  const coming = ["1 AS side", "NULL AS old", `s.${numberColumn} AS new`, "1 AS whole"]
  const both = `SELECT ${[...old, ...cells("t")].join(", ")} FROM ${target} AS t
      WHERE ${isAmong(spelling, parentPairs(table, parent), "t", stagedKeys(parent))}
    UNION ALL SELECT ${[...coming, ...cells("s")].join(", ")} FROM ${staged(table)} AS s`
  const like = ["whole", ...names].join(", ")
  return spelling.keep(
    pairedChildren(table),
    `SELECT old, new, count(*) OVER (PARTITION BY ${like}, nth) AS sides FROM (
      SELECT u.*, row_number() OVER (PARTITION BY side, ${like} ORDER BY old, new) AS nth FROM (${both}) AS u) AS v`
  )
}

/** Only the children of parents whose sums differ are paired one by one. */
const summedSteps = (table: StagedTable, parent: StagedTable): Steps => {
  const { rowId, spelling, target } = table
  const pairs = parentPairs(table, parent)
  const [rows, sums, same] = [staged(table), scratch(table, "sums"), scratch(table, "same")]
  const columns = compared(table, Object.keys(table.table.parent?.on ?? {}))
  const cell = (side: string, { one, type }: Pair) => spelling.comparable(`${side}.${Column.quote(one)}`, type)
  const print = (side: string) => digestOf(table, columns, side).join("")
  const keys = (side: string) => pairs.map((pair, at) => `${cell(side, pair)} AS k${at}`).join(", ")
  const by = pairs.map((_, at) => `k${at}`).join(", ")
  const summed = (side: string, whole: string) => `${keys(side)}, count(*) AS n,
    sum(CAST(${print(side)} AS DECIMAL(38, 0))) AS print, min(CASE WHEN ${whole} THEN 1 ELSE 0 END) AS whole`
  const isIn = (side: string, isSame: 0 | 1) => `EXISTS (SELECT 1 FROM ${sums} AS a
    WHERE a.is_same = ${isSame} AND ${pairs.map((pair, at) => `${cell(side, pair)} = a.k${at}`).join(" AND ")})`
  const each = (side: string, row: string, from: string) => `SELECT ${row}, ${keys(side)}, ${print(side)} AS print,
    row_number() OVER (PARTITION BY ${pairs.map((pair) => cell(side, pair)).join(", ")}, ${print(side)} ORDER BY ${row}) AS nth
    FROM ${from} AS ${side} WHERE ${isIn(side, 0)}`
  const isGone = `${isIn("t", 0)} AND NOT EXISTS (SELECT 1 FROM ${same} AS a WHERE a.old = t.${rowId})`
  return [
    ...spelling.keep(
      sums,
      `SELECT ${by}, o.n, CASE WHEN o.n = s.n AND o.print = s.print AND o.whole = 1 THEN 1 ELSE 0 END AS is_same
        FROM (SELECT ${summed("t", isWhole(table))} FROM ${target} AS t
          WHERE ${isAmong(spelling, pairs, "t", staged(parent))} GROUP BY ${by}) AS o
        LEFT JOIN (SELECT ${summed("s", "TRUE")} FROM ${rows} AS s GROUP BY ${by}) AS s USING (${by})`
    ),
    ...spelling.keep(
      same,
      `SELECT o.${rowId} AS old, s.${numberColumn} AS new
        FROM (${each("t", `t.${rowId}`, target)} AND ${isWhole(table)}) AS o
        JOIN (${each("s", `s.${numberColumn}`, rows)}) AS s USING (${by}, print, nth)`
    ),
    ...RowNotes.removed(table, isGone),
    run(`DELETE FROM ${target} AS t WHERE ${isGone}`),
    count("same", `SELECT coalesce(sum(n), 0) FROM ${sums} WHERE is_same = 1`),
    count("same", `SELECT count(*) FROM ${same}`),
    ...insertSteps(table, `WHERE NOT (s.${numberColumn} IN (SELECT new FROM ${same}) OR ${isIn("s", 1)})`)
  ]
}
