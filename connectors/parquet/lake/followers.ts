/**
 * The files that follow the manifests of a lake and decide nothing: the Delta logs of its tables, the metadata of Iceberg
 * tables, and `read.sql`.
 *
 * They are written after a manifest. If a process was killed before that, the next writer that opens the lake writes them.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as ObjectStore from "#engine/ObjectStore"
import type * as Sink from "#engine/Sink"
import * as DeltaLog from "../delta/DeltaLog.ts"
import { failure } from "../failure.ts"
import * as IcebergTables from "../iceberg/IcebergTables.ts"
import { hasIceberg } from "../iceberg/icebergPlace.ts"
import { folderOf } from "../iceberg/TableMetadata.ts"
import * as Manifest from "../manifest/Manifest.ts"
import * as ReadSql from "./ReadSql.ts"

/** The last version of each. */
export interface Heads {
  readonly delta: DeltaLog.Heads
  readonly iceberg: IcebergTables.Heads
}

/** Writes them up to the newest manifest. `tables`: new tables, beside those of the manifest. */
export const mend = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  newest: Option.Option<Manifest.Manifest>,
  tables: ReadonlyArray<string> = []
): Effect.fn.Return<Heads, Sink.SinkError> {
  const objects = yield* listed(store, newest, tables).pipe(Effect.mapError(failure(`cannot list ${store.location}`)))
  const delta = yield* DeltaLog.open(store, newest, objects)
  const iceberg = yield* IcebergTables.open(store, newest, objects)
  yield* ReadSql.mend(store, newest, objects)
  return { delta, iceberg }
})

/** A listing of them without data files: a lake may have a hundred thousand of those. */
const listed = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  newest: Option.Option<Manifest.Manifest>,
  tables: ReadonlyArray<string>
) {
  const known = Option.match(newest, { onNone: () => [], onSome: (manifest) => Object.entries(manifest.tables) })
  const prefixes = [
    ...Array.from(new Set([...known.map(([name]) => name), ...tables]), DeltaLog.folderOf),
    ...known.flatMap(([name, state]) => (hasIceberg(state) ? [folderOf(name)] : [])),
    ...Option.match(newest, { onNone: () => [], onSome: ({ version }) => [ReadSql.path, Manifest.pathOf(version)] })
  ]
  return (yield* Effect.forEach(prefixes, (prefix) => store.list(prefix), { concurrency: 8 })).flat()
})

/** Writes them for a manifest that was just published. */
export const follow = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  heads: Heads,
  next: Manifest.Manifest,
  before: Manifest.Manifest | undefined
): Effect.fn.Return<void, Sink.SinkError> {
  yield* DeltaLog.follow(store, heads.delta, next, before)
  yield* IcebergTables.follow(store, heads.iceberg, next, before)
  yield* ReadSql.put(store, next)
})
