/**
 * What a table holds after a merge, from what it held and what was staged.
 *
 * Of the staged rows with one key the last counts, and it takes the place of the row with that key, unless
 * that one says the same: then it is left as it is. A child table follows its parent: all children of every staged parent
 * row make way for the staged ones, but for those that say the same; and of a parent that was staged twice those count that
 * came after its last version.
 */
import { type Compared, isReadAnew, rowText } from "../comparedColumns.ts"
import * as Table from "../Table.ts"

type Rows = ReadonlyArray<Table.Row>

/** The rows of a table, and what became of those that were staged. */
export interface Merged {
  readonly rows: Rows
  readonly written: number
  readonly unchanged: number
}

/** How rows are compared that two versions of a program have read. */
export interface Anew {
  /** The column with the version; undefined where rows have none. */
  readonly version: string | undefined
  readonly compared: ReadonlyArray<Compared>
}

/** Whether a row is the stored one, read anew: nothing else of it differs. */
export const isSameAnew = ({ compared, version }: Anew, stored: Table.Row, coming: Table.Row): boolean =>
  isReadAnew(version, stored, coming) && rowText(stored, compared) === rowText(coming, compared)

/** The stored row with what was read anew: it stays a row of the run that wrote it. */
export const readAnew = (stored: Table.Row, coming: Table.Row): Table.Row =>
  "_run_id" in stored ? { ...coming, _run_id: stored["_run_id"] } : coming

/** Merges by the table's own key. */
export const mergeByKey = (
  key: ReadonlyArray<string>,
  compared: ReadonlyArray<Compared>,
  present: Rows,
  staged: Rows,
  anew: Anew
): Merged => {
  const last = lastOfEach(key, staged)
  const stored = new Map<string, Array<Table.Row>>()
  for (const row of present) {
    const name = Table.keyText(row, key)
    if (!last.has(name)) continue
    stored.set(name, [...(stored.get(name) ?? []), row])
  }
  // Several rows of one key, as append leaves them, become one.
  const same = new Set(
    [...last].flatMap(([name, row]) => {
      const [old, ...more] = stored.get(name) ?? []
      const isSame = old !== undefined && more.length === 0 && rowText(old, compared) === rowText(row, compared)
      return isSame ? [name] : []
    })
  )
  const read = new Map(
    [...last].flatMap(([name, row]) => {
      const [old, ...more] = stored.get(name) ?? []
      const isAnew = old !== undefined && more.length === 0 && !same.has(name) && isSameAnew(anew, old, row)
      return isAnew ? [[name, readAnew(old, row)] as const] : []
    })
  )
  const coming = staged.filter((row) => {
    const name = Table.keyText(row, key)
    return last.get(name) === row && !same.has(name) && !read.has(name)
  })
  const left = present.flatMap((row) => {
    const name = Table.keyText(row, key)
    const again = read.get(name)
    return !last.has(name) || same.has(name) ? [row] : again === undefined ? [] : [again]
  })
  return { rows: [...left, ...coming], written: coming.length, unchanged: same.size + read.size }
}

/** The last row of each key, by the key as text. */
export const lastOfEach = (key: ReadonlyArray<string>, rows: Rows): ReadonlyMap<string, Table.Row> =>
  new Map(rows.map((row) => [Table.keyText(row, key), row]))

/** A row, and the number of the batch that it came with. */
export interface Staged {
  readonly row: Table.Row
  readonly batch: number
}

/** Merges children: by the keys of the parent rows that were staged with them. */
export const mergeByParent = (
  { key, parent }: { readonly key: ReadonlyArray<string>; readonly parent: Table.Parent },
  compared: ReadonlyArray<Compared>,
  present: Rows,
  staged: ReadonlyArray<Staged>,
  stagedParents: ReadonlyArray<Staged>
): Merged => {
  const [ours, theirs] = [Object.keys(parent.on), Object.values(parent.on)]
  const versions = new Map<string, { readonly last: number; readonly count: number }>()
  for (const { row, batch } of stagedParents) {
    const name = Table.keyText(row, theirs)
    versions.set(name, { last: batch, count: (versions.get(name)?.count ?? 0) + 1 })
  }
  const isStale = ({ row, batch }: Staged): boolean => {
    const version = versions.get(Table.keyText(row, ours))
    return version !== undefined && version.count > 1 && batch < version.last
  }
  const current = staged.filter((each) => !isStale(each)).map(({ row }) => row)
  const last = lastOfEach(key, current)
  const counting = key.length === 0 ? current : current.filter((row) => last.get(Table.keyText(row, key)) === row)

  // Each staged row leaves at most one stored row that says the same.
  const texts = new Map<string, Array<Table.Row>>()
  for (const row of counting) {
    const text = rowText(row, compared)
    texts.set(text, [...(texts.get(text) ?? []), row])
  }
  const same = new Set<Table.Row>()
  const left = present.filter((row) => {
    if (!versions.has(Table.keyText(row, ours))) return true
    const met = texts.get(rowText(row, compared))?.shift()
    if (met !== undefined) same.add(met)
    return met !== undefined
  })
  const coming = counting.filter((row) => !same.has(row))
  return { rows: [...left, ...coming], written: coming.length, unchanged: same.size }
}
