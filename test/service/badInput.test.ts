import { gzipSync } from "node:zlib"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { WebData } from "#contract/WebData"
import { maxPageBytes } from "#web/Fetch"
import { crawlSite, embedded, origin, readToEnd } from "./crawlSite.ts"
import { type Answer, file, page, redirect } from "./scriptedSite.ts"

const statusOf = (request: Parameters<typeof crawlSite>[1], routes: Readonly<Record<string, Answer>>) =>
  Effect.map(crawlSite(routes, request), ({ status, documents, errors }) => ({ status, documents, errors }))

/** Words that every charset of the test has. */
const words = "Zürich"

describe("a crawl of", () => {
  it.live("a start page that answers 4xx or 5xx has it as a document and completes", () =>
    Effect.gen(function* () {
      for (const code of [400, 401, 403, 404, 410, 418, 451, 500, 502, 503, 599]) {
        const { status, documents } = yield* statusOf(
          {},
          { "/": file("text/html", page(String(code), "/never"), code) }
        )
        expect([code, status.status, documents.map(({ metadata }) => metadata.statusCode)]).toEqual([
          code,
          "completed",
          [code]
        ])
      }
    })
  )

  it.live("a host that cannot be reached, or must not be, fails with the reason", () =>
    Effect.gen(function* () {
      const { crawl } = yield* WebData
      const reasons: Record<string, string | undefined> = {}
      for (const url of ["http://closed.test/", "http://127.0.0.1/", "http://[::1]:1/"]) {
        const { id } = yield* crawl.start({ payload: { url } })
        const { status } = yield* readToEnd(id)
        expect([url, status.status, status.success, status.data]).toEqual([url, "failed", false, []])
        reasons[url] = status.error
      }

      expect(reasons["http://closed.test/"]).toContain("the host refuses the connection")
      expect(reasons["http://127.0.0.1/"]).toContain("127.0.0.1 is not a public address")
      expect(reasons["http://[::1]:1/"]).toContain("::1 is not a public address")
    }).pipe(Effect.provide(embedded(1, ["closed.test"])))
  )

  it.live("pages in any charset, declared in the header, in the page, by a mark or not at all, reads their words", () =>
    Effect.gen(function* () {
      const body = `<title>${words}</title><p>${words} text`
      const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(body, "utf16le")])
      const routes: Readonly<Record<string, Answer>> = {
        "/utf8": file("text/html; charset=utf-8", body),
        "/silent": file("text/html", body),
        "/latin1": file("text/html; charset=ISO-8859-1", Buffer.from(body, "latin1")),
        "/silent-latin1": file("text/html", Buffer.from(body, "latin1")),
        "/meta": file("text/html", Buffer.from(`<meta charset=windows-1252>${body}`, "latin1")),
        "/utf16": file("text/html", utf16),
        "/unknown": file("text/html; charset=klingon", body),
        "/no-type": (_request, response) => void response.end(`<!doctype html>${body}`)
      }
      const paths = Object.keys(routes)
      const crawl = yield* crawlSite({ "/": page("home", ...paths), ...routes })

      for (const path of paths) {
        expect([path, crawl.byPath.get(path)?.metadata.title]).toEqual([path, words])
        expect([path, crawl.byPath.get(path)?.markdown]).toEqual([path, expect.stringContaining(`${words} text`)])
      }
    })
  )

  it.live("pages that are cut off, empty, binary or deep has a document or an error for each", () =>
    Effect.gen(function* () {
      const binary = Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7) % 256))
      const routes: Readonly<Record<string, Answer>> = {
        "/cut": file("text/html", "<title>cut</title><p>first <b>second <a href='/cut-"),
        "/cut-tag": file("text/html", "<title>cut</title><p>first<scr"),
        "/cut-character": file("text/html", Buffer.from("<title>t</title><p>caf\u00e9").subarray(0, -1)),
        "/empty": file("text/html", ""),
        "/nothing": (_request, response) => void response.writeHead(204).end(),
        "/binary": file("text/html", binary),
        "/deep": file("text/html", `<title>deep</title>${"<div><ul><li>".repeat(50_000)}bottom`),
        "/wide": file("text/html", `<title>wide</title>${'<a href="/x?'.repeat(2000)}`),
        "/nul": file("text/html", "<title>nul</title>\0\0<p>te\0xt"),
        "/surrogate": file("text/html", "<title>&#xD800;</title><p>&#xDFFF;&#0;&#x110000;&#99999999999;")
      }
      const paths = Object.keys(routes)
      const crawl = yield* crawlSite({ "/": page("home", ...paths), ...routes }, { includePaths: ["^/[a-z-]*$"] })
      const ended = [...crawl.paths, ...crawl.errors.map(({ path }) => path)].filter((path) => paths.includes(path))

      expect(ended.toSorted()).toEqual(paths.toSorted())
      expect(crawl.byPath.get("/cut")?.markdown).toContain("second")
      expect(crawl.byPath.get("/cut-character")?.markdown).toContain("caf")
      expect(crawl.byPath.get("/deep")?.metadata.title).toBe("deep")
      expect(crawl.status.status).toBe("completed")
    })
  )

  it.live("pages just under, at and over the size limit, plain or compressed, keeps those within it", () =>
    Effect.gen(function* () {
      const sized = (bytes: number) => `<title>big</title><p>`.padEnd(bytes, "word ")
      const zipped = (bytes: number): Answer => {
        const body = gzipSync(sized(bytes))
        return (_request, response) => {
          response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" })
          response.end(body)
        }
      }
      const crawl = yield* crawlSite(
        {
          "/": page("home", "/at", "/over", "/zipped-at", "/zipped-over"),
          "/at": file("text/html", sized(maxPageBytes)),
          "/over": file("text/html", sized(maxPageBytes + 1)),
          "/zipped-at": zipped(maxPageBytes),
          "/zipped-over": zipped(maxPageBytes + 1)
        },
        { maxConcurrency: 1, scrapeOptions: { formats: ["links"] } }
      )

      expect(crawl.paths).toEqual(["/", "/at", "/zipped-at"])
      expect(crawl.errors.map(({ path, code }) => [path, code])).toEqual([
        ["/over", "SCRAPE_PAGE_TOO_LARGE"],
        ["/zipped-over", "SCRAPE_PAGE_TOO_LARGE"]
      ])
    })
  )

  it.live("links of every scheme and shape follows those that are pages of the site", () =>
    Effect.gen(function* () {
      const links = [
        "mailto:a@b.test|tel:+1|javascript:alert(1)|data:text/html,x|file:///etc/passwd|ftp://site.test/|about:blank",
        "blob:x|ws://site.test/|http://|http://[|http://site.test:99999/|#|?|//|| |/ok| /spaced\n|/ok#x",
        "HTTP://SITE.TEST/upper|https://site.test/ok|//site.test/ok|/%zz|/ü|/a/../dots|\\back|/x.png|/%00",
        "http://user:secret@site.test/named"
      ].flatMap((line) => line.split("|"))
      const crawl = yield* crawlSite({
        "/": page("home", ...links),
        ...Object.fromEntries(
          ["/ok", "/spaced", "/upper", "/%zz", "/%C3%BC", "/dots", "/back", "/named", "/%00"].map((path) => [
            path,
            page(path)
          ])
        )
      })

      expect(crawl.paths).toEqual(
        ["/", "/ok", "/spaced", "/upper", "/%zz", "/%C3%BC", "/dots", "/back", "/named", "/%00"].toSorted()
      )
      expect(crawl.documents.every(({ metadata }) => metadata.statusCode === 200)).toBe(true)
      // It is named like a file, so it is asked for once, and not read.
      expect(crawl.requests.filter((path) => path.includes("png"))).toEqual(["/x.png"])
      expect(crawl.errors).toEqual([{ path: "/x.png", code: "NOT_A_PAGE", error: "is a file and no page: HTTP 404" }])
    })
  )

  it.live("a site of redirect loops tells each of them, whichever page of a loop is linked", () =>
    Effect.gen(function* () {
      const crawl = yield* crawlSite({
        "/": page("home", "/self", "/a", "/b", "/x", "/y", "/z", "/chain", "/fine"),
        "/self": redirect("/self"),
        "/a": redirect("/b"),
        "/b": redirect("/a"),
        "/x": redirect("/y"),
        "/y": redirect("/z"),
        "/z": redirect("/x"),
        "/fine": page("fine"),
        ...Object.fromEntries(
          Array.from({ length: 20 }, (_, hop) => [hop === 0 ? "/chain" : `/chain${hop}`, redirect(`/chain${hop + 1}`)])
        )
      })
      const { discovered = 0, scraped, failed, aliases } = crawl.status.ledger ?? {}

      expect(crawl.paths).toEqual(["/", "/fine"])
      expect(crawl.errors.map(({ code }) => code).toSorted()).toEqual([
        "SCRAPE_REDIRECT_ERROR",
        ...Array(3).fill("SCRAPE_REDIRECT_LOOP")
      ])
      expect({ discovered, scraped, failed, aliases }).toEqual({ discovered: 6, scraped: 2, failed: 4, aliases: 3 })
    })
  )

  it.live("a site whose robots.txt is anything at all never crashes, and obeys what can be read", () =>
    Effect.gen(function* () {
      const routes = { "/": page("home", "/secret"), "/secret": page("secret") }
      const crawlWith = (robots: Answer) =>
        Effect.map(crawlSite({ ...routes, "/robots.txt": robots }), ({ paths, blocked }) => [paths, blocked])
      const all = [["/", "/secret"], []]
      const some = [["/"], ["/secret"]]

      expect(yield* crawlWith("<html>Disallow: /</html>")).toEqual(all)
      expect(yield* crawlWith(file("text/plain", Buffer.alloc(5000, 0xff)))).toEqual(all)
      expect(yield* crawlWith(file("image/png", "User-agent: *\nDisallow: /secret"))).toEqual(some)
      expect(yield* crawlWith(file("text/plain", "\ufeffUSER-AGENT : *\r\ndisallow: /secret # x"))).toEqual(some)
      expect(
        yield* crawlWith(file("text/plain", `User-agent: *\nDisallow: /secret\n${"# long\n".repeat(200_000)}`))
      ).toEqual(some)
      expect(yield* crawlWith(redirect("/robots.txt"))).toEqual(all)
      expect(yield* crawlWith(file("text/plain", "", 404))).toEqual(all)
    })
  )

  it.live("a site whose robots.txt answers 5xx does not crawl it, and says so", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(crawlSite({ "/": page("home"), "/robots.txt": file("text/plain", "", 500) }))

      expect(error.message).toContain(
        "http://site.test/: robots.txt cannot be fetched, so nothing may be crawled: it answers 500; site.test has not answered for"
      )
    })
  )

  it.live("a site whose sitemaps are garbage, circles or drips is crawled by its links, with a warning", () =>
    Effect.gen(function* () {
      const index = `<sitemapindex><sitemap><loc>${origin}/sitemap.xml</loc></sitemap><sitemap><loc>${origin}/bad.xml</loc></sitemap></sitemapindex>`
      const crawl = yield* crawlSite({
        "/": page("home", "/a"),
        "/a": page("a"),
        "/robots.txt": file("text/plain", `Sitemap: ${origin}/bomb.xml.gz\nSitemap: javascript:1\nSitemap: :::`),
        "/sitemap.xml": file("application/xml", index),
        "/bad.xml": file("application/xml", "<urlset><url><loc>"),
        "/bomb.xml.gz": file("application/gzip", gzipSync(Buffer.alloc(60 * 1024 * 1024, " ")))
      })

      expect(crawl.paths).toEqual(["/", "/a"])
      expect(crawl.status.warning).toContain("bomb.xml.gz")
    })
  )

  it.live("a limit that is reached while a sitemap still drips completes at once", () =>
    Effect.gen(function* () {
      const crawl = yield* crawlSite(
        {
          "/": page("home", "/a", "/b"),
          "/a": page("a"),
          "/b": page("b"),
          "/sitemap.xml": (_request, response) => {
            response.writeHead(200, { "content-type": "application/xml" })
            response.write("<urlset>")
          }
        },
        { limit: 2 }
      )

      expect(crawl.status).toMatchObject({ status: "completed", completed: 2, total: 2 })
      expect(crawl.status.ledger).toEqual({ discovered: 3, scraped: 2, failed: 0, blocked: 0, left: 1, aliases: 0 })
    })
  )

  it.live("a start page that fails ends the others that wait", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(
        crawlSite(
          {
            "/": (request) => request.socket.destroy(),
            "/sitemap.xml": file("text/plain", `${origin}/a\n${origin}/b`),
            "/a": () => {},
            "/b": () => {}
          },
          { scrapeOptions: { timeout: 1000 } }
        )
      )

      expect(failure._tag).toBe("CrawlFailed")
    })
  )

  it.live("pages that loop by meta refresh or by a calendar without end stays within its limits", () =>
    Effect.gen(function* () {
      const refresh = (to: string) => `<title>r</title><meta http-equiv="refresh" content="0; url=${to}">`
      let month = 0
      const crawl = yield* crawlSite(
        {
          "/": page("home", "/r1", "/calendar?0"),
          "/r1": refresh("/r2"),
          "/r2": refresh("/r1"),
          "/calendar": (_request, response) => {
            response.writeHead(200, { "content-type": "text/html" })
            response.end(page("month", `/calendar?${++month}`))
          }
        },
        { limit: 30 }
      )

      expect(crawl.status).toMatchObject({ status: "completed", completed: 30 })
      expect(crawl.paths).toEqual(expect.arrayContaining(["/r1", "/r2"]))
    })
  )

  it.live("the same path under many queries is one page where queries are ignored", () =>
    Effect.gen(function* () {
      const crawl = yield* crawlSite(
        { "/": page("home", "/a?x=1", "/a?x=2", "/a", "/?y"), "/a": page("a", "/a?x=3") },
        { ignoreQueryParameters: true }
      )

      expect(crawl.paths).toEqual(["/", "/a?x=1"])
      expect(crawl.status.ledger?.discovered).toBe(2)
    })
  )
})
