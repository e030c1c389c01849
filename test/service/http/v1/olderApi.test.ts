import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import * as Plan from "#service/AccountPlan"
import { origin, product } from "../../agent/shop.ts"
import { page, scriptedSite } from "../../scriptedSite.ts"
import { hosts, type Service, served } from "../../served.ts"

const site = Effect.gen(function* () {
  const { port } = yield* scriptedSite({
    "/": page("home", "/a", "/deep/er/b"),
    "/a": product("Ash lamp", "140.00"),
    "/deep/er/b": page("deep")
  })
  return yield* served({ resolve: hosts(port) })
})

const ended = Effect.fnUntraced(function* ({ ask }: Service, path: string) {
  for (;;) {
    const { body } = yield* ask("GET", path)
    if (body.status !== "scraping") return body
    yield* Effect.sleep("20 millis")
  }
})

/** What clients of the older API send, and what they read. */
describe("the older API", () => {
  it.live("scrapes, with data by its older name", () =>
    Effect.gen(function* () {
      const service = yield* site
      const schema = { type: "object", properties: { price: { type: "number" } } }
      const body = {
        url: `${origin}/a`,
        formats: ["markdown", "extract"],
        extract: { schema, systemPrompt: "x" },
        origin: "js-sdk@1"
      }
      const { body: answer, status } = yield* service.ask("POST", "/v1/scrape", { body })

      expect(status).toBe(200)
      expect(answer).toMatchObject({ success: true, data: { extract: { price: 140 }, metadata: { statusCode: 200 } } })
      expect(answer.data.markdown).toContain("Ash lamp")
      expect(answer.data.json).toBeUndefined()
      expect(answer.warning).toBe("systemPrompt has no effect on a page: use prompt")
    })
  )

  it.live("crawls with its older options, and pages by its own address", () =>
    Effect.gen(function* () {
      const service = yield* site
      const body = { url: `${origin}/`, maxDepth: 1, allowBackwardLinks: true, ignoreSitemap: true, limit: 10 }
      const { body: started } = yield* service.ask("POST", "/v1/crawl", { body })
      const { body: first } = yield* service.ask("GET", `/v1/crawl/${started.id}?limit=1`)
      const all = yield* ended(service, `/v1/crawl/${started.id}`)
      const { body: errors } = yield* service.ask("DELETE", `/v1/crawl/${started.id}/errors`)
      const { status: cancel } = yield* service.ask("DELETE", `/v1/crawl/${started.id}`)

      expect(started).toEqual({ success: true, id: expect.any(String), url: `${service.url}/v1/crawl/${started.id}` })
      expect(first.next).toContain(`${service.url}/v1/crawl/${started.id}?skip=`)
      expect(all).toMatchObject({ success: true, status: "completed", total: 2, completed: 2 })
      expect(all.data.map(({ metadata }: { metadata: { url: string } }) => metadata.url).toSorted()).toEqual([
        `${origin}/`,
        `${origin}/a`
      ])
      expect(errors).toMatchObject({ errors: [], robotsBlocked: [] })
      expect(cancel).toBe(409)
    })
  )

  it.live("finds a batch by the path of crawls too, and ends a job", () =>
    Effect.gen(function* () {
      const service = yield* site
      const secretive = "http://ada:s3cret@site.test/"
      const body = {
        urls: [`${origin}/a`, "no url", secretive],
        formats: ["json"],
        jsonOptions: { prompt: "price" },
        ignoreInvalidURLs: true
      }
      const { body: started } = yield* service.ask("POST", "/v1/batch/scrape", { body })
      const job = yield* ended(service, `/v1/crawl/${started.id}`)
      const { body: slow } = yield* service.ask("POST", "/v1/crawl", { body: { url: `${origin}/`, delay: 100 } })
      const { body: cancelled } = yield* service.ask("DELETE", `/v1/crawl/${slow.id}`)

      expect(started).toMatchObject({
        invalidURLs: ["no url", secretive],
        url: `${service.url}/v1/batch/scrape/${started.id}`
      })
      expect(job.data[0].json).toEqual({ price: expect.anything() })
      expect(job.data[0].extract).toEqual(job.data[0].json)
      expect(cancelled).toEqual({ success: true, status: "cancelled" })
    })
  )

  it.live("maps a site to a list of URLs", () =>
    Effect.gen(function* () {
      const service = yield* site
      const { body } = yield* service.ask("POST", "/v1/map", { body: { url: `${origin}/`, ignoreSitemap: true } })

      expect(body).toEqual({ success: true, links: expect.arrayContaining([`${origin}/a`]) })
    })
  )

  it.live("refuses what the contract refuses: keys, unknown fields, paths that are none", () =>
    Effect.gen(function* () {
      const { port } = yield* scriptedSite({ "/": page("home") })
      const keys = [{ key: Redacted.make("k"), teamId: "t", plan: Plan.standard }]
      const service = yield* served({ resolve: hosts(port), keys })
      const key = { authorization: "Bearer k" }
      const ask = (path: string, body: unknown, headers = {}) =>
        Effect.map(service.ask("POST", path, { body, headers }), ({ body: { error }, status }) => [status, error])

      expect(yield* ask("/v1/scrape", { url: origin })).toEqual([401, "Unauthorized: Invalid token"])
      expect(yield* ask("/v1/scrape", { url: origin, odd: 1 }, key)).toEqual([400, "Bad Request: odd: unknown field"])
      expect(yield* ask("/v1/scrape", { url: origin, jsonOptions: {} }, key)).toEqual([
        400,
        "Bad Request: jsonOptions: unknown field"
      ])
      expect(yield* ask("/v1/scrape", "{", key)).toEqual([400, expect.stringContaining("not valid JSON")])
      expect(yield* ask("/v1/nowhere", {}, key)).toEqual([404, expect.stringContaining("Not Found")])
      expect(yield* ask("/v1/scrape/", {}, key)).toEqual([400, expect.stringContaining("Invalid URL")])
      const { body } = yield* service.ask("GET", "/v1/crawl/nope", { headers: key })
      expect(body.error).toMatch(/^no crawl has the id nope/)
    })
  )
})
