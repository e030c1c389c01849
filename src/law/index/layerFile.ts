/**
 * The index of government texts in a SQLite file, searched in threads of its own.
 *
 * At most two searches run at once, others wait; a search that is given up ends its thread.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Threads from "#base/Threads"
import { GovIndex, GovIndexFailed } from "../GovIndex.ts"
import type { Request, SearchReply } from "./govWorker.ts"

export const layerFile = (file: string) => Layer.effect(GovIndex, make(file))

const make = Effect.fnUntraced(function* (file: string) {
  const threads = yield* Threads.pool<Request, SearchReply>({
    file: "./govWorker",
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
    search: (query, k) => Effect.map(ask({ kind: "search", query, k }), ({ hits }) => hits)
  })
})
