/**
 * Lists of files that manifests share. What a table has had for a while is written once, in a list that manifests name, so that a
 * manifest grows with what its commit changed and not with all commits before it.
 *
 * The law: a list never changes, and it is put before the first manifest that names it. Lists stay, as manifests do.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as ObjectStore from "../../../src/pipeline/ObjectStore.ts"
import { DataFile } from "./DataFile.ts"
import type { Manifest } from "./Manifest.ts"
import { ManifestError } from "./ManifestError.ts"
import type { FileList, TableState } from "./TableState.ts"

/** The most files of a table that a manifest names itself. */
export const ownFiles = 64

/** A list that is not in the store yet. */
export interface NewList {
  readonly path: string
  readonly bytes: Uint8Array
}

/**
 * A manifest whose tables name few files themselves, and the lists that have to be put before it. `before`: the manifest that
 * it follows. The files of a table are in the order of its lists afterwards, those of no list last.
 */
export const seal = (
  before: Manifest | undefined,
  next: Manifest
): { readonly manifest: Manifest; readonly fresh: ReadonlyArray<NewList> } => {
  const fresh: Array<NewList> = []
  const add = (files: ReadonlyArray<DataFile>): FileList => {
    const path = `${folder}${String(next.version).padStart(12, "0")}-${next.writer}-${fresh.length + 1}.json`
    fresh.push({ path, bytes: new TextEncoder().encode(`${JSON.stringify({ format, files })}\n`) })
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
  if (own.length > ownFiles) {
    // As in a binary counter: lists that are no longer than what follows them become one with it, so each file is written into few.
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
    const block = before.files.slice(from, (from += countOf(list)))
    const left = block.filter((file) => there.has(file))
    if (left.length * 4 < list.files * 3) continue
    const without = [...(list.without ?? []), ...block.filter((file) => !there.has(file)).map(({ path }) => path)]
    const { path, files } = list
    blocks.push({ list: without.length === 0 ? list : { path, files, without }, files: left })
  }
  return blocks
}

/** The table as the text of a manifest has it: without the files of its lists. */
export const withoutListed = (state: TableState): TableState =>
  state.lists === undefined
    ? state
    : { ...state, files: state.files.slice(state.lists.reduce((sum, list) => sum + countOf(list), 0)) }

/** The table with all of its files, from the text of a manifest. */
export const withListed = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, state: TableState) {
  if (state.lists === undefined) return state
  const listed = yield* Effect.forEach(
    state.lists,
    ({ path, without }) => {
      const gone = new Set(without)
      return Effect.map(read(store, path), (files) => files.filter((file) => !gone.has(file.path)))
    },
    { concurrency: 8 }
  )
  return { ...state, files: [...listed.flat(), ...state.files] }
})

/** The files of a list. */
export const read = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, path: string) {
  const bytes = yield* store.get(path)
  if (Option.isNone(bytes)) return yield* new ManifestError({ path, message: `${path} is gone: ${advice}` })
  return yield* decode(new TextDecoder().decode(bytes.value)).pipe(
    Effect.map(({ files }) => files),
    Effect.mapError((cause) => new ManifestError({ path, message: `${path} is cut off or damaged: ${advice}`, cause }))
  )
})

const countOf = ({ files, without = [] }: FileList): number => files - without.length

const advice = "put it back from a backup, or move the lake away, and the next run makes a new one"
const folder = "_manifest/files/"
const format = "millrace-files-1"
const decode = Schema.decodeEffect(
  Schema.fromJsonString(Schema.Struct({ format: Schema.Literal(format), files: Schema.Array(DataFile) }))
)
