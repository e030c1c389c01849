/**
 * What a table holds after a commit, from what it held and what was staged.
 *
 * The law of merge: of the staged rows with one key the last counts, and it takes the place of the row with that key.
 * A child table has no key of its own to go by: all children of every staged parent row make way for the staged ones.
 */
import type * as Table from "../../src/pipeline/Table.ts"

type Rows = ReadonlyArray<Table.Row>

/** Merges by the table's own key. */
export const mergeByKey = (key: ReadonlyArray<string>, present: Rows, staged: Rows): Rows => {
  const last = new Map(staged.map((row) => [nameOf(row, key), row]))
  return [
    ...present.filter((row) => !last.has(nameOf(row, key))),
    ...staged.filter((row) => last.get(nameOf(row, key)) === row)
  ]
}

/** Merges children: by the keys of the parent rows that were staged with them. */
export const mergeByParent = (parent: Table.Parent, present: Rows, staged: Rows, stagedParents: Rows): Rows => {
  const [ours, theirs] = [Object.keys(parent.on), Object.values(parent.on)]
  const written = new Set(stagedParents.map((row) => nameOf(row, theirs)))
  return [...present.filter((row) => !written.has(nameOf(row, ours))), ...staged]
}

/** The key of a row as text. 1 and 1n are the same BIGINT. */
const nameOf = (row: Table.Row, columns: ReadonlyArray<string>): string =>
  JSON.stringify(columns.map((column) => String(row[column])))
