import type { Worker } from "node:worker_threads"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import type { Outcome } from "#service/webhooks/sendInOrder"
import { PostFailed, WebhookPost } from "#service/webhooks/WebhookPost"
import { rate, WebhookSender } from "#service/webhooks/WebhookSender"
import { receiver } from "../../../bench/load/receivers.ts"

const message = (url: string, body = "{}") => ({ url, headers: {}, body })

/** A post that fails at `dead.test` and counts what it was given. */
const posts = () => {
  const sent: Array<string> = []
  const layer = Layer.succeed(WebhookPost, {
    send: ({ body, url }) => {
      sent.push(Buffer.from(body).toString())
      return url.includes("dead") ? Effect.fail(new PostFailed("no answer")) : Effect.succeed(200)
    }
  })
  return { sent, layer: WebhookSender.layerHere.pipe(Layer.provide(layer)) }
}

describe("the sender of webhooks", () => {
  it.effect("sends a batch in order, until one does not arrive, and tells of each", () => {
    const { layer, sent } = posts()
    return Effect.gen(function* () {
      const { send } = yield* WebhookSender
      const outcomes: Array<Outcome> = []
      const told = (outcome: Outcome) => void outcomes.push(outcome)
      yield* send([message("http://well.test/", "1"), message("http://well.test/", "2")], told)
      yield* send([message("http://dead.test/", "3"), message("http://dead.test/", "4")], told)
      yield* send([], told)

      expect(sent).toEqual(["1", "2", "3"])
      expect(outcomes.map(({ error, status }) => [status, error])).toEqual([
        [200, null],
        [200, null],
        [null, "no answer"]
      ])
    }).pipe(Effect.provide(layer))
  })

  it.live("has no thread while it sends little, and one for many", () =>
    Effect.gen(function* () {
      const threads: Array<Worker> = []
      const started = (thread: Worker) => void threads.push(thread)
      process.on("worker", started)
      yield* Effect.addFinalizer(() => Effect.sync(() => process.off("worker", started)))
      const well = yield* Effect.acquireRelease(
        Effect.promise(() => receiver(() => 200)),
        ({ close }) => Effect.sync(close)
      )
      const { send } = yield* WebhookSender
      const body = JSON.stringify({ type: "crawl.page", id: "j", webhookId: "0", data: [] })
      const some = (count: number) =>
        Effect.forEach(
          Array.from({ length: count }),
          () => send([message(`http://127.0.0.1:${well.port}/`, body)], () => {}),
          { concurrency: 8 }
        )
      yield* some(50)
      const before = threads.length
      yield* some(20)

      expect([before, threads.length]).toEqual([0, 1])
      expect(well.events).toHaveLength(70)
    }).pipe(Effect.scoped, Effect.provide(WebhookSender.layer({ allowPrivate: true, resolve: new Map() })))
  )
})

describe("the rate of batches", () => {
  it("is high from the 51st of ten seconds on, as long as ten seconds later there are that many", () => {
    const isMany = rate()
    const at = (now: number, count: number) => Array.from({ length: count }, () => isMany(now)).lastIndexOf(false) + 1

    // How many of these are sent without a thread.
    expect(at(20_000, 60)).toBe(50)
    expect(at(31_000, 60)).toBe(0)
    expect(at(42_000, 10)).toBe(0)
    expect(at(53_000, 10)).toBe(10)
    expect(at(100_000, 60)).toBe(50)
    expect(at(125_000, 10)).toBe(10)
  })
})
