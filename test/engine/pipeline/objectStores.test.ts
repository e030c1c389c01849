import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import * as ObjectStore from "#engine/ObjectStore"
import { objectStores } from "#engine/objectStores"

/** A store that only tells which location it was opened with. */
const told = (scheme: string): ObjectStore.StoreFactory => ({
  scheme,
  open: (location) =>
    Effect.fail(new ObjectStore.ObjectStoreError({ store: scheme, path: location, message: "told", retryable: false }))
})
const stores = objectStores([{ stores: [told("file")] }, { stores: [told("s3")] }])

const open = (location: string) =>
  Effect.gen(function* () {
    const all = yield* ObjectStore.ObjectStores
    const { store, path, message } = yield* Effect.flip(all.open(location, "/pipelines/nightly"))
    return { store, path, message }
  }).pipe(Effect.provide(stores))

describe("the stores of all connectors", () => {
  it.effect("pick the store by the scheme, and the local folder for a path", () =>
    Effect.gen(function* () {
      const opened = yield* Effect.forEach(
        ["s3://lake/pages", "./lake", "/data/lake", "file:///data/a%20b", "S3://lake"],
        open
      )

      expect(opened.map(({ store, path }) => [store, path])).toEqual([
        ["s3", "s3://lake/pages"],
        ["file", "/pipelines/nightly/lake"],
        ["file", "/data/lake"],
        ["file", "/data/a b"],
        ["s3", "S3://lake"]
      ])
    })
  )

  it.effect("say which schemes there are where one is unknown", () =>
    Effect.gen(function* () {
      expect((yield* open("gs://lake")).message).toBe("no connector opens gs:// locations; there are: file, s3")
    })
  )
})
