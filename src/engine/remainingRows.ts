/**
 * Which old rows of a table stay when it is replaced, as conditions of SQL on an old row `o`.
 *
 * Guarantee: a complete run keeps the old rows of its retained keys; an incomplete run keeps all old rows whose key it did
 * not write. The children of a row that stays, stay; the old children of a row that was written again, go.
 */
import * as Column from "./Column.ts"
import * as Owner from "./Owner.ts"
import * as Sink from "./Sink.ts"
import type { StoredColumn } from "./StoredTable.ts"
import type * as Table from "./Table.ts"

/** How many old rows of a table stay. */
export interface Remaining {
  /** Whether the table existed before. */
  readonly isThere: boolean
  /** Rows that stay. */
  readonly rows: number
  /** Those of them that other runs of this pipeline wrote. */
  readonly kept: number
}

/** A column of this table, and the column of other rows that it is compared with. */
export type Pair = readonly [ours: string, theirs: string]

/** A table that is replaced, with conditions in the SQL of its database: whether a row `o` has an equal row among others. */
interface ReplacedTable {
  readonly table: Table.Table
  readonly plan: Sink.Plan
  readonly complete: boolean
  /** Whether this run has committed here before: its stored rows then stay. */
  readonly goesOn: boolean
  readonly stored: ReadonlyArray<StoredColumn>
  /** Whether rows of the run have `_run_id`. */
  readonly hasRunId: boolean
  readonly literal: (text: string) => string
  /** That the run has written a row with this key. */
  readonly isWritten: (key: ReadonlyArray<Pair>) => string
  /** That the run has written a row with the same values. */
  readonly isSaid: () => string
  /** That the key is one of the retained keys of the run; undefined: the run has none. */
  readonly isRetained: ((key: ReadonlyArray<Pair>) => string) | undefined
  readonly parent: ReplacedParent | undefined
}

/** The parent table: conditions that the parent of a row is among its new rows, its old rows, or the old rows that stay. */
interface ReplacedParent {
  readonly remaining: Remaining
  readonly isNew: (on: ReadonlyArray<Pair>) => string
  readonly isOld: (on: ReadonlyArray<Pair>) => string
  readonly isStaying: (on: ReadonlyArray<Pair>) => string
}

/** The conditions that an old row stays, and that it stays because this run may not remove it; undefined: no row stays. */
export const remainingRows = (
  replaced: ReplacedTable
): { readonly stays: string; readonly isOthers: string } | undefined => {
  const { goesOn, hasRunId, literal, plan, stored } = replaced
  const saysRun = hasRunId && Column.named(stored, "_run_id") !== undefined
  const others = [
    ...(plan.shared === true && Column.named(stored, Sink.pipelineColumn.name) !== undefined
      ? [isForeign(Owner.namesOf(plan.pipeline).map(literal))]
      : []),
    ...(goesOn ? [saysRun ? `o._run_id = ${literal(plan.runId)}` : "true"] : [])
  ]
  const own = ownRows(replaced)
  // In a replay, the rows that this run wrote before are replaced.
  const isAgain = own !== "false" && plan.again === true && !goesOn && saysRun
  const retained = isAgain ? `(${own} AND o._run_id IS DISTINCT FROM ${literal(plan.runId)})` : own
  if (others.length === 0 && retained === "false") return undefined
  const isOthers = others.length === 0 ? "false" : `coalesce(${others.join(" OR ")}, false)`
  return { stays: `${isOthers} OR ${retained}`, isOthers }
}

/** The condition that an old row has none of these names in `_pipeline`. */
const isForeign = (names: ReadonlyArray<string>): string =>
  names.map((name) => `o.${Sink.pipelineColumn.name} IS DISTINCT FROM ${name}`).join(" AND ")

/** The condition that an old row of this pipeline stays. */
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
    // Children without a stored parent stay too, unless this run writes their parent.
    const isOrphan = `NOT ${parent.isNew(on)}`
    return parent.remaining.isThere ? `(${stays} OR (NOT ${parent.isOld(known)} AND ${isOrphan}))` : isOrphan
  }
  const pairs = key.map((name): Pair => [name, name])
  if (complete) {
    if (isRetained === undefined || key.length === 0) return "false"
    return `(${isRetained(pairs)} AND NOT ${isWritten(pairs)})`
  }
  // Rows without a key are compared by all their values.
  return `NOT ${key.length > 0 ? isWritten(pairs) : isSaid()}`
}
