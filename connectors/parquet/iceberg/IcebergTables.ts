/**
 * The Iceberg tables of a lake: `pages/metadata/v7.metadata.json` is version 7 of the metadata of table `pages`.
 *
 * Guarantee: they follow the manifests and decide nothing, like the Delta logs. The last metadata has the number of its manifest.
 * The next one is put only if it does not exist. If a process was killed before that, the next one that opens the lake writes
 * it. Iceberg has absolute paths of files, so a lake that was moved gets new metadata.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Digest from "#base/Digest"
import * as DigestedJson from "#base/DigestedJson"
import type * as ObjectStore from "#engine/ObjectStore"
import * as Footer from "#engine/ParquetFooter"
import type * as Sink from "#engine/Sink"
import type { Healed } from "../delta/DeltaLog.ts"
import { failure } from "../failure.ts"
import * as Manifest from "../manifest/Manifest.ts"
import * as AvroFile from "./avroFile.ts"
import { type FileStatistics, isComplete, statisticsOf } from "./fileStatistics.ts"
import { hasIceberg, type Placed } from "./icebergPlace.ts"
import { decodeList, decodeManifest, type Entry } from "./manifestFiles.ts"
import { fieldsAfter, maxLogged, nextMetadata, type Step } from "./nextMetadata.ts"
import type { Field } from "./TableMetadata.ts"
import * as TableMetadata from "./TableMetadata.ts"

/** The last metadata of a table. */
export interface Head {
  readonly version: number
  readonly metadata: TableMetadata.TableMetadata
}
export type Heads = Map<string, Head>

/** What a look at the tables found. */
interface Found {
  readonly heads: Heads
  readonly healed: ReadonlyArray<Healed>
}

/**
 * Writes missing and damaged metadata; returns the last of each Iceberg table. `listed`: their files, listed after the manifest was
 * read. `checked`: the tables whose files are read and compared.
 *
 * Metadata ends with a digest, and the names of the other files have digests of their bytes. What differs is removed, and written
 * again from the last metadata that is whole and the manifests after it.
 */
export const open = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  newest: Option.Option<Manifest.Manifest>,
  listed: ReadonlyArray<ObjectStore.ObjectInfo>,
  checked: ReadonlySet<string>
): Effect.fn.Return<Found, Sink.SinkError> {
  const heads: Heads = new Map()
  const healed: Array<Healed> = []
  const tables = Object.entries(Option.getOrUndefined(newest)?.tables ?? {})
  if (Option.isNone(newest) || !tables.some(([, state]) => hasIceberg(state))) return { heads, healed }
  const openTable = Effect.fnUntraced(function* (table: string) {
    const versions = versionsIn(listed, table)
    const damaged: Array<string> = []
    for (const version of versions) {
      const path = TableMetadata.pathOf(table, version)
      const metadata = yield* readMetadata(store, table, path)
      const fault = metadata === undefined ? path : checked.has(table) ? yield* faultIn(store, metadata) : undefined
      if (metadata !== undefined && fault === undefined) {
        heads.set(table, { version, metadata })
        break
      }
      damaged.push(path)
      healed.push({ path: fault ?? path, fault: "is gone or has other bytes than were written" })
    }
    const within = Effect.mapError(failure(`cannot write the Iceberg metadata of ${table} in ${store.location}`))
    yield* within(Effect.forEach(damaged, (path) => store.remove(path), { discard: true }))
    const last = heads.get(table)
    if (last === undefined) return
    const hint = Option.getOrUndefined(yield* within(store.get(hintOf(table))))
    if (new TextDecoder().decode(hint) === String(last.version)) return
    yield* within(putHint(store, table, last.version))
    healed.push({ path: hintOf(table), fault: "does not name the last metadata" })
  })
  const placed = tables.flatMap(([name, state]) => (hasIceberg(state) ? [name] : []))
  yield* Effect.forEach(placed, openTable, { concurrency: 8, discard: true })
  yield* follow(store, heads, newest.value)
  return { heads, healed }
})

/** Removes the metadata of a table that shows manifests after this one, because they are lost. */
export const removeBeyond = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  table: string,
  listed: ReadonlyArray<ObjectStore.ObjectInfo>,
  manifest: number
) {
  for (const version of versionsIn(listed, table)) {
    const path = TableMetadata.pathOf(table, version)
    const metadata = yield* readMetadata(store, table, path)
    if (metadata !== undefined && metadata["current-snapshot-id"] > manifest) yield* store.remove(path)
  }
})

/** The files of all snapshots that are gone or have other bytes than their names say, with the snapshot of each. */
export const faultsInHistory = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, { metadata }: Head) {
  const seen = new Set<string>()
  const damaged: Array<{ readonly path: string; readonly snapshot: number }> = []
  for (const snapshot of metadata.snapshots) {
    const path = yield* faultIn(store, { ...metadata, "current-snapshot-id": snapshot["snapshot-id"] })
    if (path === undefined || seen.has(path)) continue
    seen.add(path)
    damaged.push({ path, snapshot: snapshot["snapshot-id"] })
  }
  return damaged
})

/** The first file of the newest snapshot that is gone or has other bytes than its name says. */
const faultIn = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, metadata: TableMetadata.TableMetadata) {
  const within = Effect.mapError(failure(`cannot read ${store.location}`))
  const snapshot = TableMetadata.snapshotOf(metadata)
  if (snapshot === undefined || !metadata.location.startsWith(`${lakeOf(store)}/`)) return undefined
  const list = snapshot["manifest-list"]
  const bytes = yield* within(getAbsolute(store, list))
  if (bytes === undefined || !isWhole(list, bytes)) return relativeTo(store, list)
  const avro = yield* AvroFile.load
  for (const { path } of decodeList(avro, bytes)) {
    const manifest = yield* within(getAbsolute(store, path))
    if (manifest === undefined || !isWhole(path, manifest)) return relativeTo(store, path)
  }
  return undefined
})

/** Whether a file has the bytes of the digest that is in its name. */
const isWhole = (path: string, bytes: Uint8Array): boolean => {
  const [, digest] = /-([0-9a-f]{16})\.avro$/.exec(path) ?? []
  return digest === undefined || Digest.isOf(bytes, digest)
}

/** Writes the missing snapshots up to a manifest. `before`: the manifest before it, if it is loaded. */
export const follow = Effect.fn("parquet.followIceberg")(function* (
  store: ObjectStore.ObjectStore,
  heads: Heads,
  newest: Manifest.Manifest,
  before?: Manifest.Manifest
): Effect.fn.Return<void, Sink.SinkError> {
  const behind = Object.entries(newest.tables).flatMap(([table, state]) =>
    hasIceberg(state) && !isShown(store, heads.get(table), table, state) ? [table] : []
  )
  const followTable = Effect.fnUntraced(function* (table: string) {
    for (const manifest of yield* missing(store, heads.get(table), table, newest, before)) {
      const state = manifest.tables[table]
      if (hasIceberg(state)) yield* writeSnapshot(store, heads, { manifest, table, state })
    }
  })
  yield* Effect.forEach(behind, followTable, { concurrency: 8, discard: true })
})

/** Puts the next version of a table's metadata. False: another writer was first. */
export const putMetadata = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  heads: Heads,
  table: string,
  { metadata, version }: Head
): Effect.fn.Return<boolean, ObjectStore.ObjectStoreError> {
  const [path, bytes] = [TableMetadata.pathOf(table, version), TableMetadata.encode(metadata)]
  if (!(yield* store.putIfAbsent(path, bytes))) {
    // The file exists after a lost answer and a retry, or if another run does the same at this moment.
    const there = yield* store.get(path)
    if (Option.isNone(there) || Buffer.compare(there.value, bytes) !== 0) return false
  }
  heads.set(table, { version, metadata })
  yield* putHint(store, table, version)
  const unlogged = version - maxLogged - 1
  if (unlogged > 0) yield* store.remove(TableMetadata.pathOf(table, unlogged))
  return true
})

/** The location of a lake, as an absolute URL. */
export const lakeOf = ({ location }: ObjectStore.ObjectStore): string =>
  (/^\w+:\/\//.test(location) ? location : `file://${location}`).replace(/\/+$/, "")

/** The manifests that changed a table and are not in its metadata, the oldest first. */
const missing = Effect.fnUntraced(
  function* (
    store: ObjectStore.ObjectStore,
    head: Head | undefined,
    table: string,
    newest: Manifest.Manifest,
    before: Manifest.Manifest | undefined
  ) {
    const read = Effect.fnUntraced(function* (version: number) {
      if (version === before?.version) return before
      return version === newest.version ? newest : yield* Manifest.readable(store, version)
    })
    const found: Array<Manifest.Manifest> = []
    for (let at: Manifest.Manifest | undefined = newest; at !== undefined; ) {
      const state: Manifest.TableState | undefined = at.tables[table]
      if (!hasIceberg(state) || isShown(store, head, table, state)) break
      const number: number = state.iceberg.snapshot
      const changed: Manifest.Manifest | undefined = yield* read(number)
      // If that manifest is gone or damaged, a later one that has the same state stands for it.
      found.unshift(changed ?? at)
      // If the table is new to Iceberg, or the lake was moved, only its newest state is written.
      if (head === undefined || !isHere(store, head, table)) break
      if (changed === undefined || changed.previous === null) break
      at = yield* read(changed.previous)
    }
    return found
  },
  (effect, store) => Effect.mapError(effect, failure(`cannot read ${store.location}`))
)

const isShown = (store: ObjectStore.ObjectStore, head: Head | undefined, table: string, { iceberg }: Placed): boolean =>
  head !== undefined &&
  head.metadata["table-uuid"] === iceberg.id &&
  head.metadata["current-snapshot-id"] >= iceberg.snapshot &&
  isHere(store, head, table)

const isHere = (store: ObjectStore.ObjectStore, { metadata }: Head, table: string): boolean =>
  metadata.location === `${lakeOf(store)}/${table}`

const writeSnapshot = Effect.fnUntraced(
  function* (
    store: ObjectStore.ObjectStore,
    heads: Heads,
    what: Pick<Step, "manifest" | "table"> & { readonly state: Placed }
  ) {
    const { state, table } = what
    const avro = yield* AvroFile.load
    const lake = lakeOf(store)
    while (!isShown(store, heads.get(table), table, state)) {
      const last = heads.get(table)
      const isContinued =
        last !== undefined && isHere(store, last, table) && last.metadata["table-uuid"] === state.iceberg.id
      const entries = isContinued ? yield* entriesOf(store, avro, last.metadata) : undefined
      const statistics = yield* readStatistics(store, {
        files: state.files,
        fields: fieldsAfter(last?.metadata, state),
        known: new Map(entries?.map((entry) => [relativeTo(store, entry.path), entry.statistics]))
      })
      const { files, metadata } = nextMetadata(avro, { ...what, lake, last, entries, statistics })
      yield* Effect.forEach(files, ({ bytes, path }) => store.put(path, bytes), { concurrency: 4, discard: true })
      const version = (last?.version ?? 0) + 1
      if (yield* putMetadata(store, heads, table, { version, metadata })) continue
      // Another writer was first.
      const path = TableMetadata.pathOf(table, version)
      const theirs = yield* readMetadata(store, table, path)
      if (theirs === undefined) return yield* failure(`${path} is damaged; run again, and it is written again`)()
      heads.set(table, { version, metadata: theirs })
    }
  },
  (effect, store, _, { table }) =>
    Effect.mapError(effect, (error) =>
      failure(
        `the commit is done, but the Iceberg metadata of ${table} in ${store.location} is not: the next run writes it`
      )(error)
    )
)

/** The files of a table in its metadata; undefined if the metadata's own files are gone. */
const entriesOf = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  avro: AvroFile.AvroFiles,
  metadata: TableMetadata.TableMetadata
) {
  const snapshot = TableMetadata.snapshotOf(metadata)
  const list = snapshot && (yield* getAbsolute(store, snapshot["manifest-list"]))
  if (snapshot === undefined || list === undefined) return undefined
  const entries: Array<Entry> = []
  const read = <A>(path: string, decode: () => A) => {
    const message = `${relativeTo(store, path)} in ${store.location} is cut off or damaged; run again, and it is written again`
    return Effect.try({ try: decode, catch: failure(message) })
  }
  for (const { isLive, path, sequence } of yield* read(snapshot["manifest-list"], () => decodeList(avro, list))) {
    if (!isLive) continue
    const bytes = yield* getAbsolute(store, path)
    if (bytes === undefined) return undefined
    for (const entry of yield* read(path, () => decodeManifest(avro, bytes, sequence))) entries.push(entry)
  }
  return entries
})

/** A file of a lake by its absolute path. */
export const getAbsolute = (store: ObjectStore.ObjectStore, path: string) =>
  Effect.map(store.get(relativeTo(store, path)), Option.getOrUndefined)

export const relativeTo = (store: ObjectStore.ObjectStore, path: string): string => path.slice(lakeOf(store).length + 1)

/** The metadata at a path; undefined: it is gone or damaged. It fails if something else than Millrace wrote it. */
const readMetadata = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, table: string, path: string) {
  const bytes = yield* store.get(path).pipe(Effect.mapError(failure(store.location)))
  const text = Option.match(bytes, { onNone: () => "", onSome: (found) => new TextDecoder().decode(found) })
  if (!isJson(text) || DigestedJson.isDamaged(text)) return undefined
  return yield* TableMetadata.decode(text).pipe(
    Effect.mapError(
      failure(
        `${path} in ${store.location} is not of this lake: something else writes to the Iceberg table; remove ${TableMetadata.folderOf(table)}, and the next run writes it again`
      )
    )
  )
})

/** Text that was cut off is none. */
const isJson = (text: string): boolean => {
  try {
    return JSON.parse(text) !== undefined
  } catch {
    return false
  }
}

/** The versions of a table's metadata, the newest first. */
const versionsIn = (listed: ReadonlyArray<ObjectStore.ObjectInfo>, table: string): ReadonlyArray<number> => {
  const folder = TableMetadata.folderOf(table)
  return listed
    .flatMap(({ path }) => {
      const [, digits] = path.startsWith(folder)
        ? (/^v(\d+)\.metadata\.json$/.exec(path.slice(folder.length)) ?? [])
        : []
      return digits === undefined ? [] : [Number(digits)]
    })
    .sort((one, other) => other - one)
}

/** Writes the number of the last metadata, for readers without a catalog. Repeats it if others have written later ones. */
const putHint = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, table: string, version: number) {
  let last = version
  do yield* store.put(hintOf(table), new TextEncoder().encode(String(last)))
  while ((yield* store.list(TableMetadata.pathOf(table, ++last))).length > 0)
})

const hintOf = (table: string): string => `${TableMetadata.folderOf(table)}version-hint.text`

/**
 * The statistics for Iceberg of the columns of new files, from their footers. Only the end of a file is read, and nothing
 * of a file that the earlier metadata names.
 */
interface Wanted {
  readonly files: ReadonlyArray<Manifest.DataFile>
  readonly fields: ReadonlyArray<Field>
  /** What the metadata before says of files, by their paths. */
  readonly known: ReadonlyMap<string, FileStatistics>
}

const readStatistics = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, { fields, files, known }: Wanted) {
  const unknown = files.filter(({ path }) => {
    const statistics = known.get(path)
    return statistics === undefined || !isComplete(statistics)
  })
  const read = yield* Effect.forEach(
    unknown,
    (file) => Effect.map(footerIn(store, file), (footer) => [file.path, statisticsOf(footer, file, fields)] as const),
    { concurrency: 8 }
  )
  return new Map(read)
})

/** The footer of a file; undefined where the file is gone. */
const footerIn = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, { bytes, path }: Manifest.DataFile) {
  let end = Option.getOrUndefined(yield* store.getEnd(path, likelyBytes))
  const length = end && Footer.lengthIn(end.subarray(-8), bytes)
  if (end === undefined || length === undefined) return undefined
  if (end.length < length + 8) end = Option.getOrUndefined(yield* store.getEnd(path, length + 8))
  const footer = end?.subarray(-8 - length, -8)
  return yield* Effect.try({
    try: () => (footer === undefined ? undefined : Footer.parse(footer, bytes)),
    catch: failure(`the footer of ${path} in ${store.location} cannot be read`)
  })
})

/** One request brings the footer of most files. */
const likelyBytes = 64 * 1024
