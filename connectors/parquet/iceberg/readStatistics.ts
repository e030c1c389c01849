/**
 * The statistics for Iceberg of the columns of new files, from their footers. Only the end of a file is read, and nothing
 * of a file that the earlier metadata names.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as ObjectStore from "#engine/ObjectStore"
import * as Footer from "#engine/ParquetFooter"
import { failure } from "../failure.ts"
import type * as Manifest from "../manifest/Manifest.ts"
import { type FileStatistics, isComplete, statisticsOf } from "./fileStatistics.ts"
import type { Field } from "./TableMetadata.ts"

interface Wanted {
  readonly files: ReadonlyArray<Manifest.DataFile>
  readonly fields: ReadonlyArray<Field>
  /** What the metadata before says of files, by their paths. */
  readonly known: ReadonlyMap<string, FileStatistics>
}

export const readStatistics = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  { fields, files, known }: Wanted
) {
  const unknown = files.filter(({ path }) => {
    const said = known.get(path)
    return said === undefined || !isComplete(said)
  })
  const read = yield* Effect.forEach(
    unknown,
    (file) => Effect.map(footerIn(store, file), (footer) => [file.path, statisticsOf(footer, file, fields)] as const),
    { concurrency: 8 }
  )
  return new Map(read)
})

/** The footer of a file; undefined where the file is gone. */
const footerIn = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, { bytes, path }: Manifest.DataFile) {
  let end = Option.getOrUndefined(yield* store.getEnd(path, likelyBytes))
  const length = end && Footer.lengthIn(end.subarray(-8), bytes)
  if (end === undefined || length === undefined) return undefined
  if (end.length < length + 8) end = Option.getOrUndefined(yield* store.getEnd(path, length + 8))
  const footer = end?.subarray(-8 - length, -8)
  return yield* Effect.try({
    try: () => (footer === undefined ? undefined : Footer.parse(footer, bytes)),
    catch: failure(`the footer of ${path} in ${store.location} cannot be read`)
  })
})

/** One request brings the footer of most files. */
const likelyBytes = 64 * 1024
