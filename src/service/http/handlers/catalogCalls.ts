/**
 * The scrape operation where it is asked for calls of the catalog instead of a page.
 *
 * If the only call fails, the request fails; of several calls, each reports its own failure.
 */
import * as Effect from "effect/Effect"
import { catalogCall } from "../../../agent/catalogCall.ts"
import type { CatalogResult } from "../../../api/Exchange.ts"
import type { CatalogAnswer, ScrapeRequest } from "../../../api/Scrape.ts"
import { uuid7 } from "../../../api/uuid7.ts"
import type { Accounts } from "../../accounts/Accounts.ts"

export const catalogCalls = Effect.fnUntraced(function* (
  teamId: string,
  { alexandria, catalog }: ScrapeRequest,
  accounts: Accounts["Service"]
) {
  const results =
    catalog === undefined
      ? yield* Effect.forEach(alexandria ?? [], (call) =>
          catalogCall(teamId, call).pipe(
            Effect.catchTags({
              BadRequest: (error) => Effect.succeed(failed(call, 400, error)),
              Conflict: (error) => Effect.succeed(failed(call, 409, error)),
              Forbidden: (error) => Effect.succeed(failed(call, 403, error)),
              NotFound: (error) => Effect.succeed(failed(call, 404, error))
            })
          )
        )
      : [yield* catalogCall(teamId, catalog)]
  const creditsCost = results.reduce((sum, result) => sum + result.creditsCost, 0)
  if (creditsCost > 0) yield* accounts.charge(teamId, creditsCost)
  const [first] = results
  const answer: CatalogAnswer = {
    success: true,
    scrape_id: uuid7(),
    data: {
      ...(catalog === undefined || first === undefined ? { alexandria: results } : { catalog: first }),
      creditsCost
    }
  }
  return answer
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
