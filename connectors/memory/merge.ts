/**
 * What a table holds after a commit, from what it held and what was staged.
 *
 * The law of merge: of the staged rows with one key the last counts, and it takes the place of the row with that key.
 * A child table has no key of its own to go by: all children of every staged parent row make way for the staged ones,
 * and of a parent that was staged twice those count that came after its last version.
 */
import * as Table from "../../src/pipeline/Table.ts"

type Rows = ReadonlyArray<Table.Row>

/** Merges by the table's own key. */
export const mergeByKey = (key: ReadonlyArray<string>, present: Rows, staged: Rows): Rows => {
  const last = lastOfEach(key, staged)
  return [
    ...present.filter((row) => !last.has(Table.nameOf(row, key))),
    ...staged.filter((row) => last.get(Table.nameOf(row, key)) === row)
  ]
}

/** The last row of each key, by the key as text. */
export const lastOfEach = (key: ReadonlyArray<string>, rows: Rows): ReadonlyMap<string, Table.Row> =>
  new Map(rows.map((row) => [Table.nameOf(row, key), row]))

/** A row, and the number of the batch that it came with. */
export interface Staged {
  readonly row: Table.Row
  readonly batch: number
}

/** Merges children: by the keys of the parent rows that were staged with them. */
export const mergeByParent = (
  parent: Table.Parent,
  present: Rows,
  staged: ReadonlyArray<Staged>,
  stagedParents: ReadonlyArray<Staged>
): Rows => {
  const [ours, theirs] = [Object.keys(parent.on), Object.values(parent.on)]
  const versions = new Map<string, { readonly last: number; readonly count: number }>()
  for (const { row, batch } of stagedParents) {
    const name = Table.nameOf(row, theirs)
    versions.set(name, { last: batch, count: (versions.get(name)?.count ?? 0) + 1 })
  }
  const isStale = ({ row, batch }: Staged): boolean => {
    const version = versions.get(Table.nameOf(row, ours))
    return version !== undefined && version.count > 1 && batch < version.last
  }
  return [
    ...present.filter((row) => !versions.has(Table.nameOf(row, ours))),
    ...staged.filter((each) => !isStale(each)).map(({ row }) => row)
  ]
}
