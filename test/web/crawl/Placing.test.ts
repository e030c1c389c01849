import type { IncomingMessage, ServerResponse } from "node:http"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { origin } from "../../service/crawlSite.ts"
import { file, page, redirect } from "../../service/scriptedSite.ts"
import { byDice, firstFirst, lastFirst, settle } from "./settledSite.ts"

const named = (title: string, canonical: string, ...links: ReadonlyArray<string>) =>
  page(title, ...links).replace("</head>", `<link rel="canonical" href="${canonical}"></head>`)

const sitemap = (...paths: ReadonlyArray<string>) =>
  file("application/xml", `<urlset>${paths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join("")}</urlset>`)

/** A site with everything that has made a difference before. */
const tangled = {
  "/": page("home", "/docs/", "/docs/index.html", "/old", "/older", "/b/", "/deep/1", "/z", "/loop"),
  "/sitemap.xml": sitemap("/docs/index.html", "/a", "/mapped", "/deep/3"),
  "/docs/": page("docs", "/x", "/docs/default.html", "/b"),
  "/docs/index.html": page("docs", "/x", "/docs/default.html", "/b"),
  "/docs/default.html": page("default", "/y"),
  "/old": redirect("/new", 301),
  "/older": redirect("/new", 301),
  "/new": page("new", "/x", "/behind"),
  "/behind": page("behind"),
  "/a": page("a", "/x", "/new", "/y#part", "/http"),
  "/b": page("b", "/x?utm_source=b", "/shared"),
  "/b/": page("b", "/x", "/shared"),
  "/z": page("z", "/shared", "/x"),
  "/shared": page("shared", "/y"),
  "/mapped": page("mapped", "/deep/2"),
  "/deep/1": page("1", "/deep/2", "/new"),
  "/deep/2": page("2", "/deep/3"),
  "/deep/3": page("3", "/deep/4", "/shared"),
  "/deep/4": page("4"),
  "/x": page("x", "/y", "/"),
  "/y": page("y", "/docs/", "/q?b=1", "/q?a=1"),
  "/q?a=1": page("qa"),
  "/q?b=1": page("qb"),
  "/loop": redirect("/")
}

describe("a crawl that settles", () => {
  it.live("gives the same rows whatever the order of answers, and none before its end", () =>
    Effect.gen(function* () {
      const straight = yield* settle(tangled, { order: firstFirst })
      expect(straight.early).toBe(0)
      expect(straight.urls).toEqual(straight.urls.toSorted())
      expect(straight.rows.filter(({ url }) => ["/docs/", "/new", "/x", "/deep/3"].includes(url))).toEqual([
        { url: "/deep/3", source: "/deep/3", depth: 0, from: null, title: "3" },
        { url: "/docs/", source: "/docs/", depth: 0, from: null, title: "docs" },
        { url: "/new", source: "/new", depth: 1, from: "/", title: "new" },
        { url: "/x", source: "/x", depth: 1, from: "/a", title: "x" }
      ])
      for (const order of [lastFirst, ...[1, 2, 3, 4, 5, 6].map(byDice)]) {
        const other = yield* settle(tangled, { order })

        expect(other.rows).toEqual(straight.rows)
        expect(other.errors).toEqual(straight.errors)
        expect(other.status?.ledger).toEqual(straight.status?.ledger)
      }
    })
  )

  it.live("reads what maxDiscoveryDepth admits, whatever the order of answers", () =>
    Effect.gen(function* () {
      const request = { maxDiscoveryDepth: 2, sitemap: "skip" as const }
      const straight = yield* settle(tangled, { order: firstFirst, request })
      const other = yield* settle(tangled, { order: lastFirst, request })

      expect(straight.urls).toContain("/x")
      expect(straight.urls).not.toContain("/q?a=1")
      expect(other.rows).toEqual(straight.rows)
    })
  )

  it.live("takes an index file for its folder where both mean the same, though bytes have nonces", () =>
    Effect.gen(function* () {
      const twin = (nonce: string) => page("docs", "/a").replace("<main>", `<main><p>Request id: ${nonce}</p>`)
      const crawl = yield* settle({
        "/": page("home", "/docs/index.html", "/docs/", "/other/index.html", "/other/"),
        "/docs/index.html": twin("a81f2b99c"),
        "/docs/": twin("77aa01b2d"),
        "/other/index.html": page("an index of its own"),
        "/other/": page("a folder of its own"),
        "/a": page("a")
      })

      expect(crawl.urls).toEqual(["/", "/a", "/docs/", "/other/", "/other/index.html"])
      expect(crawl.status?.ledger).toMatchObject({ discovered: 5, scraped: 5, aliases: 1 })
      expect(crawl.status).toMatchObject({ completed: 5, total: 5, creditsUsed: 6 })
    })
  )

  it.live("takes an index file for its folder where one names the other, and merges nothing else by canonical", () =>
    Effect.gen(function* () {
      const crawl = yield* settle({
        "/": page("home", "/docs/index.html", "/docs/", "/a", "/b"),
        "/docs/index.html": named("one way", `${origin}/docs/index.html`),
        "/docs/": named("another way", `${origin}/docs/index.html`),
        "/a": named("a", `${origin}/b`),
        "/b": page("b")
      })

      expect(crawl.urls).toEqual(["/", "/a", "/b", "/docs/index.html"])
    })
  )

  it.live("keeps default.html apart from its folder", () =>
    Effect.gen(function* () {
      const crawl = yield* settle({
        "/": page("home", "/auth/default.html", "/auth/"),
        "/auth/default.html": page("Using it"),
        "/auth/": page("About it")
      })

      expect(crawl.urls).toEqual(["/", "/auth/", "/auth/default.html"])
    })
  )

  it.live("takes places of a page for the page, and asks for none of them", () =>
    Effect.gen(function* () {
      const crawl = yield* settle({
        "/": page("law", "#/section/1", "#/section/2", "#!/3", "/#/section/4", "/a#/x"),
        "/a": page("a")
      })

      expect(crawl.urls).toEqual(["/", "/a"])
      expect(crawl.requests.filter((path) => path === "/")).toHaveLength(1)
    })
  )

  it.live("drops sessions and where somebody came from, in queries and in paths", () =>
    Effect.gen(function* () {
      const crawl = yield* settle({
        "/": page(
          "home",
          "/a?utm_source=x&id=1",
          "/a?id=1&PHPSESSID=8",
          "/b;jsessionid=1F?x=2",
          "/s?sid=1",
          "/s?sid=2"
        ),
        "/a?id=1": page("a"),
        "/b?x=2": page("b"),
        "/s?sid=1": page("first story"),
        "/s?sid=2": page("second story")
      })

      expect(crawl.urls).toEqual(["/", "/a?id=1", "/b?x=2", "/s?sid=1", "/s?sid=2"])
    })
  )

  it.live("reads each page of ASP.NET once, though each visitor without cookies gets paths of their own", () =>
    Effect.gen(function* () {
      let sessions = 0
      const begin = (path: string) => (_request: IncomingMessage, response: ServerResponse) => {
        sessions += 1
        response.writeHead(302, { location: `/(S(s${sessions}))${path}` }).end()
      }
      const inSessions = (path: string, ...names: ReadonlyArray<string>) =>
        Array.from({ length: 9 }, (_, i) => [
          `/(S(s${i}))${path}`,
          page(path, ...names.map((name) => `/(S(s${i}))${name}`))
        ])
      const crawl = yield* settle({
        "/": begin("/"),
        "/a.aspx": begin("/a.aspx"),
        "/b.aspx": begin("/b.aspx"),
        ...Object.fromEntries([
          ...inSessions("/", "/a.aspx", "/b.aspx"),
          ...inSessions("/a.aspx", "/", "/b.aspx"),
          ...inSessions("/b.aspx", "/a.aspx")
        ])
      })

      expect(crawl.urls).toEqual(["/", "/a.aspx", "/b.aspx"])
    })
  )

  it.live("spells a page as it is loaded already, when the site comes to link it otherwise", () =>
    Effect.gen(function* () {
      const docs = { "/docs/index.html": page("docs"), "/docs/": page("docs"), "/b": page("b"), "/b/": page("b") }
      const first = yield* settle({ ...docs, "/": page("home", "/docs/index.html", "/b/", "/b") })
      const links = page("home", "/docs/index.html", "/docs/", "/b", "/b/")
      const fresh = yield* settle({ ...docs, "/": links })
      const second = yield* settle(
        { ...docs, "/": links },
        { settles: first.spellings === undefined ? {} : { spellings: first.spellings } }
      )

      expect(first.urls).toEqual(["/", "/b", "/docs/index.html"])
      expect(fresh.urls).toEqual(["/", "/b", "/docs/"])
      expect(second.urls).toEqual(["/", "/b", "/docs/index.html"])
      expect(second.documents.map(({ metadata }) => metadata.sourceURL)).toContain(`${origin}/docs/index.html`)
    })
  )
})
