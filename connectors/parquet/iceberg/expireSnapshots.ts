/**
 * Removes from Iceberg's metadata the snapshots whose files will be removed, and the files that only they or older metadata
 * need.
 *
 * Guarantee: the metadata is written first, so a reader that begins after that finds no snapshot whose files are gone.
 */
import * as Effect from "effect/Effect"
import type * as ObjectStore from "#engine/ObjectStore"
import { failure } from "../failure.ts"
import * as AvroFile from "./avroFile.ts"
import * as IcebergTables from "./IcebergTables.ts"
import { decodeList } from "./manifestFiles.ts"
import { logAfter } from "./nextMetadata.ts"
import * as TableMetadata from "./TableMetadata.ts"

/** `first`: the number of the oldest manifest whose files are kept. */
export const expireSnapshots = Effect.fn("parquet.expireSnapshots")(function* (
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
