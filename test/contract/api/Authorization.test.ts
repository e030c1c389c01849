import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { scriptedSite } from "../../service/scriptedSite.ts"
import { hosts, type Service, served } from "../../service/served.ts"

const url = "http://site.test/"
const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })

/** A service with the keys of two teams, on a site that never answers. */
const guarded = Effect.gen(function* () {
  const site = yield* scriptedSite({ "/robots.txt": () => {} })
  return yield* served({
    keys: [
      { key: Redacted.make("fc-a"), teamId: "a" },
      { key: Redacted.make("fc-b"), teamId: "b" }
    ],
    resolve: hosts(site.port)
  })
})

const start = (service: Service, headers: Readonly<Record<string, string>> = {}) =>
  Effect.map(service.ask("POST", "/v2/crawl", { body: { url }, headers }), ({ status, body }) => ({
    status,
    id: String(body.id),
    error: body.error
  }))

describe("with keys configured, a caller", () => {
  it.live("with an unknown, empty or malformed key is refused on every operation", () =>
    Effect.gen(function* () {
      const service = yield* guarded
      const unauthorized = { success: false, error: "Unauthorized: Invalid token" }
      for (const authorization of ["Bearer fc-c", "Bearer fc-a2", "Basic fc-a", "fc-a", "Bearer", "Bearer "]) {
        const headers = { authorization }
        const answers = [
          yield* service.ask("POST", "/v2/crawl", { body: { url }, headers }),
          yield* service.ask("GET", "/v2/crawl/active", { headers }),
          yield* service.ask("POST", "/v2/scrape", { body: { url }, headers }),
          yield* service.ask("POST", "/v2/map", { body: { url }, headers })
        ]
        expect(answers.map(({ status, body }) => [authorization, status, body])).toEqual(
          answers.map(() => [authorization, 401, unauthorized])
        )
      }
    })
  )

  it.live("without a key may start a crawl and read it, and nothing else", () =>
    Effect.gen(function* () {
      const service = yield* guarded
      const { id, status } = yield* start(service)
      const codes = [
        status,
        (yield* service.ask("GET", `/v2/crawl/${id}`)).status,
        (yield* service.ask("GET", `/v2/crawl/${id}/errors`)).status,
        (yield* service.ask("GET", "/v2/crawl/active")).status,
        (yield* service.ask("GET", "/v2/crawl/ongoing")).status,
        (yield* service.ask("POST", "/v2/scrape", { body: { url } })).status,
        (yield* service.ask("POST", "/v2/map", { body: { url } })).status,
        (yield* service.ask("DELETE", `/v2/crawl/${id}`)).status
      ]

      expect(codes).toEqual([200, 200, 200, 401, 401, 401, 401, 200])
    })
  )

  it.live("sees the crawls of its own team, and those of others as if they did not exist", () =>
    Effect.gen(function* () {
      const service = yield* guarded
      const { id } = yield* start(service, bearer("fc-a").headers)
      const theirs = [
        yield* service.ask("GET", `/v2/crawl/${id}`, bearer("fc-b")),
        yield* service.ask("GET", `/v2/crawl/${id}/errors`, bearer("fc-b")),
        yield* service.ask("DELETE", `/v2/crawl/${id}`, bearer("fc-b")),
        yield* service.ask("GET", `/v2/crawl/${id}`)
      ]
      const [ours, others] = [
        yield* service.ask("GET", "/v2/crawl/active", { headers: { authorization: "bearer  fc-a" } }),
        yield* service.ask("GET", "/v2/crawl/active", bearer("fc-b"))
      ]

      expect(theirs.map(({ status }) => status)).toEqual([404, 404, 404, 404])
      expect(ours.body.crawls).toMatchObject([{ id, teamId: "a", url, options: { url } }])
      expect(others.body).toEqual({ success: true, crawls: [] })
    })
  )
})

describe("a service without keys", () => {
  it.live("takes callers with any key and without one as the same team", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/robots.txt": () => {} })
      const service = yield* served({ resolve: hosts(site.port) })
      const { id } = yield* start(service, bearer("anything").headers)

      expect((yield* service.ask("GET", `/v2/crawl/${id}`)).status).toBe(200)
      expect((yield* service.ask("GET", `/v2/crawl/${id}`, bearer("else"))).status).toBe(200)
    })
  )
})
