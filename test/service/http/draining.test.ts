import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { expect } from "vitest"
import { gate, scriptedSite } from "../scriptedSite.ts"
import { hosts, served } from "../served.ts"

describe("a service that stops", () => {
  it.live("answers 503 with Retry-After while it ends what is in progress, and lives on meanwhile", () =>
    Effect.gen(function* () {
      const slow = gate("<title>slow</title>")
      const site = yield* scriptedSite({ "/slow": slow.answer })
      const scope = yield* Scope.make()
      const { ask } = yield* Scope.provide(served({ resolve: hosts(site.port) }), scope)
      const before = yield* ask("GET", "/readyz")
      const scrape = yield* Effect.forkChild(ask("POST", "/v2/scrape", { body: { url: "http://site.test/slow" } }))
      yield* slow.reached
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* Effect.yieldNow
      const [crawl, ready, live] = yield* Effect.all([
        ask("POST", "/v2/crawl", { body: { url: "http://site.test/" } }),
        ask("GET", "/readyz"),
        ask("GET", "/livez")
      ])
      yield* slow.open
      const scraped = yield* Fiber.join(scrape)
      yield* Fiber.join(closing)

      expect([before.status, live.status, ready.status, crawl.status]).toEqual([200, 200, 503, 503])
      expect([crawl.headers.get("retry-after"), ready.headers.get("retry-after")]).toEqual(["5", "5"])
      expect(crawl.body).toMatchObject({ success: false, error: expect.stringContaining("the service stops") })
      expect(crawl.headers.get("x-request-id")).toMatch(/^[\w-]{36}$/)
      expect([scraped.status, scraped.body.success]).toEqual([200, true])
    })
  )
})
