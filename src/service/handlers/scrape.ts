/**
 * The scrape group of the contract, served: one page, fetched and answered.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../api/Api.ts"
import { Caller } from "../../api/Authorization.ts"
import { Accounts } from "../Accounts.ts"
import { followRedirects } from "../crawl/followRedirects.ts"
import * as PageDocuments from "../crawl/PageDocuments.ts"
import { PoliteFetch } from "../crawl/PoliteFetch.ts"
import * as ScrapePlan from "../scrape/ScrapePlan.ts"
import { Scraper, timedOut } from "../scrape/Scraper.ts"
import { uuid7 } from "../uuid7.ts"
import { fetchFailed } from "./fetchFailed.ts"
import { storeFailed } from "./storeFailed.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "scrape",
  Effect.fnUntraced(function* (handlers) {
    const polite = yield* PoliteFetch
    const scraper = yield* Scraper
    const accounts = yield* Accounts

    return handlers.handle(
      "scrape",
      Effect.fnUntraced(function* ({ payload }) {
        const { teamId } = yield* Caller
        const plan = yield* ScrapePlan.make(payload)
        const start = new URL(payload.url.trim())
        const asked = { url: payload.url, scrapeId: uuid7(), teamId, keeps: true }
        const get = (hop: URL) => polite.get(hop, PageDocuments.fetchOptions(plan, start, hop), 0)
        const scrape = Effect.gen(function* () {
          const kept = yield* scraper.kept(plan, asked)
          if (kept !== undefined) return kept
          const landed = yield* followRedirects(start, get, () => Effect.void)
          return yield* scraper.scrape(landed, plan, asked)
        })
        return yield* scrape.pipe(
          Effect.timeoutOrElse({
            duration: Duration.millis(plan.timeoutMillis),
            orElse: () => timedOut(start.href, plan.timeoutMillis)
          }),
          Effect.tap(({ document }) => accounts.charge(teamId, PageDocuments.creditsOf(document))),
          Effect.map(({ document }) => ({ success: true as const, data: document })),
          Effect.catchTag("SqlError", storeFailed),
          Effect.catchTag("FetchError", fetchFailed)
        )
      })
    )
  })
)
