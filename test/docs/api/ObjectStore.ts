// Copied by `npm run docs` from docs/reference/api/ObjectStore.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Connector, ObjectStore, objectStores } from "../../../src/index.ts"
import { connector as file } from "../../../connectors/file/index.ts"

{
  const decode = Schema.decodeUnknownSync(ObjectStore.Access)
  console.log(decode({ endpoint: "http://localhost:9000", region: "eu-central-1" }).region) // "eu-central-1"
}
{
  const lost = new ObjectStore.ObjectStoreError({
    store: "s3",
    path: "pages/1.parquet",
    message: "s3://lake did not answer within 30 s; run again",
    retryable: true
  })
  console.log(lost.retryable) // true
}
{
  const put = Effect.gen(function* () {
    const store = yield* (yield* ObjectStore.ObjectStores).open("./out", process.cwd())
    yield* store.put("hello.txt", new TextEncoder().encode("hello"))
  })
  await Effect.runPromise(Effect.provide(put, objectStores([file])))
}
{
  const nowhere: ObjectStore.StoreFactory = {
    scheme: "nowhere",
    open: (path) =>
      Effect.fail(
        new ObjectStore.ObjectStoreError({ store: "nowhere", path, message: `${path} is down`, retryable: true })
      )
  }
  console.log(Connector.make({ name: "nowhere", stores: [nowhere] }).stores.length) // 1
}
{
  console.log(ObjectStore.isOddPath("pages/1.parquet"), ObjectStore.isOddPath("../secret")) // false true
}
