/** A folder among those of the system for what is temporary, such as what DuckDB cannot hold. It is gone with its scope. */
import * as Fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { systemCode, systemReason } from "../text/systemReason.ts"

/** The system gives no folder for what is temporary. */
export class TemporaryFolderError extends Schema.TaggedError<TemporaryFolderError>()("TemporaryFolderError", {
  message: Schema.String
}) {}

/** `what`: what it is for, as its name says it: `millrace-sql-x7Jk2a`. */
export const temporaryFolder = (
  what: string,
  place = tmpdir()
): Effect.Effect<string, TemporaryFolderError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () => Fs.mkdtemp(Path.join(place, `millrace-${what}-`)),
      catch: (cause) => {
        const why = systemCode(cause) === "ENOENT" ? "it is not there (ENOENT)" : systemReason(cause)
        const message = `cannot make a folder in ${place}: ${why}; the variable TMPDIR can name another place for what is temporary`
        return new TemporaryFolderError({ message })
      }
    }),
    (folder) => Effect.promise(() => Fs.rm(folder, { recursive: true, force: true }))
  )
