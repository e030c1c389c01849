/**
 * replace: which old rows stay (`remainingRows`), and the removal of the others.
 *
 * Counts of `remainingSteps`: `rows` that stay, `kept` of them that this run may not remove.
 */
import * as Column from "../Column.ts"
import { type Pair, type Remaining, remainingRows } from "../remainingRows.ts"
import * as Sink from "../Sink.ts"
import type { StoredColumn } from "../StoredTable.ts"
import * as RowNotes from "./RowNotes.ts"
import { removeSteps } from "./rewriteSteps.ts"
import { columnList, hasRunId, retained, type StagedTable, scratch, staged, tuple } from "./StagedTable.ts"
import { count, run, type Step, type Steps } from "./Step.ts"
import { areSame, compared, digestOf } from "./sameRow.ts"

export interface Replacement {
  readonly plan: Sink.Plan
  readonly complete: boolean
  /** Whether this run has committed here before: its stored rows then stay. */
  readonly goesOn: boolean
  /** The pipeline that owns the rows from before the table was shared. */
  readonly owner: string | undefined
  /** Whether the run has retained keys. */
  readonly hasRetained: boolean
  /** The parent table, with how many of its old rows stay. */
  readonly parent: { readonly table: StagedTable; readonly remaining: Remaining } | undefined
}

/** Finds the old rows that stay, for parents before their children; undefined: none does. */
export const remainingSteps = (table: StagedTable, replacement: Replacement): Steps | undefined => {
  const { complete, goesOn, hasRetained, parent, plan } = replacement
  const { spelling, stored, target } = table
  const isIn = (from: string, pairs: ReadonlyArray<Pair>, columns = asStored(table)) =>
    isAmong(table, replacement.owner, { from, columns }, pairs)
  const remaining = remainingRows({
    table: table.table,
    plan,
    complete,
    goesOn,
    stored,
    hasRunId: hasRunId(table),
    literal: spelling.literal,
    isWritten: (key) => isIn(staged(table), key),
    isSaid: () => isSaid(table),
    isRetained: hasRetained ? (key) => isIn(retained(table), key) : undefined,
    parent: parent && {
      remaining: parent.remaining,
      isNew: (on) => isIn(staged(parent.table), on, asStored(parent.table)),
      isOld: (on) => isIn(parent.table.target, on, parent.table.stored),
      isStaying: (on) =>
        isIn(
          `(SELECT * FROM ${parent.table.target} WHERE ${parent.table.rowId} IN (SELECT old FROM ${stays(parent.table)}))`,
          on,
          parent.table.stored
        )
    }
  })
  if (remaining === undefined) return undefined
  return [
    ...spelling.keep(
      stays(table),
      `SELECT old, is_kept FROM (SELECT o.${table.rowId} AS old, CASE WHEN ${remaining.isOthers} THEN 0 ELSE 1 END AS is_kept,
        ${remaining.stays} AS stays FROM ${target} AS o) AS f WHERE stays`
    ),
    count("rows", `SELECT count(*) FROM ${stays(table)}`),
    count("kept", `SELECT count(*) FROM ${stays(table)} WHERE is_kept = 1`)
  ]
}

/** Removes the old rows that do not stay. */
export const removalSteps = (table: StagedTable, { rows }: Remaining): Steps =>
  rows === 0 ? [run(`DELETE FROM ${table.target}`)] : removeSteps(table, isGoing(table))

/** Notes the old rows that do not stay, where the new ones take the place of the table. */
export const noteGoing = (table: StagedTable): Steps => RowNotes.removed(table, isGoing(table))

const isGoing = (table: StagedTable): string =>
  `${table.rowId} IN (SELECT o.${table.rowId} FROM ${table.target} AS o
    LEFT JOIN ${stays(table)} AS k ON k.old = o.${table.rowId} WHERE k.old IS NULL)`

/** Copies the old rows that stay to the new ones. */
export const stayingStep = (table: StagedTable): Step =>
  run(
    `INSERT INTO ${staged(table)} (${columnList(table)}) SELECT ${columnList(table, "t")} FROM ${table.target} AS t
      WHERE t.${table.rowId} IN (SELECT old FROM ${stays(table)})`
  )

const stays = (table: StagedTable): string => scratch(table, "stays")

type Compared = Pick<StoredColumn, "name" | "sql" | "type">

const asStored = ({ columns }: StagedTable): ReadonlyArray<Compared> =>
  columns.map(({ name, sql, to }) => ({ name, sql, type: to }))

/** That an old row `o` has an equal row among others. A column that the old rows lack is never equal. */
const isAmong = (
  { spelling, stored }: StagedTable,
  owner: string | undefined,
  others: { readonly from: string; readonly columns: ReadonlyArray<Compared> },
  pairs: ReadonlyArray<Pair>
): string => {
  const { comparable, literal, text } = spelling
  const cells = pairs.map(([ours, theirs]): readonly [string, string] | undefined => {
    const there = Column.named(stored, ours)
    const column = Column.named(others.columns, theirs)
    const other = `n.${Column.quote(column?.name ?? theirs)}`
    const type: Column.ColumnType = there?.type ?? { _tag: "VARCHAR" }
    if (there === undefined)
      return ours === Sink.pipelineColumn.name && owner !== undefined ? [literal(owner), other] : undefined
    const own = `o.${Column.quote(there.name)}`
    return column !== undefined && spelling.areAlike(there.sql, column.sql)
      ? [comparable(own, type), comparable(other, type)]
      : [text(own), text(other)]
  })
  const known = cells.flatMap((pair) => (pair === undefined ? [] : [pair]))
  if (known.length < pairs.length) return "FALSE"
  const [own, theirs] = [known.map(([one]) => one), known.map(([, other]) => other)]
  return `coalesce(${tuple(own)} IN (SELECT ${theirs.join(", ")} FROM ${others.from} AS n), FALSE)`
}

/** That the run has written a row with the same values. Rows are joined, so that many of them can be. */
const isSaid = (table: StagedTable): string => {
  const both = compared(table, []).filter(({ name, sql }) => {
    const there = Column.named(table.stored, name)
    return there !== undefined && table.spelling.areAlike(there.sql, sql)
  })
  const [ours, theirs] = [digestOf(table, both, "s"), digestOf(table, both, "t")]
  const isDigest = ours.length === 1 && both.length > 1
  const same = isDigest ? `${ours.join("")} = ${theirs.join("")}` : areSame(table, both, "s", "t")
  return `o.${table.rowId} IN (SELECT t.${table.rowId} FROM ${table.target} AS t JOIN ${staged(table)} AS s ON ${same})`
}
