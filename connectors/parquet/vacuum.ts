/**
 * Removes files that no kept version of a lake needs any more.
 *
 * Guarantee: a version is kept while it is the newest and for `retain` after that. A file is removed only if a manifest
 * named it and no kept version does. So files that a writer has not committed yet stay, and a reader has the time of
 * `retain`. Manifests and Delta logs stay: they are the record of the runs. Snapshots that cannot be read any more are
 * removed from Iceberg's metadata. If a file of the newest version is missing or damaged, nothing is removed: an older
 * version may have what is lost.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as ObjectStore from "#engine/ObjectStore"
import type * as Sink from "#engine/Sink"
import { failure } from "./failure.ts"
import { expireSnapshots } from "./iceberg/expireSnapshots.ts"
import * as Followers from "./lake/followers.ts"
import { openLake } from "./lake/openLake.ts"
import { ownFiles } from "./lake/removeOrphans.ts"
import * as Manifest from "./manifest/Manifest.ts"
import { faultOf } from "./manifest/takeFile.ts"
import type { Options } from "./options.ts"

export const vacuum = Effect.fn("parquet.vacuum")(function* (
  options: Options,
  directory: string,
  { dryRun, retain }: Sink.VacuumTarget
): Effect.fn.Return<Sink.Vacuumed, Sink.SinkError, ObjectStore.ObjectStores> {
  const { store, newest } = yield* openLake(options, directory)
  const work = Effect.gen(function* () {
    const objects = yield* store.list("")
    yield* assertThere(store, newest, objects)
    const heads = dryRun ? undefined : yield* Followers.mend(store, newest)
    const { first, kept } = yield* keptFiles(store, (yield* Clock.currentTimeMillis) - retain)
    const others = ownFiles(objects, options.schema).filter(({ path }) => !kept.has(path))
    const unnamed = new Set(
      yield* Manifest.neverNamed(
        store,
        others.map(({ path }) => path)
      )
    )
    const gone = others.filter(({ path }) => !unnamed.has(path))
    if (heads !== undefined) {
      yield* expireSnapshots(store, heads.iceberg, first)
      yield* Effect.forEach(gone, ({ path }) => store.remove(path), { concurrency: 8, discard: true })
    }
    return { location: store.location, files: gone.length, bytes: gone.reduce((sum, { bytes }) => sum + bytes, 0) }
  })
  if (Option.isNone(newest)) return { location: store.location, files: 0, bytes: 0 }
  return yield* work.pipe(Effect.mapError(failure(`cannot remove old files of ${store.location}`)))
})

/** Fails if a file of the newest manifest is missing, or does not have the size that the manifest says. */
const assertThere = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  newest: Option.Option<Manifest.Manifest>,
  objects: ReadonlyArray<{ readonly path: string; readonly bytes: number }>
) {
  const sizes = new Map(objects.map(({ path, bytes }) => [path, bytes]))
  const files = Object.values(Option.getOrUndefined(newest)?.tables ?? {}).flatMap((table) => table.files)
  const faults = files.flatMap((file) => faultOf(store, file, sizes.get(file.path)) ?? [])
  const [first] = faults
  if (first === undefined) return
  const more = faults.length === 1 ? "" : `; so are ${faults.length - 1} other files`
  return yield* failure(`nothing is removed: ${first}${more}`)()
})

/** The files of each manifest that was the newest at a time or later, and the number of the first of these manifests. */
const keptFiles = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, since: number) {
  const ends = yield* Manifest.readAll(store, ({ run, version }) => ({ version, at: Date.parse(run.committed_at) }))
  // A manifest was the newest until the next one came.
  const first = ends.findIndex((_, at) => (ends[at + 1]?.at ?? Number.POSITIVE_INFINITY) >= since)
  const kept = new Set<string>()
  for (const { version } of ends.slice(first)) {
    const { tables } = yield* Manifest.readVersion(store, version)
    for (const { files } of Object.values(tables)) for (const { path } of files) kept.add(path)
  }
  return { first: ends[first]?.version ?? 0, kept }
})
