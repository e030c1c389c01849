/**
 * The crawl group of the contract, served.
 */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../api/Api.ts"
import { Caller } from "../../api/Authorization.ts"
import { CrawlJobs } from "../CrawlJobs.ts"
import { crawlStatus } from "../crawlStatus.ts"
import { CrawlStore } from "../store/CrawlStore.ts"
import { requestOrigin } from "./requestOrigin.ts"
import { storeFailed } from "./storeFailed.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "crawl",
  Effect.fnUntraced(function* (handlers) {
    const jobs = yield* CrawlJobs
    const store = yield* CrawlStore

    const active = Effect.gen(function* () {
      const { teamId } = yield* Caller
      const crawls = (yield* store.active(teamId)).map((job) => ({
        id: job.id,
        teamId: job.teamId,
        url: job.url,
        created_at: new Date(job.createdAt).toISOString(),
        options: JSON.parse(job.request)
      }))
      return { success: true as const, crawls }
    }).pipe(Effect.catchTag("SqlError", storeFailed))

    return handlers
      .handle(
        "start",
        Effect.fnUntraced(
          function* ({ payload, request }) {
            const { teamId } = yield* Caller
            const job = yield* jobs.start(teamId, { ...payload, url: payload.url.trim() })
            return { success: true as const, id: job.id, url: `${requestOrigin(request)}/v2/crawl/${job.id}` }
          },
          Effect.catchTag("SqlError", storeFailed)
        )
      )
      .handle("active", () => active)
      .handle("ongoing", () => active)
      .handleRaw(
        "status",
        Effect.fnUntraced(
          function* ({ params, query }) {
            const { teamId } = yield* Caller
            const request = yield* HttpServerRequest.HttpServerRequest
            yield* jobs.get(teamId, params.id)
            if (query.skip !== undefined) yield* jobs.hold(params.id, query.skip)
            const job = yield* jobs.get(teamId, params.id)
            const { skip, limit } = query
            const { text } = yield* crawlStatus(job, { skip, limit, origin: requestOrigin(request) }).pipe(
              Effect.provideService(CrawlStore, store)
            )
            return HttpServerResponse.text(text, { contentType: "application/json" })
          },
          Effect.catchTag("SqlError", storeFailed)
        )
      )
      .handle(
        "cancel",
        Effect.fnUntraced(
          function* ({ params }) {
            const { teamId } = yield* Caller
            yield* jobs.cancel(teamId, params.id)
            return { status: "cancelled" as const }
          },
          Effect.catchTag("SqlError", storeFailed)
        )
      )
      .handle(
        "errors",
        Effect.fnUntraced(
          function* ({ params }) {
            const { teamId } = yield* Caller
            const job = yield* jobs.get(teamId, params.id)
            const failures = yield* store.failures(job.id)
            return {
              success: true,
              errors: failures.map(({ createdAt, ...failure }) => ({
                ...failure,
                timestamp: new Date(createdAt).toISOString()
              })),
              robotsBlocked: yield* store.blocked(job.id)
            }
          },
          Effect.catchTag("SqlError", storeFailed)
        )
      )
  })
)
