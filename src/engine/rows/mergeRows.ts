/**
 * The rows of a table after a merge, from its rows before and the staged rows.
 *
 * The last staged row of a key replaces the stored row of that key. If the two are equal, the stored row stays as it is. In
 * a child table, the staged children of a parent row replace all its stored children, but stored children that are equal
 * stay as they are. If a parent was staged twice, only the children that came after its last version count.
 */
import { type Compared, isOtherReading, rowText } from "../comparedColumns.ts"
import * as Table from "../Table.ts"

type Rows = ReadonlyArray<Table.Row>

/** The rows of a table, and how many staged rows were written, and how many equal a stored row. */
export interface Merged {
  readonly rows: Rows
  readonly written: number
  readonly unchanged: number
}

/** How two rows are compared that different versions of a program have read (`Table.reading`). */
export interface Reread {
  /** The column with the version; undefined: the table has none. */
  readonly version: string | undefined
  readonly compared: ReadonlyArray<Compared>
}

/** Whether a new row is the stored row, read by another version: nothing else differs. */
export const isSameReread = ({ compared, version }: Reread, stored: Table.Row, coming: Table.Row): boolean =>
  isOtherReading(version, stored, coming) && rowText(stored, compared) === rowText(coming, compared)

/** The new row with the `_run_id` of the stored row, because no other run counts as having written it. */
export const rereadRow = (stored: Table.Row, coming: Table.Row): Table.Row =>
  "_run_id" in stored ? { ...coming, _run_id: stored["_run_id"] } : coming

/** The stored table has several rows of one key that differ, so a row of the run is not the new state of one of them. */
export class AmbiguousKey extends Error {}

/** Merges rows by the key of their table. It throws `AmbiguousKey`. */
export const mergeByKey = (
  key: ReadonlyArray<string>,
  compared: ReadonlyArray<Compared>,
  present: Rows,
  staged: Rows,
  reread: Reread
): Merged => {
  const last = lastOfEach(key, staged)
  const stored = new Map<string, Array<Table.Row>>()
  for (const row of present) {
    const name = Table.keyText(row, key)
    if (!last.has(name)) continue
    stored.set(name, [...(stored.get(name) ?? []), row])
  }
  // Several stored rows of one key that say the same, which append can leave, are replaced by one row.
  const isAmbiguous = [...stored.values()].some(([first, ...more]) => {
    const text = first && rowText(first, compared)
    return more.some((row) => rowText(row, compared) !== text)
  })
  if (isAmbiguous) throw new AmbiguousKey()
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
      const isReread = old !== undefined && more.length === 0 && !same.has(name) && isSameReread(reread, old, row)
      return isReread ? [[name, rereadRow(old, row)] as const] : []
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

/** The staged children that count: of a parent that was staged twice those that came after its last row, and of a key the last. */
export const currentChildren = (
  key: ReadonlyArray<string>,
  staged: ReadonlyArray<Staged>,
  parents: {
    readonly staged: ReadonlyArray<Staged>
    readonly nameOf: (row: Table.Row) => string
    readonly keyOf: (child: Table.Row) => string
  }
): Rows => {
  const versions = new Map<string, { readonly last: number; readonly count: number }>()
  for (const { row, batch } of parents.staged) {
    const name = parents.nameOf(row)
    versions.set(name, { last: batch, count: (versions.get(name)?.count ?? 0) + 1 })
  }
  const isStale = ({ row, batch }: Staged): boolean => {
    const version = versions.get(parents.keyOf(row))
    return version !== undefined && version.count > 1 && batch < version.last
  }
  const current = staged.filter((each) => !isStale(each)).map(({ row }) => row)
  const last = lastOfEach(key, current)
  return key.length === 0 ? current : current.filter((row) => last.get(Table.keyText(row, key)) === row)
}

/** Merges the rows of a child table, by the keys of the parent rows that were staged with them. */
export const mergeByParent = (
  { key, parent }: { readonly key: ReadonlyArray<string>; readonly parent: Table.Parent },
  compared: ReadonlyArray<Compared>,
  present: Rows,
  staged: ReadonlyArray<Staged>,
  stagedParents: ReadonlyArray<Staged>
): Merged => {
  const [ours, theirs] = [Object.keys(parent.on), Object.values(parent.on)]
  const nameOf = (row: Table.Row) => Table.keyText(row, theirs)
  const keyOf = (row: Table.Row) => Table.keyText(row, ours)
  const names = new Set(stagedParents.map(({ row }) => nameOf(row)))
  const counting = currentChildren(key, staged, { staged: stagedParents, nameOf, keyOf })

  // Each staged row keeps at most one stored row that equals it.
  const texts = new Map<string, Array<Table.Row>>()
  for (const row of counting) {
    const text = rowText(row, compared)
    texts.set(text, [...(texts.get(text) ?? []), row])
  }
  const same = new Set<Table.Row>()
  const left = present.filter((row) => {
    if (!names.has(keyOf(row))) return true
    const met = texts.get(rowText(row, compared))?.shift()
    if (met !== undefined) same.add(met)
    return met !== undefined
  })
  const coming = counting.filter((row) => !same.has(row))
  return { rows: [...left, ...coming], written: coming.length, unchanged: same.size }
}
