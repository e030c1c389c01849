/**
 * merge of a child table: the staged children of a row take the place of all its stored children, but equal children stay. Each
 * staged child keeps one stored child that equals it, also where several are equal.
 *
 * Rows of both sides are sorted together, and not joined, because a parent may have many children. Counts: `same`, `inserted`.
 */
import { insertStep } from "./mergeSteps.ts"
import { isAmong, numberColumn, parentPairs, type StagedTable, scratch, staged } from "./StagedTable.ts"
import { count, run, type Steps } from "./Step.ts"
import { compared, digestOf, isWhole } from "./sameRow.ts"

/** The rows of the parent are staged, without duplicates. */
export const childSteps = (table: StagedTable, parent: StagedTable): Steps => {
  const { rowId, spelling, target } = table
  const [rows, met] = [staged(table), scratch(table, "met")]
  const columns = compared(table, [])
  const cells = (of: string) => digestOf(table, columns, of).map((value, at) => `${value} AS c${at}`)
  const names = cells("t").map((_, at) => `c${at}`)
  const whole = isWhole(table)
  const old = ["0 AS side", `t.${rowId} AS old`, "NULL AS new", `CASE WHEN ${whole} THEN 1 ELSE 0 END AS whole`]
  const coming = ["1 AS side", "NULL AS old", `s.${numberColumn} AS new`, "1 AS whole"]
  const both = `SELECT ${[...old, ...cells("t")].join(", ")} FROM ${target} AS t
      WHERE ${isAmong(spelling, parentPairs(table, parent), "t", staged(parent))}
    UNION ALL SELECT ${[...coming, ...cells("s")].join(", ")} FROM ${rows} AS s`
  const like = ["whole", ...names].join(", ")
  return [
    ...spelling.keep(
      met,
      `SELECT old, new, count(*) OVER (PARTITION BY ${like}, nth) AS sides FROM (
        SELECT u.*, row_number() OVER (PARTITION BY side, ${like} ORDER BY old, new) AS nth FROM (${both}) AS u) AS v`
    ),
    count("same", `SELECT count(*) FROM ${met} WHERE new IS NOT NULL AND sides = 2`),
    run(`DELETE FROM ${target} WHERE ${rowId} IN (SELECT old FROM ${met} WHERE old IS NOT NULL AND sides = 1)`),
    insertStep(table, `WHERE s.${numberColumn} IN (SELECT new FROM ${met} WHERE new IS NOT NULL AND sides = 1)`)
  ]
}
