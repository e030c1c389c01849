/**
 * A thread that sends webhooks: each question is a batch of one job, and its answer is the outcomes of the messages.
 */
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { answering, startData } from "#base/answering"
import type * as AddressGuard from "#web/AddressGuard"
import { type Message, type Outcome, sendInOrder } from "./sendInOrder.ts"
import { connect } from "./WebhookPost.ts"

export type Question = Batch | { readonly stop: number }

interface Batch {
  readonly id: number
  readonly messages: ReadonlyArray<Message>
}

export type Guard = Pick<AddressGuard.Options, "allowPrivate" | "resolve" | "connectTimeoutMillis">

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `WebhookSender` starts the thread, and says this
const guard = startData() as Guard

// The thread ends as a whole: nothing closes this scope.
const post = Effect.runSync(Scope.provide(connect(guard), Scope.makeUnsafe()))
const send = sendInOrder(post)
const running = new Map<number, Fiber.Fiber<void>>()

answering<Question, ReadonlyArray<Outcome>>((question, { answer }) => {
  if ("stop" in question) {
    running.get(question.stop)?.interruptUnsafe()
    answer([])
    return () => {}
  }
  const outcomes: Array<Outcome> = []
  const fiber = Effect.runFork(send(question.messages, (outcome) => void outcomes.push(outcome)))
  running.set(question.id, fiber)
  fiber.addObserver(() => {
    running.delete(question.id)
    answer(outcomes)
  })
  return () => fiber.interruptUnsafe()
})
