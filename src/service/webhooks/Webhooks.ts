/**
 * Webhooks out: the deliveries that are written down, made, and made again where they fail.
 *
 * Specification, Authentication 5, Events: every 2xx within ten seconds is delivered; anything else is tried again after
 * 1, 5 and 15 minutes and then given up. The deliveries of a job are made one at a time and in order, but a delivery
 * that waits for a retry does not block the others; the same event has the same `webhookId` and the same bytes each
 * time. A job never waits for its receiver, and a dead receiver does not slow down the others (`Receivers`). They are read,
 * sent and written down in batches. They are read in the receiver's turn: what waits for it is in the store, and not in
 * memory. While they are written down, the turn is another job's.
 */

import { createHmac } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import { madeBefore } from "../../api/uuid7.ts"
import { signatureHeaders, type Webhook } from "../../api/Webhook.ts"
import * as Together from "../../crawler/crawl/Together.ts"
import { userAgent } from "../../crawler/fetch/Fetch.ts"
import type { StoreError } from "../../crawler/StoreError.ts"
import type { ServiceConfig } from "../ServiceConfig.ts"
import * as Outbox from "../store/Outbox.ts"
import { ProcessLease } from "../store/ProcessLease.ts"
import { Seals } from "../store/Seals.ts"
import * as StorePort from "../store/StorePort.ts"
import { type Attempt, type Delivery, type Made, type Waiting, WebhookStore } from "../store/WebhookStore.ts"
import { Receivers } from "./Receivers.ts"
import { isDelivered, type Message, type Outcome } from "./sendInOrder.ts"
import { WebhookSender } from "./WebhookSender.ts"

export class Webhooks extends Context.Service<
  Webhooks,
  {
    /** Writes down a job's webhook and that the job has started, in the transaction of the caller. */
    readonly subscribe: (job: Outbox.Subscriber, webhook: Webhook) => Effect.Effect<void, StoreError>
    /** Sees to what a job has told since; asked after that is committed. Returns at once. */
    readonly wake: (jobId: string) => Effect.Effect<void>
    /** Forgets the webhooks of jobs that ended before this time. */
    readonly expire: (before: number) => Effect.Effect<void, StoreError>
  }
>()("millrace/service/Webhooks") {
  static readonly layer = (config: Secrets) => Layer.effect(Webhooks, make(config))
}

type Secrets = Pick<ServiceConfig, "keys" | "webhookSecret">

/** How long after each attempt that failed the next one is. */
const retryMinutes = [1, 5, 15]

const make = Effect.fnUntraced(function* (config: Secrets) {
  const sql = yield* SqlClient.SqlClient
  const seals = yield* Seals
  const store = yield* WebhookStore
  const sender = yield* WebhookSender
  const receivers = yield* Receivers
  const scope = yield* Effect.scope
  const lease = yield* ProcessLease
  /** Jobs that have a webhook: the pages of others cost nothing here. */
  const subscribed = new Set(yield* store.jobs)
  /** Jobs whose deliveries are under way; opening the latch says that there may be more. */
  const lanes = new Map<string, Latch.Latch>()
  // What is still to be made is let go once no lane makes it: what is added first runs last.
  yield* Effect.addFinalizer(() => Effect.ignore(store.release([...lanes.keys()])))

  /** What was sent while another transaction is under way is written down together. */
  const record = Together.make((some: ReadonlyArray<ReadonlyArray<Made>>, close) =>
    StorePort.orStoreError(
      sql.withTransaction(
        Effect.suspend(() => {
          close()
          return store.attempted(some.flat())
        })
      )
    )
  )

  /** Reads deliveries of a job that are due and sends them; `made`: what was sent, also where it is interrupted. */
  const send = Effect.fnUntraced(function* (jobId: string, made: Array<Made>) {
    const deliveries = yield* store.next(jobId, yield* Clock.currentTimeMillis, maxBatch)
    const [first] = deliveries
    if (first === undefined) return { answered: null }
    const secret = secretOf(config, first.teamId)
    const told = (outcome: Outcome) => {
      const delivery = deliveries[made.length]
      if (delivery !== undefined) made.push({ delivery, attempt: attemptOf(delivery, outcome) })
    }
    yield* sender.send(
      deliveries.map((delivery) => messageOf(delivery, secret)),
      told
    )
    // A receiver that refuses an event is there: what it answers soon keeps nobody waiting.
    return { answered: made.at(-1)?.attempt.status !== null }
  })

  /** Makes deliveries of a job that are due. An attempt that was made is written down, also where the service stops meanwhile. */
  const deliver = (jobId: string, waiting: Waiting) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const made: Array<Made> = []
        const exit = yield* Effect.exit(restore(receivers.inTurn(waiting, send(jobId, made))))
        if (made.length > 0) yield* record(made)
        yield* exit
      })
    )

  /** Makes the deliveries of a job as they fall due, until none is left. */
  const lane = Effect.fnUntraced(function* (jobId: string, more: Latch.Latch) {
    for (;;) {
      more.closeUnsafe()
      const waiting = yield* store.claim(jobId)
      if (waiting === undefined) {
        yield* store.release([jobId])
        if (more.isOpen()) continue
        // In the same step as the look at the latch: who wakes the job from now on starts another lane.
        lanes.delete(jobId)
        return
      }
      const now = yield* Clock.currentTimeMillis
      if (waiting.dueAt > now) {
        yield* Effect.raceFirst(Effect.sleep(Duration.millis(waiting.dueAt - now)), more.await)
        continue
      }
      yield* deliver(jobId, waiting)
    }
  })

  const wake = (jobId: string) =>
    Effect.suspend(() => {
      if (!subscribed.has(jobId)) return Effect.void
      const running = lanes.get(jobId)
      if (running !== undefined) return Effect.asVoid(running.open)
      const more = Latch.makeUnsafe(false)
      lanes.set(jobId, more)
      // A store that fails keeps the deliveries: they are looked at again in a minute.
      return Effect.asVoid(Effect.forkIn(Effect.retry(lane(jobId, more), Schedule.spaced("1 minute")), scope))
    })

  const subscribe = Effect.fnUntraced(function* (job: Outbox.Subscriber, webhook: Webhook) {
    yield* Outbox.subscribe(sql, seals, job, webhook)
    yield* Outbox.enqueue(sql, job.id, { name: "started", success: true, error: null })
    subscribed.add(job.id)
  }, StorePort.orStoreError)

  /** Whichever process has removed them. A job that began just now may not be seen yet. */
  const forget = Effect.fnUntraced(function* (before: number) {
    const kept = new Set(yield* store.jobs)
    for (const jobId of [...subscribed].filter(madeBefore(before))) if (!kept.has(jobId)) subscribed.delete(jobId)
  })

  const takeUp = Effect.gen(function* () {
    for (const jobId of yield* store.take) {
      subscribed.add(jobId)
      yield* wake(jobId)
    }
  })
  /** Lets go what no lane is for, and looks again at what another process may have added. */
  const look = Effect.gen(function* () {
    yield* store.keep([...lanes.keys()])
    for (const more of lanes.values()) yield* more.open
  })

  yield* takeUp
  yield* lease.afterEachSign(look, takeUp)

  return Webhooks.of({
    subscribe,
    wake,
    expire: (before) => Effect.andThen(store.expire(before), forget(before))
  })
})

/** Deliveries of one job that are read at once. */
const maxBatch = 32

const attemptOf = (delivery: Delivery, { at, error, status }: Outcome): Attempt => {
  if (isDelivered(status)) return { state: "delivered", at, status, error: null, dueAt: delivery.dueAt }
  const minutes = retryMinutes[delivery.attempts]
  return minutes === undefined
    ? { state: "given up", at, status, error, dueAt: delivery.dueAt }
    : { state: "pending", at, status, error, dueAt: at + minutes * 60_000 }
}

const messageOf = (delivery: Delivery, secret: Redacted.Redacted | undefined): Message => {
  const body = bodyOf(delivery)
  return { url: delivery.url, headers: headersOf(delivery, body, secret), body }
}

/** The payload. `data` and `metadata` are JSON already: they are put in as they are. */
const bodyOf = ({ success, type, jobId, id, data, error, metadata }: Delivery): string =>
  `{"success":${success},"type":${JSON.stringify(type)},"id":${JSON.stringify(jobId)},` +
  `"webhookId":${JSON.stringify(id)},"data":${data},"error":${JSON.stringify(error)},"metadata":${metadata}}`

/** What the caller's own headers may not say: what is signed, and how the body gets there. */
const reserved = new Set<string>([
  ...signatureHeaders,
  "content-type",
  "content-length",
  "content-encoding",
  "host",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "expect",
  "te",
  "trailer"
])

const headersOf = (delivery: Delivery, body: string, secret: Redacted.Redacted | undefined) => {
  const own = Object.entries(delivery.headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !reserved.has(name))
  const signature = secret === undefined ? [] : signatureHeaders.map((name) => [name, sign(body, secret)] as const)
  return Object.fromEntries([["user-agent", userAgent], ...own, ["content-type", "application/json"], ...signature])
}

const sign = (body: string, secret: Redacted.Redacted): string =>
  `sha256=${createHmac("sha256", Redacted.value(secret)).update(body).digest("hex")}`

/** The team's own secret, or the service's. */
const secretOf = ({ keys, webhookSecret }: Secrets, teamId: string): Redacted.Redacted | undefined =>
  keys.find((key) => key.teamId === teamId && key.webhookSecret !== undefined)?.webhookSecret ?? webhookSecret
