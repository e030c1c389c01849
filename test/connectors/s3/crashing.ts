/** Commits to a bucket until it is killed: the one of MILLRACE_TEST_S3_LAKE, on the server of MILLRACE_TEST_S3_URL. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { parquet } from "#connectors/parquet/index"
import { s3 } from "#connectors/s3/index"
import * as ObjectStore from "#engine/ObjectStore"
import { commitForever } from "#testing/commitForever"
import { accessTo } from "../../services/accessTo.ts"

const access = accessTo(process.env["MILLRACE_TEST_S3_URL"] ?? "")
const stores = Layer.succeed(ObjectStore.ObjectStores, { open: (location: string) => s3.open(location, access) })
const lake = parquet.with({ path: process.env["MILLRACE_TEST_S3_LAKE"] ?? "", iceberg: true })
await Effect.runPromise(Effect.scoped(commitForever(lake, process.argv[2] ?? ".")).pipe(Effect.provide(stores)))
