/**
 * Who may call.
 *
 * The specification (Authentication): with keys configured, a missing, malformed or unknown key is 401
 * "Unauthorized: Invalid token"; callers without a key may search government texts, start a crawl, and read the result;
 * a key whose plan lacks the operation is 403; requests that start work count against the plan's rate. A service without
 * keys is open, and all callers are the same team.
 */
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as CrawlerName from "#base/CrawlerName"
import * as FairPlaces from "#base/FairPlaces"
import { Authorization, Caller } from "#contract/Authorization"
import { TooManyRequests, Unauthorized } from "#contract/Errors"
import type { Scope } from "../AccountPlan.ts"
import { type Account, Accounts, everybody, keylessTeam, permit, type RateExceeded } from "../accounts/Accounts.ts"
import { storeFailed } from "./failures.ts"

export const layer = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const accounts = yield* Accounts

    return Authorization.of({
      bearer: Effect.fnUntraced(function* (httpEffect, { credential, endpoint, group }) {
        const { headers, method } = yield* HttpServerRequest.HttpServerRequest
        const account = accounts.identify(Redacted.value(credential))
        // A header without a bearer key is malformed. A request without the header has no key.
        const isMalformed = headers["authorization"] !== undefined && Redacted.value(credential) === ""
        const isList = endpoint.identifier === "active" || endpoint.identifier === "ongoing"
        const isNobody = account === undefined || (isMalformed && account !== everybody)
        if (isNobody || (account.teamId === keylessTeam && (isList || !keylessGroups.has(group.identifier)))) {
          return yield* new Unauthorized({ message: "Unauthorized: Invalid token" })
        }
        const scope = scopes[group.identifier]
        if (scope !== undefined) yield* permit(account, scope)
        if (method !== "GET" || endpoint.identifier === "ask") {
          yield* accounts.admit(account).pipe(Effect.catchTags({ RateExceeded: tooMany, StoreError: storeFailed }))
        }
        const { crawler } = account.plan
        const named =
          crawler === undefined
            ? httpEffect
            : Effect.provideService(httpEffect, CrawlerName.Current, CrawlerName.identityOf(crawler))
        const served = named.pipe(
          Effect.provideService(Caller, { teamId: account.teamId }),
          Effect.provideService(FairPlaces.Sharer, account.teamId)
        )
        return yield* pageGroups.has(group.identifier) && method !== "GET" ? onePage(accounts, account, served) : served
      })
    })
  })
)

/** Groups in which each POST reads one page, and answers with it. */
const pageGroups = new Set(["scrape", "map", "parse"])

/** Reads a page if the team has credits and room for it now. It does not wait for its turn as a job does. */
const onePage = Effect.fnUntraced(function* <A, E, R>(
  accounts: Accounts["Service"],
  { teamId, plan }: Account,
  served: Effect.Effect<A, E, R>
) {
  yield* accounts.cover(teamId, 1).pipe(Effect.catchTag("StoreError", storeFailed))
  const answer = yield* accounts.ifFree(teamId)(served)
  if (Option.isSome(answer)) return answer.value
  return yield* new TooManyRequests({
    message: `Concurrency limit reached: ${plan.concurrency} pages of this team are in flight; retry after 1 s`
  })
})

/** Groups that work without a key, to get started. */
const keylessGroups = new Set(["crawl", "govSearch"])

/** The scope that each group of the contract needs. The group `team` needs none: every key may ask for its usage. */
const scopes: Readonly<Record<string, Scope>> = {
  crawl: "crawl",
  batch: "batch",
  scrape: "scrape",
  interact: "scrape",
  map: "map",
  parse: "parse",
  extract: "extract",
  agent: "agent",
  search: "search",
  govSearch: "search",
  monitor: "monitor"
}

/** Clients look for the seconds in the header, or in the text (`public-clients`, trap 7). */
const tooMany = Effect.fnUntraced(function* ({ seconds }: RateExceeded) {
  yield* HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", String(seconds)))
  )
  return yield* new TooManyRequests({ message: `Rate limit exceeded: retry after ${seconds} s` })
})
