/**
 * Rows that belong to others follow them: where steps give the column of a parent other values, as a `derive` or a `mask` of
 * a page's url does, its children get these values too. They would have no parent otherwise, and be gone without a word.
 */
import * as Column from "../pipeline/Column.ts"
import type * as Stage from "../pipeline/Stage.ts"
import * as Step from "../pipeline/Step.ts"
import type * as Table from "../pipeline/Table.ts"
import { hidden } from "./stepSql.ts"

/** A table as its source has it, and as its steps leave it. */
interface Staged {
  readonly source: Table.Table
  readonly table: Table.Table
}

/** Whether steps give other values to what a table belongs by, and its own steps do not do the same. */
export const isMoved = (plan: Stage.Plan, { name, parent }: Table.Table): boolean => {
  if (parent === undefined) return false
  const stepsOf = (table: string) => plan.steps.filter((step) => (step.table ?? plan.tables[0]?.name) === table)
  const isOther = (table: string, columns: ReadonlyArray<string>) =>
    columns.some((column) => Step.nameAfter(stepsOf(table), column) === undefined)
  return isOther(parent.table, Object.values(parent.on)) && !isOther(name, Object.keys(parent.on))
}

/** The columns of a table that follows: those that join it have the types of its parent's. */
export const movedColumns = (
  columns: ReadonlyArray<Column.Column>,
  on: Readonly<Record<string, string>>,
  parent: Table.Table
): ReadonlyArray<Column.Column> =>
  columns.map((column) => {
    const theirs = Column.named(parent.columns, on[column.name] ?? "")
    return theirs === undefined ? column : { ...column, type: theirs.type, nullable: true }
  })

/** The rows of `own`, each with what its parent is called now. Of parents that had one name, the last one counts. */
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
