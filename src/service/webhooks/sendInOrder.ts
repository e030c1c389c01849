/**
 * Sends the messages of one job one after the other, in order.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import { type PostFailed, tooMany, type WebhookPost } from "./WebhookPost.ts"

export interface Message {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The body as text; it is sent as UTF-8. */
  readonly body: string
}

export interface Outcome {
  readonly at: number
  /** The status of the answer; null: there was none. */
  readonly status: number | null
  readonly error: string | null
  /** For how long the receiver wants to be left alone, as its 429 says. */
  readonly laterMillis?: number
}

/** Sends messages until one is not delivered or a second is over, but at least one. Reports each outcome. */
export type Send = (messages: ReadonlyArray<Message>, report: (outcome: Outcome) => void) => Effect.Effect<void>

/** After this time no further message of a batch is sent: first the attempts are recorded. */
const batchMillis = 1000

export const sendInOrder =
  (post: WebhookPost["Service"]): Send =>
  (messages, report) =>
    Effect.gen(function* () {
      const until = (yield* Clock.currentTimeMillis) + batchMillis
      for (const { body, headers, url } of messages) {
        const answer = yield* Effect.result(post.send({ url, headers, body: Buffer.from(body) }))
        const outcome = outcomeOf(answer, yield* Clock.currentTimeMillis)
        report(outcome)
        if (outcome.error !== null || outcome.at >= until) return
      }
    })

const outcomeOf = (answer: Result.Result<number, PostFailed>, at: number): Outcome => {
  if (answer._tag === "Failure") {
    const { laterMillis, message } = answer.failure
    return laterMillis === undefined
      ? { at, status: null, error: message }
      : { at, status: tooMany, error: message, laterMillis }
  }
  const status = answer.success
  return { at, status, error: isDelivered(status) ? null : `answered ${status}, not 2xx` }
}

export const isDelivered = (status: number | null): boolean => status !== null && status >= 200 && status <= 299
