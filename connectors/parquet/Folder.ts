/**
 * The private folder that files grow in before they are shipped: `.millrace/` beside the pipeline file.
 *
 * The law: it is gone when the writer is. What a killed writer left is removed a day later, when nobody can still be
 * at it.
 */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { failure } from "./failure.ts"

export const day = 24 * 3_600_000

export const make = Effect.fnUntraced(function* (directory: string) {
  const home = Path.join(directory, ".millrace")
  const now = yield* Clock.currentTimeMillis
  return yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        await Fs.mkdir(home, { recursive: true })
        for (const name of await Fs.readdir(home)) {
          const old = Path.join(home, name)
          if (name.startsWith(prefix) && (await Fs.stat(old)).mtimeMs < now - day) await Fs.rm(old, { recursive: true })
        }
        return Fs.mkdtemp(Path.join(home, prefix))
      },
      catch: failure(`cannot make a folder in ${home}`)
    }),
    (folder) => Effect.promise(() => Fs.rm(folder, { recursive: true, force: true }))
  )
})

const prefix = "parquet-"
