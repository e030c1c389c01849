import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { WebhookPost } from "#service/webhooks/WebhookPost"
import { type Answer, gate, redirect, scriptedSite } from "../scriptedSite.ts"
import { hosts } from "../served.ts"

const message = { url: "http://site.test/hook", headers: {}, body: Buffer.from("{}") }

/** Posts to a site that answers so, as the guard permits; everything of it is served as site.test. */
const posting = <A, E>(
  routes: Readonly<Record<string, Answer>>,
  use: (at: {
    readonly port: number
    readonly requests: ReadonlyArray<string>
    readonly send: WebhookPost["Service"]["send"]
  }) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const site = yield* scriptedSite(routes)
    return yield* Effect.flatMap(WebhookPost, ({ send }) => use({ ...site, send })).pipe(
      Effect.provide(WebhookPost.layer({ allowPrivate: false, resolve: hosts(site.port) }))
    )
  })

const answering =
  (status: number): Answer =>
  (_request, response) =>
    void response.writeHead(status).end("thanks")

describe("a post to a receiver", () => {
  it.live.each([200, 204, 299, 301, 404, 500])("gives the status that it answers with: %d", (status) =>
    posting({ "/hook": answering(status) }, ({ send }) =>
      Effect.map(send(message), (answered) => expect(answered).toBe(status))
    )
  )

  it.live("says for how long the receiver wants to be left alone, if it does", () =>
    posting(
      { "/hook": (_request, response) => void response.writeHead(429, { "retry-after": "7" }).end() },
      ({ send }) =>
        Effect.map(Effect.flip(send(message)), ({ laterMillis, message }) =>
          expect([laterMillis, message]).toEqual([7000, "answered 429, not 2xx"])
        )
    )
  )

  it.live("follows no redirect", () =>
    posting({ "/hook": redirect("/other", 307), "/other": answering(200) }, ({ send, requests }) =>
      Effect.gen(function* () {
        expect(yield* send(message)).toBe(307)
        expect(requests).toEqual(["/hook"])
      })
    )
  )

  it.effect("ends after 10 seconds where the receiver hangs, and the request with it", () => {
    const hung = gate("")
    return posting({ "/hook": hung.answer }, ({ send }) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Effect.flip(send(message)))
        yield* hung.reached
        yield* TestClock.adjust("9999 millis")
        expect(fiber.pollUnsafe()).toBeUndefined()
        yield* TestClock.adjust("1 millis")

        expect((yield* Fiber.join(fiber)).message).toBe("no answer within 10 s")
        yield* hung.left
      })
    )
  })

  it.effect("does not wait for an answer's body that never ends", () => {
    const begun = Promise.withResolvers<void>()
    const drip: Answer = (_request, response) => {
      response.writeHead(200)
      response.write("a", () => begun.resolve())
    }
    return posting({ "/hook": drip }, ({ send }) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(send(message))
        yield* Effect.promise(() => begun.promise)
        while (fiber.pollUnsafe() === undefined) {
          yield* Effect.promise(() => new Promise(setImmediate))
          yield* TestClock.adjust("10 millis")
        }

        expect(yield* Fiber.join(fiber)).toBe(200)
      })
    )
  })

  it.live("keeps no more of an answer than it may: a large one costs its connection, and counts all the same", () =>
    posting({ "/hook": (_request, response) => void response.end(Buffer.alloc(8 * 1024 * 1024)) }, ({ send }) =>
      Effect.map(send(message), (answered) => expect(answered).toBe(200))
    )
  )

  it.live("uses connections again", () => {
    const sockets = new Set<unknown>()
    const hook: Answer = (request, response) => {
      sockets.add(request.socket)
      response.writeHead(200).end("thanks")
    }
    return posting({ "/hook": hook }, ({ send }) =>
      Effect.gen(function* () {
        for (let count = 0; count < 20; count++) yield* send(message)

        expect(sockets.size).toBeLessThanOrEqual(2)
      })
    )
  })

  it.live("is refused to an address that is not public, and nothing is sent", () =>
    posting({ "/hook": answering(200) }, ({ send, port, requests }) =>
      Effect.gen(function* () {
        for (const host of ["127.0.0.1", "[::1]", "localhost", "2130706433"]) {
          const { message: why } = yield* Effect.flip(send({ ...message, url: `http://${host}:${port}/hook` }))
          expect(why).toContain("is not a public address")
        }
        expect(requests).toEqual([])
      })
    )
  )

  it.live("says of a receiver that is not there what it says of a page", () =>
    Effect.gen(function* () {
      const port = yield* Effect.scoped(Effect.map(scriptedSite({}), ({ port }) => port))
      const error = yield* Effect.flatMap(WebhookPost, ({ send }) => Effect.flip(send(message))).pipe(
        Effect.provide(WebhookPost.layer({ allowPrivate: false, resolve: hosts(port) }))
      )

      expect(error.message).toBe("the host refuses the connection")
    })
  )
})
