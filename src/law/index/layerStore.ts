/**
 * The index of government texts over its store: what a thread runs over a SQLite file, and a service over Postgres.
 *
 * Names and counts are cached until a load has changed them.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlError } from "effect/sql/SqlError"
import { GovIndex, GovIndexFailed } from "../GovIndex.ts"
import { answer, type Index } from "./answer.ts"
import { GovStore } from "./GovStore.ts"

const make = Effect.gen(function* () {
  const store = yield* GovStore
  let known: (Index & { readonly generation: number }) | undefined

  const index = Effect.gen(function* () {
    const generation = yield* store.generation
    if (generation === undefined) return undefined
    if (known?.generation === generation) return known
    known = {
      generation,
      vocabulary: yield* store.vocabulary,
      sections: yield* store.sections,
      lengths: yield* store.lengths,
      having: new Map()
    }
    return known
  })

  return GovIndex.of({
    sections: Effect.map(Effect.mapError(index, failed), (now) => now?.sections ?? 0),
    search: Effect.fnUntraced(
      function* (query, k) {
        const now = yield* index
        return now === undefined ? { hits: [] } : yield* answer(query, k, now)
      },
      Effect.provideService(GovStore, store),
      Effect.mapError(failed)
    )
  })
})

const failed = (cause: SqlError): GovIndexFailed =>
  new GovIndexFailed({ message: `the index of government texts cannot be searched: ${cause.reason.message}`, cause })

export const layerStore = Layer.effect(GovIndex, make)
