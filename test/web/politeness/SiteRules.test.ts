import { describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { PoliteFetch } from "#web/PoliteFetch"
import { SiteRules } from "#web/SiteRules"
import { moved, type Said, scriptedFetch } from "../crawl/scriptedFetch.ts"

const robots = "http://site.test/robots.txt"
const page = new URL("http://site.test/secret/page")

const rulesOf = Effect.fnUntraced(function* (...answers: ReadonlyArray<Said>) {
  let turn = 0
  const asked: Array<string> = []
  const layer = SiteRules.layer.pipe(
    Layer.provide(
      Layer.succeed(PoliteFetch, {
        get: (url) => {
          asked.push(url.href)
          const said = answers[Math.min(turn++, answers.length - 1)] ?? ""
          return scriptedFetch({ [url.href]: said }).get(url)
        }
      })
    )
  )
  const rules = yield* Effect.provideContext(SiteRules, yield* Layer.build(layer))
  const allows = Effect.map(rules.of(page), (site) => site.allows(page.href, "Millrace"))
  return { allows, asked, rules }
})

const closed = "User-agent: *\nDisallow: /secret"

describe("the rules of a site", () => {
  it.effect("are those of its robots.txt, asked once an hour and once for all who wait", () =>
    Effect.gen(function* () {
      const { allows, asked } = yield* rulesOf(closed, "")
      expect(yield* Effect.all([allows, allows, allows], { concurrency: 3 })).toEqual([false, false, false])
      yield* TestClock.adjust("59 minutes")
      expect(yield* allows).toBe(false)
      expect(asked).toEqual([robots])
      yield* TestClock.adjust("1 minute")
      expect(yield* allows).toBe(true)
      expect(asked).toEqual([robots, robots])
    })
  )

  it.effect("are those of a file in another encoding that says so", () =>
    Effect.gen(function* () {
      const { allows } = yield* rulesOf(Buffer.from(`\ufeff${closed}`, "utf16le"))
      expect(yield* allows).toBe(false)
    })
  )

  it.effect("are those behind a redirect that sets the cookie without which nobody comes in", () =>
    Effect.gen(function* () {
      const { allows, asked } = yield* rulesOf({ status: 302, location: "/robots.txt", cookies: ["in=1"] }, closed)
      expect(yield* allows).toBe(false)
      expect(asked).toEqual([robots, robots])
    })
  )

  it.effect("allow all where there is no file, and where redirects lead nowhere", () =>
    Effect.gen(function* () {
      for (const said of [
        { status: 404 },
        { status: 403 },
        { status: 401 },
        "",
        "<html>Disallow: /</html>",
        moved("/robots.txt")
      ]) {
        const { allows } = yield* rulesOf(said)
        expect([said, yield* allows]).toEqual([said, true])
      }
    })
  )

  it.effect("are found behind a redirect", () =>
    Effect.gen(function* () {
      const { allows, asked } = yield* rulesOf(moved("http://www.site.test/robots.txt"), closed)

      expect(yield* allows).toBe(false)
      expect(asked).toEqual([robots, "http://www.site.test/robots.txt"])
    })
  )

  it.effect("that cannot be had forbid the site, say why, and are asked again soon", () =>
    Effect.gen(function* () {
      const { allows, asked } = yield* rulesOf({ status: 500 }, { fails: "SCRAPE_TIMEOUT" }, "")
      const down = yield* Effect.flip(allows)
      yield* Effect.flip(allows)
      expect(asked).toHaveLength(1)
      yield* TestClock.adjust("10 seconds")
      const late = yield* Effect.flip(allows)
      yield* TestClock.adjust("10 seconds")

      expect(down).toMatchObject({
        code: "SCRAPE_ROBOTS_ERROR",
        message: "robots.txt cannot be fetched, so nothing may be crawled: it answers 500"
      })
      expect(late).toMatchObject({ code: "SCRAPE_TIMEOUT" })
      expect(yield* allows).toBe(true)
    })
  )

  it.effect("of a file larger than what counts are those at its beginning", () =>
    Effect.gen(function* () {
      const { allows } = yield* rulesOf(`${closed}\n${"# padding\n".repeat(70_000)}`)

      expect(yield* allows).toBe(false)
    })
  )

  it.effect("are had by those who still wait when the one who asked first has left", () =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<void>()
      const layer = SiteRules.layer.pipe(
        Layer.provide(
          Layer.succeed(PoliteFetch, {
            get: (url) => Effect.andThen(Deferred.await(answer), scriptedFetch({ [robots]: closed }).get(url))
          })
        )
      )
      const rules = yield* Effect.provideContext(SiteRules, yield* Layer.build(layer))
      const [first, second] = [yield* Effect.forkChild(rules.of(page)), yield* Effect.forkChild(rules.of(page))]
      yield* Effect.yieldNow
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(answer, undefined)

      expect((yield* Fiber.join(second)).allows(page.href, "Millrace")).toBe(false)
    })
  )
})
