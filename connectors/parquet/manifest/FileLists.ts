/**
 * Lists of files that manifests share. Older files of a table are written once, in a list that manifests name, so that the
 * size of a manifest depends on the changes of its commit and not on all commits before it.
 *
 * Guarantee: a list never changes, and it is put before the first manifest that names it. Lists are kept, as manifests are.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as DigestedJson from "#base/DigestedJson"
import type * as ObjectStore from "#engine/ObjectStore"
import { DataFile } from "./DataFile.ts"
import { ManifestError, repair } from "./ManifestError.ts"
import type { FileList, TableState } from "./TableState.ts"

/** The table for the text of a manifest: without the files of its lists. */
export const withoutListed = (state: TableState): TableState =>
  state.lists === undefined
    ? state
    : { ...state, files: state.files.slice(state.lists.reduce((sum, list) => sum + countOf(list), 0)) }

/** A table of the text of a manifest, with the files of its lists. */
export const withListed = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, state: TableState) {
  if (state.lists === undefined) return state
  const listed = yield* Effect.forEach(
    state.lists,
    ({ files: count, path, without }) => {
      const gone = new Set(without)
      return Effect.flatMap(read(store, path), (files) =>
        files.length === count
          ? Effect.succeed(files.filter((file) => !gone.has(file.path)))
          : Effect.fail(damaged(path, `has ${files.length} files, where the manifest says ${count}`)())
      )
    },
    { concurrency: 8 }
  )
  return { ...state, files: [...listed.flat(), ...state.files] }
})

/** The files of a list. */
export const read = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, path: string) {
  const bytes = yield* store.get(path)
  if (Option.isNone(bytes)) return yield* damaged(path, "is gone")()
  const text = new TextDecoder().decode(bytes.value)
  if (DigestedJson.isDamaged(text)) return yield* damaged(path, "has other bytes than were written")()
  const { files } = yield* Effect.mapError(decode(text), damaged(path, "is cut off or damaged"))
  return files
})

const damaged = (path: string, fault: string) => (cause?: unknown) =>
  new ManifestError({ path, message: `${path} ${fault}: ${repair}`, ...(cause === undefined ? {} : { cause }) })

/** The text of a list. */
export const encode = (files: ReadonlyArray<DataFile>): Uint8Array => DigestedJson.encode({ format, files })

/** How many of its files the table still has. */
export const countOf = ({ files, without = [] }: FileList): number => files - without.length

export const folder = "_manifest/files/"

const format = "millrace-files-1"
const decode = Schema.decodeEffect(
  Schema.fromJsonString(Schema.Struct({ format: Schema.Literal(format), files: Schema.Array(DataFile) }))
)
