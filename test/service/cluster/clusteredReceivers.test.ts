import type { ServerResponse } from "node:http"
import { describe, expect, it } from "@effect/vitest"
import * as Entity from "effect/cluster/Entity"
import * as ShardingConfig from "effect/cluster/ShardingConfig"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { layerEntity, ReceiverEntity } from "#service/cluster/clusteredReceivers"
import { inGivenTurn } from "#service/cluster/inGivenTurn"
import * as Receiver from "#service/webhooks/Receiver"
import { onPostgres } from "../databases.ts"
import { page, scriptedSite } from "../scriptedSite.ts"
import { crawl, process, urlOf } from "./serveProcess.ts"

onPostgres("a receiver of webhooks of three processes", (databases) => {
  it.live(
    "has the turns of a process that is killed for the others within seconds",
    () =>
      Effect.gen(function* () {
        const open: Array<ServerResponse> = []
        const [full, told, free] = [
          Promise.withResolvers<void>(),
          Promise.withResolvers<void>(),
          Promise.withResolvers<void>()
        ]
        let peak = 0
        const site = yield* scriptedSite({
          "/": page("home"),
          "/held": (_, response) => {
            open.push(response)
            response.on("close", () => open.splice(open.indexOf(response), 1))
            peak = Math.max(peak, open.length)
            if (open.length === 16) full.resolve()
          },
          "/free": (_, response) => response.writeHead(204).end(() => free.resolve()),
          "/told": (_, response) => {
            // One that was not answered for ten seconds may have given up its turn by now.
            peak = Math.max(peak, open.length + 1)
            response.writeHead(204).end(() => told.resolve())
          }
        })
        const database = urlOf(yield* databases.fresh)
        const serve = process(database, site.port, ["site.test", "hook.test", "free.test"])
        const [one, other, third] = yield* Effect.all([serve, serve, serve], { concurrency: 3 })
        const telling = (url: string, address: string) =>
          crawl(url, "site.test", { webhook: { url: `http://${address}`, events: ["started"] } })
        yield* Effect.all(
          Array.from({ length: 20 }, () => telling(one.url, "hook.test/held")),
          { concurrency: 4 }
        )
        yield* Effect.promise(() => full.promise)
        yield* Effect.all([telling(other.url, "hook.test/told"), telling(third.url, "hook.test/told")])
        yield* telling(third.url, "free.test/free")
        yield* Effect.promise(() => free.promise)
        // Of a process that is killed the site sees later that it has gone.
        const most = peak
        const killedAt = performance.now()
        yield* one.signal("SIGKILL")
        yield* Effect.promise(() => told.promise)
        const millis = performance.now() - killedAt
        console.log(`its turns were the others' after ${Math.round(millis)} ms`)

        // A receiver that moves as a process joins has its turns beside those that are in flight (`ReceiverEntity`).
        expect(most).toBeGreaterThanOrEqual(16)
        expect(most).toBeLessThanOrEqual(32)
      }),
    180_000
  )
})

const receiver = Effect.flatMap(Entity.makeTestClient(ReceiverEntity, layerEntity(Receiver.defaults)), (client) =>
  client("receiver")
).pipe(Effect.provide(ShardingConfig.layer()))

describe("a turn of a receiver", () => {
  it.effect("is over after half a minute where nobody gives it back, and what was begun in it goes on", () =>
    Effect.gen(function* () {
      const { Turn } = yield* receiver
      const held = Array.from({ length: 16 }, () => Effect.forkChild(inGivenTurn(Turn(), Effect.never)))
      const holding = yield* Effect.all(held)
      yield* TestClock.adjust(0)
      let begun = 0
      const next = yield* Effect.forkChild(
        inGivenTurn(
          Turn(),
          Effect.sync(() => (begun += 1))
        )
      )
      yield* TestClock.adjust("29 seconds")
      const early = begun
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(next)

      expect([early, begun]).toEqual([0, 1])
      expect(holding.map((fiber) => fiber.pollUnsafe())).toEqual(holding.map(() => undefined))
    })
  )

  it.effect("is free as soon as who has it goes away", () =>
    Effect.gen(function* () {
      const { Turn } = yield* receiver
      const holding = yield* Effect.all(
        Array.from({ length: 16 }, () => Effect.forkChild(inGivenTurn(Turn(), Effect.never)))
      )
      yield* TestClock.adjust(0)
      const next = yield* Effect.forkChild(inGivenTurn(Turn(), Effect.succeed("begun")))
      yield* TestClock.adjust("1 second")
      const early = next.pollUnsafe()
      yield* Fiber.interrupt(holding[3] ?? next)

      expect(early).toBeUndefined()
      expect(yield* Fiber.join(next)).toBe("begun")
    })
  )
})
