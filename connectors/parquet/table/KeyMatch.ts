/**
 * Merge, over files: which of their rows make way.
 *
 * The law: a row makes way for a staged one with its key; the child of a row for that row's, come or not, by the keys of
 * its parent that were staged.
 */
import { sameValues } from "../../../src/duckdb/sameValues.ts"
import * as Column from "../../../src/pipeline/Column.ts"
import type * as Stage from "../stage.ts"
import type { Pair } from "./prunedFiles.ts"
import * as StagedKeys from "./StagedKeys.ts"

/** The keys that rows of a table make way for, and what of a row has to equal them. */
export interface Match {
  readonly keys: string
  readonly pairs: ReadonlyArray<Pair>
}

export const matchOf = ({ table, columns }: Stage.Stage, parent?: Stage.Stage): Match => {
  const on =
    table.parent === undefined ? table.key.map((column) => [column, column] as const) : Object.entries(table.parent.on)
  return {
    keys: StagedKeys.tableOf(parent?.table ?? table),
    pairs: on.flatMap(([ours, theirs]) => {
      const column = Column.named(columns, ours)
      return column === undefined ? [] : [{ column, key: theirs }]
    })
  }
}

/** The condition under which a row of `row` makes way for one of `key`. */
export const matches = ({ pairs }: Match, row: string, key: string): string =>
  sameValues(
    pairs.map(({ column }) => column.name),
    row,
    pairs.map(({ key: theirs }) => theirs),
    key
  )
