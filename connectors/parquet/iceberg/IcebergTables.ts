/**
 * The Iceberg tables of a lake: `pages/metadata/v7.metadata.json` is the seventh form of the metadata of table `pages`.
 *
 * The law: they follow the manifests and decide nothing, as the Delta logs do. The last metadata says which manifest it shows;
 * the next one is put only where none is, and whoever opens the lake next writes what a kill left out. Iceberg knows files by
 * absolute paths, so a lake that is elsewhere than its metadata says gets new metadata.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as ObjectStore from "../../../src/pipeline/ObjectStore.ts"
import type * as Sink from "../../../src/pipeline/Sink.ts"
import { failure } from "../failure.ts"
import * as Manifest from "../lake/Manifest.ts"
import * as AvroFile from "./avroFile.ts"
import { hasIceberg, type Placed } from "./icebergPlace.ts"
import { decodeList, decodeManifest, type Entry } from "./manifestFiles.ts"
import { fieldsAfter, maxLogged, nextMetadata, type Step } from "./nextMetadata.ts"
import { readStatistics } from "./readStatistics.ts"
import * as TableMetadata from "./TableMetadata.ts"

/** The last metadata of a table. */
export interface Head {
  readonly version: number
  readonly metadata: TableMetadata.TableMetadata
}
export type Heads = Map<string, Head>

/** The last metadata of each Iceberg table, after what is missing is written. `listed`: what is there of them, listed after the manifest was read. */
export const open = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  newest: Option.Option<Manifest.Manifest>,
  listed: ReadonlyArray<ObjectStore.ObjectInfo>
): Effect.fn.Return<Heads, Sink.SinkError> {
  const heads: Heads = new Map()
  const tables = Object.entries(Option.getOrUndefined(newest)?.tables ?? {})
  if (Option.isNone(newest) || !tables.some(([, state]) => hasIceberg(state))) return heads
  const times = new Map(listed.map(({ modifiedAt, path }) => [path, modifiedAt]))
  const openTable = Effect.fnUntraced(function* (table: string) {
    const version = lastVersion(listed, table)
    if (version === undefined) return
    const path = TableMetadata.pathOf(table, version)
    heads.set(table, { version, metadata: yield* readMetadata(store, table, path) })
    if ((times.get(hintOf(table)) ?? 0) >= (times.get(path) ?? 0)) return
    yield* putHint(store, table, version).pipe(Effect.mapError(failure(store.location)))
  })
  const placed = tables.flatMap(([name, state]) => (hasIceberg(state) ? [name] : []))
  yield* Effect.forEach(placed, openTable, { concurrency: 8, discard: true })
  yield* follow(store, heads, newest.value)
  return heads
})

/** Writes the snapshots that are missing up to a manifest. `before`: the manifest before it, where it is at hand. */
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

/** Puts the next form of a table's metadata. False: somebody else has put one there. */
export const putMetadata = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  heads: Heads,
  table: string,
  { metadata, version }: Head
): Effect.fn.Return<boolean, ObjectStore.ObjectStoreError> {
  const [path, bytes] = [TableMetadata.pathOf(table, version), TableMetadata.encode(metadata)]
  if (!(yield* store.putIfAbsent(path, bytes))) {
    // A lost answer and a retry look like this, and so does a run that does the same at this moment.
    const there = yield* store.get(path)
    if (Option.isNone(there) || Buffer.compare(there.value, bytes) !== 0) return false
  }
  heads.set(table, { version, metadata })
  yield* putHint(store, table, version)
  const unlogged = version - maxLogged - 1
  if (unlogged > 0) yield* store.remove(TableMetadata.pathOf(table, unlogged))
  return true
})

/** Where a lake is, as a URL that needs no folder to begin at. */
export const lakeOf = ({ location }: ObjectStore.ObjectStore): string =>
  (/^\w+:\/\//.test(location) ? location : `file://${location}`).replace(/\/+$/, "")

/** The manifests that changed a table and that its metadata does not show, the oldest first. */
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
      return version === newest.version ? newest : yield* Manifest.readVersion(store, version)
    })
    const found: Array<Manifest.Manifest> = []
    for (let at: Manifest.Manifest | undefined = newest; at !== undefined; ) {
      const state: Manifest.TableState | undefined = at.tables[table]
      if (!hasIceberg(state) || isShown(store, head, table, state)) break
      const { snapshot } = state.iceberg
      const changed: Manifest.Manifest = yield* read(snapshot)
      found.unshift(changed)
      // Only the newest state of a table is said where it is new to Iceberg, and where the lake was moved.
      if (head === undefined || !isHere(store, head, table) || changed.previous === null) break
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
      heads.set(table, { version, metadata: yield* readMetadata(store, table, TableMetadata.pathOf(table, version)) })
    }
  },
  (effect, store, _, { table }) =>
    Effect.mapError(effect, (error) =>
      failure(
        `the commit is done, but the Iceberg metadata of ${table} in ${store.location} is not: the next run writes it`
      )(error)
    )
)

/** The files that metadata shows; undefined where its own files are gone. */
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
    const own = relativeTo(store, path)
    const folder = own.slice(0, own.lastIndexOf("/") + 1)
    const message = `${own} in ${store.location} is cut off or damaged; remove ${folder}, and the next run writes it anew`
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

const readMetadata = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, table: string, path: string) {
  const bytes = yield* store.get(path).pipe(Effect.mapError(failure(store.location)))
  const text = Option.match(bytes, { onNone: () => "", onSome: (found) => new TextDecoder().decode(found) })
  return yield* TableMetadata.decode(text).pipe(
    Effect.mapError(
      failure(
        `${path} in ${store.location} is not of this lake: something else writes to the Iceberg table; remove ${TableMetadata.folderOf(table)}, and the next run writes it anew`
      )
    )
  )
})

const lastVersion = (listed: ReadonlyArray<ObjectStore.ObjectInfo>, table: string): number | undefined => {
  const folder = TableMetadata.folderOf(table)
  const versions = listed.flatMap(({ path }) => {
    const [, digits] = path.startsWith(folder) ? (/^v(\d+)\.metadata\.json$/.exec(path.slice(folder.length)) ?? []) : []
    return digits === undefined ? [] : [Number(digits)]
  })
  return versions.length === 0 ? undefined : Math.max(...versions)
}

/** Says which metadata is the last one to readers that have no catalog; others may have put later ones, and said so before. */
const putHint = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, table: string, version: number) {
  let last = version
  do yield* store.put(hintOf(table), new TextEncoder().encode(String(last)))
  while ((yield* store.list(TableMetadata.pathOf(table, ++last))).length > 0)
})

const hintOf = (table: string): string => `${TableMetadata.folderOf(table)}version-hint.text`
