import { fit } from "../value/fit.ts"
import type { PageLocale } from "../value/PageLocale.ts"
import type { CandidateValue } from "./CandidateValue.ts"
import type { Scored } from "./Scorer.ts"
import type { Column } from "./Table.ts"
import type { One } from "./Wanted.ts"

/** The value of a row for a property: that of the best of its columns that has one of the right kind. */
export const cellOf = (
  one: One,
  columns: ReadonlyArray<Column>,
  cells: ReadonlyMap<string, CandidateValue>,
  setting: PageLocale
): Scored | undefined => {
  for (const { key, score } of columns) {
    const leaf = cells.get(key)
    const found = leaf === undefined ? undefined : fit(leaf.data, one.expected, setting)
    if (leaf !== undefined && found !== undefined) return { leaf, fit: found, score, like: score }
  }
  return undefined
}
