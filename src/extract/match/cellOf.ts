import { fit } from "../value/fit.ts"
import type { Setting } from "../value/Setting.ts"
import type { Leaf } from "./Leaf.ts"
import type { Scored } from "./Scorer.ts"
import type { Column } from "./Table.ts"
import type { One } from "./Wanted.ts"

/** The value of a row for a property: that of the best of its columns that has one of the right kind. */
export const cellOf = (
  one: One,
  columns: ReadonlyArray<Column>,
  cells: ReadonlyMap<string, Leaf>,
  setting: Setting
): Scored | undefined => {
  for (const { key, score } of columns) {
    const leaf = cells.get(key)
    const found = leaf === undefined ? undefined : fit(leaf.data, one.expected, setting)
    if (leaf !== undefined && found !== undefined) return { leaf, fit: found, score, like: score }
  }
  return undefined
}
