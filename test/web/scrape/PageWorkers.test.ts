import * as zlib from "node:zlib"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { expect } from "vitest"
import { crawlPages } from "#contract/crawlPages"
import * as PageDocumentBytes from "#contract/PageDocumentBytes"
import * as Page from "#page/Page"
import { Fetch, type Options } from "#web/Fetch"
import type { PageRequest } from "#web/PageRequest"
import * as PageWorkers from "#web/PageWorkers"
import { readPage } from "#web/scrape/readPage"
import { embedded, origin } from "../../service/crawlSite.ts"
import { httpAnswer, rawServer } from "../../service/rawServer.ts"
import { type Answer, file, redirect, scriptedSite } from "../../service/scriptedSite.ts"
import { hosts } from "../../service/served.ts"

const order: PageRequest = {
  requestedUrl: "http://site.test/",
  scrapeId: "1",
  reading: { formats: new Set(["markdown", "links"]), page: Page.defaults, isExtended: true },
  traits: { landed: "http://site.test/?q=1", trapBudget: 1000 }
}

/** A fetch whose every page with an order is read by one thread. */
const withThread = (port: number, allowPrivate = false) =>
  PageWorkers.layer({ allowPrivate, resolve: hosts(port) }, { threads: 1, afterMillis: 0 })

const get = (path: string, options: Partial<Options> = {}) =>
  Effect.flatMap(Fetch, (fetch) => fetch.get(`http://site.test${path}`, { timeoutMillis: 300_000, order, ...options }))

const words = "A page has to say something, or it is taken for a shell that only scripts fill. ".repeat(10)
const html = `<title>Grüße</title><main><h1>Hello</h1><p>${words}</p><p><a href="/a">a</a> <a href="/b">b</a></p></main>`

/** A page of more cells than a page may have. */
const costly = `<table><tr><th>h<th>i${"<tr><td colspan=100>x".repeat(6000)}</table>`

describe("a crawl whose pages threads fetch", () => {
  it.live("is the same as one without: documents, redirects, aliases, failures, order of links", () =>
    Effect.gen(function* () {
      const pageOf = (name: string, ...links: ReadonlyArray<string>) =>
        `<title>${name}</title><main><p>${words}</p>${links.map((link) => `<a href="${link}">${link}</a>`).join(" ")}</main>`
      const routes: Readonly<Record<string, Answer>> = {
        "/robots.txt": file("text/plain", "User-agent: *\nDisallow: /secret"),
        "/": pageOf("home", "/a", "/b", "/moved", "/away", "/secret", "/gone", "/costly", "/shell", "/text", "/a#x"),
        "/a": pageOf("a", "/c", "/b"),
        "/b": pageOf("b", "/c", "/d?PHPSESSID=1"),
        "/c": pageOf("c"),
        "/d": pageOf("d", "/a"),
        "/moved": redirect("/c"),
        "/away": redirect("http://elsewhere.test/"),
        "/gone": file("text/html", pageOf("gone", "/never"), 404),
        "/costly": costly,
        "/shell": "<div id=app></div><script src=a.js></script>",
        "/text": file("text/plain", "text")
      }
      const crawl = Effect.fnUntraced(function* (workers: PageWorkers.Workers) {
        const site = yield* scriptedSite(routes)
        const events = yield* Stream.runCollect(crawlPages({ url: `${origin}/`, sitemap: "skip" })).pipe(
          Effect.provide(embedded(site.port, ["site.test"], { workers }))
        )
        const documents = events.flatMap((event) => (event._tag === "Pages" ? event.documents : []))
        const ended = events.find((event) => event._tag === "Ended")
        const plain = documents.map(({ metadata, ...formats }) => ({
          ...formats,
          metadata: { ...metadata, scrapeId: "" }
        }))
        return {
          documents: plain.toSorted((a, b) => (a.metadata.url < b.metadata.url ? -1 : 1)),
          errors:
            ended?._tag === "Ended" ? ended.errors.errors.map(({ code, url }) => `${code} ${url}`).toSorted() : [],
          blocked: ended?._tag === "Ended" ? ended.errors.robotsBlocked : [],
          requests: site.requests.toSorted()
        }
      }, Effect.scoped)
      const here = yield* crawl({ threads: 0 })
      const there = yield* crawl({ threads: 2, afterMillis: 0 })

      expect(there).toEqual(here)
      expect(there.errors.join()).toContain("SCRAPE_PAGE_TOO_COSTLY http://site.test/costly")
      expect(there.documents.length).toBeGreaterThan(6)
    })
  )
})

describe("a page that a thread fetches", () => {
  it.live("is read there, and the same as it would be here", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({
        "/": (_request, response) => {
          response.writeHead(200, {
            "content-type": "text/html; charset=utf-8",
            "content-encoding": "gzip",
            etag: '"1"'
          })
          response.end(zlib.gzipSync(html))
        }
      })
      const there = yield* Effect.provide(get("/"), withThread(site.port))
      const here = yield* Effect.provide(get("/"), Fetch.layer({ allowPrivate: false, resolve: hosts(site.port) }))
      const read = readPage(new URL("http://site.test/"), { ...here, elapsedMillis: 0 }, order)
      const documentOf = (bytes: Uint8Array | undefined) => {
        const { metadata, ...formats } = PageDocumentBytes.decode(bytes ?? new Uint8Array(20))
        return { ...formats, metadata: { ...metadata, elapsedMs: 0 } }
      }

      expect(here.page).toBeUndefined()
      expect(there.body.byteLength).toBe(0)
      expect(there).toMatchObject({ status: 200, contentType: "text/html; charset=utf-8", etag: '"1"' })
      expect(there.page).toMatchObject({ credits: 1, links: "http://site.test/a\nhttp://site.test/b" })
      expect(there.page?.traits).toEqual(read?.traits)
      expect(there.page?.traits?.meaning).toMatch(/^\w{16}$/)
      expect(documentOf(there.page?.document)).toEqual(documentOf(read?.document))
      expect(documentOf(there.page?.document).markdown).toContain("Hello")
    })
  )

  it.live("comes back as it was answered where it is no plain page", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({
        "/moved": redirect("/"),
        "/late": file("text/html", "later", 503),
        "/text": file("text/plain", "text"),
        "/pdf": file("application/pdf", "%PDF-1.7"),
        "/shell": "<div id=app></div><script src=a.js></script>"
      })
      const layer = withThread(site.port)
      const bodies = yield* Effect.forEach(["/moved", "/late", "/text", "/pdf", "/shell"], (path) =>
        Effect.map(get(path), ({ body, location, page, status }) => [
          status,
          location ?? Buffer.from(body).toString().slice(0, 8),
          page
        ])
      ).pipe(Effect.provide(layer))

      expect(bodies).toEqual([
        [302, "/", undefined],
        [503, "later", undefined],
        [200, "text", undefined],
        [200, "%PDF-1.7", undefined],
        [200, "<div id=", undefined]
      ])
    })
  )

  it.live("fails as it would here: refused addresses, broken answers, pages that are too costly", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/costly": costly })
      const broken = yield* rawServer((socket) =>
        socket.end(httpAnswer(["content-length: 5", "content-length: 6"], "hello"))
      )
      const refused = yield* Effect.flip(Effect.provide(get("/costly"), withThread(site.port)))
      const invalid = yield* Effect.flip(Effect.provide(get("/"), withThread(broken.port)))
      const inside = yield* Effect.flatMap(Fetch, (fetch) =>
        fetch.get(`http://127.0.0.1:${site.port}/`, { timeoutMillis: 300_000, order })
      ).pipe(Effect.flip, Effect.provide(withThread(site.port)))

      expect(refused).toMatchObject({ code: "SCRAPE_PAGE_TOO_COSTLY", retryable: false })
      expect(invalid).toMatchObject({ code: "SCRAPE_INVALID_RESPONSE", message: "the answer is not valid HTTP" })
      expect(inside).toMatchObject({ code: "SCRAPE_ADDRESS_BLOCKED" })
    })
  )

  it.live("is given up with its connection, where it is interrupted and where its time is over", () =>
    Effect.gen(function* () {
      let closed = 0
      const asked = Promise.withResolvers<void>()
      const bothClosed = Promise.withResolvers<void>()
      const server = yield* rawServer((socket) => {
        asked.resolve()
        socket.on("close", () => {
          if (++closed === 2) bothClosed.resolve()
        })
      })
      yield* Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(get("/"))
        yield* Effect.promise(() => asked.promise)
        yield* Fiber.interrupt(fiber)
        const late = yield* Effect.flip(get("/", { timeoutMillis: 200 }))
        expect(late).toMatchObject({ code: "SCRAPE_TIMEOUT", message: "no complete answer within 200 ms" })
        yield* Effect.promise(() => bothClosed.promise)
      }).pipe(Effect.provide(withThread(server.port)))

      expect(closed).toBe(2)
    })
  )

  it.live("is not read there without an order, nor before this thread had much to do", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": html })
      const isReadThere = Effect.map(get("/"), ({ page }) => page !== undefined)
      const pages = (afterMillis: number) =>
        Effect.gen(function* () {
          const plain = yield* Effect.flatMap(Fetch, (fetch) =>
            fetch.get("http://site.test/", { timeoutMillis: 300_000 })
          )
          const until = performance.now() + 1000
          while (performance.now() < until);
          yield* Effect.forEach(Array.from({ length: 51 }), () => isReadThere, { discard: true })
          return [plain.page !== undefined, yield* isReadThere]
        }).pipe(
          Effect.provide(
            PageWorkers.layer({ allowPrivate: false, resolve: hosts(site.port) }, { threads: 1, afterMillis })
          )
        )

      expect(yield* pages(100)).toEqual([false, true])
      // However busy the machine is, nobody is busy for so long.
      expect(yield* pages(Number.POSITIVE_INFINITY)).toEqual([false, false])
    })
  )

  it.live("is read here where enough of them wait for the thread", () =>
    Effect.gen(function* () {
      const waiting: Array<() => void> = []
      const site = yield* scriptedSite({
        "/": (_request, response) => {
          waiting.push(() => response.writeHead(200, { "content-type": "text/html" }).end(html))
          if (waiting.length === 8) for (const answer of waiting) answer()
        }
      })
      const areThere = yield* Effect.forEach(
        Array.from({ length: 8 }),
        () => Effect.map(get("/"), ({ page }) => page !== undefined),
        { concurrency: 8 }
      ).pipe(Effect.provide(withThread(site.port)))

      expect(areThere).toEqual([true, false, true, true, true, false, true, true])
    })
  )
})
