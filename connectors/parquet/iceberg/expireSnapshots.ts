/**
 * Takes out of Iceberg's metadata the snapshots whose files are about to go, and removes what only they and older metadata need.
 *
 * The law: the metadata goes first. A reader that begins after it finds no snapshot whose files are gone.
 */
import * as Effect from "effect/Effect"
import type * as ObjectStore from "../../../src/pipeline/ObjectStore.ts"
import { failure } from "../failure.ts"
import * as AvroFile from "./avroFile.ts"
import * as IcebergTables from "./IcebergTables.ts"
import { decodeList } from "./manifestFiles.ts"
import { logAfter } from "./nextMetadata.ts"
import * as TableMetadata from "./TableMetadata.ts"

/** `first`: the number of the oldest manifest whose files stay. */
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
  // A snapshot shows the table until the next one.
  const oldest = Math.max(
    ...metadata.snapshots.map((snapshot) => snapshot["snapshot-id"]).filter((id) => id <= first),
    0
  )
  const gone = metadata.snapshots.filter((snapshot) => snapshot["snapshot-id"] < oldest)
  if (gone.length === 0) return
  const version = head.version + 1
  const expired: TableMetadata.TableMetadata = {
    ...metadata,
    snapshots: metadata.snapshots.filter((snapshot) => !gone.includes(snapshot)),
    "snapshot-log": metadata["snapshot-log"].filter((entry) => entry["snapshot-id"] >= oldest),
    "metadata-log": logAfter(IcebergTables.lakeOf(store), table, head).slice(-1)
  }
  // Where somebody else has put metadata at this moment, the next time does this.
  if (!(yield* IcebergTables.putMetadata(store, heads, table, { version, metadata: expired }))) return

  const avro = yield* AvroFile.load
  const lists = gone.map((snapshot) => snapshot["manifest-list"])
  const named = yield* Effect.forEach(lists, (path) =>
    Effect.flatMap(IcebergTables.getAbsolute(store, path), (bytes) =>
      Effect.try({
        try: () => (bytes === undefined ? [] : decodeList(avro, bytes).map((listed) => listed.path)),
        catch: failure(`${path} cannot be read`)
      })
    )
  )
  const files = [...lists, ...named.flat()].map((path) => IcebergTables.relativeTo(store, path))
  // One metadata file before the last one stays, for readers that have just begun.
  const old = Array.from({ length: head.version - 1 }, (_, at) => TableMetadata.pathOf(table, at + 1))
  const there = new Set((yield* store.list(TableMetadata.folderOf(table))).map(({ path }) => path))
  const removed = [...files, ...old].filter((path) => there.has(path))
  yield* Effect.forEach(removed, (path) => store.remove(path), { concurrency: 8, discard: true })
})
