/**
 * The scrape operation for requests that call data providers of the catalog instead of a page.
 *
 * If the only call (`catalog`) fails, the request fails; in a list (`alexandria`), each call reports its own failure. If
 * the caller disconnects, the calls continue and are charged, because the provider may have to be paid.
 */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { CatalogCall, CatalogResult } from "#contract/Exchange"
import type { CatalogAnswer, ScrapeRequest } from "#contract/Scrape"
import { uuid7 } from "#contract/uuid7"
import type { Accounts } from "../../accounts/Accounts.ts"
import { catalogCall } from "../../agent/catalogCall.ts"
import { Catalog } from "../../Catalog.ts"
import { requestOrigin } from "../requestOrigin.ts"

export const catalogCalls = Effect.fnUntraced(function* (
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
  const asked = Effect.gen(function* () {
    const results = yield* answers(teamId, catalog, alexandria)
    return { value: results, credits: results.reduce((sum, { creditsCost }) => sum + creditsCost, 0) }
  })
  const results = yield* Effect.uninterruptible(
    accounts.spend(
      teamId,
      calls.reduce((sum, call) => sum + priceOf(call), 0),
      asked
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
