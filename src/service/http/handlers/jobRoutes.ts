/**
 * The operations that crawls and batches have in common: status, cancel, errors.
 */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Caller } from "#contract/Authorization"
import * as Settling from "#contract/Settling"
import { CrawlStore } from "#web/CrawlStore"
import { CrawlJobs } from "../../jobs/CrawlJobs.ts"
import { crawlStatus } from "../crawlStatus.ts"
import { storeFailed } from "../failures.ts"
import { requestOrigin } from "../requestOrigin.ts"

interface Address {
  readonly params: { readonly id: string }
}
interface StatusRequest extends Address {
  readonly query: { readonly skip?: number | undefined; readonly limit?: number | undefined }
}

export const of = Effect.fnUntraced(function* (kind: "crawl" | "batch") {
  const jobs = yield* CrawlJobs
  const store = yield* CrawlStore

  const status = Effect.fnUntraced(
    function* ({ params, query }: StatusRequest) {
      const { teamId } = yield* Caller
      const request = yield* HttpServerRequest.HttpServerRequest
      const found = yield* jobs.get(teamId, params.id, kind)
      if (query.skip !== undefined) yield* jobs.hold(params.id, query.skip)
      const job = query.skip === undefined ? found : yield* jobs.get(teamId, params.id, kind)
      const { skip, limit } = query
      const { text } = yield* crawlStatus(job, { skip, limit, origin: requestOrigin(request) }).pipe(
        Effect.provideService(CrawlStore, store)
      )
      return HttpServerResponse.text(text, { contentType: "application/json" })
    },
    Effect.catchTag("StoreError", storeFailed)
  )

  const cancel = Effect.fnUntraced(
    function* ({ params }: Address) {
      const { teamId } = yield* Caller
      yield* jobs.cancel(teamId, params.id, kind)
      return { status: "cancelled" as const }
    },
    Effect.catchTag("StoreError", storeFailed)
  )

  const errors = Effect.fnUntraced(
    function* ({ params }: Address) {
      const { teamId } = yield* Caller
      const job = yield* jobs.get(teamId, params.id, kind)
      const failures = yield* store.failures(job.id)
      const spellings = yield* store.identity.keptSpellings(job.id)
      return {
        success: true,
        errors: failures.map(({ createdAt, ...failure }) => ({
          ...failure,
          timestamp: new Date(createdAt).toISOString()
        })),
        robotsBlocked: yield* store.blocked(job.id),
        ...(spellings === undefined ? {} : { spellings: Settling.pack(spellings) })
      }
    },
    Effect.catchTag("StoreError", storeFailed)
  )
  return { status, cancel, errors }
})
