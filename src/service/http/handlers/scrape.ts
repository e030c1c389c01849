/**
 * The handlers of the scrape group: they fetch and answer one page, or the result of an earlier scrape.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Option from "effect/Option"
import * as LargeJson from "#base/LargeJson"
import { Api } from "#contract/Api"
import { Caller } from "#contract/Authorization"
import { NotFound } from "#contract/Errors"
import type { CatalogCall, CatalogResult } from "#contract/Exchange"
import type { CatalogAnswer, ScrapeRequest } from "#contract/Scrape"
import { uuid7 } from "#contract/uuid7"
import * as CookieJar from "#web/CookieJar"
import { followRedirects } from "#web/followRedirects"
import * as PageDocuments from "#web/PageDocuments"
import { PoliteFetch } from "#web/PoliteFetch"
import { patiently } from "#web/patiently"
import * as ScrapePlan from "#web/ScrapePlan"
import { Scraper, timedOut } from "#web/Scraper"
import { ScrapeStore } from "#web/ScrapeStore"
import { Accounts } from "../../accounts/Accounts.ts"
import { AgentStore } from "../../agent/AgentStore.ts"
import { catalogCall } from "../../agent/catalogCall.ts"
import { Catalog } from "../../Catalog.ts"
import { keepsNothing, retaining } from "../../retention.ts"
import { fetchFailed, storeFailed } from "../failures.ts"
import { requestOrigin } from "../requestHeaders.ts"
import { sentDocument } from "../sentDocument.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "scrape",
  Effect.fnUntraced(function* (handlers) {
    const polite = yield* PoliteFetch
    const scraper = yield* Scraper
    const accounts = yield* Accounts
    const store = yield* ScrapeStore
    const agents = yield* AgentStore
    const catalog = yield* Catalog

    const scrape = Effect.fnUntraced(
      function* ({ payload }: { readonly payload: ScrapeRequest }) {
        const { teamId } = yield* Caller
        const { url } = payload
        if (url === undefined) {
          return yield* catalogCalls(teamId, payload, accounts).pipe(
            Effect.provideService(AgentStore, agents),
            Effect.provideService(Catalog, catalog)
          )
        }
        const isKept = !keepsNothing(payload, accounts.of(teamId).plan)
        const plan = yield* retaining(yield* ScrapePlan.ofOptions(payload), isKept)
        const start = new URL(url.trim())
        const order = { url, scrapeId: uuid7(), teamId, keeps: isKept, delayMillis: 0 }
        const jar = CookieJar.empty()
        const get = (hop: URL) =>
          patiently(
            jar.exchange(hop, PageDocuments.fetchOptions(plan, start, hop), (options) => polite.get(hop, options, 0))
          )
        const scraped = Effect.gen(function* () {
          const copy = yield* scraper.copyOf(plan, order)
          if (copy !== undefined) return copy
          const landed = yield* followRedirects(start, get, () => Effect.void, jar)
          return yield* scraper.scrape(landed, plan, order)
        })
        const timely = Effect.timeoutOrElse(scraped, {
          duration: Duration.millis(plan.timeoutMillis),
          orElse: () => timedOut(start.href, plan.timeoutMillis)
        })
        const priced = Effect.map(timely, ({ document }) => ({
          value: document,
          credits: PageDocuments.creditsOf(document)
        }))
        const document = yield* accounts.spend(teamId, PageDocuments.leastCredits(plan), priced)
        // Encoded once, for the store and for the caller.
        const text = yield* LargeJson.text(document)
        if (isKept) yield* store.keepResult(teamId, order.scrapeId, text)
        return yield* sentDocument(text)
      },
      Effect.catchTag("StoreError", storeFailed),
      Effect.catchTag("FetchError", fetchFailed)
    )

    /** Sends the stored JSON text as it is. */
    const result = Effect.fnUntraced(
      function* ({ params }: { readonly params: { readonly id: string } }) {
        const { teamId } = yield* Caller
        const document = yield* store.result(teamId, params.id)
        if (Option.isNone(document)) {
          return yield* new NotFound({
            message: `no scrape has the id ${params.id}; results are kept for 24 hours after the end`
          })
        }
        return yield* sentDocument(document.value)
      },
      Effect.catchTag("StoreError", storeFailed)
    )

    return handlers.handle("scrape", scrape).handleRaw("result", result)
  })
)

/**
 * The scrape operation for requests that call data providers of the catalog instead of a page.
 *
 * If the only call (`catalog`) fails, the request fails; in a list (`alexandria`), each call reports its own failure. If
 * the caller disconnects, the calls continue and are charged, because the provider may have to be paid.
 */
const catalogCalls = Effect.fnUntraced(function* (
  teamId: string,
  { alexandria, catalog }: ScrapeRequest,
  accounts: Accounts["Service"]
) {
  const { find } = yield* Catalog
  const priceOf = ({ capability, provider: id }: CatalogCall): number => {
    const provider = find(id)
    return provider?.capability === capability ? provider.cost : 0
  }
  const calls = catalog === undefined ? (alexandria ?? []) : [catalog]
  const scraped = Effect.gen(function* () {
    const results = yield* answers(teamId, catalog, alexandria)
    return { value: results, credits: results.reduce((sum, { creditsCost }) => sum + creditsCost, 0) }
  })
  const results = yield* Effect.uninterruptible(
    accounts.spend(
      teamId,
      calls.reduce((sum, call) => sum + priceOf(call), 0),
      scraped
    )
  )
  const [first] = results
  const answer: CatalogAnswer = {
    success: true,
    scrape_id: uuid7(),
    data: {
      ...(catalog === undefined || first === undefined ? { alexandria: results } : { catalog: first }),
      creditsCost: results.reduce((sum, result) => sum + result.creditsCost, 0)
    }
  }
  return answer
})

const answers = Effect.fnUntraced(function* (
  teamId: string,
  catalog: ScrapeRequest["catalog"],
  alexandria: ScrapeRequest["alexandria"]
) {
  const origin = requestOrigin(yield* HttpServerRequest.HttpServerRequest)
  return catalog === undefined
    ? yield* Effect.forEach(alexandria ?? [], (call) =>
        catalogCall(teamId, call, origin).pipe(
          Effect.catchTags({
            BadGateway: (error) => Effect.succeed(failed(call, 502, error)),
            BadRequest: (error) => Effect.succeed(failed(call, 400, error)),
            Conflict: (error) => Effect.succeed(failed(call, 409, error)),
            Forbidden: (error) => Effect.succeed(failed(call, 403, error)),
            GatewayTimeout: (error) => Effect.succeed(failed(call, 504, error)),
            NotFound: (error) => Effect.succeed(failed(call, 404, error))
          })
        )
      )
    : [yield* catalogCall(teamId, catalog, origin)]
})

const failed = (
  { capability, provider }: { readonly capability: string; readonly provider: string },
  status: number,
  { code, message }: { readonly code?: string; readonly message: string }
): CatalogResult => ({
  provider,
  capability,
  creditsCost: 0,
  data: null,
  error: { code: code ?? "CATALOG_CALL_FAILED", message, status }
})
