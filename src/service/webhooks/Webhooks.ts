/**
 * Webhooks out: the deliveries that are written down, made, and made again where they fail.
 *
 * Specification, Authentication 5, Events: every 2xx within ten seconds is delivered; anything else is tried again after
 * 1, 5 and 15 minutes and then given up. The deliveries of a job are made one at a time and in order, but a delivery
 * that waits for a retry does not block the others; the same event has the same `webhookId` and the same bytes each
 * time. A job never waits for its receiver, and a dead receiver does not slow down the others (`Receivers`).
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
import { signatureHeaders, type Webhook } from "../../api/Webhook.ts"
import { userAgent } from "../../crawler/fetch/Fetch.ts"
import type { StoreError } from "../../crawler/StoreError.ts"
import type { ServiceConfig } from "../ServiceConfig.ts"
import { JobLease, leaseMillis, renewMillis } from "../store/JobLease.ts"
import * as Outbox from "../store/Outbox.ts"
import { Seals } from "../store/Seals.ts"
import * as StorePort from "../store/StorePort.ts"
import { type Attempt, type Delivery, WebhookStore } from "../store/WebhookStore.ts"
import * as Receivers from "./Receivers.ts"
import { WebhookPost } from "./WebhookPost.ts"

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
  const post = yield* WebhookPost
  const scope = yield* Effect.scope
  const receivers = Receivers.make()
  const { isShared } = yield* JobLease
  /** Jobs that have a webhook: the pages of others cost nothing here. */
  const subscribed = new Set(yield* store.jobs)
  /** Jobs whose deliveries are under way; opening the latch says that there may be more. */
  const lanes = new Map<string, Latch.Latch>()
  // What is still to be made is let go once no lane makes it: what is added first runs last.
  yield* Effect.addFinalizer(() => Effect.ignore(store.release([...lanes.keys()])))

  const attempt = Effect.fnUntraced(function* (delivery: Delivery) {
    const body = bodyOf(delivery)
    const headers = headersOf(delivery, body, secretOf(config, delivery.teamId))
    const answer = yield* Effect.result(post.send({ url: delivery.url, headers, body }))
    const at = yield* Clock.currentTimeMillis
    if (answer._tag === "Failure") {
      return { arrived: false, result: failedAttempt(delivery, at, null, answer.failure.message) }
    }
    const status = answer.success
    if (status < 200 || status > 299) {
      // A receiver that refuses an event is there: what it answers soon keeps nobody waiting.
      return { arrived: true, result: failedAttempt(delivery, at, status, `answered ${status}, not 2xx`) }
    }
    const delivered: Attempt = { state: "delivered", at, status, error: null, dueAt: delivery.dueAt }
    return { arrived: true, result: delivered }
  })

  /** Makes the deliveries of a job as they fall due, until none is left. */
  const lane = Effect.fnUntraced(function* (jobId: string, more: Latch.Latch) {
    for (;;) {
      more.closeUnsafe()
      const isMine = yield* store.claim(jobId)
      const delivery = isMine ? yield* store.next(jobId) : undefined
      if (delivery === undefined) {
        yield* store.release([jobId])
        if (more.isOpen()) continue
        // In the same step as the look at the latch: who wakes the job from now on starts another lane.
        lanes.delete(jobId)
        return
      }
      const wait = delivery.dueAt - (yield* Clock.currentTimeMillis)
      if (wait > 0) {
        yield* Effect.raceFirst(Effect.sleep(Duration.millis(wait)), more.await)
        continue
      }
      // An attempt that was made is written down, also where the service stops meanwhile.
      yield* Effect.uninterruptibleMask((restore) =>
        restore(receivers.inTurn(delivery, attempt(delivery))).pipe(
          Effect.flatMap(({ result }) => store.attempted(delivery, result))
        )
      )
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

  const takeUp = Effect.gen(function* () {
    for (const jobId of yield* store.take) {
      subscribed.add(jobId)
      yield* wake(jobId)
    }
  })
  /** Holds on to what is under way, looks again at what another process may have added, takes up what a dead one left. */
  const tend = Effect.gen(function* () {
    yield* store.renew([...lanes.keys()])
    for (const more of lanes.values()) yield* more.open
    yield* takeUp
  })

  yield* takeUp
  if (isShared) {
    const tended = Effect.ignore(Effect.timeoutOption(tend, leaseMillis))
    yield* Effect.forkScoped(Effect.repeat(tended, Schedule.spaced(renewMillis)))
  }

  return Webhooks.of({
    subscribe,
    wake,
    expire: (before) =>
      Effect.map(store.expire(before), (gone) => {
        for (const jobId of gone) subscribed.delete(jobId)
      })
  })
})

const failedAttempt = (delivery: Delivery, at: number, status: number | null, error: string): Attempt => {
  const minutes = retryMinutes[delivery.attempts]
  return minutes === undefined
    ? { state: "given up", at, status, error, dueAt: delivery.dueAt }
    : { state: "pending", at, status, error, dueAt: at + minutes * 60_000 }
}

/** The payload's bytes. `data` and `metadata` are JSON already: they are put in as they are. */
const bodyOf = ({ success, type, jobId, id, data, error, metadata }: Delivery): Uint8Array =>
  Buffer.from(
    `{"success":${success},"type":${JSON.stringify(type)},"id":${JSON.stringify(jobId)},` +
      `"webhookId":${JSON.stringify(id)},"data":${data},"error":${JSON.stringify(error)},"metadata":${metadata}}`
  )

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

const headersOf = (delivery: Delivery, body: Uint8Array, secret: Redacted.Redacted | undefined) => {
  const own = Object.entries(delivery.headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !reserved.has(name))
  const signature = secret === undefined ? [] : signatureHeaders.map((name) => [name, sign(body, secret)] as const)
  return Object.fromEntries([["user-agent", userAgent], ...own, ["content-type", "application/json"], ...signature])
}

const sign = (body: Uint8Array, secret: Redacted.Redacted): string =>
  `sha256=${createHmac("sha256", Redacted.value(secret)).update(body).digest("hex")}`

/** The team's own secret, or the service's. */
const secretOf = ({ keys, webhookSecret }: Secrets, teamId: string): Redacted.Redacted | undefined =>
  keys.find((key) => key.teamId === teamId && key.webhookSecret !== undefined)?.webhookSecret ?? webhookSecret
