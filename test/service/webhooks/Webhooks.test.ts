import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { verifyWebhook } from "#contract/readWebhook"
import { WebData } from "#contract/WebData"
import * as ServiceConfig from "#service/ServiceConfig"
import { WebhookStore } from "#service/store/WebhookStore"
import { Receivers } from "#service/webhooks/Receivers"
import { PostFailed, WebhookPost } from "#service/webhooks/WebhookPost"
import { WebhookSender } from "#service/webhooks/WebhookSender"
import { Webhooks } from "#service/webhooks/Webhooks"
import { CrawlStore } from "#web/CrawlStore"
import { JobStore } from "#web/JobStore"
import { StoreError } from "#web/StoreError"
import { embedded, origin, readToEnd } from "../crawlSite.ts"
import { receiver } from "../receiver.ts"
import { gate, page, scriptedSite } from "../scriptedSite.ts"
import { stores } from "../serviceParts.ts"

const minute = 60_000

type Message = Parameters<WebhookPost["Service"]["send"]>[0]

interface Sent extends Message {
  readonly at: number
  readonly payload: any
}

/** A receiver without a network: what it was sent, and when; it answers as `say` says. */
const scripted = (say: (sent: Sent, index: number) => Effect.Effect<number, PostFailed>) => {
  const all: Array<Sent> = []
  const send = Effect.fnUntraced(function* (message: Message) {
    const sent = { ...message, at: yield* Clock.currentTimeMillis, payload: JSON.parse(message.body.toString()) }
    all.push(sent)
    return yield* say(sent, all.length - 1)
  })
  return { all, layer: Layer.succeed(WebhookPost, { send }) }
}

/** The deliveries alone, over a store in a file or in memory. */
const webhooks = (
  post: Layer.Layer<WebhookPost>,
  { database = ":memory:", ...config }: Partial<ServiceConfig.ServiceConfig> = {},
  store = WebhookStore.layer
) =>
  Layer.fresh(
    Webhooks.layer({ ...ServiceConfig.defaults, ...config }).pipe(
      Layer.provide([Receivers.layer, WebhookSender.layerHere.pipe(Layer.provide(post))]),
      Layer.provideMerge(store.pipe(Layer.provideMerge(stores(database))))
    )
  )

/** A crawl that has a webhook and has ended: it has a start, as many pages, and an end to tell. */
const crawled = Effect.fnUntraced(function* (id: string, pages = 0, teamId = "team") {
  const store = yield* CrawlStore
  const jobs = yield* JobStore
  const { subscribe, wake } = yield* Webhooks
  const createdAt = yield* Clock.currentTimeMillis
  const job = { id, teamId, kind: "crawl" as const, url: origin, request: "{}", createdAt }
  yield* jobs.create({ ...job, status: "scraping", completedAt: null, error: null, warning: null })
  yield* subscribe({ ...job, group: "crawl" }, { url: "https://hook.test/", metadata: { of: id } })
  for (let seq = 0; seq < pages; seq++) {
    const url = { seq, key: `${seq}`, url: `${origin}/${seq}`, depth: 0, kind: "link" as const }
    yield* store.discover(id, [{ ...url, state: "queued" }])
    const page = { seq, document: `{"markdown":"page ${seq}"}`, credits: 1 }
    yield* store.settle(id, [{ seq, state: "scraped", landedKey: url.key, page, failures: [], discovered: [] }])
  }
  yield* jobs.finish(id, { status: "completed" }, "owner")
  yield* wake(id)
})

/** The log of a job, once each of its deliveries is as it is waited for. */
const logOnce = Effect.fnUntraced(function* (id: string, isDone: (state: string, attempts: number) => boolean) {
  const store = yield* WebhookStore
  for (;;) {
    const log = yield* store.log(id)
    if (log.every(({ state, attempts }) => isDone(state, attempts))) return log
    yield* Effect.yieldNow
  }
})
const tried = (_state: string, attempts: number) => attempts > 0

const temporaryDatabase = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-webhooks-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
).pipe(Effect.map((folder) => join(folder, "service.sqlite")))

const answer = (status: number) => Effect.succeed(status)

describe("a delivery", () => {
  it.effect("that fails is tried again after 1, 5 and 15 minutes, with the same bytes, and then given up", () => {
    const { all, layer } = scripted((_sent, index) =>
      index === 1
        ? Effect.fail(new PostFailed("the host refuses the connection"))
        : answer([500, 0, 302, 404][index] ?? 0)
    )
    return Effect.gen(function* () {
      const { subscribe, wake } = yield* Webhooks
      const job = { id: "a", teamId: "team", group: "crawl" as const }
      yield* subscribe(job, { url: "https://hook.test/", events: ["started"] })
      yield* wake("a")
      const logs = [yield* logOnce("a", tried)]
      for (const [minutes, before] of [
        [1, 1],
        [5, 2],
        [15, 3]
      ] as const) {
        yield* TestClock.adjust(minutes * minute - 1)
        expect(all).toHaveLength(before)
        yield* TestClock.adjust(1)
        logs.push(yield* logOnce("a", (_state, attempts) => attempts > before))
      }
      yield* TestClock.adjust("10 hours")

      expect(all.map(({ at }) => at)).toEqual([0, 1 * minute, 6 * minute, 21 * minute])
      expect(new Set(all.map(({ body }) => body.toString())).size).toBe(1)
      expect(
        logs
          .flat()
          .map(({ state, attempts, status, error, attemptedAt, dueAt }) => [
            state,
            attempts,
            status,
            error,
            attemptedAt,
            dueAt
          ])
      ).toEqual([
        ["pending", 1, 500, "answered 500, not 2xx", 0, minute],
        ["pending", 2, null, "the host refuses the connection", minute, 6 * minute],
        ["pending", 3, 302, "answered 302, not 2xx", 6 * minute, 21 * minute],
        ["given up", 4, 404, "answered 404, not 2xx", 21 * minute, 21 * minute]
      ])
    }).pipe(Effect.provide(webhooks(layer)))
  })

  it.effect.each([200, 201, 204, 299])("that is answered %d is made, and not made again", (status) => {
    const { all, layer } = scripted(() => answer(status))
    return Effect.gen(function* () {
      yield* crawled("a")
      const log = yield* logOnce("a", tried)
      yield* TestClock.adjust("1 hour")

      expect(log).toMatchObject([
        { type: "crawl.started", state: "delivered", attempts: 1, status, error: null },
        { type: "crawl.completed", state: "delivered", attempts: 1, status, error: null }
      ])
      expect(all).toHaveLength(2)
    }).pipe(Effect.provide(webhooks(layer)))
  })

  it.effect("that waits to be tried again holds up none of those behind it, which stay in order", () => {
    const { all, layer } = scripted(({ payload, at }) =>
      answer(at < 6 * minute && payload.data[0]?.markdown === "page 1" ? 503 : 200)
    )
    return Effect.gen(function* () {
      yield* crawled("a", 4)
      yield* logOnce("a", tried)
      yield* TestClock.adjust("1 hour")

      const sent = all.map(({ payload, at }) => [payload.data[0]?.markdown ?? payload.type, at / minute])
      expect(sent).toEqual([
        ["crawl.started", 0],
        ["page 0", 0],
        ["page 1", 0],
        ["page 2", 0],
        ["page 3", 0],
        ["crawl.completed", 0],
        ["page 1", 1],
        ["page 1", 6]
      ])
    }).pipe(Effect.provide(webhooks(layer)))
  })

  it.effect("that was to be tried again is, at its time, also by a service that was started again in between", () =>
    Effect.gen(function* () {
      const database = yield* temporaryDatabase
      const { all, layer } = scripted((_sent, index) => answer(index < 4 ? 500 : 200))
      const service = webhooks(layer, { database })

      yield* Effect.andThen(crawled("a"), logOnce("a", tried)).pipe(Effect.provide(service))
      yield* TestClock.adjust("30 seconds")
      const second = Effect.gen(function* () {
        yield* TestClock.adjust("29999 millis")
        expect(all).toHaveLength(2)
        yield* TestClock.adjust("1 millis")
        return yield* logOnce("a", (_state, attempts) => attempts === 2)
      })
      yield* Effect.provide(second, service)
      // Due while no service is there: made as soon as one is.
      yield* TestClock.adjust("2 hours")
      const log = yield* Effect.provide(
        logOnce("a", (state) => state === "delivered"),
        service
      )

      expect(all.map(({ at, payload }) => [at / minute, payload.type])).toEqual([
        [0, "crawl.started"],
        [0, "crawl.completed"],
        [1, "crawl.started"],
        [1, "crawl.completed"],
        [121, "crawl.started"],
        [121, "crawl.completed"]
      ])
      expect(new Set(all.map(({ payload }) => payload.webhookId)).size).toBe(2)
      expect(log.map(({ attempts }) => attempts)).toEqual([3, 3])
    })
  )

  it.effect("that was under way when the service stopped is made again, under the same id", () =>
    Effect.gen(function* () {
      const database = yield* temporaryDatabase
      const { all, layer } = scripted((_sent, index) => (index === 0 ? Effect.never : answer(200)))
      const service = webhooks(layer, { database })

      const begun = Effect.gen(function* () {
        yield* crawled("a")
        while (all.length === 0) yield* Effect.yieldNow
      })
      yield* Effect.provide(begun, service)
      const log = yield* Effect.provide(logOnce("a", tried), service)

      expect(all.map(({ payload }) => payload.type)).toEqual(["crawl.started", "crawl.started", "crawl.completed"])
      expect(all[0]?.body).toEqual(all[1]?.body)
      expect(log.map(({ state, attempts }) => [state, attempts])).toEqual([
        ["delivered", 1],
        ["delivered", 1]
      ])
    })
  )

  it.effect("to a receiver that is dead costs the other jobs nothing, and one job has one under way", () => {
    let open = 0
    let peak = 0
    const hang = Effect.acquireUseRelease(
      Effect.sync(() => (peak = Math.max(peak, ++open))),
      () => Effect.never,
      () => Effect.sync(() => open--)
    )
    const { all, layer } = scripted(({ payload }) => (payload.id === "alive" ? answer(200) : hang))
    return Effect.gen(function* () {
      for (let count = 0; count < 15; count++) yield* crawled(`dead ${count}`, 3)
      yield* crawled("alive", 3)
      const log = yield* logOnce("alive", tried)

      expect(log.map(({ state }) => state)).toEqual(log.map(() => "delivered"))
      expect(peak).toBe(15)
      expect(all.filter(({ payload }) => payload.id === "dead 0")).toHaveLength(1)
    }).pipe(Effect.provide(webhooks(layer)))
  })

  it.effect("that waits for a receiver that does not answer is not read", () => {
    const { all, layer } = scripted(({ payload }) =>
      payload.id.startsWith("dead") ? Effect.fail(new PostFailed("no answer")) : answer(200)
    )
    const read: Array<string> = []
    const store = Layer.effect(
      WebhookStore,
      Effect.map(WebhookStore, (store) =>
        WebhookStore.of({
          ...store,
          next: (jobId, ...of) => {
            read.push(jobId)
            return store.next(jobId, ...of)
          }
        })
      )
    ).pipe(Layer.provide(WebhookStore.layer))
    return Effect.gen(function* () {
      for (let count = 0; count < 40; count++) yield* crawled(`dead ${count}`, 3)
      yield* crawled("alive", 3, "other team")
      yield* logOnce("alive", tried)
      yield* TestClock.adjust("20 seconds")
      const toDead = all.filter(({ payload }) => payload.id !== "alive").length
      const readOfDead = read.filter((jobId) => jobId !== "alive").length

      expect(toDead).toBeLessThanOrEqual(16)
      expect(readOfDead).toBe(toDead)
    }).pipe(Effect.provide(webhooks(layer, {}, store)))
  })

  it.effect("takes turns with those of other jobs, 16 at a time", () => {
    let open = 0
    let peak = 0
    const { all, layer } = scripted(() =>
      Effect.acquireUseRelease(
        Effect.sync(() => (peak = Math.max(peak, ++open))),
        () => Effect.andThen(Effect.sleep("5 seconds"), answer(200)),
        () => Effect.sync(() => open--)
      )
    )
    return Effect.gen(function* () {
      const ids = Array.from({ length: 40 }, (_, index) => `job ${index}`)
      for (const id of ids) yield* crawled(id, 1)
      yield* TestClock.adjust("1 minute")
      for (const id of ids) yield* logOnce(id, tried)

      expect(peak).toBe(16)
      expect(all).toHaveLength(120)
      // Each job is told of its start before any is told of its end.
      const types = all.map(({ payload }) => payload.type)
      expect(types.lastIndexOf("crawl.started")).toBeLessThan(types.indexOf("crawl.completed"))
    }).pipe(Effect.provide(webhooks(layer)))
  })

  it.effect("is signed with the secret of the team, else with the service's, else not at all", () => {
    const { all, layer } = scripted(() => answer(200))
    const own = Redacted.make("of the team")
    const shared = Redacted.make("of the service")
    const keys = [
      { key: Redacted.make("k1"), teamId: "red" },
      { key: Redacted.make("k2"), teamId: "red", webhookSecret: own }
    ]
    const told = Effect.gen(function* () {
      yield* crawled("a", 0, "red")
      yield* crawled("b", 0, "blue")
      yield* logOnce("a", tried)
      yield* logOnce("b", tried)
      return all.splice(0).filter(({ payload }) => payload.type === "crawl.started")
    })
    const verified = ({ body, headers }: Sent, secret: Redacted.Redacted) =>
      verifyWebhook(body, headers["x-service-signature"], secret)

    return Effect.gen(function* () {
      const signed = yield* Effect.provide(told, webhooks(layer, { keys, webhookSecret: shared }))
      const unsigned = yield* Effect.provide(told, webhooks(layer))

      expect(signed.map((sent) => [sent.payload.id, verified(sent, own), verified(sent, shared)])).toEqual([
        ["a", true, false],
        ["b", false, true]
      ])
      expect(unsigned.map(({ headers }) => Object.keys(headers).toSorted())).toEqual([
        ["content-type", "user-agent"],
        ["content-type", "user-agent"]
      ])
    })
  })

  it.effect("is made a minute later where the store cannot be read now", () => {
    const { all, layer } = scripted(() => answer(200))
    const busy = new StoreError({ message: "busy", isRetryable: true })
    let isBusy = true
    const store = Layer.effect(
      WebhookStore,
      Effect.map(WebhookStore, (store) =>
        WebhookStore.of({ ...store, next: (...of) => (isBusy ? Effect.fail(busy) : store.next(...of)) })
      )
    ).pipe(Layer.provide(WebhookStore.layer))
    return Effect.gen(function* () {
      yield* crawled("a")
      yield* TestClock.adjust("30 seconds")
      isBusy = false
      yield* TestClock.adjust("29999 millis")
      expect(all).toHaveLength(0)
      yield* TestClock.adjust("1 millis")
      yield* logOnce("a", tried)

      expect(all.map(({ at }) => at)).toEqual([minute, minute])
    }).pipe(Effect.provide(webhooks(layer, {}, store)))
  })

  it.effect("is kept in the log as long as its job, and forgotten with what is still to be made", () => {
    const { all, layer } = scripted(() => answer(500))
    return Effect.gen(function* () {
      const store = yield* WebhookStore
      const { expire } = yield* Webhooks
      yield* TestClock.setTime(1000)
      yield* crawled("a", 2)
      yield* logOnce("a", tried)
      yield* expire(1000)
      const kept = yield* store.log("a")
      yield* expire(1001)
      const attempts = all.length
      yield* TestClock.adjust("1 hour")

      expect(kept.map(({ type }) => type)).toEqual(["crawl.started", "crawl.page", "crawl.page", "crawl.completed"])
      expect(yield* store.log("a")).toEqual([])
      expect([yield* store.jobs, yield* store.take]).toEqual([[], []])
      expect(all).toHaveLength(attempts)
    }).pipe(Effect.provide(webhooks(layer)))
  })
})

describe("a receiver", () => {
  for (const status of [500, 503, 410])
    it.effect(`that answers ${status} to everything is left alone after a while`, () => {
      const { all, layer } = scripted(() => answer(status))
      return Effect.gen(function* () {
        for (let job = 0; job < 20; job++) yield* crawled(`job-${job}`, 3)
        for (let second = 0; second < 300; second++) {
          yield* TestClock.adjust("1 second")
          for (let turn = 0; turn < 10; turn++) yield* Effect.yieldNow
        }

        // 100 deliveries of two tries each are due in these five minutes.
        expect(all.length).toBeGreaterThan(5)
        expect(all.length).toBeLessThanOrEqual(16 + 300 / 30 + 1)
      }).pipe(Effect.provide(webhooks(layer)))
    })

  it.effect("that answers 429 is asked again when it says", () => {
    const { all, layer } = scripted((_sent, index) =>
      index === 0 ? Effect.fail(new PostFailed("answered 429, not 2xx", 4 * minute)) : answer(200)
    )
    return Effect.gen(function* () {
      const store = yield* WebhookStore
      yield* crawled("a")
      yield* logOnce("a", (state, attempts) => attempts > 0 || state === "pending")
      for (let second = 0; second < 300; second++) {
        yield* TestClock.adjust("1 second")
        for (let turn = 0; turn < 10; turn++) yield* Effect.yieldNow
      }

      expect(all.map(({ at }) => at).toSorted((one, other) => one - other)).toEqual([0, 4 * minute, 4 * minute])
      expect((yield* store.log("a")).map(({ state }) => state)).toEqual(["delivered", "delivered"])
    }).pipe(Effect.provide(webhooks(layer)))
  })
})

describe("a crawl", () => {
  it.live("ends while its receiver hangs at the first event", () =>
    Effect.gen(function* () {
      const hung = gate("")
      const hook = yield* receiver(hung.answer)
      const links = Array.from({ length: 30 }, (_, index) => `/${index}`)
      const site = yield* scriptedSite({
        ...Object.fromEntries(links.map((link) => [link, page(link)])),
        "/": page("home", ...links),
        "/hook": hook.answer
      })
      yield* Effect.gen(function* () {
        const { crawl } = yield* WebData
        const { id } = yield* crawl.start({ payload: { url: `${origin}/`, webhook: "http://hook.test/hook" } })
        yield* hung.reached
        const { documents, status } = yield* readToEnd(id)

        expect(status.status).toBe("completed")
        expect(documents).toHaveLength(31)
        expect(site.requests.filter((path) => path === "/hook")).toHaveLength(1)
      }).pipe(Effect.provide(embedded(site.port, ["site.test", "hook.test"])))
    })
  )
})
