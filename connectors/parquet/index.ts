/**
 * The Parquet connector: rows into files of any object store, made visible by a manifest.
 *
 * A reader takes the files that `readManifest` lists: `SELECT * FROM read_parquet([...], union_by_name = true)`.
 */
import * as Connector from "#engine/Connector"
import type * as ObjectStore from "#engine/ObjectStore"
import { parquet } from "./sink.ts"

export { Manifest, ManifestError, readManifest } from "./manifest/Manifest.ts"
export { Options } from "./options.ts"
export { parquet } from "./sink.ts"

/**
 * The connector of Parquet: its sink. It needs the stores of the connectors that a URL may name.
 *
 * @example
 * ```ts
 * import { connector } from "millrace/connectors/parquet"
 *
 * console.log(connector.sinks.map(({ type }) => type)) // ["parquet"]
 * ```
 */
export const connector = Connector.make<ObjectStore.ObjectStores>({ name: "parquet", sinks: [parquet] })
