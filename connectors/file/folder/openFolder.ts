/** Opens the folder of a sink for one writer at a time. */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Lock from "#base/Lock"
import { attempt, busy, failure } from "../failure.ts"
import type { Options } from "../options.ts"
import * as Versions from "./Versions.ts"

export const rootOf = ({ path, schema }: Pick<Options, "path" | "schema">, directory: string): string =>
  Path.resolve(directory, path, schema ?? "")

/** The committed version; undefined: nothing is committed. It needs no lock, because a version is complete and never changes. */
export const look = (root: string) => attempt(`cannot read ${root}`, () => Versions.read(root))

/** Takes the folder until the scope closes, and prepares it for a version. */
export const open = Effect.fnUntraced(function* (root: string) {
  yield* attempt(`cannot make ${root}`, () => Fs.mkdir(Versions.homeOf(root), { recursive: true }))
  yield* Effect.acquireRelease(take(root), (lock) => Effect.sync(lock.release))
  const before = yield* look(root)
  yield* attempt(`cannot tidy ${root}`, () => Versions.prepare(root, before?.state))
  yield* Effect.addFinalizer(() =>
    Effect.ignore(attempt(`cannot tidy ${root}`, () => Fs.rm(Versions.stageOf(root), { recursive: true, force: true })))
  )
  return before
})

const take = Effect.fnUntraced(function* (root: string) {
  const lock = yield* Effect.try({
    try: () => Lock.take(Versions.lockOf(root)),
    catch: failure(`cannot lock ${root}`)
  })
  if ("release" in lock) return lock
  const whose = lock.owner === "" ? "another process" : `process ${lock.owner}`
  return yield* busy(`${root} is being written by ${whose}; let it end first`)
})
