/** A fresh temporary folder that is gone when its scope closes. */
import * as Fs from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"

export const folder = Effect.acquireRelease(
  Effect.promise(() => Fs.mkdtemp(join(tmpdir(), "millrace-"))),
  (directory) => Effect.promise(() => Fs.rm(directory, { recursive: true, force: true }))
)
