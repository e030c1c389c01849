/**
 * Which requests come from the operator of a service: those from this machine, unless a proxy says that it forwards them
 * for another client; and those with the operator's key. Keys of teams do not count.
 */
import { createHash, timingSafeEqual } from "node:crypto"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { isLoopback } from "#web/AddressGuard"

/** Whether the current request comes from the operator. */
export const isForOperator = (operatorKey: Redacted.Redacted | undefined) =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) => isLocal(request) || isOperator(request, operatorKey))

/** `what`: the start of the sentence, "metrics are". */
export const operatorOnly = (what: string): HttpServerResponse.HttpServerResponse => {
  const error = `Forbidden: ${what} for callers on this machine, and for callers that send the operator's key`
  return HttpServerResponse.jsonUnsafe({ success: false, error }, { status: 403 })
}

const isLocal = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest): boolean => {
  const address = Option.getOrElse(remoteAddress, () => "").replace(/^::ffff:/, "")
  return isLoopback(address) && forwarding.every((name) => headers[name] === undefined)
}

/** The headers in which proxies name the client of a request. */
const forwarding = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"]

const isOperator = ({ headers }: HttpServerRequest.HttpServerRequest, key: Redacted.Redacted | undefined): boolean => {
  const [, sent = ""] = /^bearer +(.+)$/i.exec(headers["authorization"] ?? "") ?? []
  return key !== undefined && sent !== "" && timingSafeEqual(digest(sent), digest(Redacted.value(key)))
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()
