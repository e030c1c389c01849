import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import * as CookieJar from "#web/CookieJar"
import type { FetchResult, Options } from "#web/Fetch"
import { crawlSite } from "../../service/crawlSite.ts"
import { scrapePage } from "../../service/scrapePage.ts"
import { type Answer, page } from "../../service/scriptedSite.ts"

const answer = (cookies?: ReadonlyArray<string>): FetchResult => ({
  status: 200,
  contentType: undefined,
  location: undefined,
  retryAfter: undefined,
  body: new Uint8Array(),
  ...(cookies === undefined ? {} : { cookies })
})

/** What a jar sends to the second URL after the first has set these cookies. */
const sent = Effect.fnUntraced(function* (
  cookies: ReadonlyArray<string>,
  to: string,
  headers: Options["headers"] = {},
  from = "https://site.test/a/"
) {
  const jar = CookieJar.empty()
  const options = { timeoutMillis: 1 }
  yield* jar.exchange(new URL(from), options, () => Effect.succeed(answer(cookies)))
  let said: string | undefined
  yield* jar.exchange(new URL(to), { ...options, headers }, (told) => {
    said = told.headers?.["cookie"]
    return Effect.succeed(answer())
  })
  return said
})

describe("a cookie jar", () => {
  it.effect("sends a cookie where its site may have it and nowhere else", () =>
    Effect.gen(function* () {
      expect(yield* sent(["a=1", "b=2; Path=/"], "https://site.test/a/x")).toBe("a=1; b=2")
      expect(yield* sent(["a=1", "b=2; Path=/"], "https://site.test/other")).toBe("b=2")
      expect(yield* sent(["a=1; Path=/"], "https://www.site.test/")).toBeUndefined()
      expect(yield* sent(["a=1; Path=/; Domain=site.test"], "https://www.site.test/")).toBe("a=1")
      expect(yield* sent(["a=1; Path=/; Domain=other.test"], "https://other.test/")).toBeUndefined()
      expect(yield* sent(["a=1; Path=/; Domain=co.uk"], "https://b.co.uk/", {}, "https://a.co.uk/")).toBeUndefined()
      expect(yield* sent(["a=1; Path=/; Secure"], "http://site.test/")).toBeUndefined()
      expect(yield* sent(["a=1; Path=/; Max-Age=0"], "https://site.test/")).toBeUndefined()
    })
  )

  it.effect("sends the caller's own cookies as they were given, and the site's others after them", () =>
    Effect.gen(function* () {
      expect(yield* sent(["a=1; Path=/", "b=2; Path=/"], "https://site.test/", { cookie: "b=mine; c=3" })).toBe(
        "b=mine; c=3; a=1"
      )
    })
  )

  it.effect("holds what a browser holds, whatever is set", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 500 }, (_, index) => `c${index}=1; Path=/`)
      const header = yield* sent([...many, "late=1; Path=/"], "https://site.test/")
      const long = yield* sent([`a=${"x".repeat(5000)}; Path=/`, "b=2; Path=/"], "https://site.test/")

      expect(header?.split("; ")).toHaveLength(50)
      expect(long).toBe("b=2")
      expect(yield* sent(["", ";;;", "=", "\u0000=1", "a=1; Path=/; Expires=never"], "https://site.test/")).toBe("a=1")
    })
  )
})

/** A site that answers only those who have its cookie, which it sets on the way. */
const gated =
  (title: string, ...links: ReadonlyArray<string>): Answer =>
  (request, response) => {
    if (request.headers.cookie?.includes("seen=1") !== true) {
      response.writeHead(302, { location: request.url ?? "/", "set-cookie": "seen=1; Path=/" })
      return void response.end()
    }
    response.writeHead(200, { "content-type": "text/html" })
    response.end(page(title, ...links))
  }

describe("a page that sets a cookie and redirects to itself", () => {
  it.live("is read, and those behind it with the same cookie", () =>
    Effect.gen(function* () {
      const crawl = yield* crawlSite({ "/": gated("home", "/a", "/b"), "/a": gated("a"), "/b": gated("b") })
      const { body } = yield* scrapePage({ "/": gated("home") })

      expect(crawl.paths).toEqual(["/", "/a", "/b"])
      expect(crawl.errors).toEqual([])
      expect(crawl.requests.filter((path) => path === "/")).toHaveLength(2)
      expect(crawl.requests.filter((path) => path === "/a")).toHaveLength(1)
      expect(body.data.metadata.title).toBe("home")
    })
  )

  it.live("is a loop where it sets the same cookie again, and ends where it sets another each time", () =>
    Effect.gen(function* () {
      let count = 0
      const circling =
        (cookie: () => string): Answer =>
        (request, response) => {
          response.writeHead(302, { location: request.url ?? "/", "set-cookie": cookie() })
          response.end()
        }
      const crawl = yield* crawlSite({
        "/": page("home", "/same", "/counts"),
        "/same": circling(() => "a=1; Path=/same"),
        "/counts": circling(() => `b=${++count}; Path=/counts`)
      })

      expect(Object.fromEntries(crawl.errors.map(({ code, path }) => [path, code]))).toEqual({
        "/same": "SCRAPE_REDIRECT_LOOP",
        "/counts": "SCRAPE_REDIRECT_ERROR"
      })
      expect(count).toBeLessThan(15)
    })
  )
})
