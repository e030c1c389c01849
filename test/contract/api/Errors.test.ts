import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import * as Limits from "#contract/Limits"
import { scriptedSite } from "../../service/scriptedSite.ts"
import { type Answered, type Ask, hosts, served } from "../../service/served.ts"

const url = "http://site.test/"
const unknownId = "0190c0de-0000-7000-8000-000000000000"

/** The one shape: nothing but these keys, and `success` is false. */
const expectFailure = (answer: Answered, status: number, error: RegExp) => {
  const { success, error: message, code, details, ...rest } = answer.body
  expect({ status: answer.status, success, rest }).toEqual({ status, success: false, rest: {} })
  expect(message).toMatch(error)
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/)
  if (code !== undefined) expect(typeof code).toBe("string")
  for (const detail of details ?? []) expect(Object.keys(detail).toSorted()).toEqual(["message", "path"])
}

const crawl = (body: unknown, headers?: Ask["headers"]) =>
  ["POST", "/v2/crawl", { body, ...(headers === undefined ? {} : { headers }) }] as const
const status = (query: string) => ["GET", `/v2/crawl/${unknownId}${query}`] as const

const withoutSecret =
  /^Invalid URL: it holds a name or a password, .* send them in headers, as Authorization: Basic \.\.\.$/

const refused: ReadonlyArray<readonly [what: string, readonly [string, string, Ask?], status: number, error: RegExp]> =
  [
    ["an unknown body field", crawl({ url, colour: 1 }), 400, /^Bad Request: colour: unknown field$/],
    ["an unknown nested field", crawl({ url, scrapeOptions: { x: 1 } }), 400, /scrapeOptions\.x: unknown field/],
    ["an unknown query parameter", status("?page=1"), 400, /page: unknown field/],
    ["a negative skip", status("?skip=-1"), 400, /skip: must be a value greater than or equal to 0/],
    ["a page size of 1001", status("?limit=1001"), 400, /limit: must be a value between 1 and 1000/],
    ["a skip that is no number", status("?skip=abc"), 400, /skip: must be a string representing a finite number/],
    ["limit 0", crawl({ url, limit: 0 }), 400, /limit: must be a value greater than or equal to 1/],
    ["a limit in quotes", crawl({ url, limit: "5" }), 400, /limit: must be a number$/],
    ["a depth between two", crawl({ url, maxDiscoveryDepth: 1.5 }), 400, /maxDiscoveryDepth: must be an integer/],
    ["a wrong choice", crawl({ url, sitemap: "maybe" }), 400, /sitemap: must be "include" or "skip" or "only"/],
    ["a body that is an array", crawl([]), 400, /the body must be an object/],
    ["a body that is null", crawl("null"), 400, /the body must be an object/],
    ["no URL", crawl({}), 400, /^Invalid URL/],
    ["an empty URL", crawl({ url: "" }), 400, /^Invalid URL/],
    ["a relative URL", crawl({ url: "/docs" }), 400, /^Invalid URL/],
    ["a URL without scheme", crawl({ url: "site.test/docs" }), 400, /^Invalid URL/],
    ["an ftp URL", crawl({ url: "ftp://site.test/" }), 400, /^Invalid URL/],
    ["a file URL", crawl({ url: "file:///etc/passwd" }), 400, /^Invalid URL/],
    ["a URL that is a number", crawl({ url: 3 }), 400, /^Invalid URL/],
    ["a bad URL of a scrape", ["POST", "/v2/scrape", { body: { url: "javascript:1" } }], 400, /^Invalid URL/],
    ["a bad URL of a map", ["POST", "/v2/map", { body: { url: "x" } }], 400, /^Invalid URL/],
    ["a URL with a password", crawl({ url: "http://ada:s3cret@site.test/" }), 400, withoutSecret],
    ["a URL with a name of a map", ["POST", "/v2/map", { body: { url: "http://ada@site.test/" } }], 400, withoutSecret],
    [
      "a URL with a password among others that all must be right",
      ["POST", "/v2/batch/scrape", { body: { urls: [url, "http://ada:s3cret@site.test/"], ignoreInvalidURLs: false } }],
      400,
      withoutSecret
    ],
    [
      "an unknown format",
      ["POST", "/v2/scrape", { body: { url, formats: ["pdf"] } }],
      400,
      /formats\.0: must be one of the formats markdown, html, rawHtml, links/
    ],
    [
      "a format object of an unknown type",
      ["POST", "/v2/scrape", { body: { url, formats: [{ type: "json" }] } }],
      400,
      /formats\.0: the format json needs a schema, a prompt or both/
    ],
    ["lookahead", crawl({ url, includePaths: ["(?=x)"] }), 400, /includePaths\[0\] is not an RE2 pattern/],
    ["a backreference", crawl({ url, excludePaths: ["(a)\\1"] }), 400, /excludePaths\[0\] is not an RE2 pattern/],
    ["an open group", crawl({ url, excludePaths: ["("] }), 400, /excludePaths\[0\] is not an RE2 pattern/],
    ["a pattern of 2001 characters", crawl({ url, includePaths: ["a".repeat(2001)] }), 400, /at most 2000/],
    ["1001 patterns", crawl({ url, includePaths: Array(1001).fill("a") }), 400, /at most 1000/],
    [
      "1001 patterns in two fields",
      crawl({ url, includePaths: Array(501).fill("a"), excludePaths: Array(500).fill("a") }),
      400,
      /together take at most 1000 patterns and 100000 characters; these have 1001 and 1001/
    ],
    [
      "patterns of 100,001 characters together",
      crawl({ url, includePaths: [...Array(50).fill("a".repeat(2000)), "a"] }),
      400,
      /these have 51 and 100001/
    ],
    ["malformed JSON", crawl("{"), 400, /the body is not valid JSON/],
    [
      "JSON without bottom",
      crawl(`{"url":"${url}","toolDetail":${"[".repeat(1e5)}${"]".repeat(1e5)}}`),
      400,
      /100 levels/
    ],
    ["brackets in text", crawl({ url: `${"[{".repeat(200)}\\"` }), 400, /^Invalid URL/],
    ["an empty body", ["POST", "/v2/crawl"], 400, /the body is not valid JSON: it is empty/],
    ["another content type", crawl("{}", { "content-type": "text/plain" }), 415, /must be application\/json, not text/],
    ["a cousin of JSON", crawl("{}", { "content-type": "application/ld+json" }), 415, /must be application\/json/],
    [
      "a compressed body",
      crawl("{}", { "content-encoding": "gzip" }),
      415,
      /must not be compressed, and says it is gzip/
    ],
    [
      "a file that is no form",
      ["POST", "/v2/parse", { body: "{}" }],
      415,
      /a file is sent as the part `file` of multipart/
    ],
    [
      "a file of another type",
      ["POST", "/v2/parse/", { body: "%PDF", headers: { "content-type": "application/pdf" } }],
      415,
      /^Unsupported Media Type: a file is sent as/
    ],
    ["ignoreRobotsTxt", crawl({ url, ignoreRobotsTxt: true }), 403, /^ignoreRobotsTxt needs a service with a key/],
    ["an unknown path", ["GET", "/v2/nothing"], 404, /^Not Found: no such path/],
    ["a path outside the version", ["GET", "/"], 404, /^Not Found: no such path/],
    ["an unknown method", ["PUT", "/v2/crawl", { body: {} }], 404, /^Not Found: no such path/],
    ["an unknown method without a body", ["PUT", "/v2/crawl"], 404, /^Not Found: no such path/],
    ["an unknown path with an empty body", ["POST", "/v2/nothing"], 404, /^Not Found: no such path/],
    ["a path of another method with an empty body", ["PATCH", "/v2/crawl"], 404, /^Not Found: no such path/],
    ["an unknown path of the older API", ["POST", "/v1/nothing", { body: "{" }], 404, /^Not Found: no such path/],
    [
      "a text to an unknown path",
      ["POST", "/", { body: "hello", headers: { "content-type": "text/plain" } }],
      404,
      /^Not Found: no such path/
    ],
    ["an empty body to the older API", ["POST", "/v1/map/"], 400, /the body is not valid JSON: it is empty/],
    ["the run of an unknown monitor", ["POST", `/v2/monitor/${unknownId}/run/`], 404, /^no monitor has the id/],
    ["an unknown job", status(""), 404, /^no crawl has the id/],
    ["the errors of an unknown job", ["GET", `/v2/crawl/${unknownId}/errors`], 404, /^no crawl has the id/],
    ["the cancel of an unknown job", ["DELETE", `/v2/crawl/${unknownId}`], 404, /^no crawl has the id/],
    ["a job id that is no UUID", ["GET", "/v2/crawl/%2e%2e%2f1"], 404, /^no crawl has the id/],
    ["a path that does not decode", ["GET", "/v2/crawl/%E0%A4%A"], 404, /^Not Found/],
    ["a body over 10 MB", crawl(" ".repeat(Limits.maxBodyBytes + 1)), 413, /^Payload Too Large/]
  ]

describe("a failure on the wire", () => {
  it.live("has the one shape, the status and the reason of the catalogue", () =>
    Effect.gen(function* () {
      const service = yield* served()
      for (const [what, [method, path, options], status, error] of refused) {
        const answer = yield* service.ask(method, path, options)
        expect([what, answer.status]).toEqual([what, status])
        expectFailure(answer, status, error)
      }
    })
  )

  it.live("names every field that is wrong in its details, and a hundred at most", () =>
    Effect.gen(function* () {
      const service = yield* served()
      const two = yield* service.ask("POST", "/v2/crawl", { body: { url, limit: 0, colour: 1 } })
      const many = yield* service.ask("POST", "/v2/crawl", {
        body: { url, ...Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`f${index}`, 1])) }
      })

      expect(two.body.details.map((detail: { path: unknown }) => detail.path)).toEqual(
        expect.arrayContaining([["colour"], ["limit"]])
      )
      expect(many.body.details).toHaveLength(100)
      expect(many.body.error.length).toBeLessThan(500)
    })
  )

  it.live("is 413 for a body that turns out too large while it arrives in pieces", () =>
    Effect.gen(function* () {
      const service = yield* served()
      const piece = new Uint8Array(1024 * 1024).fill(32)
      let sent = 0
      const body = new ReadableStream({
        pull: (controller) => (sent++ < 11 ? controller.enqueue(piece) : controller.close())
      })
      const init = { method: "POST", body, duplex: "half", headers: { "content-type": "application/json" } }
      const answer = yield* Effect.promise(async () => {
        const response = await fetch(`${service.url}/v2/crawl`, init)
        return { status: response.status, headers: response.headers, body: await response.json() }
      })

      expectFailure(answer, 413, /^Payload Too Large: a request body takes at most 10 MB$/)
    })
  )

  it.live("takes a body of just 10 MB for what it is", () =>
    Effect.gen(function* () {
      const service = yield* served()
      const body = "{}".padEnd(Limits.maxBodyBytes, " ")

      expectFailure(yield* service.ask("POST", "/v2/crawl", { body }), 400, /^Invalid URL/)
    })
  )

  it.live("tells malformed JSON before it asks who is calling", () =>
    Effect.gen(function* () {
      const service = yield* served({ keys: [{ key: Redacted.make("fc-a"), teamId: "a" }] })
      const headers = { authorization: "Bearer wrong" }

      expectFailure(yield* service.ask("POST", "/v2/scrape", { body: "{", headers }), 400, /not valid JSON/)
      expectFailure(yield* service.ask("POST", "/v2/scrape", { body: {}, headers }), 401, /^Unauthorized/)
    })
  )

  it.live("is 409 for a cancel of a crawl that has ended", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": () => {} })
      const service = yield* served({ resolve: hosts(site.port) })
      const { body } = yield* service.ask("POST", "/v2/crawl", { body: { url } })
      const first = yield* service.ask("DELETE", `/v2/crawl/${body.id}`)
      const second = yield* service.ask("DELETE", `/v2/crawl/${body.id}`)

      expect([first.status, first.body]).toEqual([200, { status: "cancelled" }])
      expectFailure(second, 409, /^the crawl has ended already: it is cancelled$/)
    })
  )
})
