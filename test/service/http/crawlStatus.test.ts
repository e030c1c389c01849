import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { expect } from "vitest"
import * as Limits from "#contract/Limits"
import { behindPort } from "../databases.ts"
import { file, gate, page, scriptedSite } from "../scriptedSite.ts"
import { hosts, type Service } from "../served.ts"

const url = "http://site.test/"

const start = (service: Service, request: object = {}) =>
  Effect.map(service.ask("POST", "/v2/crawl", { body: { url, ...request } }), ({ body }) => `/v2/crawl/${body.id}`)

/** Asks at the end until the job is over. */
const ended = Effect.fnUntraced(function* (service: Service, job: string) {
  for (;;) {
    const { body } = yield* service.ask("GET", `${job}?skip=1000000`)
    if (body.status !== "scraping") return
  }
})

/** As the public client reads: from the status answer, by `next` until there is none. */
const follow = Effect.fnUntraced(function* (service: Service, job: string) {
  const answers = [(yield* service.ask("GET", job)).body]
  for (let next = answers[0].next; next !== undefined; next = answers.at(-1).next) {
    answers.push((yield* service.ask("GET", next.slice(service.url.length))).body)
  }
  return answers
})

behindPort("the status of a crawl", (database) => {
  it.live("has every field of the specification, and failed pages are not in the total", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({
        "/": page("home", "/a", "/gone", "/reset", "/secret"),
        "/a": page("a"),
        "/reset": (request) => request.socket.destroy(),
        "/robots.txt": file("text/plain", "User-agent: *\nDisallow: /secret")
      })
      const service = yield* database.served({ resolve: hosts(site.port) })
      const job = yield* start(service)
      yield* ended(service, job)
      const { body } = yield* service.ask("GET", job)
      const { createdAt, completedAt, expiresAt, duration, data, ...rest } = body

      expect(rest).toEqual({
        success: true,
        status: "completed",
        total: 3,
        completed: 3,
        creditsUsed: 3,
        ledger: { discovered: 5, scraped: 3, failed: 1, blocked: 1, left: 0, aliases: 0 }
      })
      expect(Date.parse(completedAt) - Date.parse(createdAt)).toBe(Math.round(duration * 1000))
      expect(Date.parse(expiresAt) - Date.parse(completedAt)).toBe(Limits.retentionMillis)
      expect(data).toHaveLength(3)
      expect(data[0]).toEqual({
        markdown: expect.stringContaining("# home"),
        metadata: {
          title: "home",
          language: "en",
          sourceURL: url,
          url,
          statusCode: 200,
          contentType: "text/html; charset=utf-8",
          // Extensions of ours.
          pageKind: expect.stringMatching(/^[a-z]+$/),
          contentVersion: expect.any(Number),
          scrapeId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          proxyUsed: "basic",
          cacheState: "miss",
          creditsUsed: 1
        }
      })
      const errors = yield* service.ask("GET", `${job}/errors`)
      expect(errors.body).toEqual({
        success: true,
        errors: [
          {
            id: expect.stringMatching(/^[0-9a-f-]{36}$/),
            timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
            url: `${url}reset`,
            code: "SCRAPE_CONNECTION_ERROR",
            error: "the host closed the connection before the answer was whole"
          }
        ],
        robotsBlocked: [`${url}secret`]
      })
    })
  )

  it.live("is read whole by following `next` from the beginning while the crawl is still running", () =>
    Effect.gen(function* () {
      const late = gate(page("late"))
      const site = yield* scriptedSite({
        "/": page("home", "/1", "/2", "/late"),
        "/1": page("1"),
        "/2": page("2"),
        "/late": late.answer
      })
      const service = yield* database.served({ resolve: hosts(site.port) })
      const job = yield* start(service, { maxConcurrency: 1, sitemap: "skip" })
      yield* late.reached
      const running = yield* service.ask("GET", job)
      const held = yield* Effect.forkChild(service.ask("GET", `${job}?skip=3`))
      yield* late.open
      const { body } = yield* Fiber.join(held)
      const answers = yield* follow(service, job)

      expect(running.body).toMatchObject({
        status: "scraping",
        completed: 3,
        total: 4,
        next: `${service.url}${job}?skip=3`
      })
      expect(running.body).not.toHaveProperty("completedAt")
      expect(body.data.map((document: { metadata: { url: string } }) => document.metadata.url)).toEqual([`${url}late`])
      expect(answers.flatMap(({ data }) => data)).toHaveLength(4)
    })
  )

  it.live("pages by `skip` and `limit`, and ends without `next`", () =>
    Effect.gen(function* () {
      const links = Array.from({ length: 6 }, (_, index) => `/p${index}`)
      const site = yield* scriptedSite({
        "/": page("home", ...links),
        ...Object.fromEntries(links.map((link) => [link, page(link)]))
      })
      const service = yield* database.served({ resolve: hosts(site.port) })
      const job = yield* start(service)
      yield* ended(service, job)
      const read = (query: string) => Effect.map(service.ask("GET", job + query), ({ body }) => body)
      const pages = [yield* read("?limit=3"), yield* read("?skip=3&limit=3"), yield* read("?skip=6&limit=3")]
      const past = yield* read("?skip=7")

      expect(pages.map(({ data }) => data.length)).toEqual([3, 3, 1])
      expect(pages.map(({ next }) => next)).toEqual([
        `${service.url}${job}?skip=3&limit=3`,
        `${service.url}${job}?skip=6&limit=3`,
        undefined
      ])
      const titles = pages.flatMap(({ data }) =>
        data.map(({ metadata }: { metadata: { title: string } }) => metadata.title)
      )
      expect(titles.toSorted()).toEqual(["/p0", "/p1", "/p2", "/p3", "/p4", "/p5", "home"])
      expect([past.data, past.next, past.status]).toEqual([[], undefined, "completed"])
    })
  )

  it.live("of a failed or cancelled crawl carries `next`, and the page behind it is empty and carries none", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": (request) => request.socket.destroy(), "/wait": () => {} })
      const service = yield* database.served({ resolve: hosts(site.port) })
      const failed = yield* start(service)
      yield* ended(service, failed)
      const cancelled = yield* start(service, { url: `${url}wait` })
      yield* service.ask("DELETE", cancelled)
      const [ofFailed, ofCancelled] = [yield* follow(service, failed), yield* follow(service, cancelled)]

      expect(ofFailed[0]).toMatchObject({
        success: false,
        status: "failed",
        error: expect.stringContaining(
          "http://site.test/: the host closed the connection before the answer was whole; "
        ),
        next: `${service.url}${failed}?skip=0`,
        total: 0,
        completed: 0,
        data: []
      })
      expect(ofCancelled[0]).toMatchObject({
        success: true,
        status: "cancelled",
        next: `${service.url}${cancelled}?skip=0`
      })
      expect([ofFailed, ofCancelled].map((answers) => answers.length)).toEqual([2, 2])
    })
  )

  it.live("holds 10 MB at most, and one document however large", () =>
    Effect.gen(function* () {
      const megabytes = (count: number) => `<title>${count}</title><p>${"x".repeat(count * 1024 * 1024)}`
      const site = yield* scriptedSite({
        "/": page("home", "/4", "/5", "/12", "/1"),
        ...Object.fromEntries([4, 5, 12, 1].map((count) => [`/${count}`, megabytes(count)]))
      })
      const service = yield* database.served({ resolve: hosts(site.port) })
      const job = yield* start(service, { maxConcurrency: 1, scrapeOptions: { formats: ["rawHtml"] } })
      yield* ended(service, job)
      const answers = yield* follow(service, job)

      const titles = answers.map(({ data }) =>
        data.map(({ metadata }: { metadata: { title: string } }) => metadata.title)
      )
      expect(titles).toEqual([["home", "4", "5"], ["12"], ["1"]])
      const sizes = answers.map((answer) => Buffer.byteLength(JSON.stringify(answer)))
      expect(sizes.filter((size) => size > Limits.maxChunkBytes)).toHaveLength(1)
    })
  )

  it.live("leaves the rest to the next chunk where the answer would come to just more than 10 MB", () =>
    Effect.gen(function* () {
      const half = `<title>half</title><p>${"x".repeat(Limits.maxChunkBytes / 2 - 520)}`
      const site = yield* scriptedSite({ "/": file("text/html", half.replace("<p>", '<p><a href="/b">')), "/b": half })
      const service = yield* database.served({ resolve: hosts(site.port) })
      const job = yield* start(service, { scrapeOptions: { formats: ["rawHtml"] } })
      yield* ended(service, job)
      const answers = yield* follow(service, job)

      expect(answers.map(({ data }) => data.length)).toEqual([1, 1])
    })
  )

  it.live("gives `next` and the job's URL the scheme and host that the caller used, if they are ones", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": () => {} })
      const service = yield* database.served({ resolve: hosts(site.port) })
      const origins = Effect.fnUntraced(function* (headers: Record<string, string>) {
        const started = yield* service.ask("POST", "/v2/crawl", { body: { url }, headers })
        const status = yield* service.ask("GET", `/v2/crawl/${started.body.id}`, { headers })
        return [started.body.url, status.body.next].map((address) => new URL(address).origin)
      })

      const proxied = { "x-forwarded-proto": "https, http", "x-forwarded-host": "api.example.com, inner" }
      expect(yield* origins({})).toEqual([service.url, service.url])
      expect(yield* origins(proxied)).toEqual(["https://api.example.com", "https://api.example.com"])
      expect(yield* origins({ "x-forwarded-proto": "javascript" })).toEqual([service.url, service.url])
      expect(yield* origins({ "x-forwarded-host": 'a"b c' })).toEqual(["http://localhost", "http://localhost"])
    })
  )
})
