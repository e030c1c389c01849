import type { ServerResponse } from "node:http"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
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
