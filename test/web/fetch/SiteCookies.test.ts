import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { FetchResult } from "#web/Fetch"
import * as SiteCookies from "#web/SiteCookies"
import { crawlSite } from "../../service/crawlSite.ts"
import { type Answer, page } from "../../service/scriptedSite.ts"

const answer = (status: number, ...cookies: ReadonlyArray<string>): FetchResult => ({
  status,
  contentType: undefined,
  location: status === 302 ? "/elsewhere" : undefined,
  retryAfter: undefined,
  body: new Uint8Array(),
  cookies
})

/** A page that is asked for on a way of its own: the cookies of each request, and how it ended. */
const visit = Effect.fnUntraced(function* (
  cookies: ReturnType<typeof SiteCookies.create>,
  path: string,
  reply: (cookie: string | undefined) => FetchResult
) {
  const asked: Array<string | undefined> = []
  const url = new URL(path, "https://site.test/")
  const { status } = yield* cookies.visit().exchange(url, { timeoutMillis: 1 }, ({ headers }, other) => {
    asked.push(other === undefined ? headers?.["cookie"] : other.pathname)
    return Effect.succeed(reply(headers?.["cookie"]))
  })
  return { asked, status }
})

describe("the cookies of a site", () => {
  it.effect("are not sent to other pages, whichever page has set them", () =>
    Effect.gen(function* () {
      const cookies = SiteCookies.create()
      yield* visit(cookies, "/", () => answer(200, "session=1; Path=/"))
      yield* visit(cookies, "/switch", () => answer(200, "currency=EUR; Path=/"))

      expect(yield* visit(cookies, "/item", () => answer(200))).toEqual({ asked: [undefined], status: 200 })
    })
  )

  it.effect("are those of the first page where a host turns away who has none of them", () =>
    Effect.gen(function* () {
      for (const turnedAway of [302, 401, 403]) {
        const cookies = SiteCookies.create()
        const closed = (cookie: string | undefined) => answer(cookie === "session=1" ? 200 : turnedAway)
        yield* visit(cookies, "/", () => answer(200, "session=1; Path=/"))
        yield* visit(cookies, "/switch", () => answer(200, "currency=EUR; Path=/"))

        expect(yield* visit(cookies, "/a", closed)).toEqual({ asked: [undefined, "session=1"], status: 200 })
        expect(yield* visit(cookies, "/b", closed)).toEqual({ asked: ["session=1"], status: 200 })
      }
    })
  )

  it.effect("are found to be demanded while other pages are on their way without them, and those are read too", () =>
    Effect.gen(function* () {
      const cookies = SiteCookies.create()
      const closed = (cookie: string | undefined) => answer(cookie === "session=1" ? 200 : 302)
      yield* visit(cookies, "/", () => answer(200, "session=1; Path=/"))
      const isAnswered = yield* Deferred.make<void>()
      const asked: Array<string | undefined> = []
      const late = yield* Effect.forkChild(
        cookies.visit().exchange(new URL("https://site.test/late"), { timeoutMillis: 1 }, ({ headers }) => {
          asked.push(headers?.["cookie"])
          return Effect.as(Deferred.await(isAnswered), closed(headers?.["cookie"]))
        })
      )
      yield* Effect.yieldNow
      expect((yield* visit(cookies, "/a", closed)).status).toBe(200)
      yield* Deferred.succeed(isAnswered, undefined)

      expect((yield* Fiber.join(late)).status).toBe(200)
      expect(asked).toEqual([undefined, "session=1"])
    })
  )

  it.effect("are tried with ten pages at most that answer the same without them", () =>
    Effect.gen(function* () {
      const cookies = SiteCookies.create()
      yield* visit(cookies, "/", () => answer(200, "session=1; Path=/"))
      let asked = 0
      for (let n = 0; n < 50; n++) asked += (yield* visit(cookies, `/old${n}`, () => answer(302))).asked.length

      expect(asked).toBe(60)
    })
  )

  it.effect("are renewed where a session has ended, and the page is read with those", () =>
    Effect.gen(function* () {
      const cookies = SiteCookies.create()
      let session = 1
      const closed = (cookie: string | undefined) =>
        `${cookie};`.includes(`session=${session};`)
          ? answer(200)
          : answer(302, `session=${session}; Path=/`, "currency=EUR; Path=/")
      yield* visit(cookies, "/", () => answer(200, "session=1; Path=/"))
      yield* visit(cookies, "/a", closed)
      for (session = 2; session < 30; session++) {
        const { asked, status } = yield* visit(cookies, "/b", closed)
        expect(status).toBe(200)
        expect(asked[0]).toBe(`session=${session - 1}`)
      }

      expect(yield* visit(cookies, "/c", () => answer(200))).toEqual({ asked: ["session=29"], status: 200 })
    })
  )

  it.effect("are those of somebody who comes anew where a session has ended and nothing is set in its place", () =>
    Effect.gen(function* () {
      for (const turnedAway of [302, 403]) {
        const cookies = SiteCookies.create()
        let session = 1
        const closed = (cookie: string | undefined) => {
          if (cookie === undefined) return answer(turnedAway, `session=${session}; Path=/`)
          return answer(cookie === `session=${session}` ? 200 : turnedAway)
        }
        yield* visit(cookies, "/", () => answer(200, "session=1; Path=/"))
        yield* visit(cookies, "/a", closed)
        session = 2

        expect(yield* visit(cookies, "/b", closed)).toEqual({ asked: ["session=1", "/", "session=2"], status: 200 })
        expect(yield* visit(cookies, "/c", closed)).toEqual({ asked: ["session=2"], status: 200 })
      }
    })
  )

  it.effect("are those of somebody who comes anew where a host takes back the cookie of a session that has ended", () =>
    Effect.gen(function* () {
      const cookies = SiteCookies.create()
      let session = 1
      const closed = (cookie: string | undefined) => {
        if (cookie === undefined) return answer(403, `session=${session}; Path=/`)
        return cookie === `session=${session}` ? answer(200) : answer(403, "session=; Path=/; Max-Age=0")
      }
      yield* visit(cookies, "/", () => answer(200, "session=1; Path=/"))
      yield* visit(cookies, "/a", closed)
      const isRenewed = yield* Deferred.make<void>()
      const late = yield* Effect.forkChild(
        cookies
          .visit()
          .exchange(new URL("https://site.test/late"), { timeoutMillis: 1 }, ({ headers }) =>
            headers?.["cookie"] === "session=1"
              ? Effect.as(Deferred.await(isRenewed), answer(403, "session=; Path=/; Max-Age=0"))
              : Effect.succeed(closed(headers?.["cookie"]))
          )
      )
      yield* Effect.yieldNow
      session = 2

      expect(yield* visit(cookies, "/b", closed)).toEqual({ asked: ["session=1", "/", "session=2"], status: 200 })
      yield* Deferred.succeed(isRenewed, undefined)
      expect((yield* Fiber.join(late)).status).toBe(200)
      expect(yield* visit(cookies, "/c", closed)).toEqual({ asked: ["session=2"], status: 200 })
    })
  )

  it.effect(
    "are sent where links carry the session of whoever has none, and the page is read once more with them",
    () =>
      Effect.gen(function* () {
        const linking = (link: (session: string) => string) => {
          let count = 0
          return (cookie: string | undefined) => {
            const session = `81f2ab99c0${++count}`
            const body = Buffer.from(`<a class=x href="${cookie === undefined ? link(session) : "/b"}">b</a>`)
            return { ...answer(200, ...(cookie === undefined ? [`forum=${session}; Path=/`] : [])), body }
          }
        }
        for (const link of [(id: string) => `/b?p=1&amp;s=${id}`, (id: string) => `/(${id})/b`]) {
          const cookies = SiteCookies.create()
          const reply = linking(link)
          expect((yield* visit(cookies, "/", reply)).asked).toEqual([undefined, "forum=81f2ab99c01"])
          expect((yield* visit(cookies, "/b", reply)).asked).toEqual(["forum=81f2ab99c01"])
        }
        // Such a parameter names no page: nothing is won.
        for (const link of [(id: string) => `/b?PHPSESSID=${id}`, (id: string) => `/b;jsessionid=${id}`, () => "/b"]) {
          const cookies = SiteCookies.create()
          const reply = linking(link)
          expect((yield* visit(cookies, "/", reply)).asked).toEqual([undefined])
          expect((yield* visit(cookies, "/b", reply)).asked).toEqual([undefined])
        }
      })
  )

  it.effect("are of one host", () =>
    Effect.gen(function* () {
      const cookies = SiteCookies.create()
      yield* visit(cookies, "/", () => answer(200, "session=1; Path=/"))

      expect(yield* visit(cookies, "https://other.test/", () => answer(403))).toEqual({
        asked: [undefined],
        status: 403
      })
    })
  )
})

/** A shop whose prices are in the currency that a visitor has chosen, which it knows by a cookie or by the visitor's session. */
const shop = (knownBy: "cookie" | "session"): Readonly<Record<string, Answer>> => {
  const chosen = new Map<string, string>()
  const currencyOf = (cookie = ""): string =>
    /currency=(\w+)/.exec(cookie)?.[1] ?? chosen.get(/session=(\w+)/.exec(cookie)?.[1] ?? "") ?? "USD"
  const items = Array.from({ length: 12 }, (_, n) => `/item${n}`)
  const item: Answer = ({ headers: { cookie }, url }, response) => {
    const given = cookie === undefined ? { "set-cookie": `session=s${chosen.size}; Path=/` } : {}
    if (cookie === undefined) chosen.set(`s${chosen.size}`, "USD")
    response.writeHead(200, { "content-type": "text/html", ...given })
    response.end(page(`${url} costs 12 ${currencyOf(cookie)}`, "/euro", ...items))
  }
  const euro: Answer = ({ headers: { cookie = "" } }, response) => {
    const session = /session=(\w+)/.exec(cookie)?.[1]
    if (session !== undefined) chosen.set(session, "EUR")
    response.writeHead(302, {
      location: "/",
      ...(knownBy === "cookie" ? { "set-cookie": "currency=EUR; Path=/" } : {})
    })
    response.end()
  }
  return { "/": item, "/euro": euro, ...Object.fromEntries(items.map((path) => [path, item])) }
}

describe("a crawl of a site with a link that switches the currency", () => {
  for (const knownBy of ["cookie", "session"] as const) {
    it.live(`reads every page as somebody sees it who has not followed the link, where a ${knownBy} knows it`, () =>
      Effect.gen(function* () {
        const { documents, errors } = yield* crawlSite(shop(knownBy))

        expect(errors).toEqual([])
        expect(documents).toHaveLength(13)
        for (const { metadata } of documents) expect(metadata.title).toContain("12 USD")
      })
    )
  }
})

describe("a crawl of a site that sends whoever has no session to its start", () => {
  it.live("reads its pages with the session of the start", () =>
    Effect.gen(function* () {
      const closed =
        (title: string): Answer =>
        ({ headers: { cookie } }, response) => {
          if (cookie === "session=1") response.writeHead(200, { "content-type": "text/html" })
          else response.writeHead(302, { location: "/" })
          response.end(page(title))
        }
      const start: Answer = (_, response) => {
        response.writeHead(200, { "content-type": "text/html", "set-cookie": "session=1; Path=/" })
        response.end(page("start", "/a", "/b"))
      }
      const { paths } = yield* crawlSite({ "/": start, "/a": closed("a"), "/b": closed("b") })

      expect(paths).toEqual(["/", "/a", "/b"])
    })
  )
})
