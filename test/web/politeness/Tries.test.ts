import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import * as Patience from "#web/Patience"
import { page } from "../../service/scriptedSite.ts"
import { type Asking, crawlVirtually, paths, type Said } from "../crawl/virtualSite.ts"

const many = paths(40)
const whole = { discovered: 41, scraped: 41, failed: 0, blocked: 0, left: 0, queued: 0 }

/** Forty pages behind a start page, and no robots.txt; what `else` says of a page goes before. */
const site =
  (otherwise: (asking: Asking) => Said) =>
  (asking: Asking): Said => {
    const { pathname } = asking.url
    if (pathname === "/robots.txt" || pathname === "/sitemap.xml") return undefined
    return otherwise(asking) ?? (pathname === "/" ? page("home", ...many) : page(pathname))
  }
const down = { status: 500 }
const timesOf = (asked: ReadonlyArray<{ readonly path: string; readonly now: number }>, path: string) =>
  asked.filter((one) => one.path === path).map(({ now }) => Math.floor(now / 1000))

describe("a crawl", () => {
  it.effect("reads a site whole whose every page is 500 for a minute", () =>
    Effect.gen(function* () {
      const crawl = yield* crawlVirtually(({ now, url }) =>
        now < 60_000 ? down : site(() => undefined)({ now, url, before: 0 })
      )

      expect(crawl.ledger).toMatchObject(whole)
      expect(crawl.ledger.credits).toBe(41)
      expect(new Set(Object.values(crawl.statuses))).toEqual(new Set([200]))
      expect(crawl.asked.filter(({ now }) => now < 60_000).length).toBeLessThanOrEqual(4)
    })
  )

  it.effect("reads a site whole that restarts for a minute in the middle, and does not hammer it meanwhile", () =>
    Effect.gen(function* () {
      let served = 0
      let until = Number.POSITIVE_INFINITY
      const crawl = yield* crawlVirtually(
        site(({ now }) => {
          if (served === 12 && until === Number.POSITIVE_INFINITY) until = now + 60_000
          if (now < until && served >= 12) return "reset"
          served += 1
          return undefined
        })
      )

      expect(crawl.ledger).toMatchObject(whole)
      expect(crawl.failures).toEqual([])
      // Those in flight while it was found out, and the probes.
      expect(crawl.asked.filter(({ now }) => now > 0 && now < 60_000).length).toBeLessThanOrEqual(40)
    })
  )

  it.effect(
    "gives a site up that is dead for good, after minutes, with few requests, and says for how long it waited",
    () =>
      Effect.gen(function* () {
        let served = 0
        const crawl = yield* crawlVirtually(site(() => (served++ < 14 ? undefined : "reset")))

        expect(crawl.job.status).toBe("completed")
        expect(crawl.ledger).toMatchObject({ discovered: 41, scraped: 12, failed: 29, queued: 0 })
        expect(crawl.failures.every(({ code }) => code === "SCRAPE_SITE_DOWN")).toBe(true)
        expect(crawl.failures[0]?.error).toMatch(
          /^reset; site\.test has not answered for 18\d s, even after 4 pauses: run again/
        )
        expect(crawl.seconds).toBeGreaterThan(180)
        expect(crawl.seconds).toBeLessThan(300)
        expect(crawl.asked.length - 14).toBeLessThanOrEqual(40)
      })
  )

  it.effect("fails where the start page never answers, a minute later", () =>
    Effect.gen(function* () {
      const crawl = yield* crawlVirtually(({ url }) => (url.pathname === "/" ? "reset" : undefined))

      expect(crawl.job.status).toBe("failed")
      expect(crawl.job.error).toContain(
        "http://site.test/: reset; site.test has not answered for 65 s, even after 3 pauses"
      )
      expect(timesOf(crawl.asked, "/").map((at, _, [first = 0]) => at - first)).toEqual([0, 5, 20, 65])
    })
  )

  it.effect("waits for the rules of a site that starts, and fails where they never come", () =>
    Effect.gen(function* () {
      const started = yield* crawlVirtually(({ now, url }) =>
        now < 30_000 ? down : site(() => undefined)({ now, url, before: 0 })
      )
      const never = yield* crawlVirtually(({ url }) => (url.pathname === "/robots.txt" ? down : page("x")))

      expect(started.ledger).toMatchObject(whole)
      expect(never.job.error).toContain("robots.txt cannot be fetched, so nothing may be crawled: it answers 500")
      expect(never.asked.map(({ now, path }) => [path, Math.floor(now / 1000)])).toEqual(
        [0, 5, 20, 65].map((at) => ["/robots.txt", at])
      )
    })
  )

  it.effect("has a page as it answers in the end that is 503 to the third time, and bills it once", () =>
    Effect.gen(function* () {
      const crawl = yield* crawlVirtually(site(({ url }) => (url.pathname === "/7" ? { status: 503 } : undefined)))

      expect(crawl.statuses["/7"]).toBe(503)
      expect(crawl.ledger).toMatchObject({ ...whole, credits: 41 })
      const [first = 0, second = 0, third = 0, ...more] = timesOf(crawl.asked, "/7")
      expect([more, second >= first, third - second >= 2, third - first < 5]).toEqual([[], true, true, true])
    })
  )

  it.effect("reads a page that answers at its third try, and others meanwhile", () =>
    Effect.gen(function* () {
      for (const refusal of ["reset", { status: 408 }, { status: 502 }, { status: 429 }] as const) {
        const crawl = yield* crawlVirtually(
          site(({ before, url }) => (url.pathname === "/3" && before < 2 ? refusal : undefined))
        )
        expect(crawl.statuses["/3"]).toBe(200)
        expect(crawl.ledger).toMatchObject(whole)
      }
    })
  )

  it.effect("reads a site whole that resets every second connection", () =>
    Effect.gen(function* () {
      let connections = 0
      const crawl = yield* crawlVirtually(({ now, url }) =>
        connections++ % 2 === 1 ? "reset" : site(() => undefined)({ now, url, before: 0 })
      )

      expect(crawl.ledger).toMatchObject(whole)
      expect(crawl.failures).toEqual([])
    })
  )

  it.effect("asks three times for a page that always breaks, beside pages that the site answers with 500", () =>
    Effect.gen(function* () {
      const crawl = yield* crawlVirtually(
        site(({ url }) => (url.pathname === "/3" ? "reset" : ["/4", "/5"].includes(url.pathname) ? down : undefined))
      )

      expect(crawl.failures).toHaveLength(1)
      expect(timesOf(crawl.asked, "/3")).toHaveLength(3)
      expect(crawl.seconds).toBeLessThan(10)
    })
  )

  it.effect("reads a site whole that lets five pages through in ten seconds", () =>
    Effect.gen(function* () {
      const served: Array<number> = []
      const crawl = yield* crawlVirtually(
        site(({ now }) => {
          if (served.filter((at) => at > now - 10_000).length >= 5) return { status: 429, retryAfter: "10" }
          served.push(now)
          return undefined
        })
      )

      expect(crawl.ledger).toMatchObject(whole)
      expect(new Set(Object.values(crawl.statuses))).toEqual(new Set([200]))
    })
  )

  it.effect("does not take a site for dead whose one section is broken", () =>
    Effect.gen(function* () {
      const broken = paths(200).map((path) => `/broken${path}`)
      const crawl = yield* crawlVirtually(({ url }) => {
        if (url.pathname === "/") return page("home", ...broken, "/after")
        if (url.pathname === "/after") return page("after", "/last")
        if (url.pathname === "/last") return page("last")
        return broken.includes(url.pathname) ? down : undefined
      })

      expect(crawl.ledger).toMatchObject({ scraped: 203, failed: 0 })
      expect([crawl.statuses["/after"], crawl.statuses["/last"]]).toEqual([200, 200])
      expect(crawl.seconds).toBeLessThan(60)
    })
  )

  it.effect("is not held up long by a dead host that it links to", () =>
    Effect.gen(function* () {
      const crawl = yield* crawlVirtually(
        ({ url }) => {
          if (url.host === "dead.test") return "reset"
          return url.pathname === "/" ? page("home", ...many.map((path) => `http://dead.test${path}`), "/0") : page("x")
        },
        { allowExternalLinks: true, sitemap: "skip" }
      )

      expect(crawl.ledger).toMatchObject({ scraped: 2, failed: 40 })
      expect(crawl.seconds).toBeLessThan(20)
      expect(crawl.asked.filter(({ path }) => path.startsWith("//dead")).length).toBeLessThanOrEqual(20)
    })
  )

  it.effect("tries a page once where tries is 1, and does not wait for a host", () =>
    Effect.gen(function* () {
      let served = 0
      const crawl = yield* crawlVirtually(
        site(() => (served++ < 14 ? undefined : "reset")),
        {},
        { patience: Patience.withTries(1) }
      )

      expect(crawl.ledger).toMatchObject({ scraped: 12, failed: 29 })
      expect(crawl.seconds).toBeLessThanOrEqual(1)
    })
  )

  it.effect("reads the pages of a sitemap where the start page is broken", () =>
    Effect.gen(function* () {
      const sitemap = `<urlset>${many.map((path) => `<url><loc>http://site.test${path}</loc></url>`).join("")}</urlset>`
      const crawl = yield* crawlVirtually(({ url }) => {
        if (url.pathname === "/sitemap.xml") return sitemap
        if (url.pathname === "/robots.txt") return undefined
        return url.pathname === "/" ? down : page(url.pathname)
      })

      expect(crawl.ledger).toMatchObject(whole)
      expect(crawl.statuses["/"]).toBe(500)
      expect(crawl.seconds).toBeLessThan(30)
    })
  )

  it.effect("reads a sitemap at its second try", () =>
    Effect.gen(function* () {
      const sitemap = `<urlset>${many.map((path) => `<url><loc>http://site.test${path}</loc></url>`).join("")}</urlset>`
      const crawl = yield* crawlVirtually(({ before, url }) => {
        if (url.pathname === "/sitemap.xml") return before === 0 ? { status: 503 } : sitemap
        return url.pathname === "/robots.txt" ? undefined : page(url.pathname)
      })

      expect(crawl.ledger).toMatchObject(whole)
    })
  )
})
