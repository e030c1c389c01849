/**
 * Fetches a file of a lake to this machine, and compares it with its manifest.
 *
 * Guarantee: a damaged file is reported with its name and with what to do. Its bytes are copied into no other file: there they
 * would get a valid checksum, and nobody would notice the damage.
 */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { pipeline } from "node:stream/promises"
import * as Effect from "effect/Effect"
import type * as ObjectStore from "#engine/ObjectStore"
import type * as Sink from "#engine/Sink"
import { failure } from "../failure.ts"
import type * as Manifest from "./Manifest.ts"
import { repair } from "./ManifestError.ts"

/**
 * Fetches a file to a local path. Returns what is wrong with it, if anything. `gone`: the text for a missing file.
 */
export const takeFile = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  file: Manifest.DataFile,
  to: string,
  gone?: string
): Effect.fn.Return<string | undefined, Sink.SinkError> {
  const within = Effect.mapError(failure(store.location))
  yield* within(Effect.tryPromise(() => Fs.mkdir(Path.dirname(to), { recursive: true })))
  const there = yield* within(store.getFile(file.path, to))
  return yield* sizeFault(store, file, there ? to : undefined, gone)
})

/** What is wrong with the size of a local file; undefined: nothing. */
export const sizeFault = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  file: Manifest.DataFile,
  path: string | undefined,
  gone?: string
): Effect.fn.Return<string | undefined, Sink.SinkError> {
  if (path === undefined) return gone ?? faultOf(store, file, undefined)
  const { size } = yield* Effect.tryPromise({ try: () => Fs.stat(path), catch: failure(`cannot look at ${path}`) })
  return faultOf(store, file, size)
})

/** The same for a file whose size is known. `bytes` undefined: the file is missing. */
export const faultOf = (
  store: ObjectStore.ObjectStore,
  file: Manifest.DataFile,
  bytes: number | undefined
): string | undefined => {
  if (bytes === undefined) return faultMessage(store, file, "is gone")
  return bytes === file.bytes ? undefined : faultMessage(store, file, `has ${bytes} bytes instead of ${file.bytes}`)
}

/** Fails if the bytes of a fetched file differ from those that were written. */
export const assertWhole = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  file: Manifest.DataFile,
  path: string
) {
  const hash = createHash("sha256")
  yield* Effect.tryPromise({
    try: () => pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash),
    catch: failure(`cannot read ${path}`)
  })
  if (hash.digest("hex") !== file.sha256)
    return yield* failure(faultMessage(store, file, "has other bytes than were written"))()
})

/** What is wrong with a file, in words, and what to do. */
export const faultMessage = ({ location }: ObjectStore.ObjectStore, { path }: Manifest.DataFile, fault: string) =>
  `${path} is in the manifest of ${location} and ${fault}: ${repair}`

/** Why an older version cannot be read: a file that it needs is gone, usually after a vacuum. */
export const vacuumed = (location: string, runId: string): string =>
  `${location} does not have the files of run ${runId} any more: \`millrace vacuum\` removes those of old versions, and --retain says for how long they stay`
