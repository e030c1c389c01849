/** Where the files of a sink are, and what its newest manifest says of them. */
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Location from "../../../src/pipeline/Location.ts"
import * as ObjectStore from "../../../src/pipeline/ObjectStore.ts"
import type * as Sink from "../../../src/pipeline/Sink.ts"
import { failure } from "../failure.ts"
import type { Options } from "../options.ts"
import * as Manifest from "./Manifest.ts"

/** Where the files are. `directory` is what a relative path begins at. */
export const openStore = Effect.fnUntraced(function* (
  options: Options,
  directory: string
): Effect.fn.Return<ObjectStore.ObjectStore, Sink.SinkError, ObjectStore.ObjectStores> {
  const stores = yield* ObjectStore.ObjectStores
  return yield* stores
    .open(folderOf(options), directory, options.storage)
    .pipe(Effect.mapError(failure(`cannot open ${folderOf(options)}`)))
})

/** Why a folder of this machine cannot be the lake, if so. A bucket is not asked: there may be no network yet. */
export const pathFault = (options: Options, directory: string) =>
  Location.isLocal(options.path)
    ? Effect.match(openStore(options, directory), { onFailure: ({ message }) => message, onSuccess: () => undefined })
    : Effect.undefined

/** The folder of the tables: a schema is one below the lake, with manifests of its own. */
export const folderOf = ({ path, schema }: Options): string =>
  schema === undefined ? path : `${path.replace(/\/+$/, "")}/${schema}`

/** Where the files are, and the newest manifest there. */
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
