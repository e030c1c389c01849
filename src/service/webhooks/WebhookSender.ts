/**
 * Sends the messages of one job one after the other, in order.
 *
 * A message needs several turns of the event loop, which are long under load: so if many batches are sent, a separate thread
 * sends them (`webhookWorker.ts`), and a whole batch needs only one question to it. Even if it is interrupted, the sender
 * reports the messages that were sent.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as SharedThreads from "#base/SharedThreads"
import type * as AddressGuard from "#web/AddressGuard"
import { type Outcome, type Send, sendInOrder } from "./sendInOrder.ts"
import { WebhookPost } from "./WebhookPost.ts"
import type { Guard, Question } from "./webhookWorker.ts"

export class WebhookSender extends Context.Service<WebhookSender, { readonly send: Send }>()(
  "millrace/service/WebhookSender"
) {
  /** Sends in this thread. */
  static readonly layerHere = Layer.effect(
    WebhookSender,
    Effect.map(WebhookPost, (post) => ({ send: sendInOrder(post) }))
  )
  static readonly layer = (guard: AddressGuard.Options) =>
    Layer.effect(WebhookSender, make(guard)).pipe(Layer.provide(WebhookPost.layer(guard)))
}

const make = Effect.fnUntraced(function* (guard: AddressGuard.Options) {
  const here = sendInOrder(yield* WebhookPost)
  const { allowPrivate, connectTimeoutMillis, lookup, proxies, resolve } = guard
  // Functions cannot be passed to a thread.
  if (lookup !== undefined || proxies !== undefined) return WebhookSender.of({ send: here })
  const data: Guard = { allowPrivate, resolve, ...(connectTimeoutMillis === undefined ? {} : { connectTimeoutMillis }) }
  const threads = yield* SharedThreads.open<Question, ReadonlyArray<Outcome>>({
    file: "./webhookWorker",
    beside: import.meta.url,
    threads: 1,
    idleMillis: 10_000,
    stuckMillis: 60_000,
    heapMegabytes: 256,
    data
  })
  let batches = 0

  const there: Send = (messages, report) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const id = ++batches
        const question = yield* Effect.forkDetach(Effect.result(threads.ask({ id, messages })))
        const answered = Effect.map(Fiber.join(question), (result) => {
          const outcomes = result._tag === "Success" ? result.success : []
          for (const outcome of outcomes) report(outcome)
          return outcomes.length > 0
        })
        const stopped = Effect.andThen(Effect.ignore(threads.ask({ stop: id })), answered)
        // If the thread ended, it is not known what it sent: the messages are sent again.
        if (!(yield* restore(answered).pipe(Effect.onInterrupt(() => stopped)))) yield* restore(here(messages, report))
      })
    )
  const isMany = rate()
  const send: Send = (messages, report) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => (isMany(now) ? there : here)(messages, report))
  return WebhookSender.of({ send })
})

/** Makes a function to call for each batch: it returns whether many were sent in these ten seconds, or in the ten before. */
export const rate = () => {
  let [since, count, wereMany] = [0, 0, false]
  return (now: number): boolean => {
    if (now - since >= windowMillis) {
      wereMany = now - since < 2 * windowMillis && count > fewBatches
      since = now
      count = 0
    }
    return ++count > fewBatches || wereMany
  }
}

/** Up to so many batches in ten seconds are sent without a thread, because a thread costs memory and time to start. */
const fewBatches = 50
const windowMillis = 10_000
