/**
 * Outgoing webhooks: stores deliveries, makes them, and retries them.
 *
 * Specification, Authentication 5, Events: a delivery with a 2xx within ten seconds has succeeded; any other is retried
 * after 1, 5 and 15 minutes and then given up. The deliveries of a job are made one at a time and in order, but a delivery
 * that waits for a retry does not block the others; the same event has the same `webhookId` and the same bytes each
 * time. A job never waits for its receiver, and a dead receiver does not slow down the others (`Receivers`). Deliveries are
 * read, sent and recorded in batches. They are read only when it is their turn at the receiver, so waiting deliveries take
 * no memory. While they are recorded, another job has the turn.
 */

import { createHmac } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import type { Identity } from "#base/CrawlerName"
import { madeBefore } from "#contract/uuid7"
import { signatureHeaders, type Webhook } from "#contract/Webhook"
import type { StoreError } from "#web/StoreError"
import * as Together from "#web/Together"
import { crawlerOf } from "../crawlerOf.ts"
import type { ServiceConfig } from "../ServiceConfig.ts"
import * as Outbox from "../store/Outbox.ts"
import { ProcessLease } from "../store/ProcessLease.ts"
import { Seals } from "../store/Seals.ts"
import * as StorePort from "../store/StorePort.ts"
import { type Attempt, type Delivery, type DeliveryAttempt, type Waiting, WebhookStore } from "../store/WebhookStore.ts"
import { Receivers } from "./Receivers.ts"
import { isDelivered, type Message, type Outcome } from "./sendInOrder.ts"
import { WebhookSender } from "./WebhookSender.ts"

export class Webhooks extends Context.Service<
  Webhooks,
  {
    /** Stores the webhook of a job, and the event that it has started, in the transaction of the caller. */
    readonly subscribe: (job: Outbox.Subscriber, webhook: Webhook) => Effect.Effect<void, StoreError>
    /** Delivers new events of a job. Call it after they are committed. Returns at once. */
    readonly wake: (jobId: string) => Effect.Effect<void>
    /** Deletes the webhooks of jobs that ended before this time. */
    readonly expire: (before: number) => Effect.Effect<void, StoreError>
  }
>()("millrace/service/Webhooks") {
  static readonly layer = (config: Secrets) => Layer.effect(Webhooks, make(config))
}

type Secrets = Pick<ServiceConfig, "crawler" | "keyRing" | "keys" | "webhookSecret">

/** The wait after each failed attempt. */
const retryMinutes = [1, 5, 15]

const make = Effect.fnUntraced(function* (config: Secrets) {
  const sql = yield* SqlClient.SqlClient
  const seals = yield* Seals
  const store = yield* WebhookStore
  const deliver = yield* deliverer(config)
  const scope = yield* Effect.scope
  const lease = yield* ProcessLease
  /** The jobs that have a webhook, so that `wake` is cheap for all others. */
  const subscribed = new Set(yield* store.jobs)
  /** The jobs whose deliveries are being made. Opening the latch means that there may be more. */
  const lanes = new Map<string, Latch.Latch>()
  // Webhooks are released after all lanes have stopped: finalizers run in reverse order.
  yield* Effect.addFinalizer(() => Effect.ignore(store.release([...lanes.keys()])))

  /** Makes the deliveries of a job as they fall due, until none is left. */
  const lane = Effect.fnUntraced(function* (jobId: string, more: Latch.Latch) {
    for (;;) {
      more.closeUnsafe()
      const waiting = yield* store.claim(jobId)
      if (waiting === undefined) {
        yield* store.release([jobId])
        if (more.isOpen()) continue
        // In the same step as the check of the latch: the next call of `wake` starts another lane.
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
      const before = lanes.get(jobId)
      if (before !== undefined) return Effect.asVoid(before.open)
      const more = Latch.makeUnsafe(false)
      lanes.set(jobId, more)
      // If the store fails, the deliveries stay in it: the lane tries again in a minute.
      const running = Effect.forkIn(Effect.retry(lane(jobId, more), Schedule.spaced("1 minute")), scope)
      return Effect.asVoid(Effect.updateContext(running, withoutRequest))
    })

  const subscribe = Effect.fnUntraced(function* (job: Outbox.Subscriber, webhook: Webhook) {
    yield* Outbox.subscribe(sql, seals, job, webhook)
    yield* Outbox.enqueue(sql, job.id, { name: "started", success: true, error: null })
    subscribed.add(job.id)
  }, StorePort.orStoreError)

  /** Forgets jobs that any process has removed. Skips new jobs: their rows may not be committed yet. */
  const forget = Effect.fnUntraced(function* (before: number) {
    const stored = new Set(yield* store.jobs)
    for (const jobId of [...subscribed].filter(madeBefore(before))) if (!stored.has(jobId)) subscribed.delete(jobId)
  })

  const takeUp = Effect.gen(function* () {
    for (const jobId of yield* store.take) {
      subscribed.add(jobId)
      yield* wake(jobId)
    }
  })
  /** Releases webhooks without a lane, and checks for deliveries that another process has added. */
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

/** A lane may wait for hours, and keeps no request with its body and its socket. */
const withoutRequest: (context: Context.Context<never>) => Context.Context<never> = Context.omit(HttpServerRequest)

/** Makes the deliveries of a job that are due, in batches. */
const deliverer = Effect.fnUntraced(function* (config: Secrets) {
  const sql = yield* SqlClient.SqlClient
  const store = yield* WebhookStore
  const sender = yield* WebhookSender
  const receivers = yield* Receivers

  /** Records attempts: those that end during a transaction are recorded together in the next. */
  const record = Together.grouped((some: ReadonlyArray<ReadonlyArray<DeliveryAttempt>>, close) =>
    StorePort.orStoreError(
      sql.withTransaction(
        Effect.suspend(() => {
          close()
          return store.attempted(some.flat())
        })
      )
    )
  )

  /** Reads due deliveries of a job and sends them. Adds each attempt to `made`, even if it is interrupted. */
  const send = Effect.fnUntraced(function* (jobId: string, made: Array<DeliveryAttempt>) {
    const deliveries = yield* store.next(jobId, yield* Clock.currentTimeMillis, maxBatch)
    const [first] = deliveries
    if (first === undefined) return { answered: null }
    const secret = secretOf(config, first.teamId)
    const crawler = crawlerOf(config, first.teamId)
    let later: number | undefined
    const report = (outcome: Outcome) => {
      later = outcome.laterMillis
      const delivery = deliveries[made.length]
      if (delivery !== undefined) made.push({ delivery, attempt: attemptOf(delivery, outcome) })
    }
    yield* sender.send(
      deliveries.map((delivery) => messageOf(delivery, crawler, secret)),
      report
    )
    return { answered: later ?? isThere(made.at(-1)?.attempt.status ?? null) }
  })

  /** Makes due deliveries of a job. Records each attempt, even if the service stops meanwhile. */
  return (jobId: string, waiting: Waiting) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const made: Array<DeliveryAttempt> = []
        const exit = yield* Effect.exit(restore(receivers.inTurn(waiting, send(jobId, made))))
        if (made.length > 0) yield* record(made)
        yield* exit
      })
    )
})

/** The maximum number of deliveries in a batch. */
const maxBatch = 32

/**
 * Whether there is somebody who takes events: one that refuses an event has answered too. One that fails each time, or says
 * that it is gone, is left alone like one that does not answer.
 */
const isThere = (status: number | null): boolean => status !== null && status < 500 && status !== 410

const attemptOf = (delivery: Delivery, { at, error, laterMillis = 0, status }: Outcome): Attempt => {
  if (isDelivered(status)) return { state: "delivered", at, status, error: null, dueAt: delivery.dueAt }
  const minutes = retryMinutes[delivery.attempts]
  return minutes === undefined
    ? { state: "given up", at, status, error, dueAt: delivery.dueAt }
    : { state: "pending", at, status, error, dueAt: at + Math.max(minutes * 60_000, laterMillis) }
}

const messageOf = (delivery: Delivery, crawler: Identity, secret: Redacted.Redacted | undefined): Message => {
  const body = bodyOf(delivery)
  return { url: delivery.url, headers: { ...crawler.headers, ...headersOf(delivery, body, secret) }, body }
}

/** The payload. `data` and `metadata` are JSON texts, and are inserted as they are. */
const bodyOf = ({ success, type, jobId, id, data, error, metadata }: Delivery): string =>
  `{"success":${success},"type":${JSON.stringify(type)},"id":${JSON.stringify(jobId)},` +
  `"webhookId":${JSON.stringify(id)},"data":${data},"error":${JSON.stringify(error)},"metadata":${metadata}}`

/** Headers that the caller cannot set: the signatures, and those of the transport. */
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
  return Object.fromEntries([...own, ["content-type", "application/json"], ...signature])
}

const sign = (body: string, secret: Redacted.Redacted): string =>
  `sha256=${createHmac("sha256", Redacted.value(secret)).update(body).digest("hex")}`

/** The team's own secret, or the service's. */
const secretOf = ({ keyRing, keys, webhookSecret }: Secrets, teamId: string): Redacted.Redacted | undefined =>
  (keyRing?.current().keys ?? keys).find((key) => key.teamId === teamId && key.webhookSecret !== undefined)
    ?.webhookSecret ?? webhookSecret
