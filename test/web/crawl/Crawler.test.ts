import type { IncomingMessage, ServerResponse } from "node:http"
import { gzipSync } from "node:zlib"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import { WebData } from "#contract/WebData"
import * as ServiceConfig from "#service/ServiceConfig"
import { CrawlStore } from "#web/CrawlStore"
import { PoliteFetch } from "#web/PoliteFetch"
import { crawlJobs } from "../../service/crawlJobs.ts"
import { crawlSite, embedded, origin, readToEnd } from "../../service/crawlSite.ts"
import { file, gate, page, redirect, scriptedSite } from "../../service/scriptedSite.ts"
import { CrawlJobs } from "../../service/serviceParts.ts"

describe("a crawl", () => {
  it.live("finds every page that links lead to, once", () =>
    Effect.gen(function* () {
      const crawl = yield* crawlSite({
        "/": page("home", "/a", "/b/", "/a#part", "./a?x=1", "mailto:x@y.z", "javascript:void(0)", "data:text/html,x"),
        "/a": page("a", "/", "/b", "http://WWW.site.test/a"),
        "/b/": page("b", "/index.html", "https://site.test/a/", "/logo.png"),
        "/robots.txt": file("text/plain", "")
      })

      expect(crawl.paths).toEqual(["/", "/a", "/a?x=1", "/b/"])
      expect(crawl.status).toMatchObject({ status: "completed", total: 4, completed: 4, creditsUsed: 4 })
      expect(crawl.status.ledger).toEqual({ discovered: 5, scraped: 4, failed: 1, blocked: 0, left: 0, aliases: 0 })
    })
  )

  it.live(
    "finds the links before a base and in a frame's own page, and takes a host with a final dot for the same",
    () =>
      Effect.gen(function* () {
        const html = `<title>t</title><a href=early>early</a><base href="/deep/"><a href="http://site.test./dotted">dot</a>
        <iframe srcdoc="<a href='framed'>framed</a>"></iframe>`
        const crawl = yield* crawlSite({
          "/": file("text/html", html),
          "/deep/early": page("early"),
          "/deep/framed": page("framed"),
          "/dotted": page("dotted", "/deep/early")
        })

        expect(crawl.paths).toEqual(["/", "/deep/early", "/deep/framed", "/dotted"])
      })
  )

  it.live("takes a 304 that nobody asked for for an error, and a 407 for the answer of the site", () =>
    Effect.gen(function* () {
      const answering = (status: number) => (_: IncomingMessage, response: ServerResponse) =>
        void response.writeHead(status, { "content-type": "text/html" }).end()
      const crawl = yield* crawlSite({
        "/": page("home", "/same", "/closed"),
        "/same": answering(304),
        "/closed": answering(407)
      })

      expect(crawl.paths).toEqual(["/", "/closed"])
      expect(crawl.byPath.get("/closed")?.metadata).toMatchObject({ statusCode: 407, error: "the site answers 407" })
      expect(crawl.errors).toMatchObject([{ code: "SCRAPE_INVALID_RESPONSE", error: expect.stringContaining("304") }])
    })
  )

  it.live("reads sitemaps through an index, gzipped or not, and honours robots.txt on all of them", () =>
    Effect.gen(function* () {
      const urlset = (...paths: ReadonlyArray<string>) =>
        `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join("")}</urlset>`
      const crawl = yield* crawlSite({
        "/": page("home", "/secret/linked"),
        "/robots.txt": file(
          "text/plain",
          `User-agent: *\nDisallow: /secret/\nAllow: /secret/open\nSitemap: ${origin}/maps.xml\n`
        ),
        "/maps.xml": file(
          "application/xml",
          `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${origin}/one.xml</loc></sitemap><sitemap><loc>${origin}/two.xml.gz</loc></sitemap></sitemapindex>`
        ),
        "/one.xml": file("application/xml", urlset("/orphan", "/secret/mapped")),
        "/two.xml.gz": file("application/gzip", gzipSync(urlset("/zipped", "/secret/open"))),
        "/orphan": page("orphan"),
        "/zipped": page("zipped"),
        "/secret/open": page("open")
      })

      expect(crawl.paths).toEqual(["/", "/orphan", "/secret/open", "/zipped"])
      expect(crawl.blocked).toEqual(["/secret/linked", "/secret/mapped"])
      expect(crawl.requests.filter((path) => path.startsWith("/secret/") && path !== "/secret/open")).toEqual([])
      expect(crawl.status.ledger).toEqual({ discovered: 6, scraped: 4, failed: 0, blocked: 2, left: 0, aliases: 0 })
    })
  )

  it.live("keeps a page that answers 404 or 500 as a document with that status, and does not follow its links", () =>
    Effect.gen(function* () {
      const crawl = yield* crawlSite({
        "/": page("home", "/gone", "/broken"),
        "/broken": file("text/html", page("sorry", "/never"), 500)
      })

      expect(crawl.byPath.get("/gone")?.metadata.statusCode).toBe(404)
      expect(crawl.byPath.get("/broken")?.metadata).toMatchObject({ statusCode: 500, title: "sorry" })
      expect(crawl.requests).not.toContain("/never")
      expect(crawl.errors).toEqual([])
    })
  )

  it.live("gives one document for URLs that redirect to one page, and an error for a loop", () =>
    Effect.gen(function* () {
      const crawl = yield* crawlSite({
        "/": page("home", "/old", "/older", "/new", "/loop"),
        "/old": redirect("/new", 301),
        "/older": redirect("old"),
        "/new": page("new"),
        "/loop": redirect("/loop2"),
        "/loop2": redirect("/loop")
      })

      expect(crawl.paths).toEqual(["/", "/new"])
      expect(crawl.errors).toEqual([
        { path: "/loop", code: "SCRAPE_REDIRECT_LOOP", error: "redirects in a loop, by way of http://site.test/loop" }
      ])
      expect(crawl.status.ledger).toMatchObject({ discovered: 3, scraped: 2, failed: 1, aliases: 2 })
    })
  )

  it.live("reports a redirect off the domain as EXTERNAL_LINK, and takes it where external links are allowed", () =>
    Effect.gen(function* () {
      const routes = {
        "/": page("home", "/away", "/refreshed"),
        "/away": redirect("http://other.test/landed"),
        "/refreshed": file("text/html", '<meta http-equiv=refresh content="0;url=http://other.test/elsewhere">'),
        "/landed": page("landed", "/deeper")
      }

      const closed = yield* crawlSite(routes)
      const open = yield* crawlSite(routes, { allowExternalLinks: true })

      expect(Object.fromEntries(closed.errors.map(({ path, code }) => [path, code]))).toEqual({
        "/away": "EXTERNAL_LINK",
        "/refreshed": "EXTERNAL_LINK"
      })
      expect(open.paths).toEqual(["/", "/refreshed", "http://other.test/elsewhere", "http://other.test/landed"])
    })
  )

  it.live("takes external pages for one hop and never an external home page", () =>
    Effect.gen(function* () {
      const crawl = yield* crawlSite(
        {
          "/": page("home", "http://other.test/page", "http://other.test/"),
          "/page": page("theirs", "http://other.test/second")
        },
        { allowExternalLinks: true }
      )

      expect(crawl.paths).toEqual(["/", "http://other.test/page"])
      expect(crawl.errors).toEqual([
        { path: "http://other.test/", code: "EXTERNAL_LINK", error: "an external home page is not crawled" }
      ])
    })
  )

  it.live("stops at the limit, and counts what it left", () =>
    Effect.gen(function* () {
      const crawl = yield* crawlSite(
        {
          "/": page("home", "/1", "/2", "/3", "/4"),
          "/1": page("1"),
          "/2": page("2"),
          "/3": page("3"),
          "/4": page("4")
        },
        { limit: 3 }
      )

      expect(crawl.documents).toHaveLength(3)
      expect(crawl.status).toMatchObject({ status: "completed", total: 3, completed: 3 })
      expect(crawl.status.ledger).toEqual({ discovered: 5, scraped: 3, failed: 0, blocked: 0, left: 2, aliases: 0 })
    })
  )

  it.live("scrapes a page at the deepest level and does not follow its links", () =>
    Effect.gen(function* () {
      const crawl = yield* crawlSite(
        { "/": page("0", "/1"), "/1": page("1", "/2"), "/2": page("2", "/3"), "/3": page("3") },
        { maxDiscoveryDepth: 2 }
      )

      expect(crawl.paths).toEqual(["/", "/1", "/2"])
    })
  )

  it.live("follows paths below the start only, or the entire domain where asked", () =>
    Effect.gen(function* () {
      const routes = {
        "/docs/": page("docs", "/docs/a", "/blog"),
        "/docs/a": page("a"),
        "/blog": page("blog")
      }

      const below = yield* crawlSite(routes, { url: `${origin}/docs/` })
      const all = yield* crawlSite(routes, { url: `${origin}/docs/`, crawlEntireDomain: true })

      expect(below.paths).toEqual(["/docs/", "/docs/a"])
      expect(all.paths).toEqual(["/blog", "/docs/", "/docs/a"])
    })
  )

  it.live("matches patterns unanchored on the path, exclude before include, and follows a start page they deny", () =>
    Effect.gen(function* () {
      const crawl = yield* crawlSite(
        {
          "/": page("home", "/keep/1", "/keep/2", "/drop"),
          "/keep/1": page("1"),
          "/keep/2": page("2"),
          "/drop": page("x")
        },
        { includePaths: ["keep"], excludePaths: ["2$"] }
      )

      expect(crawl.paths).toEqual(["/keep/1"])
      expect(crawl.errors.map(({ path, code }) => [path, code])).toEqual([["/", "PATH_FILTER"]])
    })
  )

  it.live("takes pages one at a time and apart where a delay is asked", () =>
    Effect.gen(function* () {
      const crawl = yield* crawlSite(
        { "/": page("home", "/1", "/2"), "/1": page("1"), "/2": page("2") },
        { delay: 0.02 }
      )

      expect(crawl.documents).toHaveLength(3)
      expect(crawl.peak).toBe(1)
    })
  )

  it.live("keeps to maxConcurrency", () =>
    Effect.gen(function* () {
      const slow =
        (title: string) =>
        (
          _request: unknown,
          response: { end: (text: string) => void; setHeader: (name: string, value: string) => void }
        ) => {
          response.setHeader("content-type", "text/html")
          setImmediate(() => response.end(page(title)))
        }
      const paths = Array.from({ length: 12 }, (_, index) => `/p${index}`)
      const crawl = yield* crawlSite(
        { "/": page("home", ...paths), ...Object.fromEntries(paths.map((path) => [path, slow(path)])) },
        { maxConcurrency: 2, sitemap: "skip" }
      )

      expect(crawl.documents).toHaveLength(13)
      expect(crawl.peak).toBeLessThanOrEqual(2)
    })
  )

  it.live("turns what cannot be read into errors with reasons: files, resets, broken answers", () =>
    Effect.gen(function* () {
      const crawl = yield* crawlSite({
        "/": page("home", "/file", "/file.xyz", "/reset", "/bomb", "/mail"),
        "/file.xyz": file("application/octet-stream", new Uint8Array([0, 1, 2, 3])),
        "/file": file("application/octet-stream", new Uint8Array([0, 1, 2, 3])),
        "/reset": (request) => request.socket.destroy(),
        "/bomb": (_request, response) => {
          response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" })
          response.end(gzipSync(Buffer.alloc(30 * 1024 * 1024)))
        },
        "/mail": redirect("mailto:someone@site.test")
      })

      expect(crawl.paths).toEqual(["/"])
      expect(Object.fromEntries(crawl.errors.map(({ path, code }) => [path, code]))).toEqual({
        "/file": "SCRAPE_UNSUPPORTED_FILE_ERROR",
        "/file.xyz": "NOT_A_PAGE",
        "/reset": "SCRAPE_CONNECTION_ERROR",
        "/bomb": "SCRAPE_PAGE_TOO_LARGE",
        "/mail": "SCRAPE_REDIRECT_ERROR"
      })
    })
  )

  it.live("goes where the header of an answer leads, and only it", () =>
    Effect.gen(function* () {
      const sent =
        (html: string, ...header: ReadonlyArray<string>) =>
        (_request: IncomingMessage, response: ServerResponse) => {
          response.writeHead(200, ["content-type", "text/html", ...header])
          response.end(html)
        }
      const crawl = yield* crawlSite({
        "/": sent("", "refresh", "0;url=/home"),
        "/home": sent(page("home"), "link", "</s.css>; rel=preload", "link", '</list?page=2>; rel="next"'),
        "/list?page=2": page("second")
      })

      expect(crawl.paths).toEqual(["/", "/home", "/list?page=2"])
    })
  )

  it.live("follows the entries of a feed that a link leads to", () =>
    Effect.gen(function* () {
      const rss = `<rss version="2.0"><channel><item><link>${origin}/post</link></item></channel></rss>`
      const crawl = yield* crawlSite({
        "/": page("home", "/feed"),
        "/feed": file("application/rss+xml", rss),
        "/post": page("post")
      })

      expect(crawl.paths).toEqual(["/", "/feed", "/post"])
    })
  )

  it.live("takes a check for bots that answers with 200 for no page", () =>
    Effect.gen(function* () {
      const check = "<title>Just a moment...</title><script>window._cf_chl_opt={}</script>"
      const crawl = yield* crawlSite({ "/": page("home", "/checked"), "/checked": file("text/html", check) })

      expect(crawl.paths).toEqual(["/"])
      expect(crawl.errors).toMatchObject([{ path: "/checked", code: "SCRAPE_BOT_CHECK" }])
    })
  )

  it.live("ends a page that drips for ever at its timeout, and goes on", () =>
    Effect.gen(function* () {
      const crawl = yield* crawlSite(
        {
          "/": page("home", "/drip", "/fine"),
          "/fine": page("fine"),
          "/drip": (_request, response) => {
            response.writeHead(200, { "content-type": "text/html" })
            const timer = setInterval(() => response.write("."), 50)
            response.on("close", () => clearInterval(timer))
          }
        },
        { scrapeOptions: { timeout: 1000 } }
      )

      expect(crawl.paths).toEqual(["/", "/fine"])
      expect(crawl.errors).toMatchObject([{ path: "/drip", code: "SCRAPE_TIMEOUT" }])
    })
  )

  it.live("waits as long as a site that says 429 asks, and asks again", () =>
    Effect.gen(function* () {
      let refusals = 1
      const crawl = yield* crawlSite({
        "/": page("home", "/busy"),
        "/busy": (_request, response) => {
          const refused = refusals-- > 0
          response.writeHead(refused ? 429 : 200, {
            "content-type": "text/html",
            ...(refused ? { "retry-after": "0" } : {})
          })
          response.end(page("busy"))
        }
      })

      expect(crawl.byPath.get("/busy")?.metadata.statusCode).toBe(200)
    })
  )

  it.live("never fails for a sitemap of garbage or a robots.txt that is a page", () =>
    Effect.gen(function* () {
      const crawl = yield* crawlSite({
        "/": page("home", "/a"),
        "/a": page("a"),
        "/robots.txt": "<html><body>Disallow: /</body></html>",
        "/sitemap.xml": file("application/xml", new Uint8Array([0xff, 0xfe, 0x00, 0x12, 0x99, 0x80]))
      })

      expect(crawl.paths).toEqual(["/", "/a"])
      expect(crawl.status.warning).toContain("sitemap")
    })
  )

  it.live("fails with the reason where the start page cannot be had at all", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(crawlSite({ "/": (request) => request.socket.destroy() }, {}))

      expect(failure.message).toContain(
        "http://site.test/: the host closed the connection before the answer was whole; site.test has not answered for"
      )
    })
  )

  it.live("never sends the caller's credentials to another host", () =>
    Effect.gen(function* () {
      const seen: Array<string | undefined> = []
      const note =
        (title: string, ...links: ReadonlyArray<string>) =>
        (
          request: { headers: Record<string, unknown> },
          response: { setHeader: (name: string, value: string) => void; end: (text: string) => void }
        ) => {
          seen.push(`${String(request.headers["host"])} ${String(request.headers["authorization"])}`)
          response.setHeader("content-type", "text/html")
          response.end(page(title, ...links))
        }
      yield* crawlSite(
        { "/": note("home", "http://other.test/x"), "/x": note("x") },
        { allowExternalLinks: true, scrapeOptions: { headers: { Authorization: "Bearer mine" } } }
      )

      expect(seen).toEqual(["site.test Bearer mine", "other.test undefined"])
    })
  )

  it.live("reads a level to its end before the next, so that a slow page's links are as near as they are", () =>
    Effect.gen(function* () {
      const slow = gate(page("slow", "/x"))
      const site = yield* scriptedSite({
        "/": page("0", "/slow", "/1"),
        "/slow": slow.answer,
        "/1": page("1", "/2"),
        "/2": page("2", "/x"),
        "/x": page("x")
      })
      yield* Effect.gen(function* () {
        const { crawl } = yield* WebData
        const { id } = yield* crawl.start({ payload: { url: `${origin}/`, maxDiscoveryDepth: 2 } })
        for (let have = 0; have < 2; )
          have += (yield* crawl.status({ params: { id }, query: { skip: have } })).data.length
        expect(site.requests).not.toContain("/2")
        yield* slow.open
        const { documents } = yield* readToEnd(id)
        const titles = documents.map(({ metadata }) => metadata.title)

        expect(titles.slice(0, 3)).toEqual(["0", "1", "slow"])
        expect(titles.slice(3).toSorted()).toEqual(["2", "x"])
      }).pipe(Effect.provide(embedded(site.port)))
    })
  )

  it.live("loses only the page that its own reader trips over", () =>
    Effect.gen(function* () {
      const pages: Record<string, string> = { "/": page("home", "/bad", "/good"), "/good": page("good") }
      const polite = Layer.succeed(PoliteFetch, {
        get: (url) =>
          url.pathname === "/bad"
            ? Effect.die(new RangeError("too deep"))
            : Effect.succeed({
                status: url.pathname in pages ? 200 : 404,
                contentType: "text/html",
                location: undefined,
                retryAfter: undefined,
                body: Buffer.from(pages[url.pathname] ?? "")
              })
      })
      const layer = crawlJobs(ServiceConfig.defaults, polite)
      yield* Effect.gen(function* () {
        const jobs = yield* CrawlJobs
        const store = yield* CrawlStore
        const { id } = yield* jobs.start("team", { url: `${origin}/` })
        while ((yield* jobs.get("team", id, "crawl")).status === "scraping") yield* jobs.hold(id, 2)

        expect((yield* jobs.get("team", id, "crawl")).status).toBe("completed")
        expect(yield* store.failures(id)).toMatchObject([
          { url: `${origin}/bad`, code: "SCRAPE_UNKNOWN_ERROR", error: "RangeError: too deep" }
        ])
        expect(yield* store.count(id)).toBe(2)
      }).pipe(Effect.provide(layer))
    })
  )
})
