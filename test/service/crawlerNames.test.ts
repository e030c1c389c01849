/** Who the requests of a service say that they come from: the service, a team by its plan, or a caller by a header. */
import type { IncomingHttpHeaders } from "node:http"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import * as Plan from "#service/AccountPlan"
import { chromiumPath } from "#web/chromiumPath"
import { receiver } from "./receiver.ts"
import { type Answer, page, scriptedSite } from "./scriptedSite.ts"
import { hosts, served } from "./served.ts"

const crawler = { name: "House/2", contact: "https://house.example/bot" }
const acme = { name: "AcmeBot", contact: "mailto:bot@acme.example" }
const rules = "User-agent: AcmeBot\nDisallow: /secret\n\nUser-agent: House\nDisallow: /house\n"

/** A service of one site, whose requests are kept by path. */
const setting = Effect.gen(function* () {
  const heard = new Map<string, IncomingHttpHeaders>()
  const hears =
    (type: string, body: string): Answer =>
    (request, response) => {
      heard.set(request.url ?? "", request.headers)
      response.writeHead(200, { "content-type": type }).end(body)
    }
  const hook = yield* receiver()
  const site = yield* scriptedSite({
    "/robots.txt": hears("text/plain", rules),
    "/": hears("text/html", page("home", "/secret", "/house", "/open")),
    ...Object.fromEntries(["/secret", "/house", "/open"].map((path) => [path, hears("text/html", page(path))])),
    "/hook": hook.answer
  })
  const service = yield* served({
    resolve: hosts(site.port),
    crawler,
    keys: [
      { key: Redacted.make("key-a"), teamId: "a", plan: { ...Plan.standard, crawler: acme } },
      { key: Redacted.make("key-b"), teamId: "b" }
    ]
  })
  /** Crawls for a team until its receiver has the end, and gives what was asked of the site by path. */
  const crawl = Effect.fnUntraced(function* (key: string, headers: Readonly<Record<string, string>> = {}) {
    heard.clear()
    const body = {
      url: "http://site.test/",
      webhook: { url: "http://site.test/hook", events: ["completed"] },
      scrapeOptions: { headers }
    }
    const { status } = yield* service.ask("POST", "/v2/crawl", { body, headers: { authorization: `Bearer ${key}` } })
    expect(status).toBe(200)
    const told = yield* hook.untilEnd
    return { heard: new Map(heard), hooked: told.at(-1)?.headers["user-agent"] }
  })
  return { crawl, heard, service }
})

const agents = (heard: ReadonlyMap<string, IncomingHttpHeaders>) =>
  Object.fromEntries([...heard].map(([path, headers]) => [path, headers["user-agent"]]))

describe("a service", () => {
  it.live("asks by its own name, and for a team by that of its plan: pages, rules and webhooks", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { crawl } = yield* setting
        const ofHouse = yield* crawl("key-b")
        const ofAcme = yield* crawl("key-a")
        const house = "House/2 (+https://house.example/bot)"
        const own = "AcmeBot (+mailto:bot@acme.example)"

        expect(agents(ofHouse.heard)).toMatchObject({
          "/robots.txt": house,
          "/": house,
          "/secret": house,
          "/open": house
        })
        expect(ofHouse.heard.has("/house")).toBe(false)
        expect(ofHouse.hooked).toBe(house)
        expect(agents(ofAcme.heard)).toMatchObject({ "/": own, "/house": own, "/open": own })
        expect(ofAcme.heard.has("/secret")).toBe(false)
        expect(ofAcme.hooked).toBe(own)
      })
    )
  )

  it.live("obeys the rules for the name that a caller sends, and those for its own", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { crawl } = yield* setting
        const { heard } = yield* crawl("key-b", { "User-Agent": "AcmeBot/1.0" })

        expect([...heard.keys()].toSorted()).toEqual(expect.arrayContaining(["/", "/open", "/robots.txt"]))
        expect(heard.get("/open")?.["user-agent"]).toBe("AcmeBot/1.0")
        expect(heard.has("/secret")).toBe(false)
        expect(heard.has("/house")).toBe(false)
      })
    )
  )

  it.live.skipIf(chromiumPath() === undefined)("has its name in the browser too", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { heard, service } = yield* setting
        const body = { url: "http://site.test/open", waitFor: 1, timeout: 60_000 }
        const { status } = yield* service.ask("POST", "/v2/scrape", {
          body,
          headers: { authorization: "Bearer key-a" }
        })

        expect(status).toBe(200)
        expect(heard.get("/open")?.["user-agent"]).toMatch(/Chrome\/.* AcmeBot \(\+mailto:bot@acme\.example\)$/)
      })
    )
  )
})
