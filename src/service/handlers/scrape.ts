/**
 * The scrape group of the contract, served: one page, fetched and answered.
 */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../api/Api.ts"
import { Forbidden, RequestTimeout } from "../../api/Errors.ts"
import type { FetchError } from "../crawl/Fetch.ts"
import { followRedirects } from "../crawl/followRedirects.ts"
import * as PageDocuments from "../crawl/PageDocuments.ts"
import { PoliteFetch } from "../crawl/PoliteFetch.ts"
import { uuid7 } from "../uuid7.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "scrape",
  Effect.fnUntraced(function* (handlers) {
    const polite = yield* PoliteFetch

    return handlers.handle(
      "scrape",
      Effect.fnUntraced(function* ({ payload }) {
        const start = new URL(payload.url.trim())
        const get = (hop: URL) => polite.get(hop, PageDocuments.fetchOptions(payload, start, hop), 0)
        const scrape = Effect.gen(function* () {
          const landed = yield* followRedirects(start, get, () => Effect.void)
          return yield* PageDocuments.make(landed, payload, { url: payload.url, scrapeId: uuid7() })
        })
        return yield* scrape.pipe(
          Effect.map(({ document }) => ({ success: true as const, data: document })),
          Effect.catchTag("FetchError", fetchFailed)
        )
      })
    )
  })
)

/** The caller's own limits are statuses; a page that could not be had is an answer that says why. */
const fetchFailed = Effect.fnUntraced(function* ({ code, message }: FetchError) {
  if (code === "SCRAPE_TIMEOUT") return yield* new RequestTimeout({ message: `Request Timeout: ${message}`, code })
  if (code === "SCRAPE_ADDRESS_BLOCKED") return yield* new Forbidden({ message, code })
  return { success: false as const, code, error: message }
})
