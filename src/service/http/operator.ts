/**
 * What is for the operator of a service alone: who calls from this machine, unless a proxy says that it calls for somebody
 * else; and who sends the operator's key. Keys of teams open nothing here.
 */
import { createHash, timingSafeEqual } from "node:crypto"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { isLoopback } from "../../crawler/fetch/AddressGuard.ts"

/** Whether this request is of the operator. */
export const isForOperator = (operatorKey: Redacted.Redacted | undefined) =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) => isLocal(request) || isOperator(request, operatorKey))

/** `what`: as the sentence begins: "metrics are". */
export const operatorOnly = (what: string): HttpServerResponse.HttpServerResponse => {
  const error = `Forbidden: ${what} for this machine, and for who sends the operator's key`
  return HttpServerResponse.jsonUnsafe({ success: false, error }, { status: 403 })
}

const isLocal = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest): boolean => {
  const address = Option.getOrElse(remoteAddress, () => "").replace(/^::ffff:/, "")
  return isLoopback(address) && forwarding.every((name) => headers[name] === undefined)
}

/** What proxies say of those for whom they call. */
const forwarding = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"]

const isOperator = ({ headers }: HttpServerRequest.HttpServerRequest, key: Redacted.Redacted | undefined): boolean => {
  const [, sent = ""] = /^bearer +(.+)$/i.exec(headers["authorization"] ?? "") ?? []
  return key !== undefined && sent !== "" && timingSafeEqual(digest(sent), digest(Redacted.value(key)))
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()
