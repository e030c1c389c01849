/**
 * The handlers of the crawl group.
 */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Option from "effect/Option"
import type { Json } from "effect/Schema"
import { Api } from "#contract/Api"
import { Caller } from "#contract/Authorization"
import * as Settling from "#contract/Settling"
import { JobStore } from "#web/JobStore"
import { CrawlJobs } from "../../jobs/CrawlJobs.ts"
import { byRules, promptOptions } from "../../jobs/promptOptions.ts"
import { storedJson } from "../../store/jsonColumns.ts"
import { storeFailed } from "../failures.ts"
import { idempotencyKey } from "../idempotencyKey.ts"
import { requestOrigin } from "../requestOrigin.ts"
import * as jobRoutes from "./jobRoutes.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "crawl",
  Effect.fnUntraced(function* (handlers) {
    const jobs = yield* CrawlJobs
    const store = yield* JobStore
    const { status, cancel, errors } = yield* jobRoutes.of("crawl")

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
