/**
 * What a writer has put into a store, written down in its private folder before it is put: so that what a killed writer
 * left there goes when the next one comes, and not a day later.
 *
 * The law: a file goes only where no manifest names it, and none that is on its way can: a writer notes that it publishes
 * before it does, and what such a one left in a store beyond this machine waits for its day, as a request may outlive who
 * sent it.
 */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import type * as ObjectStore from "../../../src/pipeline/ObjectStore.ts"
import { failure } from "../failure.ts"
import * as Manifest from "./Manifest.ts"

/** Notes a file that is about to be put. */
export const note = (folder: string, store: ObjectStore.ObjectStore, path: string) =>
  write(folder, `${JSON.stringify([store.location, path])}\n`)

/** Notes that a manifest is about to be put. */
export const notePublishing = (folder: string, store: ObjectStore.ObjectStore) =>
  write(folder, `${JSON.stringify([store.location])}\n`)

/**
 * Removes from a store what the owner of a folder left there. Whether the folder may go: not while it tells of files in
 * another store, whose next writer removes them.
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
  ).pipe(Effect.mapError(failure(`cannot read ${store.location}`)))
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

/** A line that was cut off when its writer died tells of nothing that was put. */
const parse = (line: string): ReadonlyArray<readonly [location: string, path?: string]> => {
  try {
    const said: unknown = JSON.parse(line)
    const noted: ReadonlyArray<unknown> = Array.isArray(said) ? said : []
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
