/**
 * The messages of one job, sent one after the other, in order, each in its receiver's turn.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Receivers from "./Receivers.ts"
import type { WebhookPost } from "./WebhookPost.ts"

export interface Message {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The bytes, as text. */
  readonly body: string
}

export interface Outcome {
  readonly at: number
  /** What the receiver answered; null: it did not answer. */
  readonly status: number | null
  readonly error: string | null
}

/** Sends what it can: at least one, and none after one that is not delivered, or once a second is over. */
export type Send = (
  teamId: string,
  messages: ReadonlyArray<Message>,
  told: (outcome: Outcome) => void
) => Effect.Effect<void>

/** How long a batch goes on: what was sent is written down after that. */
const batchMillis = 1000

export const sendInOrder =
  (post: WebhookPost["Service"], receivers: Receivers.Receivers): Send =>
  (teamId, messages, told) =>
    Effect.gen(function* () {
      const until = (yield* Clock.currentTimeMillis) + batchMillis
      for (const { body, headers, url } of messages) {
        const attempt = Effect.gen(function* () {
          const answer = yield* Effect.result(post.send({ url, headers, body: Buffer.from(body) }))
          const at = yield* Clock.currentTimeMillis
          if (answer._tag === "Failure") return { arrived: false, at, status: null, error: answer.failure.message }
          const status = answer.success
          // A receiver that refuses an event is there: what it answers soon keeps nobody waiting.
          return { arrived: true, at, status, error: isDelivered(status) ? null : `answered ${status}, not 2xx` }
        })
        const { at, error, status } = yield* receivers.inTurn({ teamId, url }, attempt)
        told({ at, status, error })
        if (error !== null || at >= until) return
      }
    })

export const isDelivered = (status: number | null): boolean => status !== null && status >= 200 && status <= 299
