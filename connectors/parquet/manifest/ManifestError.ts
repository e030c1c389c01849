/** A manifest that cannot be read, and what to do about a part of a lake that is damaged. */
import * as Schema from "effect/Schema"

/** What goes on without what is lost. */
export const goOn = "`millrace verify FILE --repair` goes on without it, and says which runs to load again"

/** What to do about a file of a lake that is gone or damaged. */
export const repair = `put it back from a backup, or ${goOn}`

/** The same, about a manifest that a newer one has replaced. */
export const repairOfOlder =
  "put it back from a backup, or `millrace verify FILE --repair` moves it away: a newer manifest has replaced it, so only the history of runs and versions lacks it"

/**
 * A manifest that exists but cannot be decoded.
 *
 * @example
 * ```ts
 * import { mkdir, writeFile } from "node:fs/promises"
 * import * as Effect from "effect/Effect"
 * import { fileStore } from "millrace/connectors/file"
 * import { readManifest } from "millrace/connectors/parquet"
 *
 * await mkdir("./odd-lake/_manifest", { recursive: true })
 * await writeFile("./odd-lake/_manifest/000000000001.json", "{}")
 * const error = fileStore.open("./odd-lake").pipe(Effect.flatMap(readManifest), Effect.flip)
 * console.log((await Effect.runPromise(error))._tag) // "ManifestError"
 * ```
 */
export class ManifestError extends Schema.TaggedError<ManifestError>()("ManifestError", {
  /** The manifest, one of its lists of files, or the lake where there is none. */
  path: Schema.String,
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}
