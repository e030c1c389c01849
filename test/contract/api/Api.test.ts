import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import * as Errors from "#contract/Errors"
import { WebData } from "#contract/WebData"
import { page, scriptedSite } from "../../service/scriptedSite.ts"
import { hosts, served } from "../../service/served.ts"

const url = "http://site.test/"

describe("the contract", () => {
  it.live("takes the fields that public clients send with every body, and null for silence", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": page("home") })
      const service = yield* served({ resolve: hosts(site.port) })
      const identification = {
        origin: "js-sdk@4.42.0",
        integration: null,
        zeroDataRetention: false,
        deduplicateSimilarURLs: true,
        toolDetail: "x",
        domainTools: [],
        auditMetadata: { a: 1 },
        threatProtection: {}
      }
      const crawl = yield* service.ask("POST", "/v2/crawl", {
        body: { url: ` ${url} `, limit: null, sitemap: null, scrapeOptions: null, ...identification }
      })
      const scrape = yield* service.ask("POST", "/v2/scrape", {
        body: { url, formats: [{ type: "links" }, "markdown"], proxy: "auto", maxAge: 0, ...identification }
      })
      const map = yield* service.ask("POST", "/v2/map", { body: { url, limit: 10, ...identification } })

      expect([crawl.status, scrape.status, map.status]).toEqual([200, 200, 200])
      expect(crawl.body).toEqual({ success: true, id: crawl.body.id, url: `${service.url}/v2/crawl/${crawl.body.id}` })
      expect(crawl.body.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(Object.keys(scrape.body.data).toSorted()).toEqual(["links", "markdown", "metadata"])
    })
  )

  it.live("is told as an OpenAPI document with every path and every field of a crawl", () =>
    Effect.gen(function* () {
      const service = yield* served()
      const { body } = yield* service.ask("GET", "/openapi.json")
      const operations = Object.entries(body.paths).map(([path, item]) => [path, Object.keys(Object(item)).toSorted()])
      const schema = body.components.schemas.CrawlRequest

      expect(body.openapi).toMatch(/^3\./)
      expect(Object.fromEntries(operations)).toEqual({
        "/v2/agent": ["get", "post"],
        "/v2/agent/threads/{id}": ["get"],
        "/v2/agent/{jobId}": ["delete", "get"],
        "/v2/agent/{jobId}/snapshots/{snapshotId}": ["get"],
        "/v2/agent/{jobId}/trace": ["get"],
        "/v2/batch/scrape": ["post"],
        "/v2/batch/scrape/{id}": ["delete", "get"],
        "/v2/batch/scrape/{id}/errors": ["get"],
        "/v2/concurrency-check": ["get"],
        "/v2/crawl": ["post"],
        "/v2/crawl/params-preview": ["post"],
        "/v2/crawl/active": ["get"],
        "/v2/crawl/ongoing": ["get"],
        "/v2/crawl/{id}": ["delete", "get"],
        "/v2/crawl/{id}/errors": ["get"],
        "/v2/extract": ["post"],
        "/v2/extract/{id}": ["delete", "get"],
        "/v2/scrape": ["post"],
        "/v2/scrape/{id}": ["get"],
        "/v2/scrape/{id}/interact": ["delete", "post"],
        "/v2/browser": ["get", "post"],
        "/v2/browser/{id}": ["delete"],
        "/v2/browser/{id}/execute": ["post"],
        "/v2/search": ["post"],
        "/v2/search/gov": ["get", "post"],
        "/v2/map": ["post"],
        "/v2/monitor": ["get", "post"],
        "/v2/monitor/{id}": ["delete", "get", "patch"],
        "/v2/monitor/{id}/checks": ["get"],
        "/v2/monitor/{id}/checks/{checkId}": ["get"],
        "/v2/monitor/{id}/run": ["post"],
        "/v2/parse": ["post"],
        "/v2/support/ask": ["post"],
        "/v2/team/credit-usage": ["get"],
        "/v2/team/credit-usage/historical": ["get"],
        "/v2/team/queue-status": ["get"],
        "/v2/team/token-usage": ["get"],
        "/v2/team/token-usage/historical": ["get"]
      })
      expect(schema.required).toEqual(["url"])
      expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(["includePaths", "sitemap", "origin"]))
      expect(Object.keys(body.paths["/v2/crawl"].post.responses)).toEqual(expect.arrayContaining(["200", "400", "401"]))
      const references = [...JSON.stringify(body).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)]
      expect(references.filter(([, name = ""]) => !(name in body.components.schemas))).toEqual([])
    })
  )

  it.live("gives a client each failure as its class, with message and details", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": () => {} })
      const service = yield* served({
        resolve: hosts(site.port),
        keys: [{ key: Redacted.make("fc-a"), teamId: "a" }]
      })
      const as = (key: string) =>
        WebData.layer({ baseUrl: service.url, key: Redacted.make(key) }).pipe(Layer.provide(FetchHttpClient.layer))
      const ours = yield* Layer.build(as("fc-a"))
      const { crawl, scrape } = yield* Effect.provideContext(WebData, ours)
      const stranger = yield* Effect.provideContext(WebData, yield* Layer.build(as("fc-x")))

      const { id } = yield* crawl.start({ payload: { url } })
      yield* crawl.cancel({ params: { id } })
      const failures = {
        bad: yield* Effect.flip(crawl.start({ payload: { url, includePaths: ["("] } })),
        forbidden: yield* Effect.flip(crawl.start({ payload: { url, ignoreRobotsTxt: true } })),
        unauthorized: yield* Effect.flip(stranger.crawl.start({ payload: { url } })),
        missing: yield* Effect.flip(crawl.status({ params: { id: "x" }, query: {} })),
        conflict: yield* Effect.flip(crawl.cancel({ params: { id } })),
        late: yield* Effect.flip(scrape.scrape({ payload: { url, timeout: 1000 } })),
        guarded: yield* Effect.flip(scrape.scrape({ payload: { url: "http://127.0.0.1/" } }))
      }

      expect(failures.bad).toBeInstanceOf(Errors.BadRequest)
      expect(failures.bad).toMatchObject({ details: [{ path: ["includePaths", 0] }] })
      expect(failures.forbidden).toBeInstanceOf(Errors.Forbidden)
      expect(failures.unauthorized).toEqual(new Errors.Unauthorized({ message: "Unauthorized: Invalid token" }))
      expect(failures.missing).toBeInstanceOf(Errors.NotFound)
      expect(failures.conflict).toBeInstanceOf(Errors.Conflict)
      expect(failures.late).toBeInstanceOf(Errors.RequestTimeout)
      expect(failures.late).toMatchObject({ code: "SCRAPE_TIMEOUT" })
      expect(failures.guarded).toBeInstanceOf(Errors.Forbidden)
      expect(failures.guarded).toMatchObject({ code: "SCRAPE_ADDRESS_BLOCKED" })
    })
  )
})
