/**
 * Calls of the catalog: `terms/show`, `terms/accept`, and the capabilities of providers.
 *
 * Specification, POST /v2/scrape with catalog field: terms are accepted only with `confirmed: true` and with the version
 * and the digest that `terms/show` has shown; a call to a provider whose terms are not accepted is an error. Requests to
 * providers and their answers are neither stored nor logged.
 */
import * as Effect from "effect/Effect"
import { BadGateway, BadRequest, Conflict, Forbidden, GatewayTimeout, NotFound } from "#contract/Errors"
import type { CatalogCall, CatalogResult } from "#contract/Exchange"
import type { Json } from "#contract/JsonSchema"
import { Catalog, ownNames } from "../Catalog.ts"
import { termsKey, termsPlace } from "../Provider.ts"
import { AgentStore } from "./AgentStore.ts"

/** `origin`: the scheme and host with which the caller reached the service. */
export const catalogCall = Effect.fn("catalogCall")(function* (teamId: string, call: CatalogCall, origin: string) {
  return ownNames.has(call.provider) ? yield* ofCatalog(teamId, call, origin) : yield* ofProvider(teamId, call)
})

const ofCatalog = Effect.fnUntraced(function* (
  teamId: string,
  { capability, options = {}, provider: own }: CatalogCall,
  origin: string
) {
  if (capability !== "terms/show" && capability !== "terms/accept") {
    return yield* new NotFound({
      message: `the catalog has no capability ${JSON.stringify(capability)}; it has terms/show and terms/accept`
    })
  }
  const store = yield* AgentStore
  const provider = yield* named(options["provider"])
  const { digest, text, version } = provider.terms
  const url = new URL(termsPlace(provider), origin).href
  const isAccepted = (yield* store.accepted(teamId)).has(termsKey(provider))
  const shown = { provider: provider.id, name: provider.name, version, digest, url }
  const result = (data: Json): CatalogResult => ({ provider: own, capability, creditsCost: 0, data })
  if (capability === "terms/show") return result({ ...shown, text, accepted: isAccepted })
  if (options["confirmed"] !== true) {
    return yield* new BadRequest({
      message: "terms are accepted only with confirmed: true, after a person has agreed to them"
    })
  }
  if (options["version"] !== version || options["digest"] !== digest) {
    return yield* new Conflict({
      message: `these are not the present terms of ${provider.id}: call terms/show and send its version and digest`
    })
  }
  yield* store.accept(teamId, termsKey(provider))
  return result({ ...shown, accepted: true })
})

const ofProvider = Effect.fnUntraced(function* (
  teamId: string,
  { capability, options = {}, provider: id }: CatalogCall
) {
  const store = yield* AgentStore
  const provider = yield* named(id)
  if (capability !== provider.capability) {
    return yield* new NotFound({
      message: `${id} has no capability ${JSON.stringify(capability)}; it has ${provider.capability}`
    })
  }
  if (!(yield* store.accepted(teamId)).has(termsKey(provider))) {
    return yield* new Forbidden({
      message: `the terms of ${id} are not accepted: call terms/show, and terms/accept once a person has agreed`,
      code: "TERMS_REQUIRED"
    })
  }
  const { query, ...others } = options
  const { call } = yield* Catalog
  const records = yield* Effect.catchTag(
    call(provider, { query: typeof query === "string" ? query : "", options: others }),
    "ProviderFailed",
    ({ isLate, message }): Effect.Effect<never, BadGateway | GatewayTimeout> =>
      isLate
        ? new GatewayTimeout({ message: `Gateway Timeout: ${message}`, code: "PROVIDER_TIMEOUT" })
        : new BadGateway({ message: `Bad Gateway: ${message}`, code: "PROVIDER_FAILED" })
  )
  const result: CatalogResult = { provider: id, capability, creditsCost: provider.cost, data: { records } }
  return result
})

const named = Effect.fnUntraced(function* (id: Json | undefined) {
  const { find, providers } = yield* Catalog
  const provider = typeof id === "string" ? find(id) : undefined
  if (provider !== undefined) return provider
  const known = providers.length === 0 ? "none" : providers.map(({ id }) => id).join(", ")
  return yield* new NotFound({ message: `the catalog has no provider ${JSON.stringify(id ?? null)}; it has ${known}` })
})
