/**
 * Which old rows of a table stay when it is replaced, as conditions of SQL on an old row `o`.
 *
 * The law: a complete run leaves those of its retained keys; one that is not complete leaves all whose key it
 * did not write. The children of a row that stays, stay; those of a row that was written anew, go.
 */
import * as Column from "./Column.ts"
import * as Sink from "./Sink.ts"
import type { StoredColumn } from "./StoredTable.ts"
import type * as Table from "./Table.ts"

/** What stays of the old rows, and what is there of the table at all. */
export interface Remaining {
  readonly isThere: boolean
  /** Rows that stay. */
  readonly rows: number
  /** Those of them that are of other runs of this pipeline. */
  readonly kept: number
}

/** One of our columns, and the one of other rows that says the same of them. */
export type Pair = readonly [ours: string, theirs: string]

/** A table that is replaced, in the words of its database. Each condition is that a row `o` has its like among others. */
export interface ReplacedTable {
  readonly table: Table.Table
  readonly plan: Sink.Plan
  readonly complete: boolean
  /** Whether rows of this run that are there are those of its earlier commits: they stay. */
  readonly goesOn: boolean
  readonly stored: ReadonlyArray<StoredColumn>
  /** Whether rows of the run say by which run they are. */
  readonly hasRunId: boolean
  readonly literal: (text: string) => string
  /** Among the new rows, by their key. */
  readonly isWritten: (key: ReadonlyArray<Pair>) => string
  /** Among the new rows, by all that they say. */
  readonly isSaid: () => string
  /** Among the retained keys of the run; undefined: it has none. */
  readonly isRetained: ((key: ReadonlyArray<Pair>) => string) | undefined
  readonly parent: ReplacedParent | undefined
}

/** The table that the rows of another belong to: among its new rows, its old rows, and those of the old that stay. */
export interface ReplacedParent {
  readonly remaining: Remaining
  readonly isNew: (on: ReadonlyArray<Pair>) => string
  readonly isOld: (on: ReadonlyArray<Pair>) => string
  readonly isStaying: (on: ReadonlyArray<Pair>) => string
}

/** Rows that an old row is looked for among, and what their columns are. */
export interface OtherRows {
  readonly from: string
  readonly columns: ReadonlyArray<Pick<StoredColumn, "name" | "sql">>
}

/** How a database says that an old row has its like among other rows. */
export interface Comparison {
  readonly stored: ReadonlyArray<StoredColumn>
  /** Whose rows are those from before the table was shared. */
  readonly owner: string | undefined
  readonly literal: (text: string) => string
  /** That two cells say the same. `ofOther`: the type of the other one; undefined: it is not known. */
  readonly isSame: (old: string, ofOld: string, other: string, ofOther: string | undefined) => string
}

/** That an old row `o` has its like among other rows. A column that the old rows lack is like none. */
export const hasLike = (
  { columns, from }: OtherRows,
  pairs: ReadonlyArray<Pair>,
  { isSame, literal, owner, stored }: Comparison
): string => {
  const same = pairs.map(([ours, theirs]) => {
    const there = Column.named(stored, ours)
    const column = Column.named(columns, theirs)
    const other = `n.${Column.quote(column?.name ?? theirs)}`
    if (there !== undefined) return isSame(`o.${Column.quote(there.name)}`, there.sql, other, column?.sql)
    return ours === Sink.pipelineColumn.name && owner !== undefined ? `${literal(owner)} = ${other}` : "false"
  })
  return `EXISTS (SELECT 1 FROM ${from} AS n WHERE ${same.join(" AND ")})`
}

/** That an old row stays, and that it does because it is not this run's to remove; undefined: none does. */
export const remainingRows = (
  replaced: ReplacedTable
): { readonly stays: string; readonly isOthers: string } | undefined => {
  const { goesOn, hasRunId, literal, plan, stored } = replaced
  const saysRun = hasRunId && Column.named(stored, "_run_id") !== undefined
  const others = [
    ...(plan.shared === true && Column.named(stored, Sink.pipelineColumn.name) !== undefined
      ? [`o.${Sink.pipelineColumn.name} IS DISTINCT FROM ${literal(plan.pipeline)}`]
      : []),
    ...(goesOn ? [saysRun ? `o._run_id = ${literal(plan.runId)}` : "true"] : [])
  ]
  const own = ownRows(replaced)
  // What this run itself left, and is written again, makes way.
  const isAgain = own !== "false" && plan.again === true && !goesOn && saysRun
  const kept = isAgain ? `(${own} AND o._run_id IS DISTINCT FROM ${literal(plan.runId)})` : own
  if (others.length === 0 && kept === "false") return undefined
  const isOthers = others.length === 0 ? "false" : `coalesce(${others.join(" OR ")}, false)`
  return { stays: `${isOthers} OR ${kept}`, isOthers }
}

/** That an old row of this pipeline stays. */
const ownRows = ({
  complete,
  isRetained,
  isSaid,
  isWritten,
  parent,
  stored,
  table: { key, parent: of }
}: ReplacedTable): string => {
  if (parent !== undefined) {
    const on = Object.entries(of?.on ?? {})
    const known = on.filter(([ours]) => ours !== Sink.pipelineColumn.name || Column.named(stored, ours) !== undefined)
    const stays = parent.remaining.rows === 0 ? "false" : parent.isStaying(known)
    if (complete) return stays
    // Children of nobody stay too, unless their parent comes now.
    const isOrphan = `NOT ${parent.isNew(on)}`
    return parent.remaining.isThere ? `(${stays} OR (NOT ${parent.isOld(known)} AND ${isOrphan}))` : isOrphan
  }
  const pairs = key.map((name): Pair => [name, name])
  if (complete) {
    if (isRetained === undefined || key.length === 0) return "false"
    return `(${isRetained(pairs)} AND NOT ${isWritten(pairs)})`
  }
  // Rows without a key are distinguished by all their values.
  return `NOT ${key.length > 0 ? isWritten(pairs) : isSaid()}`
}
