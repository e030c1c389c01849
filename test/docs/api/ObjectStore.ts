// Copied by `npm run docs` from docs/reference/api/ObjectStore.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ObjectStore, objectStores } from "../../../src/index.ts"
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
  const listed = Effect.gen(function* () {
    const store = yield* (yield* ObjectStore.ObjectStores).open("./objects", process.cwd())
    yield* store.put("hello.txt", new TextEncoder().encode("hello"))
    return (yield* store.list("")).map(({ bytes, path }) => [path, bytes])
  })
  console.log(await Effect.runPromise(Effect.provide(listed, objectStores([file])))) // [["hello.txt", 5]]
}
{
  const nowhere: ObjectStore.StoreFactory = {
    scheme: "nowhere",
    open: (path) =>
      Effect.fail(
        new ObjectStore.ObjectStoreError({ store: "nowhere", path, message: `${path} is down`, retryable: true })
      )
  }
  const opened = Effect.flatMap(ObjectStore.ObjectStores, ({ open }) => open("nowhere://lake", process.cwd()))
  const error = Effect.flip(Effect.provide(opened, objectStores([{ stores: [nowhere] }])))
  console.log((await Effect.runPromise(error)).message) // "nowhere://lake is down"
}
{
  console.log(ObjectStore.isOddPath("pages/1.parquet"), ObjectStore.isOddPath("../secret")) // false true
}
