import { createServer } from "node:net"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { file, page, redirect, scriptedSite } from "../scriptedSite.ts"
import { hosts, served } from "../served.ts"

/** A port at which nobody listens. */
const closedPort = Effect.promise(async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return address !== null && typeof address === "object" ? address.port : 0
})

describe("a scrape that fails", () => {
  it.live("has a status by its code: what may succeed again is one that clients retry", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({
        "/reset": (request) => request.socket.resetAndDestroy(),
        "/broken": (request) => void request.socket.end("HTTP/1.1 nonsense\r\n\r\n"),
        "/loop": redirect("/loop"),
        "/silent": () => {},
        "/film": file("video/mp4", Buffer.from([0, 1, 2, 3]))
      })
      const refused = { address: "127.0.0.1", port: yield* closedPort }
      const { ask } = yield* served({ resolve: new Map([...hosts(site.port, "site.test"), ["refused.test", refused]]) })
      const scrape = Effect.fnUntraced(function* (url: string) {
        const { body, status } = yield* ask("POST", "/v2/scrape", { body: { url, timeout: 1000 } })
        return [status, body.success, body.code]
      })

      expect(yield* scrape("http://site.test/silent")).toEqual([408, false, "SCRAPE_TIMEOUT"])
      expect(yield* scrape("http://refused.test/")).toEqual([502, false, "SCRAPE_CONNECTION_ERROR"])
      expect(yield* scrape("http://site.test/reset")).toEqual([502, false, "SCRAPE_CONNECTION_ERROR"])
      expect(yield* scrape("http://site.test/broken")).toEqual([502, false, "SCRAPE_INVALID_RESPONSE"])
      expect(yield* scrape("http://site.test/loop")).toEqual([502, false, "SCRAPE_REDIRECT_LOOP"])
      expect(yield* scrape("http://nowhere.invalid/")).toEqual([200, false, "SCRAPE_DNS_RESOLUTION_ERROR"])
      expect(yield* scrape("http://site.test/film")).toEqual([400, false, "SCRAPE_UNSUPPORTED_FILE_ERROR"])
    })
  )

  it.live("that would wait longer than it may take is refused at once, and so is protection that is not there", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": page("home") })
      const { ask } = yield* served({ resolve: hosts(site.port) })
      const post = (path: string, body: object) =>
        Effect.map(ask("POST", path, { body }), ({ body, status }) => [status, body.error])
      const url = "http://site.test/"
      const late = [400, expect.stringContaining("waitFor: the page may take 2000 ms (timeout), and waits 3000 ms")]

      expect(yield* post("/v2/scrape", { url, waitFor: 3000, timeout: 2000 })).toEqual(late)
      expect(yield* post("/v2/crawl", { url, scrapeOptions: { waitFor: 3000, timeout: 2000 } })).toEqual(late)
      for (const threatProtection of [{ blacklist: ["a.test"] }, { mode: "normal" }, true])
        expect(yield* post("/v2/scrape", { url, threatProtection })).toEqual([
          400,
          expect.stringContaining("threatProtection: is not available: this service scans no pages")
        ])
      expect(yield* post("/v2/scrape", { url, threatProtection: { mode: "off", blacklist: [] } })).toEqual([
        200,
        undefined
      ])
      expect(site.requests.filter((path) => path === "/")).toHaveLength(1)
    })
  )

  it.live("for its schema, which says nothing, is no schema: 422, and nothing is read or charged", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": page("home") })
      const { ask } = yield* served({ resolve: hosts(site.port) })
      const url = "http://site.test/"
      for (const schema of [
        {},
        { $schema: "https://json-schema.org/draft/2020-12/schema" },
        { title: "A", description: "b" }
      ]) {
        const said = expect.stringContaining("it says nothing of the data")
        const scrape = yield* ask("POST", "/v2/scrape", { body: { url, formats: [{ type: "json", schema }] } })
        const extract = yield* ask("POST", "/v2/extract", { body: { urls: [url], schema } })
        const agent = yield* ask("POST", "/v2/agent", { body: { prompt: "what is it", urls: [url], schema } })
        for (const { body, status } of [scrape, extract, agent]) expect([status, body.error]).toEqual([422, said])
      }
      const whole = yield* ask("POST", "/v2/extract", { body: { urls: [url], schema: true } })
      expect(whole.status).toBe(400)
      expect(site.requests).toEqual([])
    })
  )
})

describe("an upload that cannot be read", () => {
  it.live("is a fault of the request, with a code", () =>
    Effect.gen(function* () {
      const { url } = yield* served()
      const parse = (name: string, content: string, options?: string) =>
        Effect.promise(async () => {
          const form = new FormData()
          if (name !== "") form.append("file", new Blob([content]), name)
          if (options !== undefined) form.append("options", options)
          const answer = await fetch(`${url}/v2/parse`, { method: "POST", body: form })
          const body = JSON.parse(await answer.text()) as { code?: string; success: boolean }
          return [answer.status, body.success, body.code]
        })

      expect(yield* parse("a.html", "<p>hello</p>")).toEqual([200, true, undefined])
      expect(yield* parse("", "")).toEqual([400, false, "PARSE_INVALID_FORM"])
      expect(yield* parse("a.html", "<p>hello</p>", "{")).toEqual([400, false, "PARSE_INVALID_FORM"])
      expect(yield* parse("a.html", "<p>hello</p>", '{"proxy":"enhanced"}')).toEqual([
        400,
        false,
        "PARSE_INVALID_OPTIONS"
      ])
      expect(yield* parse("a.pdf", "%PDF-1.7 no more than this")).toEqual([400, false, "SCRAPE_FILE_BROKEN_ERROR"])
      expect(yield* parse("a.mp4", "\u0000\u0001")).toEqual([400, false, "SCRAPE_UNSUPPORTED_FILE_ERROR"])
    })
  )
})

describe("a plan without limits", () => {
  it.live("says so, beside numbers that clients can print", () =>
    Effect.gen(function* () {
      const { ask } = yield* served()
      const { body } = yield* ask("GET", "/v2/team/credit-usage")

      expect(body.data).toMatchObject({ unlimited: true, planCredits: 1_000_000_000, remainingCredits: 1_000_000_000 })
    })
  )
})
