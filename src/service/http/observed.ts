/**
 * What an operator sees of every request: its id in the answer, its numbers in the metrics, its line in the access log; and
 * the two questions of whoever watches the process, `/livez` and `/readyz`.
 *
 * Guarantee: no label and no line has the query, the body or the key of a request, and a path that is no operation is not
 * named: the addresses and words of callers stay out. `/livez` and `/readyz` ask no database.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Latch from "effect/Latch"
import * as Metric from "effect/Metric"
import { uuid7 } from "#contract/uuid7"
import { monotonicMillisOf } from "#web/monotonicMillis"
import { awaySeconds } from "./failures.ts"

/** One request, as the access log has it. */
export interface AccessEntry {
  /** When its answer began, ISO 8601. */
  readonly time: string
  readonly id: string
  readonly method: string
  /** The operation, as the contract writes it: `/v2/crawl/:id`. */
  readonly route: string
  readonly status: number
  readonly millis: number
  readonly trace?: string
}

/** The end of a service: it takes no more requests, and ends those in progress. */
export interface Drain {
  /** Whether the service stops: then every request gets 503. */
  isDraining: boolean
  inProgress: number
  readonly idle: Latch.Latch
}

export const startDrain = (): Drain => ({ isDraining: false, inProgress: 0, idle: Latch.makeUnsafe(true) })

const enter = (drain: Drain) =>
  Effect.suspend(() => {
    drain.inProgress += 1
    drain.idle.closeUnsafe()
    return Metric.update(inProgress, drain.inProgress)
  })
const leave = (drain: Drain) =>
  Effect.suspend(() => {
    drain.inProgress -= 1
    if (drain.inProgress === 0) drain.idle.openUnsafe()
    return Metric.update(inProgress, drain.inProgress)
  })

export interface Observing {
  /** The operation that a request is for; undefined: none. */
  readonly routeOf: (request: HttpServerRequest.HttpServerRequest) => string | undefined
  /** Why the service takes no work now; undefined: it does. */
  readonly notReady: () => string | undefined
  readonly drain: Drain
  readonly log: ((entry: AccessEntry) => void) | undefined
}

const requests = Metric.counter("millrace_http_requests_total", {
  description: "requests that were answered, by operation and status",
  incremental: true
})
const seconds = Metric.histogram("millrace_http_request_seconds", {
  description: "how long answers took, by operation",
  boundaries: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
})
const inProgress = Metric.gauge("millrace_http_requests_in_progress", {
  description: "requests that are being answered"
})

export const observed =
  (observing: Observing) =>
  <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const probe = probed(request, observing)
      if (probe !== undefined) return probe
      const clock = yield* Clock.Clock
      const began = monotonicMillisOf(clock)
      const sent = request.headers["x-request-id"] ?? ""
      const id = isId.test(sent) ? sent : uuid7()
      const span = yield* Effect.option(Effect.currentSpan)
      const { drain } = observing
      const answered = Effect.ensuring(Effect.andThen(enter(drain), app), leave(drain))
      const response = yield* drain.isDraining ? Effect.succeed(draining) : answered
      const route = observing.routeOf(request) ?? otherRoute(request.url)
      const millis = monotonicMillisOf(clock) - began
      yield* Effect.annotateCurrentSpan("http.route", route)
      const { method } = request
      const { status } = response
      yield* Metric.update(Metric.withAttributes(requests, { method, route, status: String(status) }), 1)
      yield* Metric.update(Metric.withAttributes(seconds, { method, route }), millis / 1000)
      observing.log?.({
        time: new Date(clock.currentTimeMillisUnsafe()).toISOString(),
        id,
        method,
        route,
        status,
        millis: Math.round(millis),
        ...(span._tag === "Some" ? { trace: span.value.traceId } : {})
      })
      return HttpServerResponse.setHeader(response, "x-request-id", id)
    })

const isId = /^[\w.-]{1,100}$/

/** Pages that are no operation of the contract. */
const otherRoute = (url: string): string =>
  /^\/(?:metrics|cluster|docs|openapi\.json|mcp)(?=[/?]|$)/.exec(url)?.[0] ?? "other"

const draining = HttpServerResponse.jsonUnsafe(
  { success: false, error: `Service Unavailable: the service stops; retry after ${awaySeconds} s` },
  { status: 503, headers: { "retry-after": String(awaySeconds), connection: "close" } }
)

const probed = ({ method, url }: HttpServerRequest.HttpServerRequest, { drain, notReady }: Observing) => {
  const [, name] = /^\/(livez|readyz)(?:\?|$)/.exec(url) ?? []
  if (name === undefined || (method !== "GET" && method !== "HEAD")) return undefined
  const reason = name === "livez" ? undefined : drain.isDraining ? "the service stops" : notReady()
  return reason === undefined
    ? HttpServerResponse.jsonUnsafe({ status: "ok" })
    : HttpServerResponse.jsonUnsafe(
        { status: "unavailable", reason },
        { status: 503, headers: { "retry-after": String(awaySeconds) } }
      )
}
