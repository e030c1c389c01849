/**
 * Rows that change where tables are stored by columns (`SqlDialect.isColumnar`): a changed row is removed and inserted again, with
 * what the staged row does not say.
 */
import * as Column from "../Column.ts"
import * as RowNotes from "./RowNotes.ts"
import { columnList, hasRunId, numberColumn, type StagedTable, scratch, staged } from "./StagedTable.ts"
import { run, type Steps } from "./Step.ts"

/** How the rows of a table come back that were removed. */
export interface Rewriting {
  /** A table of `new` staged rows with the `old` rows that they take the place of, and the `run` of these. */
  readonly pairs: string
  /** That a pair `p` is a row that was read by another version, and keeps the run of the stored row; undefined: none is. */
  readonly isReread: string | undefined
  /** Which of the pairs `p` have their old rows removed. */
  readonly isRemoved: string
  /** Which staged rows are inserted, by their pair `p`. */
  readonly isInserted: string
  /** More columns, and their values. */
  readonly more?: ReadonlyArray<readonly [column: string, value: string]>
}

/** Removes rows, and inserts those that take their place. Counts `inserted`. */
export const rewriteSteps = (table: StagedTable, rewriting: Rewriting): Steps => {
  const { rowId, spelling, target } = table
  const { isRemoved, pairs } = rewriting
  const foreign = table.foreign.map(({ name }) => `t.${Column.quote(name)}`)
  return [
    ...(foreign.length === 0
      ? []
      : spelling.keep(
          scratch(table, "foreign"),
          `SELECT p.new, ${foreign.join(", ")} FROM ${pairs} AS p JOIN ${target} AS t ON t.${rowId} = p.old WHERE ${isRemoved}`
        )),
    ...removeSteps(table, `${rowId} IN (SELECT p.old FROM ${pairs} AS p WHERE ${isRemoved})`),
    ...insertAgain(table, rewriting)
  ]
}

/** Removes some stored rows. */
export const removeSteps = (table: StagedTable, where: string): Steps => [
  ...RowNotes.removed(table, where),
  run(`DELETE FROM ${table.target} WHERE ${where}`)
]

const insertAgain = (table: StagedTable, { isInserted, isReread, more = [], pairs }: Rewriting): Steps => {
  const runId =
    isReread !== undefined && hasRunId(table) ? `CASE WHEN ${isReread} THEN p.run ELSE s._run_id END` : undefined
  const values = table.columns.map(({ name }) =>
    name === "_run_id" && runId !== undefined ? runId : `s.${Column.quote(name)}`
  )
  const paired = `LEFT JOIN ${pairs} AS p ON p.new = s.${numberColumn}`
  const foreign = table.foreign.map(({ name }) => Column.quote(name))
  const columns = [columnList(table), ...foreign, ...more.map(([column]) => column)]
  const kept = foreign.length === 0 ? "" : `LEFT JOIN ${scratch(table, "foreign")} AS f ON f.new = s.${numberColumn}`
  const insert = run(
    `INSERT INTO ${table.target} (${columns.join(", ")})
      SELECT ${[...values, ...foreign.map((name) => `f.${name}`), ...more.map(([, value]) => value)].join(", ")}
      FROM ${staged(table)} AS s ${paired} ${kept} WHERE ${isInserted}`,
    "inserted",
    "insertions"
  )
  return [...RowNotes.added(table, `${paired} WHERE ${isInserted}`, runId), insert]
}
