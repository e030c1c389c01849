/**
 * A private folder of one writer or reader: `.millrace/parquet-...` beside the pipeline file, or in the temporary folder.
 *
 * It is removed when its owner closes. The folder of a killed owner is removed by the next one: each owner holds a lock of
 * the operating system in its folder, which ends with the process. A folder without a lock is of an older version of
 * Millrace, or is just being made: it is removed after a day.
 */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Lock from "#base/Lock"
import { makePrivateFolder } from "#base/privateFolder"
import type * as Sink from "#engine/Sink"
import { failure } from "../failure.ts"

export const day = 24 * 3_600_000

/** Makes one. Before that, `settle` gets each folder of a killed owner, and decides whether it is removed. */
export const create = Effect.fnUntraced(function* (
  parentFolder: string,
  prefix: string,
  settle: (folder: string) => Effect.Effect<boolean, Sink.SinkError> = () => Effect.succeed(true)
) {
  const now = yield* Clock.currentTimeMillis
  const attempt = <A>(run: () => Promise<A>) =>
    Effect.uninterruptible(Effect.tryPromise({ try: run, catch: failure(`cannot make a folder in ${parentFolder}`) }))
  yield* attempt(() => makePrivateFolder(parentFolder))
  for (const name of yield* attempt(() => Fs.readdir(parentFolder))) {
    if (!name.startsWith(prefix)) continue
    const folder = Path.join(parentFolder, name)
    yield* Effect.acquireUseRelease(
      attempt(() => takeLeft(folder, now)),
      (release) =>
        release === undefined
          ? Effect.void
          : Effect.flatMap(settle(folder), (isSettled) =>
              isSettled ? attempt(() => Fs.rm(folder, { recursive: true, force: true })) : Effect.void
            ),
      (release) => Effect.sync(() => release?.())
    )
  }
  const { folder } = yield* Effect.acquireRelease(
    attempt(() => begin(parentFolder, prefix)),
    ({ folder, release }) =>
      Effect.promise(async () => {
        await Fs.rm(folder, { recursive: true, force: true })
        release()
      })
  )
  return folder
})

const begin = async (
  parentFolder: string,
  prefix: string
): Promise<{ readonly folder: string; readonly release: () => void }> => {
  for (;;) {
    const folder = await Fs.mkdtemp(Path.join(parentFolder, prefix))
    const release = take(Path.join(folder, lock))
    if (release !== undefined) return { folder, release }
    // Another process took the lock first, because it took the folder for one of a killed owner, and removes it.
  }
}

/** Locks a folder of a killed owner; undefined if its owner may still live. */
const takeLeft = async (folder: string, now: number): Promise<(() => void) | undefined> => {
  const found = await Fs.lstat(folder).catch(() => undefined)
  // It is gone already, belongs to another user, or is a link, which any user can make in the temporary folder.
  if (found?.isDirectory() !== true || found.uid !== (process.getuid?.() ?? found.uid)) return undefined
  const isLocked = await Fs.access(Path.join(folder, lock)).then(
    () => true,
    () => false
  )
  if (!isLocked) return now - found.mtimeMs > day ? () => {} : undefined
  return take(Path.join(folder, lock), "left")
}

/** Takes a lock; undefined if another process has it, or the folder is gone. */
const take = (path: string, from: "anew" | "left" = "anew"): (() => void) | undefined => {
  try {
    const taken = Lock.take(path, from)
    return "release" in taken ? taken.release : undefined
  } catch (cause) {
    if (cause instanceof Error && /unable to open|ENOENT/.test(cause.message)) return undefined
    throw cause
  }
}

const lock = "lock"
