/**
 * One HTTP exchange with a receiver of webhooks: only the status of its answer counts, and the Retry-After of a 429.
 *
 * The address guard checks every connection, as it does for pages; redirects are not followed; a receiver has ten seconds
 * to answer; the body of its answer is read for at most one second, and discarded.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { request } from "undici"
import { retryAfterMillis } from "#contract/retryAfterMillis"
import type * as AddressGuard from "#web/AddressGuard"
import { toFetchError } from "#web/Fetch"
import { guardedAgent } from "#web/guardedAgent"
import { maxInFlight } from "./Receiver.ts"

interface Message {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** The receiver did not answer, or says for how long it takes nothing. `message`: the reason, for people. */
export class PostFailed {
  readonly _tag = "PostFailed"
  readonly message: string
  /** For how long the receiver wants to be left alone; undefined: it did not answer. */
  readonly laterMillis: number | undefined
  constructor(message: string, laterMillis?: number) {
    this.message = message
    this.laterMillis = laterMillis
  }
}

export class WebhookPost extends Context.Service<
  WebhookPost,
  /** Returns the status of the receiver's answer, whatever it is. */
  { readonly send: (message: Message) => Effect.Effect<number, PostFailed> }
>()("millrace/service/WebhookPost") {
  static readonly layer = (guard: AddressGuard.Options) => Layer.effect(WebhookPost, connect(guard))
}

const answerMillis = 10_000
const drainMillis = 1000
export const tooMany = 429
const mostLaterMillis = 60 * 60_000
const drainBytes = 64 * 1024

/** Its connections close with the scope. */
export const connect = Effect.fnUntraced(function* (guard: AddressGuard.Options) {
  const agent = yield* guardedAgent(guard, { connections: maxInFlight, rejectUnauthorized: true })

  const send = Effect.fnUntraced(function* ({ url, headers, body }: Message) {
    const answer = yield* Effect.tryPromise({
      try: async (signal) => request(url, { dispatcher: await agent(), signal, method: "POST", headers, body }),
      catch: (cause) => new PostFailed(toFetchError(url, cause).message)
    }).pipe(
      Effect.timeoutOrElse({
        duration: Duration.millis(answerMillis),
        orElse: () => Effect.fail(new PostFailed(`no answer within ${answerMillis / 1000} s`))
      })
    )
    // The body is read, so that the connection can be reused. If it arrives too slowly, the connection is closed.
    yield* Effect.tryPromise((signal) => answer.body.dump({ limit: drainBytes, signal })).pipe(
      Effect.timeout(drainMillis),
      Effect.ignore
    )
    const header = answer.headers["retry-after"]
    const later =
      answer.statusCode === tooMany && typeof header === "string"
        ? retryAfterMillis(header, yield* Clock.currentTimeMillis, mostLaterMillis)
        : undefined
    return later === undefined
      ? answer.statusCode
      : yield* Effect.fail(new PostFailed(`answered ${tooMany}, not 2xx`, later))
  })
  return WebhookPost.of({ send })
})
