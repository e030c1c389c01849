/**
 * The stores of all connectors as one service: the scheme of a URL selects the store, and a path is a local folder.
 */

import { isAbsolute, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ObjectStore from "./ObjectStore.ts"

/**
 * The stores of these connectors as one service: `file` for paths, `s3` for `s3://` URLs. Opening a URL whose scheme no
 * connector has fails with `ObjectStoreError`.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { ObjectStore, objectStores, rows, run } from "millrace"
 * import { connector as file } from "millrace/connectors/file"
 * import { parquet } from "millrace/connectors/parquet"
 * import { connector as s3 } from "millrace/connectors/s3"
 *
 * const lake = parquet.with({ path: "./small-lake" })
 * await run({ source: rows([{ id: 1 }], { table: "numbers" }), sinks: { lake } })
 * const manifests = Effect.gen(function* () {
 *   const store = yield* (yield* ObjectStore.ObjectStores).open("./small-lake", process.cwd())
 *   return (yield* store.list("_manifest/")).map(({ path }) => path)
 * })
 * console.log(await Effect.runPromise(Effect.provide(manifests, objectStores([file, s3])))) // ["_manifest/000000000001.json"]
 * ```
 */
export const objectStores = (
  connectors: ReadonlyArray<{ readonly stores: ReadonlyArray<ObjectStore.StoreFactory> }>
): Layer.Layer<ObjectStore.ObjectStores> => {
  const factories = new Map(connectors.flatMap(({ stores }) => stores.map((store) => [store.scheme, store] as const)))

  const open = Effect.fnUntraced(function* (location: string, directory: string, access?: ObjectStore.Access) {
    const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(location)?.[1]?.toLowerCase() ?? "file"
    const factory = factories.get(scheme)
    if (factory === undefined) {
      return yield* new ObjectStore.ObjectStoreError({
        store: scheme,
        path: location,
        message: `no connector opens ${scheme}:// locations; there are: ${[...factories.keys()].sort().join(", ")}`,
        retryable: false
      })
    }
    if (scheme !== "file") return yield* factory.open(location, access)
    if (access === undefined) return yield* factory.open(absolute(location, directory))
    return yield* new ObjectStore.ObjectStoreError({
      store: scheme,
      path: location,
      message: `${location} is a folder, which needs no storage options: leave them out, or write a URL like s3://bucket/prefix`,
      retryable: false
    })
  })
  return Layer.succeed(ObjectStore.ObjectStores, ObjectStore.ObjectStores.of({ open }))
}

const absolute = (location: string, directory: string): string => {
  if (location.startsWith("file://")) return fileURLToPath(location)
  return isAbsolute(location) ? location : resolve(directory, location)
}
