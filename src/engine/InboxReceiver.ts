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
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { readWebhook, WebhookEvent } from "#contract/readWebhook"
import type { Inbox, InboxError } from "./Inbox.ts"
import * as Bodies from "./inbox/Bodies.ts"
import { type Refusal, refusal } from "./inbox/Bodies.ts"
import * as Tally from "./inbox/Tally.ts"

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
    const tally = Tally.empty(now)
    const bodies = Bodies.empty()
    const post = (request: HttpServerRequest.HttpServerRequest) =>
      Bodies.whole(bodies, request, (body) => take(options, tally, body, request.headers)).pipe(
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
    return { app, close: Bodies.close(bodies) }
  })

const take = Effect.fnUntraced(function* (
  { accepted, inbox, secret }: Options,
  tally: Tally.Tally,
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
const refuse = (tally: Tally.Tally, { error, status }: Refusal): HttpServerResponse.HttpServerResponse => {
  Tally.refused(tally, status)
  const headers: Record<string, string> = {
    ...(status === 408 || status === 413 || status === 503 ? { connection: "close" } : {}),
    ...(status === 503 ? { "retry-after": "5" } : {}),
    ...(status === 405 ? { allow: "POST" } : {})
  }
  return HttpServerResponse.jsonUnsafe({ success: false, error }, { status, headers })
}

const health = ({ inbox }: Options, tally: Tally.Tally) =>
  Effect.match(inbox.counts, {
    onSuccess: (counts) => HttpServerResponse.jsonUnsafe({ status: "ok", ...Tally.asJson(tally), inbox: counts }),
    onFailure: ({ message }) =>
      HttpServerResponse.jsonUnsafe({ status: "failing", ...Tally.asJson(tally), error: message }, { status: 503 })
  })

const metrics = ({ inbox }: Options, tally: Tally.Tally) =>
  Effect.match(inbox.counts, {
    onSuccess: (counts) =>
      HttpServerResponse.text(Tally.asMetrics(tally, counts), {
        contentType: "text/plain; version=0.0.4; charset=utf-8"
      }),
    onFailure: ({ message }) => HttpServerResponse.text(`${message}\n`, { status: 503 })
  })
