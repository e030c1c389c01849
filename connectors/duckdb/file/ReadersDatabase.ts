/**
 * Opens a DuckDB file for reading: the published copy, if there is one.
 *
 * It is opened READ_ONLY, so reading changes nothing, and can only be refused while a writer has the same file open. Each
 * reader spills into its own temporary folder: two readers with one folder would read each other's files, and crash.
 */
import { existsSync } from "node:fs"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Database from "#engine/Duckdb"
import type * as Sink from "#engine/Sink"
import { temporaryFolder } from "#engine/temporaryFolder"
import { failure } from "../failure.ts"
import type { Options } from "../options.ts"
import { refusal } from "./AttachedDatabase.ts"

/** The file that readers open; undefined: it does not exist yet. */
export const readersFile = (options: Options, directory: string): string | undefined => {
  const paths = options.publish === undefined ? [options.path] : [options.publish, options.path]
  return paths.map((path) => Path.resolve(directory, path)).find((path) => existsSync(path))
}

/** The file, attached as `target`. */
export const openToRead = Effect.fnUntraced(function* (
  file: string,
  settings: Omit<Database.Settings, "spill">
): Effect.fn.Return<Database.Database, Sink.SinkError, Scope.Scope> {
  const starting = failure(`cannot start DuckDB for ${file}`)
  const spill = yield* Effect.mapError(temporaryFolder("read"), starting)
  const database = yield* Database.open({ ...settings, spill }).pipe(Effect.mapError(starting))
  yield* database.run(`ATTACH ${Database.literal(file)} AS target (READ_ONLY)`).pipe(Effect.mapError(refusal(file)))
  return database
})
