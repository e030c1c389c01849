/**
 * The tools of the service over HTTP, at `/mcp` (Model Context Protocol, Streamable HTTP).
 *
 * A tool sends a request to the contract with the key of its caller, so keys, scopes, limits and credits apply as always. A
 * session belongs to the key that has started it. The number of sessions is limited: the least recently used end first.
 */
import { createHash } from "node:crypto"
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Limits from "#contract/Limits"
import { version } from "#contract/version"
import type * as App from "./App.ts"
import { baseUrl, clientOf } from "./Embedded.ts"
import { httpErrors } from "./http/httpErrors.ts"
import { overHttp } from "./mcpLayers.ts"
import * as ServiceCall from "./ServiceCall.ts"
import { webTools } from "./webTools.ts"

type App = Effect.Success<ReturnType<typeof App.build>>

const maxSessions = 1000
const sessionHeader = "mcp-session-id"

/** The app with `/mcp`. */
export const withMcp = Effect.fnUntraced(function* (app: App) {
  const client = clientOf(app)
  const service = ServiceCall.overHttp(client, baseUrl, ofCaller)
  const tools = yield* HttpRouter.toHttpEffect(overHttp(webTools(service), { version }))
  /** The caller that has started each session, in the order of last use. */
  const sessions = new Map<string, string>()

  const end = (id: string) => {
    sessions.delete(id)
    const request = HttpClientRequest.delete(`${baseUrl}/mcp`, { headers: { [sessionHeader]: id } })
    return Effect.scoped(tools).pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromClientRequest(request)),
      Effect.ignoreCause
    )
  }

  const served = Effect.gen(function* () {
    const { headers, method } = yield* HttpServerRequest.HttpServerRequest
    // The smallest request that needs a key: if it is refused, the tools refuse too.
    const known = yield* ServiceCall.overHttp(
      client,
      baseUrl,
      ofCaller
    )({ method: "GET", path: "/v2/concurrency-check" })
    if (known.status !== 200) return HttpServerResponse.jsonUnsafe(known.body, { status: known.status || 500 })
    const caller = createHash("sha256")
      .update(headers["authorization"] ?? "")
      .digest("hex")
    const id = headers[sessionHeader]
    if (id !== undefined && sessions.get(id) !== caller) return noSession
    const response = yield* Effect.map(tools, explained)
    const used = (sent: HttpServerResponse.HttpServerResponse) => {
      const name = sent.headers[sessionHeader] ?? id
      if (name === undefined) return Effect.succeed(sent)
      sessions.delete(name)
      if (method !== "DELETE") sessions.set(name, caller)
      const [oldest] = sessions.keys()
      return sessions.size > maxSessions && oldest !== undefined ? Effect.as(end(oldest), sent) : Effect.succeed(sent)
    }
    // The name of a new session is put on the answer last of all.
    yield* HttpEffect.appendPreResponseHandler((_request, sent) => used(sent))
    return response
  })
  const bounded = httpErrors(served).pipe(
    Effect.provideService(HttpServerRequest.MaxBodySize, ByteSize.bytes(Limits.maxBodyBytes))
  )
  // @effect-diagnostics-next-line returnEffectInGen:off -- the caller runs the app, once for each request
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => (isTools(url) ? bounded : app))
})

/** Adds a message to refusals of the protocol that have none. */
const explained = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  const error = response.body._tag === "Empty" ? refusals[response.status] : undefined
  return error === undefined
    ? response
    : HttpServerResponse.jsonUnsafe({ success: false, error }, { status: response.status })
}

const refusals: Readonly<Record<number, string>> = {
  400: "Bad Request: the body must be one message of JSON-RPC 2.0; an array of several is not accepted",
  403: "Forbidden: the page of this Origin may not call the tools",
  405: "Method Not Allowed: messages are sent by POST, and DELETE ends a session",
  406: "Not Acceptable: the header Accept must name application/json and text/event-stream"
}

const isTools = (url: string): boolean => /^\/mcp\/?(?:\?|$)/.test(url)

/** The key of the current request, and the host name that it used: URLs in answers, such as of terms, get this name. */
const ofCaller = Effect.map(Effect.serviceOption(HttpServerRequest.HttpServerRequest), (request) => {
  const headers: Readonly<Record<string, string>> = Option.getOrUndefined(request)?.headers ?? {}
  return Object.fromEntries(Object.entries(headers).filter(([name]) => handedOn.has(name)))
})

const handedOn = new Set(["authorization", "host", "x-forwarded-host", "x-forwarded-proto"])

const noSession = HttpServerResponse.jsonUnsafe(
  { success: false, error: "Not Found: no such session of this key; start a new one with initialize" },
  { status: 404 }
)
