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
import * as AvroFile from "./iceberg/avroFile.ts"
import * as IcebergTables from "./iceberg/IcebergTables.ts"
import { decodeList } from "./iceberg/manifestFiles.ts"
import { logAfter } from "./iceberg/nextMetadata.ts"
import * as TableMetadata from "./iceberg/TableMetadata.ts"
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
  const retained = new Set<string>()
  for (const { version } of ends.slice(first)) {
    const { tables } = yield* Manifest.readVersion(store, version)
    for (const { files } of Object.values(tables)) for (const { path } of files) retained.add(path)
  }
  return { first: ends[first]?.version ?? 0, kept: retained }
})

/**
 * Removes from Iceberg's metadata the snapshots whose files will be removed, and the files that only they or older metadata
 * need.
 *
 * Guarantee: the metadata is written first, so a reader that begins after that finds no snapshot whose files are gone.
 */

/** `first`: the number of the oldest manifest whose files are kept. */
const expireSnapshots = Effect.fn("parquet.expireSnapshots")(function* (
  store: ObjectStore.ObjectStore,
  heads: IcebergTables.Heads,
  first: number
) {
  yield* Effect.forEach([...heads], ([table, head]) => expireTable(store, heads, table, head, first), {
    concurrency: 4,
    discard: true
  })
})

const expireTable = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  heads: IcebergTables.Heads,
  table: string,
  head: IcebergTables.Head,
  first: number
) {
  const { metadata } = head
  // A snapshot is the state of the table until the next one.
  const ids = metadata.snapshots.map((snapshot) => snapshot["snapshot-id"])
  const oldest = Math.max(...ids.filter((id) => id <= first), 0)
  if (ids.every((id) => id >= oldest)) return yield* removeUnneeded(store, table, head)
  const expired: IcebergTables.Head = {
    version: head.version + 1,
    metadata: {
      ...metadata,
      snapshots: metadata.snapshots.filter((snapshot) => snapshot["snapshot-id"] >= oldest),
      "snapshot-log": metadata["snapshot-log"].filter((entry) => entry["snapshot-id"] >= oldest),
      // One stays, for readers that have just begun.
      "metadata-log": logAfter(IcebergTables.lakeOf(store), table, head).slice(-1)
    }
  }
  // If another writer was first, the next vacuum does this.
  if (yield* IcebergTables.putMetadata(store, heads, table, expired)) yield* removeUnneeded(store, table, expired)
})

/** Removes our files that a table's metadata does not name. Files of a later commit are kept. */
const removeUnneeded = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  table: string,
  { metadata, version }: IcebergTables.Head
) {
  const avro = yield* AvroFile.load
  const lists = metadata.snapshots.map((snapshot) => snapshot["manifest-list"])
  const named = yield* Effect.forEach(
    lists,
    (path) =>
      Effect.flatMap(IcebergTables.getAbsolute(store, path), (bytes) =>
        Effect.try({
          try: () => (bytes === undefined ? [] : decodeList(avro, bytes).map((listed) => listed.path)),
          catch: failure(`${path} cannot be read`)
        })
      ),
    { concurrency: 4 }
  )
  const logged = metadata["metadata-log"].map((entry) => entry["metadata-file"])
  const needed = new Set([...lists, ...named.flat(), ...logged].map((path) => IcebergTables.relativeTo(store, path)))
  const folder = TableMetadata.folderOf(table)
  const isOld = (path: string): boolean => {
    const [, form, snapshot] =
      /^(?:v(\d+)\.metadata\.json|(?:snap-)?(\d+)(?:-files|-removed)?-[0-9a-f]{16}\.avro)$/.exec(
        path.slice(folder.length)
      ) ?? []
    return form === undefined ? Number(snapshot) <= metadata["current-snapshot-id"] : Number(form) < version
  }
  const there = (yield* store.list(folder)).map(({ path }) => path)
  const removed = there.filter((path) => isOld(path) && !needed.has(path))
  yield* Effect.forEach(removed, (path) => store.remove(path), { concurrency: 8, discard: true })
})
