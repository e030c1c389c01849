import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { type Answer, page } from "../../service/scriptedSite.ts"
import { firstFirst, settle } from "../crawl/settledSite.ts"
import { type Asking, crawlVirtually, paths, type Said } from "../crawl/virtualSite.ts"

/** A start page with so many pages, each after 200 ms; those of which `isPit` says so drip for ever. */
const site =
  (count: number, isPit: (at: number) => boolean) =>
  ({ url: { pathname } }: Asking): Said => {
    if (pathname === "/robots.txt" || pathname === "/sitemap.xml") return undefined
    if (pathname === "/") return page("home", ...paths(count))
    return isPit(Number(pathname.slice(1))) ? "drips" : { page: page(pathname), millis: 200 }
  }

describe("a site with tarpits", () => {
  it.effect("holds a crawl for seconds, and its other pages are read", () =>
    Effect.gen(function* () {
      const crawl = yield* crawlVirtually(site(20, () => true))

      expect(crawl.job.status).toBe("completed")
      expect(crawl.seconds).toBeLessThan(60)
      expect(crawl.ledger).toMatchObject({ discovered: 21, scraped: 1, failed: 0, left: 20, queued: 0 })
      expect(new Set(crawl.failures.map(({ code }) => code))).toEqual(new Set(["SCRAPE_HOST_TOO_SLOW"]))
      expect(crawl.failures).toHaveLength(20)
      expect(crawl.failures[0]?.error).toContain("left: host too slow")
    })
  )

  it.effect("costs at most 1.3 times the same site without, where three pages of ten are tarpits", () =>
    Effect.gen(function* () {
      const without = yield* crawlVirtually(site(1200, () => false))
      const crawl = yield* crawlVirtually(site(1200, (at) => (at * 7) % 10 < 3))

      expect(without.ledger).toMatchObject({ discovered: 1201, scraped: 1201 })
      expect(crawl.ledger).toMatchObject({ discovered: 1201, scraped: 841, left: 360, failed: 0 })
      expect(crawl.seconds).toBeLessThanOrEqual(1.3 * without.seconds)
    })
  )

  it.effect("loses no page that is slow but arrives, and tries again what a few tarpits need", () =>
    Effect.gen(function* () {
      const crawl = yield* crawlVirtually((asking) => {
        const { before, url } = asking
        if (url.pathname === "/7" && before < 2) return "drips"
        if (url.pathname === "/3") return { page: page("slow"), millis: 25_000 }
        return site(60, () => false)(asking)
      })

      expect(crawl.ledger).toMatchObject({ discovered: 61, scraped: 61, left: 0, failed: 0 })
    })
  )

  it.live(
    "is left over a real connection too, with the rest delivered",
    () =>
      Effect.gen(function* () {
        const pits = paths(20)
        let open = 0
        let drained = () => {}
        const drip: Answer = (_request, response) => {
          open += 1
          response.writeHead(200, { "content-type": "text/html" })
          response.write("<")
          const timer = setInterval(() => response.write("x"), 1000)
          response.on("close", () => {
            clearInterval(timer)
            open -= 1
            if (open === 0) drained()
          })
        }
        const routes = { "/": page("home", ...pits), ...Object.fromEntries(pits.map((path) => [path, drip])) }
        const crawl = yield* settle(routes, { order: firstFirst })

        expect(crawl.urls).toEqual(["/"])
        expect(crawl.errors.map(({ code }) => code)).toEqual(pits.map(() => "SCRAPE_HOST_TOO_SLOW"))
        expect(crawl.status?.ledger).toMatchObject({ discovered: 21, scraped: 1, left: 20, failed: 0 })
        // No request is left behind.
        yield* Effect.promise(() => new Promise<void>((resolve) => (open === 0 ? resolve() : (drained = resolve))))
      }),
    60_000
  )
})
