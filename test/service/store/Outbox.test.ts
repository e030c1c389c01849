import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { expect } from "vitest"
import { verifyWebhook } from "#contract/readWebhook"
import { WebData } from "#contract/WebData"
import { WebhookPayload } from "#contract/Webhook"
import { embedded, origin, readToEnd } from "../crawlSite.ts"
import { type Database, onEachDatabase } from "../databases.ts"
import { receiver, type Told } from "../receiver.ts"
import { type Answer, gate, page, redirect, scriptedSite } from "../scriptedSite.ts"

const url = "http://hook.test/hook"
const hostNames = ["site.test", "hook.test"]
const secret = Redacted.make("whsec-1")

/** A site of two pages and one that breaks, a receiver beside it, and the service between them. */
const standing = Effect.fnUntraced(function* (
  database: Database,
  routes: Readonly<Record<string, Answer>> = {},
  answer?: Answer
) {
  const hook = yield* receiver(answer)
  const site = yield* scriptedSite({
    "/": page("home", "/a", "/broken", "/secret"),
    "/a": page("a"),
    "/broken": (request) => request.socket.destroy(),
    "/robots.txt": (_request, response) => void response.end("User-agent: *\nDisallow: /secret"),
    "/hook": hook.answer,
    ...routes
  })
  return { hook, site, service: database.embedded(site.port, hostNames, { webhookSecret: secret }) }
})

const typesOf = (told: ReadonlyArray<Told>) => told.map(({ payload }) => payload.type)

onEachDatabase("the webhook of a crawl", (database) => {
  it.live("is told of the start, each page in the order of the results, and the end", () =>
    Effect.gen(function* () {
      const { hook, service } = yield* standing(database)
      yield* Effect.gen(function* () {
        const { crawl } = yield* WebData
        const metadata = { run: 7, tags: ["é", null] }
        const { id } = yield* crawl.start({
          payload: { url: `${origin}/`, maxConcurrency: 1, webhook: { url, metadata } }
        })
        const told = yield* hook.untilEnd
        const { documents } = yield* readToEnd(id)
        const { errors } = yield* crawl.errors({ params: { id } })

        const [error] = errors
        const failure = { scrapeId: error?.id, code: "SCRAPE_CONNECTION_ERROR", error: error?.error }
        const common = { id, metadata, webhookId: expect.any(String) }
        expect(told.map(({ payload }) => payload)).toEqual([
          { ...common, success: true, type: "crawl.started", data: [], error: null },
          { ...common, success: true, type: "crawl.page", data: [documents[0]], error: null },
          { ...common, success: true, type: "crawl.page", data: [documents[1]], error: null },
          {
            ...common,
            success: false,
            type: "crawl.page",
            data: [{ metadata: { sourceURL: `${origin}/broken`, url: `${origin}/broken`, ...failure } }],
            error: error?.error
          },
          { ...common, success: true, type: "crawl.completed", data: [], error: null }
        ])
        expect(error?.error).toContain("closed the connection")
        expect(new Set(told.map(({ payload }) => payload.webhookId)).size).toBe(5)
        for (const { payload } of told) Schema.decodeUnknownSync(WebhookPayload)(payload)
      }).pipe(Effect.provide(service))
    })
  )

  it.live("signs the raw bytes under both header names, and sends the caller's own headers along", () =>
    Effect.gen(function* () {
      const { hook, service } = yield* standing(database)
      yield* Effect.gen(function* () {
        const { crawl } = yield* WebData
        const headers = {
          "X-Team": "blue",
          Authorization: "Bearer of-the-receiver",
          "X-Service-Signature": "sha256=forged",
          "X-Firecrawl-Signature": "sha256=forged",
          Host: "other.test",
          "Content-Type": "text/plain",
          "Content-Length": "1",
          "Transfer-Encoding": "chunked"
        }
        yield* crawl.start({ payload: { url: `${origin}/`, webhook: { url, headers } } })
        for (const { body, headers } of yield* hook.untilEnd) {
          const changed = Buffer.concat([body.subarray(0, -1), Buffer.from(" ")])

          expect(verifyWebhook(body, headers["x-service-signature"], secret)).toBe(true)
          expect(verifyWebhook(body, headers["x-firecrawl-signature"], secret)).toBe(true)
          expect(verifyWebhook(changed, headers["x-service-signature"], secret)).toBe(false)
          expect(headers).toMatchObject({
            "x-team": "blue",
            authorization: "Bearer of-the-receiver",
            host: "hook.test",
            "content-type": "application/json",
            "content-length": String(body.length)
          })
          expect(headers["transfer-encoding"]).toBeUndefined()
        }
      }).pipe(Effect.provide(service))
    })
  )

  it.live.each([
    [["page"], ["crawl.page", "crawl.page", "crawl.page"]],
    [
      ["crawl.started", "completed"],
      ["crawl.started", "crawl.completed"]
    ],
    [
      ["page", "crawl.page", "crawl.failed"],
      ["crawl.page", "crawl.page", "crawl.page"]
    ],
    [null, ["crawl.started", "crawl.page", "crawl.page", "crawl.page", "crawl.completed"]]
  ] as const)("that wants %j is told only of those", ([events, expected]) =>
    Effect.gen(function* () {
      const { hook, service } = yield* standing(database)
      yield* Effect.gen(function* () {
        const { crawl } = yield* WebData
        yield* crawl.start({ payload: { url: `${origin}/`, webhook: { url, events } } })
        const told = yield* Effect.forEach(expected, () => hook.next)

        expect(typesOf(told)).toEqual(expected)
        // A second crawl, whose end comes after all that the first one had to tell.
        const { id } = yield* crawl.start({
          payload: { url: `${origin}/a`, limit: 1, webhook: { url, events: ["completed"] } }
        })
        expect((yield* hook.next).payload).toMatchObject({ id, type: "crawl.completed" })
      }).pipe(Effect.provide(service))
    })
  )

  it.live("that fails is told why, and nothing of a page", () =>
    Effect.gen(function* () {
      const { hook, service } = yield* standing(database, { "/": (request) => request.socket.destroy() })
      yield* Effect.gen(function* () {
        const { crawl } = yield* WebData
        const { id } = yield* crawl.start({ payload: { url: `${origin}/`, webhook: url } })
        const told = yield* hook.untilEnd
        const { status } = yield* readToEnd(id)

        expect(typesOf(told)).toEqual(["crawl.started", "crawl.failed"])
        expect(told[1]?.payload).toMatchObject({ success: false, id, data: [], error: status.error, metadata: {} })
        expect(status.error).toContain("closed the connection")
      }).pipe(Effect.provide(service))
    })
  )

  it.live("that is cancelled is told of as failed, once, and of no page afterwards", () =>
    Effect.gen(function* () {
      const slow = gate(page("slow"))
      const { hook, service } = yield* standing(database, { "/a": slow.answer })
      yield* Effect.gen(function* () {
        const { crawl } = yield* WebData
        const { id } = yield* crawl.start({ payload: { url: `${origin}/`, maxConcurrency: 1, webhook: url } })
        yield* slow.reached
        yield* crawl.cancel({ params: { id } })
        const told = yield* hook.untilEnd

        expect(typesOf(told)).toEqual(["crawl.started", "crawl.page", "crawl.failed"])
        expect(told[2]?.payload).toMatchObject({ success: false, error: "the job was cancelled", data: [] })
      }).pipe(Effect.provide(service))
    })
  )

  it.live("is not told of pages that are blocked, or another page by another URL", () =>
    Effect.gen(function* () {
      const { hook, service } = yield* standing(database, {
        "/": page("home", "/a", "/same", "/secret", "http://outside.example/"),
        "/same": redirect("/a")
      })
      yield* Effect.gen(function* () {
        const { crawl } = yield* WebData
        yield* crawl.start({
          payload: { url: `${origin}/`, webhook: url, allowExternalLinks: true, maxConcurrency: 1 }
        })
        const told = yield* hook.untilEnd

        expect(typesOf(told)).toEqual(["crawl.started", "crawl.page", "crawl.page", "crawl.completed"])
      }).pipe(Effect.provide(service))
    })
  )

  it.live("is told each event under one id where the service is stopped in the middle of the crawl", () =>
    Effect.gen(function* () {
      const slow = gate(page("slow"))
      const { hook, site } = yield* standing(database, { "/a": slow.answer })
      const service = Layer.fresh(embedded(site.port, hostNames, { database: yield* database.fresh }))
      const before = yield* Effect.gen(function* () {
        const { crawl } = yield* WebData
        yield* crawl.start({ payload: { url: `${origin}/`, maxConcurrency: 1, webhook: url } })
        yield* slow.reached
        return [yield* hook.next, yield* hook.next]
      }).pipe(Effect.provide(service))
      yield* slow.open
      const after = yield* Effect.provide(hook.untilEnd, service)

      // What was on its way when the service stopped may come again, as it was.
      const bodies = new Map<string, Set<string>>()
      for (const { payload, body } of [...before, ...after]) {
        bodies.set(payload.webhookId, (bodies.get(payload.webhookId) ?? new Set()).add(body.toString()))
      }
      const told = [...bodies.values()].map((sent) => [...sent].map((body) => JSON.parse(body).type))
      expect(told).toEqual([["crawl.started"], ["crawl.page"], ["crawl.page"], ["crawl.page"], ["crawl.completed"]])
    })
  )
})

onEachDatabase("the webhook of a batch", (database) => {
  it.live("is told of the start, each page and the end, under the batch's own names", () =>
    Effect.gen(function* () {
      const { hook, service } = yield* standing(database)
      yield* Effect.gen(function* () {
        const { batch } = yield* WebData
        const urls = [`${origin}/a`, `${origin}/broken`]
        const webhook = { url, events: ["started", "batch_scrape.page", "completed"] as const, metadata: { n: 1 } }
        const { id } = yield* batch.start({ payload: { urls, maxConcurrency: 1, webhook } })
        const told = yield* hook.untilEnd
        const { data } = yield* batch.status({ params: { id }, query: {} })

        expect(told.map(({ payload: { type, success } }) => [type, success])).toEqual([
          ["batch_scrape.started", true],
          ["batch_scrape.page", true],
          ["batch_scrape.page", false],
          ["batch_scrape.completed", true]
        ])
        expect(told.map(({ payload }) => [payload.id, payload.metadata])).toEqual(told.map(() => [id, { n: 1 }]))
        expect(told[1]?.payload.data).toEqual([data[0]])
        expect(told[2]?.payload).toMatchObject({
          data: [{ metadata: { sourceURL: urls[1] } }],
          error: expect.stringContaining("closed the connection")
        })
        for (const { body, headers } of told) {
          expect(verifyWebhook(body, headers["x-service-signature"], secret)).toBe(true)
        }
      }).pipe(Effect.provide(service))
    })
  )
})
