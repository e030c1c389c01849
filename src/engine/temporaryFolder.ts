/** A temporary folder, for example for data that DuckDB spills. It is removed when its scope closes. */
import * as Fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { systemCode, systemReason } from "#base/systemReason"

/** A temporary folder could not be made. */
export class TemporaryFolderError extends Schema.TaggedError<TemporaryFolderError>()("TemporaryFolderError", {
  message: Schema.String
}) {}

/** Makes a temporary folder. `what` is part of its name: `millrace-sql-x7Jk2a`. */
export const temporaryFolder = (
  what: string,
  parent = tmpdir()
): Effect.Effect<string, TemporaryFolderError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () => Fs.mkdtemp(Path.join(parent, `millrace-${what}-`)),
      catch: (cause) => {
        const why = systemCode(cause) === "ENOENT" ? "it is not there (ENOENT)" : systemReason(cause)
        const message = `cannot make a folder in ${parent}: ${why}; set the variable TMPDIR to a folder for temporary files`
        return new TemporaryFolderError({ message })
      }
    }),
    (folder) => Effect.promise(() => Fs.rm(folder, { recursive: true, force: true }))
  )
