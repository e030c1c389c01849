/** The index of the service, on a SQLite file of its own: loaded by its loader, and answering as it does behind the API. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Stream from "effect/Stream"
import * as Sqlite from "../../src/base/SqliteClient.ts"
import * as GovLoader from "../../src/law/GovLoader.ts"
import * as GovSchema from "../../src/law/GovSchema.ts"
import { answer } from "../../src/law/index/answer.ts"
import { GovStore } from "../../src/law/index/GovStore.ts"
import type { Maker } from "./Engine.ts"

export const ours: Maker = {
  name: "ours",
  load: (files, file) =>
    Effect.runPromise(
      GovSchema.ensure.pipe(
        Effect.andThen(Stream.runDrain(GovLoader.load("corpus", files))),
        Effect.andThen(GovSchema.changed),
        Effect.provide([NodeServices.layer, Sqlite.layer(file)])
      )
    ),
  open: async (file) => {
    const runtime = ManagedRuntime.make(GovStore.layer.pipe(Layer.provide(Sqlite.layer(file))))
    const index = await runtime.runPromise(
      Effect.gen(function* () {
        const store = yield* GovStore
        return {
          vocabulary: yield* store.vocabulary,
          sections: yield* store.sections,
          lengths: yield* store.lengths,
          having: new Map<string, number>()
        }
      })
    )
    return {
      name: "ours",
      search: async (query, k) => (await runtime.runPromise(answer(query, k, index))).hits.map(({ url }) => url),
      close: () => runtime.dispose()
    }
  }
}
