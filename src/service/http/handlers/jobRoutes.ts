/**
 * The operations that crawls and batches have in common: status, cancel, errors.
 */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Option from "effect/Option"
import type { Json } from "effect/Schema"
import { Api } from "#contract/Api"
import { Caller } from "#contract/Authorization"
import { BadRequest } from "#contract/Errors"
import { invalidUrlMessage, isHttpUrl, urlFault } from "#contract/HttpUrl"
import * as Settling from "#contract/Settling"
import { CrawlStore } from "#web/CrawlStore"
import { JobStore } from "#web/JobStore"
import { ScrapeStore } from "#web/ScrapeStore"
import { CrawlJobs } from "../../jobs/CrawlJobs.ts"
import { settlingIn } from "../../jobs/JobWork.ts"
import { byRules, promptOptions } from "../../jobs/promptOptions.ts"
import { storedJson } from "../../store/jsonColumns.ts"
import { crawlStatus } from "../crawlStatus.ts"
import { storeFailed } from "../failures.ts"
import { idempotencyKey, requestOrigin } from "../requestHeaders.ts"

interface Address {
  readonly params: { readonly id: string }
}
interface StatusRequest extends Address {
  readonly query: { readonly skip?: number | undefined; readonly limit?: number | undefined }
}

const routesOf = Effect.fnUntraced(function* (kind: "crawl" | "batch") {
  const jobs = yield* CrawlJobs
  const store = yield* CrawlStore
  const scrapes = yield* ScrapeStore

  const status = Effect.fnUntraced(
    function* ({ params, query }: StatusRequest) {
      const { teamId } = yield* Caller
      const request = yield* HttpServerRequest.HttpServerRequest
      const storedJob = yield* jobs.get(teamId, params.id, kind)
      if (query.skip !== undefined) yield* jobs.hold(params.id, query.skip)
      const job = query.skip === undefined ? storedJob : yield* jobs.get(teamId, params.id, kind)
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
      const settling = settlingIn(job.request)
      const isRendered =
        settling !== undefined && (settling.rendered ?? (yield* scrapes.isRendered(new URL(job.url).origin)))
      return {
        success: true,
        errors: failures.map(({ createdAt, ...failure }) => ({
          ...failure,
          timestamp: new Date(createdAt).toISOString()
        })),
        robotsBlocked: yield* store.blocked(job.id),
        ...(spellings === undefined ? {} : { spellings: Settling.pack(spellings) }),
        ...(isRendered ? { rendered: true as const } : {}),
        ...(settling?.themes === undefined ? {} : { themes: settling.themes })
      }
    },
    Effect.catchTag("StoreError", storeFailed)
  )
  return { status, cancel, errors }
})

/** The handlers of the batch group. Invalid URLs are listed in the answer, or refused if the caller wants that. */
export const layerBatch = HttpApiBuilder.group(
  Api,
  "batch",
  Effect.fnUntraced(function* (handlers) {
    const jobs = yield* CrawlJobs
    const { status, cancel, errors } = yield* routesOf("batch")

    return handlers
      .handle(
        "start",
        Effect.fnUntraced(
          function* ({ payload, request }) {
            const { teamId } = yield* Caller
            const invalidURLs = payload.urls.filter((url) => !isHttpUrl(url))
            const urls = payload.urls.filter(isHttpUrl).map((url) => url.trim())
            if (urls.length === 0 || (payload.ignoreInvalidURLs === false && invalidURLs.length > 0)) {
              const details = payload.urls.flatMap((url, index) => {
                const message = urlFault(url)
                return message === undefined ? [] : [{ path: ["urls", index], message }]
              })
              return yield* new BadRequest({ message: details[0]?.message ?? invalidUrlMessage, details })
            }
            const job = yield* jobs.startBatch(teamId, { ...payload, urls }, yield* idempotencyKey(request))
            const url = `${requestOrigin(request)}/v2/batch/scrape/${job.id}`
            return { success: true as const, id: job.id, url, invalidURLs }
          },
          Effect.catchTag("StoreError", storeFailed)
        )
      )
      .handleRaw("status", status)
      .handle("cancel", cancel)
      .handle("errors", errors)
  })
)

/** The handlers of the crawl group. */
export const layerCrawl = HttpApiBuilder.group(
  Api,
  "crawl",
  Effect.fnUntraced(function* (handlers) {
    const jobs = yield* CrawlJobs
    const store = yield* JobStore
    const { status, cancel, errors } = yield* routesOf("crawl")

    const active = Effect.gen(function* () {
      const { teamId } = yield* Caller
      const crawls = (yield* store.active(teamId, "crawl")).map((job) => ({
        id: job.id,
        teamId: job.teamId,
        url: job.url,
        created_at: new Date(job.createdAt).toISOString(),
        options: storedJson<Json>(job.request)
      }))
      return { success: true as const, crawls }
    }).pipe(Effect.catchTag("StoreError", storeFailed))

    return handlers
      .handle(
        "start",
        Effect.fnUntraced(
          function* ({ payload, request }) {
            const { teamId } = yield* Caller
            const job = yield* jobs.start(
              teamId,
              { ...payload, url: payload.url.trim() },
              yield* idempotencyKey(request),
              Option.getOrUndefined(Settling.read(request.headers[Settling.settlingHeader]))
            )
            const warning = payload.prompt == null ? {} : { warning: byRules }
            return {
              success: true as const,
              id: job.id,
              url: `${requestOrigin(request)}/v2/crawl/${job.id}`,
              ...warning
            }
          },
          Effect.catchTag("StoreError", storeFailed)
        )
      )
      .handle("params", ({ payload }) =>
        Effect.succeed({
          success: true as const,
          data: { url: payload.url.trim(), ...promptOptions(payload.prompt) },
          warning: byRules
        })
      )
      .handle("active", () => active)
      .handle("ongoing", () => active)
      .handleRaw("status", status)
      .handle("cancel", cancel)
      .handle("errors", errors)
  })
)
