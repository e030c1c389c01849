/**
 * Updates the references of children: if a step changes the column of a parent to which they refer, such as a `derive` or a
 * `mask` of the URL of pages, the children get the new values. Without that, they would have no parent and be removed.
 */
import * as Column from "../Column.ts"
import type * as Stage from "../Stage.ts"
import * as Step from "../Step.ts"
import type * as Table from "../Table.ts"
import { hidden } from "./stepSql.ts"

/** A table before and after the steps. */
interface Staged {
  readonly source: Table.Table
  readonly table: Table.Table
}

/** Whether steps change the parent's columns to which a table refers, and its own steps do not change its references. */
export const isMoved = (plan: Stage.Plan, { name, parent }: Table.Table): boolean => {
  if (parent === undefined) return false
  const stepsOf = (table: string) => plan.steps.filter((step) => (step.table ?? plan.tables[0]?.name) === table)
  const isOther = (table: string, columns: ReadonlyArray<string>) =>
    columns.some((column) => Step.nameAfter(stepsOf(table), column) === undefined)
  return isOther(parent.table, Object.values(parent.on)) && !isOther(name, Object.keys(parent.on))
}

/** The columns of such a table: those that refer to the parent get the types of the parent's columns. */
export const movedColumns = (
  columns: ReadonlyArray<Column.Column>,
  on: Readonly<Record<string, string>>,
  parent: Table.Table
): ReadonlyArray<Column.Column> =>
  columns.map((column) => {
    const theirs = Column.named(parent.columns, on[column.name] ?? "")
    return theirs === undefined ? column : { ...column, type: theirs.type, nullable: true }
  })

/** The query of the rows of `own` with the new values of their parents. If several parents had one key, the last is used. */
export const movedSql = (own: string, child: Staged, parent: Staged, parentRows: string): string => {
  const before = Object.values(child.source.parent?.on ?? {}).map(Column.quote)
  const pairs = Object.entries(child.table.parent?.on ?? {}).map(([ours, theirs], at) => ({
    ours: Column.quote(ours),
    theirs: Column.quote(theirs),
    at
  }))
  const names = pairs.map(({ at, theirs }) => `o.${before[at]} AS was_${at}, p.${theirs} AS is_${at}`).join(", ")
  const moves = `SELECT ${names} FROM ${parentRows} AS o JOIN ${Column.quote(parent.table.name)} AS p
    ON p.${hidden.row} = o.${hidden.row}
    QUALIFY row_number() OVER (PARTITION BY ${before.map((name) => `o.${name}`).join(", ")} ORDER BY o.${hidden.row} DESC) = 1`
  return `SELECT c.* REPLACE (${pairs.map(({ at, ours }) => `m.is_${at} AS ${ours}`).join(", ")})
    FROM (${own}\n) AS c JOIN (${moves}) AS m ON ${pairs.map(({ at, ours }) => `m.was_${at} = c.${ours}`).join(" AND ")}
    ORDER BY c.${hidden.row}`
}
