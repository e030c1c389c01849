import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import * as Plan from "#service/AccountPlan"
import { behindPort } from "../../databases.ts"
import { type Answer, file, page, redirect, scriptedSite } from "../../scriptedSite.ts"
import { hosts, served } from "../../served.ts"

const scrape = Effect.fnUntraced(function* (
  routes: Readonly<Record<string, Answer>>,
  request: { readonly url?: string; readonly [option: string]: unknown } = {}
) {
  const site = yield* scriptedSite(routes)
  const service = yield* served({ resolve: hosts(site.port) })
  const { status, body } = yield* service.ask("POST", "/v2/scrape", { body: { url: "http://site.test/", ...request } })
  return { status, body, requests: site.requests }
})

describe("a scrape", () => {
  it.live("gives the formats that are asked, once each, and the metadata of the page that answered", () =>
    Effect.gen(function* () {
      const { body } = yield* scrape(
        { "/": redirect("/there"), "/there": page("there", "/a", "/a", "mailto:x@y.z") },
        { formats: ["links", { type: "markdown" }, "markdown", "html", "rawHtml"] }
      )

      expect(body.success).toBe(true)
      expect(Object.keys(body.data).toSorted()).toEqual(["html", "links", "markdown", "metadata", "rawHtml"])
      expect(body.data.links).toEqual(["http://site.test/a"])
      expect(body.data.rawHtml).toBe(page("there", "/a", "/a", "mailto:x@y.z"))
      expect(body.data.metadata).toMatchObject({
        title: "there",
        sourceURL: "http://site.test/",
        url: "http://site.test/there",
        statusCode: 200
      })
    })
  )

  it.live("of a page that answers an HTTP error is that page, with the status", () =>
    Effect.gen(function* () {
      const { status, body } = yield* scrape({ "/": file("text/html", page("gone"), 410) })

      expect([status, body.success, body.data.metadata.statusCode]).toEqual([200, true, 410])
    })
  )

  it.live("of a page that cannot be had is 502 or 400, with the code and the reason", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [Answer, status: number, code: string]> = [
        [(request) => request.socket.destroy(), 502, "SCRAPE_CONNECTION_ERROR"],
        [redirect("/"), 502, "SCRAPE_REDIRECT_LOOP"],
        [redirect("mailto:a@b.test"), 502, "SCRAPE_REDIRECT_ERROR"],
        [file("image/png", "x"), 400, "SCRAPE_UNSUPPORTED_FILE_ERROR"]
      ]
      for (const [answer, expected, code] of cases) {
        const { status, body } = yield* scrape({ "/": answer })
        expect([status, body]).toMatchObject([expected, { success: false, code, error: expect.any(String) }])
      }
    })
  )

  it.live("does not reach a private address, neither directly nor by a redirect", () =>
    Effect.gen(function* () {
      const inside = yield* scriptedSite({ "/": "secret" })
      const refused = { success: false, code: "SCRAPE_ADDRESS_BLOCKED", error: expect.stringContaining("127.0.0.1") }
      const direct = yield* scrape({}, { url: `http://127.0.0.1:${inside.port}/` })
      const redirected = yield* scrape({ "/": redirect(`http://2130706433:${inside.port}/`) })

      expect([direct.status, direct.body]).toEqual([403, refused])
      expect([redirected.status, redirected.body]).toEqual([403, refused])
      expect(inside.requests).toEqual([])
    })
  )

  it.live("sends the caller's headers to the page's host and to no other", () =>
    Effect.gen(function* () {
      const seen: Array<ReadonlyArray<unknown>> = []
      const note =
        (answer: Answer): Answer =>
        (request, response) => {
          const { host, cookie, "x-mine": mine, "accept-language": language } = request.headers
          seen.push([host, cookie, mine, language])
          if (typeof answer === "function") return answer(request, response)
          response.end(answer)
        }
      yield* scrape(
        { "/": note(redirect("http://other.test/x")), "/x": note("<p>x") },
        {
          headers: { Cookie: "a=b", "X-Mine": "yes", Host: "evil.test" },
          location: { country: "DE", languages: ["de-DE", "de"] }
        }
      )

      expect(seen).toEqual([
        ["site.test", "a=b", "yes", "de-DE, de"],
        ["other.test", undefined, undefined, "de-DE, de"]
      ])
    })
  )

  it.live("refuses a timeout out of bounds", () =>
    Effect.gen(function* () {
      const { status, body } = yield* scrape({}, { timeout: 999 })

      expect([status, body.error]).toEqual([400, "Bad Request: timeout: must be a value between 1000 and 300000"])
    })
  )
})

behindPort("GET /v2/scrape/{id}", (database) => {
  const keys = ["a", "b"].map((teamId) => ({ key: Redacted.make(`fc-${teamId}`), teamId, plan: Plan.standard }))
  const as = (teamId: string) => ({ headers: { authorization: `Bearer fc-${teamId}` } })

  it.effect("gives what a scrape gave, to its own team, for 24 hours, and fetches nothing", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": page("home") })
      const config = { database: yield* database.fresh, resolve: hosts(site.port), keys }
      const first = Effect.gen(function* () {
        const { ask } = yield* served(config)
        const scraped = yield* ask("POST", "/v2/scrape", { body: { url: "http://site.test/" }, ...as("a") })
        const path = `/v2/scrape/${scraped.body.data.metadata.scrapeId}`
        return {
          scraped,
          path,
          again: yield* ask("GET", path, as("a")),
          other: yield* ask("GET", path, as("b")),
          used: yield* ask("GET", "/v2/team/credit-usage", as("a"))
        }
      })
      const { scraped, path, again, other, used } = yield* Effect.scoped(first)
      // Nobody serves meanwhile: a service on Postgres looks at its leases every other second of a day.
      yield* TestClock.adjust("23 hours")
      yield* TestClock.adjust("59 minutes")
      const { ask } = yield* served(config)
      const kept = yield* ask("GET", path, as("a"))
      yield* TestClock.adjust("1 minute")
      const late = yield* ask("GET", path, as("a"))

      expect([again.status, other.status, kept.status, late.status]).toEqual([200, 404, 200, 404])
      expect(again.body).toEqual(scraped.body)
      expect(other.body.error).toContain("results are kept for 24 hours")
      expect(used.body.data.planCredits - used.body.data.remainingCredits).toBe(1)
      expect(site.requests).toEqual(["/"])
    })
  )

  it.effect("answers 404 for an id that no scrape has", () =>
    Effect.gen(function* () {
      const { ask } = yield* database.served()
      const { status, body } = yield* ask("GET", "/v2/scrape/0190c0de-0000-7000-8000-000000000000")

      expect(status).toBe(404)
      expect(body).toMatchObject({ success: false, error: expect.stringContaining("no scrape has the id") })
    })
  )
})
