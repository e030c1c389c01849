/**
 * The files that a writer puts into a store, written into its private folder before they are put. So the files of a killed
 * writer are removed when the next one starts, and not a day later.
 *
 * Guarantee: a file is removed only if no manifest names it and no manifest that is being put can name it. A writer
 * notes that it publishes before it does. If such a writer was killed, its files in a remote store wait for a day, because its
 * request may still arrive.
 */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import type * as ObjectStore from "#engine/ObjectStore"
import { failure } from "../failure.ts"
import * as Manifest from "../manifest/Manifest.ts"

/** Notes a file before it is put. */
export const note = (folder: string, store: ObjectStore.ObjectStore, path: string) =>
  write(folder, `${JSON.stringify([store.location, path])}\n`)

/** Notes that a manifest will be put. */
export const notePublishing = (folder: string, store: ObjectStore.ObjectStore) =>
  write(folder, `${JSON.stringify([store.location])}\n`)

/**
 * Removes the files that the owner of a folder left in a store. Returns whether the folder can be removed: not while it names
 * files in another store, whose next writer removes them.
 */
export const settle = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, folder: string) {
  const lines = yield* Effect.tryPromise({
    try: () => Fs.readFile(Path.join(folder, name), "utf8").catch(absent),
    catch: failure(`cannot read what ${folder} tells`)
  })
  const noted = lines.split("\n").flatMap(parse)
  if (noted.some(([location]) => location !== store.location)) return false
  const isPublishing = noted.some(([, path]) => path === undefined)
  if (isPublishing && !Path.isAbsolute(store.location)) return true
  const left = yield* Manifest.neverNamed(
    store,
    noted.flatMap(([, path]) => path ?? [])
  ).pipe(
    // Nobody knows which files a damaged manifest names, so they all stay, until `removeOrphans` can tell.
    Effect.catchTag("ManifestError", () => Effect.succeed([])),
    Effect.mapError(failure(`cannot read ${store.location}`))
  )
  yield* Effect.forEach(left, (path) => store.remove(path), { concurrency: 8, discard: true }).pipe(
    Effect.mapError(failure(`cannot remove from ${store.location} what a killed run left`))
  )
  return true
})

const write = (folder: string, line: string) =>
  Effect.uninterruptible(
    Effect.tryPromise({
      try: () => Fs.appendFile(Path.join(folder, name), line),
      catch: failure(`cannot write to ${folder}`)
    })
  )

/** A line that was cut off when its writer was killed names a file that was not put yet. */
const parse = (line: string): ReadonlyArray<readonly [location: string, path?: string]> => {
  try {
    const decoded: unknown = JSON.parse(line)
    const noted: ReadonlyArray<unknown> = Array.isArray(decoded) ? decoded : []
    const [location, path] = noted
    if (typeof location !== "string") return []
    return [typeof path === "string" ? [location, path] : [location]]
  } catch {
    return []
  }
}

const absent = (cause: unknown): string => {
  if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return ""
  throw cause
}

const name = "shipped"
