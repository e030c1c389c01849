/**
 * The index of government texts at the place that the operator names: a SQLite file, or a database of Postgres; or none.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { client, isPostgres, placeOf } from "#base/sqlClient"
import * as Threads from "#base/Threads"
import { GovIndex, GovIndexFailed } from "./GovIndex.ts"
import { GovStore } from "./index/GovStore.ts"
import type { Request, SearchReply } from "./index/govWorker.ts"
import { layerStore } from "./index/layerStore.ts"

export const layer = (database: string | Redacted.Redacted | undefined) => {
  if (database === undefined) return layerNone
  if (!isPostgres(database)) return layerFile(placeOf(database))
  return layerStore.pipe(Layer.provide(GovStore.layer), Layer.provide(client(database)))
}

/** The index of a service that has no texts. */
const layerNone = Layer.succeed(
  GovIndex,
  GovIndex.of({ sections: Effect.succeed(0), search: () => Effect.succeed({ hits: [] }) })
)

/**
 * The index of government texts in a SQLite file, searched in threads of its own.
 *
 * At most two searches run at once, others wait; a search that is given up ends its thread.
 */
const layerFile = (file: string) => Layer.effect(GovIndex, make(file))

const make = Effect.fnUntraced(function* (file: string) {
  const threads = yield* Threads.pool<Request, SearchReply>({
    file: "./index/govWorker",
    beside: import.meta.url,
    threads: 2,
    idleMillis: 60_000,
    heapMegabytes: 512,
    data: file
  })
  const ask = Effect.fnUntraced(
    function* (request: Request) {
      const answer = yield* threads.ask(request)
      return answer.ok ? answer : yield* new GovIndexFailed({ message: answer.message })
    },
    Effect.catchTag("ThreadEnded", ({ message }) => new GovIndexFailed({ message: `the search ended: ${message}` }))
  )
  return GovIndex.of({
    sections: Effect.map(ask({ kind: "sections" }), ({ sections }) => sections),
    search: (query, k) => Effect.map(ask({ kind: "search", query, k }), ({ answer }) => answer)
  })
})
