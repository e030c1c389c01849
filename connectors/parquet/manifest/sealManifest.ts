/**
 * A manifest before it is published: its tables name few files themselves, the rest is in lists shared with older manifests.
 *
 * Lists are joined like the digits of a binary counter: one that is not longer than the files after it is joined with
 * them. So each file is written into few lists, and a manifest names few lists. Pure.
 */
import type { DataFile } from "./DataFile.ts"
import * as FileLists from "./FileLists.ts"
import type { Manifest } from "./Manifest.ts"
import type { FileList, TableState } from "./TableState.ts"

/** The most files of a table that a manifest names itself. */
const mostOwn = 64

/** A list that is not in the store yet. */
interface NewList {
  readonly path: string
  readonly bytes: Uint8Array
}

/**
 * A manifest whose tables name few files themselves, and the lists that have to be put before it. `before`: the manifest that
 * it follows. The files of a table are in the order of its lists afterwards, those of no list last.
 */
export const sealManifest = (
  before: Manifest | undefined,
  next: Manifest
): { readonly manifest: Manifest; readonly fresh: ReadonlyArray<NewList> } => {
  const fresh: Array<NewList> = []
  const add = (files: ReadonlyArray<DataFile>): FileList => {
    const path = `${FileLists.folder}${String(next.version).padStart(12, "0")}-${next.writer}-${fresh.length + 1}.json`
    fresh.push({ path, bytes: FileLists.encode(files) })
    return { path, files: files.length }
  }
  const tables = Object.fromEntries(
    Object.entries(next.tables).map(([name, state]) => [name, sealed(before?.tables[name], state, add)] as const)
  )
  const hasLists = Object.values(tables).some(({ lists }) => lists !== undefined)
  return { manifest: { ...next, format: hasLists ? "millrace-manifest-2" : "millrace-manifest-1", tables }, fresh }
}

/** A list with those of its files that the table still has. */
interface Block {
  readonly list: FileList
  readonly files: ReadonlyArray<DataFile>
}

const sealed = (
  before: TableState | undefined,
  state: TableState,
  add: (files: ReadonlyArray<DataFile>) => FileList
): TableState => {
  const { lists: _, ...rest } = state
  const blocks = blocksLeft(before, state.files)
  const listed = new Set(blocks.flatMap(({ files }) => files))
  let own = state.files.filter((file) => !listed.has(file))
  if (own.length > mostOwn) {
    for (let last = blocks.at(-1); last !== undefined && last.files.length <= own.length; last = blocks.at(-1)) {
      own = [...last.files, ...own]
      blocks.pop()
    }
    blocks.push({ list: add(own), files: own })
    own = []
  }
  if (blocks.length === 0) return { ...rest, files: own }
  return { ...rest, files: [...blocks.flatMap(({ files }) => files), ...own], lists: blocks.map(({ list }) => list) }
}

/** The lists of the table before that are worth keeping: those of which three quarters are still in the table. */
const blocksLeft = (before: TableState | undefined, files: ReadonlyArray<DataFile>): Array<Block> => {
  if (before?.lists === undefined) return []
  const there = new Set(files)
  const blocks: Array<Block> = []
  let from = 0
  for (const list of before.lists) {
    const block = before.files.slice(from, (from += FileLists.countOf(list)))
    const left = block.filter((file) => there.has(file))
    if (left.length * 4 < list.files * 3) continue
    const without = [...(list.without ?? []), ...block.filter((file) => !there.has(file)).map(({ path }) => path)]
    const { path, files } = list
    blocks.push({ list: without.length === 0 ? list : { path, files, without }, files: left })
  }
  return blocks
}
