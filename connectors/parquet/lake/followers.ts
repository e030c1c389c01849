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
  readonly healed: ReadonlyArray<DeltaLog.Healed>
}

/**
 * Writes them up to the newest manifest, and again what is damaged. `tables`: those whose followers are read and compared, which
 * may be new; default: all of the manifest. Of the others only what is missing is found, so that a run of one table reads little
 * of a lake of many.
 */
export const mend = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  newest: Option.Option<Manifest.Manifest>,
  tables?: ReadonlyArray<string>
): Effect.fn.Return<Heads, Sink.SinkError> {
  const checked = new Set(tables ?? Object.keys(Option.getOrUndefined(newest)?.tables ?? {}))
  const objects = yield* listed(store, newest, checked).pipe(Effect.mapError(failure(`cannot list ${store.location}`)))
  const delta = yield* DeltaLog.open(store, newest, objects, checked)
  const iceberg = yield* IcebergTables.open(store, newest, objects, checked)
  const script = yield* ReadSql.mend(store, newest)
  return { delta: delta.heads, iceberg: iceberg.heads, healed: [...delta.healed, ...iceberg.healed, ...script] }
})

/** A listing of them without data files: a lake may have a hundred thousand of those. */
const listed = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  newest: Option.Option<Manifest.Manifest>,
  tables: ReadonlySet<string>
) {
  const known = Option.match(newest, { onNone: () => [], onSome: (manifest) => Object.entries(manifest.tables) })
  const prefixes = [
    ...Array.from(new Set([...known.map(([name]) => name), ...tables]), DeltaLog.folderOf),
    ...known.flatMap(([name, state]) => (hasIceberg(state) ? [folderOf(name)] : []))
  ]
  return (yield* Effect.forEach(prefixes, (prefix) => store.list(prefix), { concurrency: 8 })).flat()
})

/** Writes them for a manifest that was just published. */
export const follow = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  heads: Heads,
  next: Manifest.Manifest,
  before: Manifest.Manifest | undefined,
  versions: ReadonlyArray<DeltaLog.Version>
): Effect.fn.Return<void, Sink.SinkError> {
  yield* DeltaLog.follow(store, heads.delta, next, versions)
  yield* IcebergTables.follow(store, heads.iceberg, next, before)
  yield* ReadSql.put(store, next)
})
