import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { verifyWebhook } from "#contract/readWebhook"
import { type Inbox, InboxError, Inboxes as InboxService } from "#engine/Inbox"
import * as Inboxes from "#engine/Inboxes"
import { endEvent, pageEvent, post, receiving, secret, sign, wire } from "./sending.ts"

/** The limits of a receiver: the size of a body, its time, and how many it has in hand. */
const maxBytes = 10 * 1024 * 1024
const maxMillis = 10_000
const maxBodies = 256

const opened = Effect.gen(function* () {
  const inboxes = yield* InboxService
  return yield* inboxes.open("m", ".")
})

const test = (sentence: string, run: Effect.Effect<void, unknown, InboxService | Scope.Scope>) =>
  it.effect(sentence, () => Effect.provide(run, Inboxes.layerMemory))

const head = (length: number | undefined, signature: string, ...more: ReadonlyArray<string>): string =>
  [
    "POST / HTTP/1.1",
    "host: receiver.test",
    length === undefined ? "transfer-encoding: chunked" : `content-length: ${length}`,
    `x-service-signature: ${signature}`,
    ...more,
    "",
    ""
  ].join("\r\n")

const idsOf = (inbox: Inbox) =>
  Effect.map(inbox.read(0, { events: 1000, bytes: 1e9 }), (events) => events.map(({ id }) => id))

describe("the receiver", () => {
  test(
    "keeps an event as it was sent, and says so to who waits for it",
    Effect.gen(function* () {
      const inbox = yield* opened
      const { told, url } = yield* receiving(inbox)
      const body = pageEvent("e1").replace('"success"', ' "success"')

      expect(yield* post(url, body)).toEqual({ status: 200, text: '{"status":"accepted"}' })
      expect(yield* post(url, endEvent("e2"))).toEqual({ status: 200, text: '{"status":"accepted"}' })
      expect((yield* inbox.read(0, { events: 9, bytes: 1e6 })).map((event) => event.body)).toEqual([
        body,
        endEvent("e2")
      ])
      expect(told).toEqual(["monitor.page", "monitor.check.completed"])
    })
  )

  test(
    "answers nothing before the event is in the inbox",
    Effect.gen(function* () {
      const inbox = yield* opened
      const asked = yield* Deferred.make<void>()
      const may = yield* Deferred.make<void>()
      const order: Array<string> = []
      const { url } = yield* receiving({
        ...inbox,
        accept: (events) =>
          Deferred.succeed(asked, undefined).pipe(
            Effect.andThen(Deferred.await(may)),
            Effect.andThen(inbox.accept(events)),
            Effect.tap(() => Effect.sync(() => order.push("kept")))
          )
      })
      const sent = yield* Effect.forkScoped(
        Effect.tap(post(url, pageEvent("e1")), () => Effect.sync(() => order.push("answered")))
      )
      yield* Deferred.await(asked)
      expect(sent.pollUnsafe()).toBeUndefined()
      yield* Deferred.succeed(may, undefined)
      yield* Fiber.join(sent)

      expect(order).toEqual(["kept", "answered"])
    })
  )

  test(
    "answers 503 where the inbox cannot be written, and takes the event when it is sent again",
    Effect.gen(function* () {
      const inbox = yield* opened
      let isFull = true
      const full = Effect.fail(new InboxError({ message: "the disk at /secret/place is full" }))
      const { told, url } = yield* receiving({ ...inbox, accept: (events) => (isFull ? full : inbox.accept(events)) })
      const refused = yield* post(url, pageEvent("e1"))
      isFull = false

      expect(refused.status).toBe(503)
      expect(refused.text).not.toContain("/secret/place")
      expect(yield* post(url, pageEvent("e1"))).toMatchObject({ status: 200 })
      expect(told).toEqual(["monitor.page"])
    })
  )

  test(
    "answers an event that is sent again as known and writes nothing; one with its id and another body is 409",
    Effect.gen(function* () {
      const inbox = yield* opened
      const { told, url } = yield* receiving(inbox)
      yield* post(url, pageEvent("e1"))

      expect(yield* post(url, pageEvent("e1"))).toEqual({ status: 200, text: '{"status":"known"}' })
      expect(yield* post(url, pageEvent("e1", 2))).toMatchObject({ status: 409 })
      expect(yield* inbox.counts).toEqual({ events: 1, bodies: 1 })
      expect(told).toHaveLength(1)
    })
  )

  test(
    "refuses with 401 what is not signed, signed with another secret, or signed over other bytes",
    Effect.gen(function* () {
      const inbox = yield* opened
      const { url } = yield* receiving(inbox)
      const body = pageEvent("e1")
      const forged: ReadonlyArray<Record<string, string>> = [
        {},
        { "x-service-signature": "" },
        { "x-service-signature": "sha256=" },
        { "x-service-signature": sign(body).replace("sha256=", "") },
        { "x-service-signature": sign(body, "another") },
        { "x-service-signature": sign(body, "") },
        { "x-service-signature": sign(`${body} `) },
        { "x-firecrawl-signature": sign(body, "another") },
        { "x-service-signature": sign(body), "x-firecrawl-signature": sign(body, "another") },
        { "x-service-signature": sign(body, "another"), "x-firecrawl-signature": sign(body) },
        { authorization: sign(body) }
      ]
      for (const headers of forged) {
        const { status, text } = yield* post(url, body, headers)
        expect(status).toBe(401)
        expect(JSON.parse(text)).toMatchObject({ success: false, error: expect.stringContaining("signature") })
        expect(text).not.toContain(secret)
      }

      expect(yield* inbox.counts).toEqual({ events: 0, bodies: 0 })
    })
  )

  test(
    "takes either header of a signature, and both where both verify",
    Effect.gen(function* () {
      const { url } = yield* receiving(yield* opened)
      const names = [
        ["x-service-signature"],
        ["x-firecrawl-signature"],
        ["X-Service-Signature", "X-Firecrawl-Signature"]
      ]
      for (const [n, some] of names.entries()) {
        const body = pageEvent(`e${n}`)
        const headers = Object.fromEntries(some.map((name) => [name, sign(body)]))
        expect(yield* post(url, body, headers)).toMatchObject({ status: 200 })
      }
    })
  )

  test(
    "believes nobody where its secret is empty",
    Effect.gen(function* () {
      const { url } = yield* receiving(yield* opened, "")

      expect(yield* post(url, pageEvent("e1"), { "x-service-signature": sign(pageEvent("e1"), "") })).toMatchObject({
        status: 401
      })
      expect(verifyWebhook(Buffer.from("x"), sign("x", ""), Redacted.make(""))).toBe(false)
    })
  )

  test(
    "refuses with 400 what is signed and no event, and keeps nothing of it",
    Effect.gen(function* () {
      const inbox = yield* opened
      const { url } = yield* receiving(inbox)
      const page = JSON.parse(pageEvent("e1"))
      const bodies: ReadonlyArray<readonly [body: string | Uint8Array<ArrayBuffer>, reason: string]> = [
        ["", "not JSON"],
        ["nope", "not JSON"],
        ["[]", "no type"],
        ["null", "no type"],
        [JSON.stringify({ ...page, type: 7 }), "no type"],
        [JSON.stringify({ ...page, webhookId: undefined }), "webhookId"],
        [JSON.stringify({ ...page, webhookId: "" }), "webhookId"],
        [JSON.stringify({ ...page, webhookId: "a\u0000b" }), "webhookId"],
        [JSON.stringify({ ...page, webhookId: "e".repeat(201) }), "webhookId"],
        [JSON.stringify({ ...page, data: {} }), "data"],
        [`${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`, "nested"],
        [new Uint8Array([0x22, 0xff, 0x22]), "UTF-8"]
      ]
      for (const [body, reason] of bodies) {
        const { status, text } = yield* post(url, body)
        expect([status, JSON.parse(text).error]).toEqual([400, expect.stringContaining(reason)])
      }

      expect(yield* inbox.counts).toEqual({ events: 0, bodies: 0 })
    })
  )

  test(
    "ignores the events of other jobs, and counts them",
    Effect.gen(function* () {
      const inbox = yield* opened
      const { url } = yield* receiving(inbox)

      expect(yield* post(url, JSON.stringify({ type: "crawl.page", id: "c" }))).toEqual({
        status: 200,
        text: '{"status":"ignored"}'
      })
      expect(yield* inbox.counts).toEqual({ events: 0, bodies: 0 })
    })
  )

  test(
    "refuses with 413 a body that says it is too large, and one that is, without reading on",
    Effect.gen(function* () {
      const inbox = yield* opened
      const { url } = yield* receiving(inbox)
      const claims = yield* wire(url)
      yield* claims.send(head(maxBytes + 1, sign("x")))
      const grows = yield* wire(url)
      yield* grows.send(head(undefined, sign("x")))
      const chunk = `${(1 << 20).toString(16)}\r\n${"a".repeat(1 << 20)}\r\n`
      yield* Effect.forkScoped(Effect.forEach(Array.from({ length: 11 }), () => grows.send(chunk)))

      expect(yield* claims.until("}")).toMatch(/^HTTP\/1.1 413 /)
      expect(yield* grows.until("}")).toMatch(/^HTTP\/1.1 413 /)
      expect(yield* inbox.counts).toEqual({ events: 0, bodies: 0 })
    })
  )

  test(
    "takes a body of the largest size, in chunks",
    Effect.gen(function* () {
      const { url } = yield* receiving(yield* opened)
      const rest = maxBytes - Buffer.byteLength(pageEvent("e1", 0, { title: "" }))
      const body = pageEvent("e1", 0, { title: "a".repeat(rest) })
      const { send, until } = yield* wire(url)
      yield* Effect.forkScoped(
        send(`${head(undefined, sign(body))}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)
      )

      expect(Buffer.byteLength(body)).toBe(maxBytes)
      expect(yield* until("}")).toMatch(/^HTTP\/1.1 200 /)
    })
  )

  test(
    "takes nothing of a body that is cut off, also where what came is signed as it is",
    Effect.gen(function* () {
      const inbox = yield* opened
      const { told, url } = yield* receiving(inbox)
      const body = pageEvent("e1")
      const lies = yield* wire(url)
      yield* lies.send(head(body.length + 10, sign(body), "expect: 100-continue"))
      yield* lies.until("100 Continue")
      yield* lies.send(body)
      yield* lies.cut
      const chunked = yield* wire(url)
      yield* chunked.send(head(undefined, sign(body), "expect: 100-continue"))
      yield* chunked.until("100 Continue")
      yield* chunked.send(`${body.length.toString(16)}\r\n${body}\r\n`)
      yield* chunked.cut
      const short = yield* wire(url)
      yield* short.send(`${head(body.length - 10, sign(body), "connection: close")}${body}`)
      expect(yield* short.closed).not.toContain("HTTP/1.1 2")
      // What was cut before is over when one that was sent after it is answered.
      yield* post(url, pageEvent("e2"))

      expect(yield* idsOf(inbox)).toEqual(["e2"])
      expect(told).toHaveLength(1)
    })
  )

  test(
    "refuses with 408 a body that does not come, and lets the connection go",
    Effect.gen(function* () {
      const inbox = yield* opened
      const { url } = yield* receiving(inbox)
      const body = pageEvent("e1")
      const { closed, send, until } = yield* wire(url)
      yield* send(head(body.length, sign(body), "expect: 100-continue"))
      yield* until("100 Continue")
      yield* send(body.slice(0, -1))
      yield* TestClock.adjust(maxMillis)

      expect(yield* until("}")).toContain("HTTP/1.1 408 ")
      yield* closed
      expect(yield* inbox.counts).toEqual({ events: 0, bodies: 0 })
    })
  )

  test(
    "has so many bodies in hand at once, refuses more with 503, and takes them when there is room",
    Effect.gen(function* () {
      const inbox = yield* opened
      const { url } = yield* receiving(inbox)
      const body = pageEvent("e1")
      const open = yield* Effect.forEach(
        Array.from({ length: maxBodies }),
        () =>
          Effect.gen(function* () {
            const one = yield* wire(url)
            yield* one.send(head(body.length, sign(body), "expect: 100-continue"))
            yield* one.until("100 Continue")
            return one
          }),
        { concurrency: 32 }
      )
      const refused = yield* post(url, body)
      for (const { send } of open) yield* send(body)
      const answers = yield* Effect.forEach(open, ({ until }) => until("}"))

      expect(refused.status).toBe(503)
      expect(answers.filter((text) => text.includes("accepted"))).toHaveLength(1)
      expect(answers.filter((text) => text.includes("known"))).toHaveLength(maxBodies - 1)
      expect(yield* post(url, body)).toMatchObject({ status: 200 })
    })
  )

  test(
    "finishes what it has in hand when it stops, and keeps nothing that it did not answer with 2xx",
    Effect.gen(function* () {
      const inbox = yield* opened
      const scope = yield* Scope.make()
      const asked = yield* Deferred.make<void>()
      const may = yield* Deferred.make<void>()
      const slow: Inbox = {
        ...inbox,
        accept: (events) =>
          Deferred.succeed(asked, undefined).pipe(
            Effect.andThen(Deferred.await(may)),
            Effect.andThen(inbox.accept(events))
          )
      }
      const { url } = yield* Scope.provide(receiving(slow), scope)
      const half = yield* wire(url)
      yield* half.send(head(100, sign("x"), "expect: 100-continue"))
      yield* half.until("100 Continue")
      const sent = yield* Effect.forkScoped(post(url, pageEvent("e1")))
      yield* Deferred.await(asked)
      const stopped = yield* Effect.forkScoped(Scope.close(scope, Exit.void), { startImmediately: true })
      yield* Deferred.succeed(may, undefined)
      const { status } = yield* Fiber.join(sent)
      const refused = yield* half.closed
      yield* Fiber.join(stopped)

      expect(status).toBe(200)
      expect(refused).toContain("HTTP/1.1 503 ")
      expect(yield* idsOf(inbox)).toEqual(["e1"])
    })
  )

  test(
    "tells how it does: counts, the last event, and what the inbox holds; for Prometheus too",
    Effect.gen(function* () {
      const { url } = yield* receiving(yield* opened)
      yield* post(url, pageEvent("e1"))
      yield* post(url, pageEvent("e1"))
      yield* post(url, pageEvent("e2"), {})
      yield* post(url, '{"type":"crawl.page"}')
      const get = (path: string) => Effect.promise(async () => (await fetch(`${url}${path}`)).text())
      const health = JSON.parse(yield* get("/health"))
      const metrics = yield* get("/metrics")

      expect(health).toMatchObject({
        status: "ok",
        since: "1970-01-01T00:00:00.000Z",
        accepted: 1,
        known: 1,
        ignored: 1,
        refused: { 401: 1 },
        last: { id: "e1", type: "monitor.page" },
        inbox: { events: 1, bodies: 1 }
      })
      expect(metrics).toContain('millrace_webhook_events_total{outcome="accepted"} 1\n')
      expect(metrics).toContain('millrace_webhook_refused_total{status="401"} 1\n')
      expect(metrics).toContain("millrace_inbox_events 1\n")
      expect(`${JSON.stringify(health)}${metrics}`).not.toContain(secret)
    })
  )

  test(
    "receives by POST at its own path alone",
    Effect.gen(function* () {
      const { url } = yield* receiving(yield* opened)
      const other = yield* post(`${url}/other`, pageEvent("e1"))
      const got = yield* Effect.promise(async () => (await fetch(url)).status)

      expect([other.status, got]).toEqual([404, 405])
    })
  )
})
