/**
 * The receiver of a monitor's webhooks, as an HTTP app: POST at one path, and its state at /health and /metrics.
 *
 * Guarantee: an event is in the inbox before it is answered with 2xx, and nothing else ever is; nothing of a body is read
 * before its signature is verified; an event that is sent again is answered as the first time. A sender repeats after
 * every answer but 2xx, so an event that is refused for lack of room is not lost.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Latch from "effect/Latch"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { readWebhook, WebhookEvent } from "#contract/readWebhook"
import type { Counts, Inbox, InboxError } from "./Inbox.ts"

interface Options {
  readonly inbox: Inbox
  readonly secret: Redacted.Redacted
  /** Where events are posted to. */
  readonly path: string
  /** Told of each event that is new, once it is in the inbox. */
  readonly accepted: (type: string) => Effect.Effect<void>
}

export interface Receiver {
  readonly app: Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>
  /** From now on everything is refused that has not come whole; what has is finished. */
  readonly close: Effect.Effect<void>
}

/** The events that are kept; a service may send others to the same URL. */
const monitorTypes: ReadonlySet<string> = new Set(["monitor.page", "monitor.check.completed"])

export const open = (options: Options): Effect.Effect<Receiver> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const tally = emptyTally(now)
    const bodies = noBodies()
    const post = (request: HttpServerRequest.HttpServerRequest) =>
      useBody(bodies, request, (body) => take(options, tally, body, request.headers)).pipe(
        Effect.catchTag("InboxError", () => Effect.fail(refusal(503, "the event cannot be kept now; send it again"))),
        Effect.catchTag("Refusal", (refused) => Effect.sync(() => refuse(tally, refused)))
      )
    const app = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const path = request.url.split("?")[0]
      if (request.method === "POST" && path === options.path) return yield* post(request)
      if (request.method === "GET" && path === "/health") return yield* health(options, tally)
      if (request.method === "GET" && path === "/metrics") return yield* metrics(options, tally)
      return path === options.path
        ? refuse(tally, refusal(405, "events are sent by POST"))
        : refuse(tally, refusal(404, "no events are received at this path"))
    })
    return { app, close: closeBodies(bodies) }
  })

const take = Effect.fnUntraced(function* (
  { accepted, inbox, secret }: Options,
  tally: Tally,
  body: Uint8Array,
  headers: Readonly<Record<string, string | undefined>>
): Effect.fn.Return<HttpServerResponse.HttpServerResponse, Refusal | InboxError> {
  const read = readWebhook(body, headers, secret)
  if (read._tag === "Forged") return yield* Effect.fail(refusal(401, read.reason))
  if (read._tag === "NoEvent") return yield* Effect.fail(refusal(400, read.reason))
  if (!monitorTypes.has(read.type)) {
    tally.ignored += 1
    return answer("ignored")
  }
  const { webhookId: id } = yield* Effect.mapError(decode(read.json), ({ message }) =>
    refusal(400, `the body does not match the API contract: ${message}`)
  )
  // A sender that hangs up now gets no answer; the event was kept, and is counted.
  return yield* Effect.uninterruptible(
    Effect.gen(function* () {
      const [taken] = yield* inbox.accept([{ id, body: read.text }])
      if (taken === "different") {
        return yield* Effect.fail(refusal(409, `the event ${id} was received before, with another body`))
      }
      if (taken === "known") {
        tally.known += 1
        return answer("known")
      }
      tally.accepted += 1
      tally.last = { id, type: read.type, at: yield* Clock.currentTimeMillis }
      yield* accepted(read.type)
      return answer("accepted")
    })
  )
})

const decode = Schema.decodeUnknownEffect(WebhookEvent)

const answer = (status: string) => HttpServerResponse.jsonUnsafe({ status })

/** Whose body was not read to its end loses the connection: the rest of it is not the next request. */
const refuse = (tally: Tally, { error, status }: Refusal): HttpServerResponse.HttpServerResponse => {
  countRefusal(tally, status)
  const headers: Record<string, string> = {
    ...(status === 408 || status === 413 || status === 503 ? { connection: "close" } : {}),
    ...(status === 503 ? { "retry-after": "5" } : {}),
    ...(status === 405 ? { allow: "POST" } : {})
  }
  return HttpServerResponse.jsonUnsafe({ success: false, error }, { status, headers })
}

const health = ({ inbox }: Options, tally: Tally) =>
  Effect.match(inbox.counts, {
    onSuccess: (counts) => HttpServerResponse.jsonUnsafe({ status: "ok", ...tallyJson(tally), inbox: counts }),
    onFailure: ({ message }) =>
      HttpServerResponse.jsonUnsafe({ status: "failing", ...tallyJson(tally), error: message }, { status: 503 })
  })

const metrics = ({ inbox }: Options, tally: Tally) =>
  Effect.match(inbox.counts, {
    onSuccess: (counts) =>
      HttpServerResponse.text(tallyMetrics(tally, counts), {
        contentType: "text/plain; version=0.0.4; charset=utf-8"
      }),
    onFailure: ({ message }) => HttpServerResponse.text(`${message}\n`, { status: 503 })
  })

/**
 * What a receiver has done since it was started, for /health and for Prometheus.
 *
 * It has numbers, times and ids of events, but never a body, a header or a secret.
 */
interface Tally {
  readonly since: number
  accepted: number
  known: number
  ignored: number
  readonly refused: Map<number, number>
  last: { readonly id: string; readonly type: string; readonly at: number } | undefined
}

const emptyTally = (since: number): Tally => ({
  since,
  accepted: 0,
  known: 0,
  ignored: 0,
  refused: new Map(),
  last: undefined
})

const countRefusal = ({ refused }: Tally, status: number): void => {
  refused.set(status, (refused.get(status) ?? 0) + 1)
}

const tallyJson = ({ accepted, ignored, known, last, refused, since }: Tally) => ({
  since: new Date(since).toISOString(),
  accepted,
  known,
  ignored,
  refused: Object.fromEntries(refused),
  last: last === undefined ? null : { ...last, at: new Date(last.at).toISOString() }
})

const tallyMetrics = ({ accepted, ignored, known, last, refused }: Tally, { bodies, events }: Counts): string =>
  [
    "# TYPE millrace_webhook_events_total counter",
    ...Object.entries({ accepted, known, ignored }).map(
      ([outcome, count]) => `millrace_webhook_events_total{outcome="${outcome}"} ${count}`
    ),
    "# TYPE millrace_webhook_refused_total counter",
    ...[...refused].map(([status, count]) => `millrace_webhook_refused_total{status="${status}"} ${count}`),
    "# TYPE millrace_webhook_last_event_seconds gauge",
    `millrace_webhook_last_event_seconds ${last === undefined ? 0 : last.at / 1000}`,
    "# TYPE millrace_inbox_events gauge",
    `millrace_inbox_events ${events}`,
    "# TYPE millrace_inbox_bodies gauge",
    `millrace_inbox_bodies ${bodies}`,
    ""
  ].join("\n")

/**
 * The bodies that a receiver has in hand: read whole, or refused.
 *
 * The size of a body, its time, the number of bodies and their total size are all limited, by the bytes that arrived and
 * not by a header. A body that ends early is refused.
 */
interface Bodies {
  count: number
  bytes: number
  /** Open once nothing more is taken. */
  readonly closed: Latch.Latch
}

const maxBytes = 10 * 1024 * 1024
/** The sender waits no longer for an answer (specification, Events). */
const maxMillis = 10_000
const maxBodies = 256
const maxTogether = 64 * 1024 * 1024

const noBodies = (): Bodies => ({ count: 0, bytes: 0, closed: Latch.makeUnsafe(false) })

/** Refuses everything from now on that has not come whole. */
const closeBodies = ({ closed }: Bodies): Effect.Effect<void> => Effect.asVoid(closed.open)

/** Why something is refused, in words that everyone may read. */
interface Refusal {
  readonly _tag: "Refusal"
  readonly status: number
  readonly error: string
}

const refusal = (status: number, error: string): Refusal => ({ _tag: "Refusal", status, error })

const failAs = (status: number, error: string) => Effect.fail(refusal(status, error))
const tooLarge = failAs(413, `the body is larger than ${maxBytes} bytes`)
const tooBusy = failAs(503, "too much is sent at once; send it again")
const closing = failAs(503, "the receiver is stopping; send it again")
const broken = failAs(400, "the body ended early, or does not have the length that it declares")

/** `use` has the raw bytes of a request, which count until it is done with them. */
const useBody = Effect.fnUntraced(function* <A, E, R>(
  bodies: Bodies,
  request: HttpServerRequest.HttpServerRequest,
  use: (body: Uint8Array) => Effect.Effect<A, E, R>
) {
  if (bodies.closed.isOpen()) return yield* closing
  if (bodies.count >= maxBodies) return yield* tooBusy
  const claimed = request.headers["content-length"]
  if (claimed !== undefined && Number(claimed) > maxBytes) return yield* tooLarge
  const chunks: Array<Uint8Array> = []
  let length = 0
  const gather = Stream.runForEachArray(request.stream, (some) => {
    const more = some.reduce((sum, chunk) => sum + chunk.length, 0)
    length += more
    bodies.bytes += more
    if (length > maxBytes) return tooLarge
    if (bodies.bytes > maxTogether) return tooBusy
    chunks.push(...some)
    return Effect.void
  }).pipe(
    Effect.catchTag("HttpServerError", () => broken),
    Effect.raceFirst(Effect.andThen(bodies.closed.await, closing)),
    Effect.timeoutOrElse({
      duration: maxMillis,
      orElse: () => failAs(408, `the body did not come within ${maxMillis / 1000} s`)
    })
  )
  const used = Effect.gen(function* () {
    yield* gather
    if (claimed !== undefined && Number(claimed) !== length) return yield* broken
    return yield* use(Buffer.concat(chunks, length))
  })
  bodies.count += 1
  return yield* Effect.ensuring(
    used,
    Effect.sync(() => {
      bodies.count -= 1
      bodies.bytes -= length
    })
  )
})
