import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import * as Plan from "#service/AccountPlan"
import { gate, page, scriptedSite } from "../scriptedSite.ts"
import { hosts, served } from "../served.ts"

const url = "http://site.test/"
const headers = { authorization: "Bearer fc-a" }

/** A service for one team with this plan, on this site. */
const planned = (plan: Partial<Plan.Plan>, port: number) =>
  served({
    keys: [{ key: Redacted.make("fc-a"), teamId: "a", plan: { ...Plan.standard, ...plan } }],
    resolve: hosts(port)
  })

describe("a team's plan", () => {
  it.live("covers a crawl's limit before it starts, a batch's URLs, and one page of a scrape", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": page("home") })
      const { ask } = yield* planned({ credits: 5 }, site.port)

      const crawl = yield* ask("POST", "/v2/crawl", { body: { url }, headers })
      const batch = yield* ask("POST", "/v2/batch/scrape", { body: { urls: Array(6).fill(url) }, headers })
      const cheap = yield* ask("POST", "/v2/crawl", { body: { url, limit: 5 }, headers })

      expect([crawl.status, batch.status, cheap.status]).toEqual([402, 402, 200])
      expect(crawl.body).toEqual({
        success: false,
        error:
          "Payment Required: Insufficient credits: this may cost 10000, and 5 remain; lower the limit, or add credits"
      })
      expect(site.requests.filter((path) => path === "/").length).toBeLessThanOrEqual(1)
    })
  )

  it.live("pays for what was scraped, once, and no more than that", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({
        "/": page("home", "/a", "/b"),
        "/a": page("a"),
        "/b": (r) => r.socket.destroy()
      })
      const { ask } = yield* planned({ credits: 100 }, site.port)
      const { body } = yield* ask("POST", "/v2/crawl", { body: { url, limit: 50 }, headers })
      const read = () => ask("GET", `/v2/crawl/${body.id}`, { headers })
      let status = yield* read()
      while (status.body.status === "scraping") status = yield* ask("GET", `/v2/crawl/${body.id}?skip=9`, { headers })
      const usage = yield* ask("GET", "/v2/team/credit-usage", { headers })

      expect(status.body).toMatchObject({ status: "completed", completed: 2, creditsUsed: 2 })
      expect(usage.body.data).toMatchObject({ planCredits: 100, remainingCredits: 98 })
    })
  )

  it.live("refuses a page beyond its concurrency, and says when to come back", () =>
    Effect.gen(function* () {
      const slow = gate(page("slow"))
      const site = yield* scriptedSite({ "/": page("home"), "/slow": slow.answer })
      const { ask } = yield* planned({ concurrency: 1 }, site.port)

      const first = yield* Effect.forkChild(ask("POST", "/v2/scrape", { body: { url: `${url}slow` }, headers }))
      yield* slow.reached
      const second = yield* ask("POST", "/v2/scrape", { body: { url }, headers })
      const busy = yield* ask("GET", "/v2/concurrency-check", { headers })
      yield* slow.open
      const answered = (yield* Fiber.join(first)).status
      const third = yield* ask("POST", "/v2/scrape", { body: { url }, headers })

      expect(second.status).toBe(429)
      expect(second.body.error).toMatch(/^Concurrency limit reached: .* retry after 1 s$/)
      expect(busy.body).toEqual({ success: true, concurrency: 1, maxConcurrency: 1 })
      expect([answered, third.status]).toEqual([200, 200])
    })
  )

  it.live("shares its concurrency between its jobs by turns: a small crawl is not behind a large one", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 40 }, (_, index) => `/big/${index}`)
      const site = yield* scriptedSite({
        "/big/": page("big", ...many),
        ...Object.fromEntries(many.map((path) => [path, page(path)])),
        "/small/": page("small", "/small/1"),
        "/small/1": page("1")
      })
      const { ask } = yield* planned({ concurrency: 1 }, site.port)
      const start = (path: string) =>
        ask("POST", "/v2/crawl", { body: { url: `${url}${path}/`, sitemap: "skip" }, headers })
      const big = (yield* start("big")).body.id
      const small = (yield* start("small")).body.id
      const read = (id: string) => ask("GET", `/v2/crawl/${id}?skip=99`, { headers })
      let status = yield* read(small)
      while (status.body.status === "scraping") status = yield* read(small)

      expect((yield* ask("GET", `/v2/crawl/${big}`, { headers })).body.status).toBe("scraping")
      expect(status.body.completed).toBe(2)
    })
  )

  it.live("takes an idempotency key once, and names the job that it started", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": page("home") })
      const { ask } = yield* planned({}, site.port)
      const keyed = { ...headers, "x-idempotency-key": "night-1" }

      const first = yield* ask("POST", "/v2/crawl", { body: { url }, headers: keyed })
      const again = yield* ask("POST", "/v2/crawl", { body: { url }, headers: keyed })

      expect(again.status).toBe(409)
      expect(again.body).toMatchObject({
        success: false,
        code: "IDEMPOTENCY_KEY_REUSED",
        details: [{ message: first.body.id }]
      })
    })
  )

  it.live("allows robots.txt to be set aside only where it says so", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/robots.txt": "User-agent: *\nDisallow: /\n", "/": page("home") })
      const strict = yield* planned({}, site.port)
      const free = yield* planned({ robotsControl: true }, site.port)
      const body = { url, ignoreRobotsTxt: true, limit: 1 }

      const refused = yield* strict.ask("POST", "/v2/crawl", { body, headers })
      const started = yield* free.ask("POST", "/v2/crawl", { body, headers })
      let status = yield* free.ask("GET", `/v2/crawl/${started.body.id}`, { headers })
      while (status.body.status === "scraping")
        status = yield* free.ask("GET", `/v2/crawl/${started.body.id}?skip=9`, { headers })

      expect([refused.status, started.status]).toEqual([403, 200])
      expect(status.body.completed).toBe(1)
    })
  )
})

describe("credits", () => {
  const json = { type: "json", schema: { type: "object", properties: { name: { type: "string" } } } }

  it.live("that do not cover what a page may cost are 402 before the page is asked for", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": page("home") })
      const { ask } = yield* planned({ credits: 12 }, site.port)
      const scrape = (formats: ReadonlyArray<unknown>) => ask("POST", "/v2/scrape", { body: { url, formats }, headers })
      const taken = yield* Effect.forEach([[json], [json], ["markdown"]], scrape)
      const asked = site.requests.length
      const refused = yield* Effect.forEach([[json]], scrape)
      const crawl = yield* ask("POST", "/v2/crawl", {
        body: { url, limit: 1, scrapeOptions: { formats: [json] } },
        headers
      })
      const last = yield* scrape(["markdown"])

      expect(taken.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(refused.map(({ body, status }) => [status, body.error])).toEqual([
        [402, expect.stringContaining("this may cost 5, and 1 remain")]
      ])
      expect(crawl.status).toBe(402)
      expect(last.status).toBe(200)
      expect(site.requests.length).toBe(asked + 1)
    })
  )

  it.live("are reserved while a page is read: requests at the same time do not spend them twice", () =>
    Effect.gen(function* () {
      const held = gate("<h1>A page</h1>")
      const site = yield* scriptedSite({ "/": held.answer })
      const { ask } = yield* planned({ credits: 3 }, site.port)
      const all = yield* Effect.forEach(Array.from({ length: 8 }), () =>
        Effect.forkChild(ask("POST", "/v2/scrape", { body: { url }, headers }))
      )
      // Those that find no credits left end while the page is held.
      yield* held.reached
      const first = yield* Effect.raceAll(all.map(Fiber.join))
      yield* held.open
      const statuses = (yield* Effect.forEach(all, Fiber.join)).map(({ status }) => status)
      const usage = yield* ask("GET", "/v2/team/credit-usage", { headers })

      expect(first.status).toBe(402)
      expect(statuses.toSorted()).toEqual([200, 200, 200, 402, 402, 402, 402, 402])
      expect(usage.body.data.remainingCredits).toBe(0)
    })
  )

  it.live("of a page that could not be had are free again", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": (r) => r.socket.destroy(), "/b": page("b") })
      const { ask } = yield* planned({ credits: 1 }, site.port)
      const lost = yield* ask("POST", "/v2/scrape", { body: { url, timeout: 2000 }, headers })
      const had = yield* ask("POST", "/v2/scrape", { body: { url: `${url}b` }, headers })

      expect([lost.body.success, had.body.success]).toEqual([false, true])
    })
  )
})
