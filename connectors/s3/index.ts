/** The S3 connector: the object store behind s3://bucket/prefix, on Amazon's servers or any that speak their protocol. */
import * as Connector from "#engine/Connector"
import type * as ObjectStore from "#engine/ObjectStore"
import { open } from "./S3Store.ts"

/**
 * The store of `s3://` URLs. Opening a bucket that is misnamed, and a request that is refused, fail with
 * `ObjectStoreError`.
 *
 * @see Amazon S3, REST API
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { s3 } from "millrace/connectors/s3"
 *
 * const listed = Effect.flatMap(s3.open("s3://lake/pages", { region: "eu-central-1" }), ({ list }) => list(""))
 * console.log((await Effect.runPromise(listed)).length)
 * ```
 */
export const s3: ObjectStore.StoreFactory = { scheme: "s3", open }

/**
 * The connector of S3: its store.
 *
 * @example
 * ```ts
 * import { connector } from "millrace/connectors/s3"
 *
 * console.log(connector.stores.map(({ scheme }) => scheme)) // ["s3"]
 * ```
 */
export const connector = Connector.make({ name: "s3", stores: [s3] })
