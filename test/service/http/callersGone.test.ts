import { type IncomingMessage, request, type ServerResponse } from "node:http"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { expect } from "vitest"
import * as Limits from "#contract/Limits"
import { json, servedGazetteer } from "../agent/gazetteer.ts"
import { gate, page, scriptedSite } from "../scriptedSite.ts"
import { hosts, type Service, served } from "../served.ts"

const headers = { authorization: "Bearer fc-a", "content-type": "application/json" }
const keys = [{ key: Redacted.make("fc-a"), teamId: "a" }]
const origin = "http://site.test"

/** Sends a request over a socket of its own; `leave` closes it, whatever the service does. */
const caller = ({ url }: Service, path: string, body: object) => {
  const sent = request(`${url}${path}`, { method: "POST", headers, agent: false }, (response) => response.resume())
  sent.on("error", () => {})
  sent.end(JSON.stringify(body))
  return { leave: Effect.sync(() => void sent.destroy()) }
}

const used = ({ ask }: Service) =>
  Effect.map(ask("GET", "/v2/team/credit-usage", { headers }), ({ body }) => {
    const { planCredits, remainingCredits } = body.data
    return planCredits - remainingCredits
  })

const inFlight = ({ ask }: Service) =>
  Effect.map(ask("GET", "/v2/concurrency-check", { headers }), ({ body }) => body.concurrency)

describe("a caller that goes away", () => {
  for (const [name, path, body] of [
    ["a scrape", "/v2/scrape", { url: `${origin}/held` }],
    ["a scrape of the older API", "/v1/scrape", { url: `${origin}/held` }],
    ["a map", "/v2/map", { url: `${origin}/held`, sitemap: "skip" }]
  ] as const) {
    it.live(`ends ${name} that waits for the site: the site is let go, and nothing is charged`, () =>
      Effect.gen(function* () {
        const held = gate(page("held"))
        const { port, requests } = yield* scriptedSite({ "/held": held.answer, "/next": page("next") })
        const service = yield* served({ keys, resolve: hosts(port) })
        const { leave } = caller(service, path, body)
        yield* held.reached
        const during = yield* inFlight(service)
        yield* leave
        yield* held.left
        const next = yield* service.ask("POST", "/v2/scrape", { headers, body: { url: `${origin}/next` } })

        expect(requests.filter((url) => url === "/held")).toHaveLength(1)
        expect([during, yield* inFlight(service)]).toEqual([1, 0])
        expect([next.status, yield* used(service)]).toEqual([200, 1])
      }).pipe(Effect.scoped)
    )
  }

  it.live("ends the scrapes of a search, and pays for the search alone", () =>
    Effect.gen(function* () {
      const held = gate(page("willow lamp"))
      let isFirst = true
      const answer = (request: IncomingMessage, response: ServerResponse) => {
        if (!isFirst) return held.answer(request, response)
        isFirst = false
        response.setHeader("content-type", "text/html").end(page("willow lamp"))
      }
      const { port } = yield* scriptedSite({ "/willow": answer })
      const service = yield* served({ keys, resolve: hosts(port) })
      yield* service.ask("POST", "/v2/scrape", { headers, body: { url: `${origin}/willow` } })
      const before = yield* used(service)
      const scrapeOptions = { formats: ["markdown"], maxAge: 0 }
      const { leave } = caller(service, "/v2/search", { query: "willow", scrapeOptions })
      yield* held.reached
      yield* leave
      yield* held.left

      expect((yield* used(service)) - before).toBe(Limits.searchCredits)
    }).pipe(Effect.scoped)
  )

  it.live("ends no job that it has started", () =>
    Effect.gen(function* () {
      const held = gate(page("first", "/second"))
      const { port, requests } = yield* scriptedSite({ "/": held.answer, "/second": page("second") })
      const service = yield* served({ keys, resolve: hosts(port) })
      const { leave } = caller(service, "/v2/crawl", { url: `${origin}/`, limit: 2, sitemap: "skip" })
      yield* held.reached
      yield* leave
      const active = yield* service.ask("GET", "/v2/crawl/active", { headers })
      yield* held.open
      const { id } = active.body.crawls[0]
      const ended = yield* service
        .ask("GET", `/v2/crawl/${id}`, { headers })
        .pipe(
          Effect.repeat({ until: ({ body }) => body.status !== "scraping", schedule: Schedule.spaced("20 millis") })
        )

      expect(ended.body).toMatchObject({ status: "completed", completed: 2 })
      expect(requests.filter((url) => url === "/" || url === "/second")).toEqual(["/", "/second"])
    }).pipe(Effect.scoped)
  )

  it.live("ends no call to a data provider that was made: it is charged, as the provider may charge for it", () =>
    Effect.gen(function* () {
      const asked = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      const { provider } = yield* servedGazetteer((_request, response) => {
        asked.resolve()
        void released.promise.then(() => json(response, { records: [] }))
      })
      const service = yield* served({ keys, providers: [provider] })
      const { capability, cost, id, terms } = provider
      const options = { provider: id, version: terms.version, digest: terms.digest, confirmed: true }
      const accept = { provider: "millrace", capability: "terms/accept", options }
      yield* service.ask("POST", "/v2/scrape", { headers, body: { catalog: accept } })
      const { leave } = caller(service, "/v2/scrape", { catalog: { provider: id, capability } })
      yield* Effect.promise(() => asked.promise)
      yield* leave
      const during = yield* inFlight(service)
      released.resolve()
      const credits = yield* used(service).pipe(
        Effect.repeat({ until: (credits) => credits > 0, schedule: Schedule.spaced("20 millis"), times: 250 })
      )

      expect([during, credits]).toEqual([1, cost])
    }).pipe(Effect.scoped)
  )
})
