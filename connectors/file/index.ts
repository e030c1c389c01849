/** The file connector: the object store of paths and file: URLs, and the sink that writes files for other programs. */
import * as Connector from "#engine/Connector"
import type * as ObjectStore from "#engine/ObjectStore"
import { open } from "./FileStore.ts"
import { file } from "./sink.ts"

export { Options } from "./options.ts"
export { file } from "./sink.ts"

/**
 * The store of paths and `file:` URLs. Opening a folder that cannot be made fails with `ObjectStoreError`.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { fileStore } from "millrace/connectors/file"
 *
 * const objects = Effect.flatMap(fileStore.open("./out"), ({ list }) => list("lake/"))
 * console.log((await Effect.runPromise(objects)).length) // 0
 * ```
 */
export const fileStore: ObjectStore.StoreFactory = { scheme: "file", open }

/**
 * The connector of files: its sink, and the store of paths.
 *
 * @example
 * ```ts
 * import { connector } from "millrace/connectors/file"
 *
 * console.log(connector.stores.map(({ scheme }) => scheme)) // ["file"]
 * ```
 */
export const connector = Connector.make({ name: "file", sinks: [file], stores: [fileStore] })
