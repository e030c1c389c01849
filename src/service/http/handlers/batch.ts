/**
 * The handlers of the batch group. Invalid URLs are listed in the answer, or refused if the caller wants that.
 */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "#contract/Api"
import { Caller } from "#contract/Authorization"
import { BadRequest } from "#contract/Errors"
import { invalidUrlMessage, isHttpUrl, urlFault } from "#contract/HttpUrl"
import { CrawlJobs } from "../../jobs/CrawlJobs.ts"
import { storeFailed } from "../failures.ts"
import { idempotencyKey } from "../idempotencyKey.ts"
import { requestOrigin } from "../requestOrigin.ts"
import * as jobRoutes from "./jobRoutes.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "batch",
  Effect.fnUntraced(function* (handlers) {
    const jobs = yield* CrawlJobs
    const { status, cancel, errors } = yield* jobRoutes.of("batch")

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
