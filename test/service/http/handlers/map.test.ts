import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { type Answer, file, page, redirect, scriptedSite } from "../../scriptedSite.ts"
import { hosts, served } from "../../served.ts"

const url = "http://site.test/"

const map = Effect.fnUntraced(function* (routes: Readonly<Record<string, Answer>>, request: object = {}) {
  const site = yield* scriptedSite(routes)
  const service = yield* served({ resolve: hosts(site.port, "site.test", "www.site.test", "blog.site.test") })
  const { status, body } = yield* service.ask("POST", "/v2/map", { body: { url, ...request } })
  const paths = body.links?.map((link: { url: string }) => link.url.replace("http://site.test", ""))
  return { status, body, paths, requests: site.requests }
})

const site: Readonly<Record<string, Answer>> = {
  "/": page("home", "/a", "/a/", "/b?x=1", "/b?x=2", "http://blog.site.test/post", "http://other.test/", "/logo.png"),
  "/robots.txt": file("text/plain", "Sitemap: /maps.txt"),
  "/maps.txt": file("text/plain", "http://site.test/mapped\nhttp://site.test/a\nhttp://other.test/x")
}

describe("a map", () => {
  it.live("names each page once, the start page with its title first, and scrapes nothing else", () =>
    Effect.gen(function* () {
      const { status, body, paths, requests } = yield* map(site)

      expect([status, body.success, body.warning]).toEqual([200, true, undefined])
      expect(body.id).toMatch(/^[0-9a-f-]{36}$/)
      expect(body.links[0]).toEqual({ url, title: "home" })
      expect(paths).toEqual(["/", "/a", "/b?x=1", "/b?x=2", "http://blog.site.test/post", "/mapped"])
      expect(requests).toEqual(["/", "/robots.txt", "/maps.txt", "/sitemap.xml"])
    })
  )

  it.live("takes links, sitemaps, subdomains and queries as it is asked", () =>
    Effect.gen(function* () {
      expect((yield* map(site, { sitemap: "only" })).paths).toEqual(["/mapped", "/a"])
      expect((yield* map(site, { sitemap: "skip" })).paths).not.toContain("/mapped")
      expect((yield* map(site, { includeSubdomains: false })).paths).not.toContain("http://blog.site.test/post")
      expect((yield* map(site, { ignoreQueryParameters: true })).paths).toContain("/b?x=1")
      expect((yield* map(site, { ignoreQueryParameters: true })).paths).not.toContain("/b?x=2")
      expect((yield* map(site, { limit: 2 })).paths).toEqual(["/", "/a"])
    })
  )

  it.live("puts the links that hold more of the searched words first, and leaves out those with none", () =>
    Effect.gen(function* () {
      const routes = { "/": page("start", "/red", "/red-green", "/blue", "/green") }

      expect((yield* map(routes, { search: " GREEN  red " })).paths).toEqual(["/red-green", "/red", "/green"])
      expect((yield* map(routes, { search: "violet" })).paths).toEqual([])
      expect((yield* map(routes, { search: " " })).paths).toHaveLength(5)
    })
  )

  it.live("finds the searched words in what the links of the start page and its title say too", () =>
    Effect.gen(function* () {
      const html = `<title>Our shop</title><a href="/17"><b>Opening</b> hours</a> <a href="/18/#top" title="Prices"><img src="x.png"></a>`
      const routes = { "/": file("text/html", html) }

      const found = yield* map(routes, { search: "hours" })
      expect(found.body.links).toEqual([{ url: "http://site.test/17" }])
      expect((yield* map(routes, { search: "prices OPENING hours" })).paths).toEqual(["/17", "/18/"])
      expect((yield* map(routes, { search: "shop" })).paths).toEqual(["/"])
    })
  )

  it.live("has what the header of the start page names, and where it sends its reader", () =>
    Effect.gen(function* () {
      const { paths } = yield* map({
        "/": (_request, response) => {
          response.writeHead(200, { "content-type": "text/html", refresh: "0;url=/home", link: "</2>; rel=next" })
          response.end("")
        }
      })

      expect(paths).toEqual(["/", "/home", "/2"])
    })
  )

  it.live("says where a check for bots answers in place of the start page, and takes nothing of it", () =>
    Effect.gen(function* () {
      const check = "<title>Just a moment...</title><script>window._cf_chl_opt={}</script>"
      const { body, paths } = yield* map({ ...site, "/": file("text/html", check) })

      expect(paths).toEqual(["/mapped", "/a"])
      expect(body.warning).toContain("check for bots (Cloudflare)")
    })
  )

  it.live("has what the sitemaps say where the start page cannot be had, and the other way round, with a warning", () =>
    Effect.gen(function* () {
      const [noPage, noRobots] = yield* Effect.all(
        [
          map({ ...site, "/": (request) => request.socket.destroy() }),
          map({ ...site, "/robots.txt": file("text/plain", "", 500) })
        ],
        { concurrency: 2 }
      )

      expect(noPage.paths).toEqual(["/mapped", "/a"])
      expect(noPage.body.warning).toContain("the host closed the connection")
      expect(noRobots.paths).toContain("/a")
      expect(noRobots.body.warning).toContain("robots.txt cannot be fetched")
    })
  )

  it.live("does not lead to a private address, is 408 when it takes too long", () =>
    Effect.gen(function* () {
      const guarded = yield* map({ "/": redirect("http://127.0.0.1/") })
      const late = yield* map({ ...site, "/": () => {} }, { timeout: 1000 })

      expect([guarded.status, guarded.body.code]).toEqual([403, "SCRAPE_ADDRESS_BLOCKED"])
      expect([late.status, late.body.error]).toEqual([
        408,
        "Request Timeout: the site's map took longer than the timeout"
      ])
    })
  )
})
