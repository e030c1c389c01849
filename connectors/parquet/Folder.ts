/**
 * The private folder that files grow in before they are shipped: `.millrace/` beside the pipeline file.
 *
 * The law: it is gone when the writer is. What a killed writer left is removed by the next one: each folder has a lock that
 * falls when its process does. One without a lock, of an older version or of a process that has just made it, is removed
 * a day later, when nobody can still be at it.
 */
import { existsSync } from "node:fs"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Lock from "../../src/sqlite/Lock.ts"
import { failure } from "./failure.ts"

export const day = 24 * 3_600_000

export const make = Effect.fnUntraced(function* (directory: string) {
  const home = Path.join(directory, ".millrace")
  const now = yield* Clock.currentTimeMillis
  const { folder } = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        await Fs.mkdir(home, { recursive: true })
        for (const name of await Fs.readdir(home)) {
          if (name.startsWith(prefix)) await removeIfLeft(Path.join(home, name), now)
        }
        const folder = await Fs.mkdtemp(Path.join(home, prefix))
        const lock = Lock.take(lockOf(folder))
        return { folder, release: "release" in lock ? lock.release : () => {} }
      },
      catch: failure(`cannot make a folder in ${home}`)
    }),
    ({ folder, release }) =>
      Effect.promise(() => {
        release()
        return Fs.rm(folder, { recursive: true, force: true })
      })
  )
  return folder
})

/** Removes the folder of a writer that is no more. */
const removeIfLeft = async (folder: string, now: number): Promise<void> => {
  if (existsSync(lockOf(folder))) {
    const lock = Lock.take(lockOf(folder))
    if (!("release" in lock)) return
    lock.release()
  } else {
    const made = await Fs.stat(folder).catch(() => undefined)
    if (made === undefined || made.mtimeMs >= now - day) return
  }
  await Fs.rm(folder, { recursive: true, force: true })
}

const lockOf = (folder: string): string => Path.join(folder, "lock")

const prefix = "parquet-"
