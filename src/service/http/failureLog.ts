/**
 * The log's entry for a request that failed. Guarantee: with zero data retention the reason is not logged, because a failure
 * may name the page, the prompt or what was read.
 */
import type * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { StoreError } from "#web/StoreError"
import { Accounts } from "../accounts/Accounts.ts"
import { Seals } from "../store/Seals.ts"

/** Whether nothing of the current request may be kept. */
export const KeepsNothing = Context.Reference<boolean>("millrace/service/http/KeepsNothing", {
  defaultValue: () => false
})

export const logFailure = Effect.fnUntraced(function* (what: string, why: Cause.Cause<unknown> | StoreError) {
  if (yield* KeepsNothing) yield* Effect.logError(`${what}; the reason is not logged, because of zero data retention`)
  else yield* Effect.logError(what, why)
})

/** Whether a request comes from a team with zero data retention, or names a job with it. */
export const sealedRequests = (services: Context.Context<Accounts | Seals>) => {
  const accounts = Context.get(services, Accounts)
  const seals = Context.get(services, Seals)
  return ({ headers, url }: HttpServerRequest.HttpServerRequest): boolean => {
    const [, key = ""] = /^bearer +(.+)$/i.exec(headers["authorization"] ?? "") ?? []
    const ids = url.match(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g) ?? []
    return accounts.identify(key)?.plan.zeroDataRetention === true || ids.some((id) => seals.ofJob(id) !== undefined)
  }
}
