import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { served } from "../served.ts"

it.live(
  "the documentation at /docs is one page that needs nothing else, with every operation and every link leading somewhere",
  () =>
    Effect.gen(function* () {
      const { ask, url } = yield* served()
      const { body: document } = yield* ask("GET", "/openapi.json")
      const answer = yield* Effect.promise(() => fetch(`${url}/docs`))
      const html = yield* Effect.promise(() => answer.text())
      const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
      const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href ?? "")

      expect(answer.headers.get("content-type")).toContain("text/html")
      expect(html).not.toMatch(/<script|<link|src=|@import/i)
      expect(links.filter((href) => !href.startsWith("#"))).toEqual(["openapi.json"])
      expect(links.filter((href) => href.startsWith("#") && !ids.has(href.slice(1)))).toEqual([])
      for (const path of Object.keys(document.paths)) expect(html).toContain(path)
      expect(html).toContain("x-idempotency-key")
      expect(html).toContain("Unsupported Media Type")
    })
)

it.live("the document says what starts a job once, what 415 is, and no name of an encoding", () =>
  Effect.gen(function* () {
    const { ask, url } = yield* served()
    const { body: document } = yield* ask("GET", "/openapi.json")
    const form = yield* Effect.promise(() =>
      fetch(`${url}/v2/crawl`, { method: "POST", body: new URLSearchParams({ url: "x" }) })
    )
    const told: any = yield* Effect.promise(() => form.json())

    expect(document.paths["/v2/crawl"].post.parameters).toMatchObject([{ name: "x-idempotency-key", in: "header" }])
    expect(document.paths["/v2/crawl"].post.responses["415"].description).toContain("application/json")
    expect(JSON.stringify(document)).not.toContain("Encoded")
    expect(form.status).toBe(415)
    expect(told).toMatchObject({ success: false, error: expect.stringContaining("must be application/json") })
  })
)

it.live("the document asks for a key where one is needed, and for a crawl says that none works too", () =>
  Effect.gen(function* () {
    const { ask } = yield* served({ keys: [{ key: Redacted.make("one"), teamId: "one" }] })
    const { body: document } = yield* ask("GET", "/openapi.json")
    const methods = ["get", "post", "patch", "delete"]
    // A body that is no form is refused before anybody asks for a key.
    const paths = Object.entries<any>(document.paths).filter(([path]) => path !== "/v2/parse")
    const operations = paths.flatMap(([path, of]) =>
      methods.flatMap((method) => (of[method] === undefined ? [] : [[method.toUpperCase(), path, of[method].security]]))
    )
    const bodies: Readonly<Record<string, unknown>> = { POST: {}, PATCH: {} }

    for (const [method, path, security] of operations) {
      const { status } = yield* ask(method, path, { body: bodies[method] })
      const isFree = security.some((scheme: object) => Object.keys(scheme).length === 0)
      expect([method, path, status === 401]).toEqual([method, path, !isFree])
    }
    expect(operations.filter(([, , security]) => security.length === 2)).toHaveLength(7)
  })
)

it.live("messages speak of fields and not of the contract's own types", () =>
  Effect.gen(function* () {
    const { ask } = yield* served()
    const messages = yield* Effect.forEach(
      ["crawl", "extract", "agent", "batch/scrape", "monitor", "map", "search"],
      (path) => Effect.map(ask("POST", `/v2/${path}`, { body: "[1]" }), ({ body, status }) => [status, body.error])
    )

    for (const [status, error] of messages) {
      expect(status).toBe(400)
      expect(error).toBe("Bad Request: the body must be an object")
    }
  })
)
