/** Opens the store of a sink, and reads its newest manifest. */
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Location from "#engine/Location"
import * as ObjectStore from "#engine/ObjectStore"
import type * as Sink from "#engine/Sink"
import { failure } from "../failure.ts"
import * as Manifest from "../manifest/Manifest.ts"
import type { Options } from "../options.ts"

/** Opens the store. A relative path begins at `directory`. */
export const openStore = Effect.fnUntraced(function* (
  options: Options,
  directory: string
): Effect.fn.Return<ObjectStore.ObjectStore, Sink.SinkError, ObjectStore.ObjectStores> {
  const stores = yield* ObjectStore.ObjectStores
  return yield* stores
    .open(folderOf(options), directory, options.storage)
    .pipe(Effect.mapError(failure(`cannot open ${folderOf(options)}`)))
})

/** Why a local folder cannot be the lake, if so. A bucket is not checked: there may be no network yet. */
export const pathFault = (options: Options, directory: string) =>
  Location.isLocal(options.path)
    ? Effect.match(openStore(options, directory), { onFailure: ({ message }) => message, onSuccess: () => undefined })
    : Effect.undefined

/** The folder of the tables: a schema is a folder of the lake with its own manifests. */
export const folderOf = ({ path, schema }: Options): string =>
  schema === undefined ? path : `${path.replace(/\/+$/, "")}/${schema}`

/** Opens the store, and reads the newest manifest. */
export const openLake = Effect.fnUntraced(function* (
  options: Options,
  directory: string
): Effect.fn.Return<
  { readonly store: ObjectStore.ObjectStore; readonly newest: Option.Option<Manifest.Manifest> },
  Sink.SinkError,
  ObjectStore.ObjectStores
> {
  const store = yield* openStore(options, directory)
  const newest = yield* Manifest.readManifest(store).pipe(Effect.mapError(failure(`cannot read ${store.location}`)))
  return { store, newest }
})
