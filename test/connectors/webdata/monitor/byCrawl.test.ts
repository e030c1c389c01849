import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { monitor } from "#connectors/webdata/index"
import type { CrawlRequest } from "#contract/Crawl"
import type { WebData } from "#contract/WebData"
import * as Inboxes from "#engine/Inboxes"
import * as Source from "#engine/Source"
import type { SourceResponse } from "#engine/SourceElement"
import { scriptedService } from "../../../contract/client/scriptedService.ts"
import { embedded, origin } from "../../../service/crawlSite.ts"
import { against, origin as demoOrigin, editions } from "../../../service/monitor/editions.ts"
import { file, type Answer as Page, page, scriptedSite } from "../../../service/scriptedSite.ts"
import { timesOf } from "../../../thoroughness.ts"
import { documentOf, serviceOf } from "../scriptedCrawl.ts"
import { kept, rowsOf } from "../scriptedJobs.ts"

type Elements = ReadonlyArray<Source.Element<unknown>>

interface Of {
  readonly by?: "crawl" | "checks"
  readonly crawlOptions?: Partial<CrawlRequest>
}

/** A site that a test changes. */
const watched = Effect.fnUntraced(function* (pages: Record<string, Page>, of: Of = {}) {
  const { port } = yield* scriptedSite(pages)
  const readings = yield* read(
    `${origin}/`,
    Layer.fresh(embedded(port)),
    { sitemap: "skip", ...of.crawlOptions },
    of.by
  )
  return { ...readings, pages }
})

/** What each reading of a site says: the next one starts where the last one ended. */
const read = Effect.fnUntraced(function* (
  url: string,
  service: Layer.Layer<WebData, unknown>,
  crawlOptions: Partial<CrawlRequest>,
  by: Of["by"] = "crawl"
) {
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-watched-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const layer = yield* Layer.build(Layer.merge(service, Inboxes.layerMemory))
  const targets = [{ type: "crawl" as const, url, crawlOptions }]
  const source = monitor.with({ monitor: "Mill", by, targets, same: true })
  let start = Option.none<unknown>()
  let readings = 0
  const from = (key: string) => ({ key, directory, start, limits: {} })
  const read = Effect.gen(function* () {
    const stream = Source.read(source, from(`reading ${readings++}`))
    const elements: Elements = [...(yield* Effect.provideContext(Stream.runCollect(stream), layer))]
    const last = elements.at(-1)
    if (last?._tag === "Checkpoint") start = Option.some(JSON.parse(JSON.stringify(last.state)))
    return elements
  })
  const answers = (after: Option.Option<unknown>) =>
    Effect.map(
      Effect.provideContext(Stream.runCollect(source.fetch({ ...from("whole"), after })), layer),
      (some): ReadonlyArray<SourceResponse> => kept(some)
    )
  return { source, directory, read, answers }
})

const statusesOf = (elements: Elements) =>
  Object.fromEntries(
    rowsOf(elements, "page_changes")
      .map(({ status, url }) => [String(url).replace(origin, ""), status])
      .toSorted()
  )

const changeOf = (elements: Elements, path: string) =>
  rowsOf(elements, "page_changes").find(({ url }) => url === `${origin}${path}`)

const lead = "The mill stands by the river, and has stood there since the bridge was built."

describe("a monitor by crawl", () => {
  const first = () => ({
    "/": page("home", "/a", "/b", "/c", "/gone", "/fails"),
    "/a": page(`<p>${lead}</p><p>Page rendered at 2026-03-01 10:00:01</p>`),
    "/b": page(`<p>Price: 5 EUR</p>`),
    "/c": page("<p>c</p>"),
    "/gone": page("<p>gone</p>"),
    "/fails": page("<p>fails</p>")
  })
  const change = (pages: Record<string, Page>) => {
    pages["/"] = page("home", "/a", "/b", "/gone", "/fails", "/new")
    pages["/a"] = page(`<p>${lead}</p><p>Page rendered at 2026-03-02 11:22:33</p>`)
    pages["/b"] = page(`<p>Price: 6 EUR</p>`)
    pages["/new"] = page("<p>new</p>")
    delete pages["/gone"]
  }

  it.live("keeps what it knows of a page that no browser has shown, and says that it could not be read", () =>
    Effect.gen(function* () {
      const chromium = process.env["PLAYWRIGHT_CHROMIUM"]
      process.env["PLAYWRIGHT_CHROMIUM"] = "/nowhere"
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          if (chromium === undefined) delete process.env["PLAYWRIGHT_CHROMIUM"]
          else process.env["PLAYWRIGHT_CHROMIUM"] = chromium
        })
      )
      const { pages, read } = yield* watched({ "/": page("home", "/a"), "/a": page(`<p>${lead}</p>`) })
      yield* read
      pages["/a"] = '<title>a</title><div id="root"></div><script src="/app.js"></script>'
      const unread = yield* read
      pages["/a"] = page(`<p>${lead}</p>`)
      const again = yield* read

      expect(statusesOf(unread)).toEqual({ "/": "same", "/a": "error" })
      expect(changeOf(unread, "/a")?.["error"]).toContain("npm install playwright-core")
      expect(statusesOf(again)).toEqual({ "/": "same", "/a": "same" })
    }).pipe(Effect.scoped)
  )

  it.live("tells same, changed, new and removed, noise left out, as the service's own monitor does", () =>
    Effect.gen(function* () {
      const [own, service] = [yield* watched(first()), yield* watched(first(), { by: "checks" })]
      for (const { pages, read } of [own, service]) {
        yield* read
        change(pages)
      }
      const told = yield* own.read

      expect(statusesOf(told)).toEqual({
        "/": "changed",
        "/a": "same",
        "/b": "changed",
        "/c": "removed",
        "/fails": "same",
        "/gone": "removed",
        "/new": "new"
      })
      expect(statusesOf(told)).toEqual(statusesOf(yield* service.read))
      expect(changeOf(told, "/b")?.["diff"]).toMatch(/-Price: 5 EUR\n\+Price: 6 EUR/)
      expect(rowsOf(told, "monitor_checks")).toMatchObject([
        { monitor_id: "Mill", status: "completed", pages: 7, same: 2, changed: 2, new: 1, removed: 2, failed: 0 }
      ])
    })
  )

  it.live("has a row a page, whose meaning differs where the page has changed and nowhere else", () =>
    Effect.gen(function* () {
      const site = yield* watched(first())
      const meanings = (elements: Elements) =>
        new Map(rowsOf(elements, "pages").map(({ meaning, url }) => [String(url).replace(origin, ""), meaning]))
      const before = meanings(yield* site.read)
      change(site.pages)
      const after = meanings(yield* site.read)

      expect([...after.keys()].toSorted()).toEqual(["/", "/a", "/b", "/fails", "/gone", "/new"])
      expect(after.get("/gone")).toBeNull()
      for (const path of ["/a", "/fails"]) expect(after.get(path)).toBe(before.get(path))
      expect(after.get("/b")).not.toBe(before.get("/b"))
      expect(site.source.tables[0]).toMatchObject({ name: "pages", fingerprint: ["meaning"] })
    })
  )

  it.live("calls nothing removed where another page newly fails, and does once that has failed before", () =>
    Effect.gen(function* () {
      const site = yield* watched(first())
      yield* site.read
      site.pages["/fails"] = file("text/html", "<p>out of order</p>", 500)
      site.pages["/"] = page("home", "/a", "/b", "/gone", "/fails")
      const second = yield* site.read
      const third = yield* site.read

      expect(changeOf(second, "/c")).toMatchObject({
        status: "error",
        error:
          "not reached, and 1 page that may link to it could not be read; the next run will show whether it was removed"
      })
      const unknownKeys = second.flatMap((element) => (element._tag === "UnknownKeys" ? element.keys : []))
      expect(unknownKeys).toEqual([{ url: `${origin}/fails` }, { url: `${origin}/c` }])
      const doubts = [second, third].map((some) =>
        some.flatMap((element) => (element._tag === "Progress" ? (element.facts["doubtful"] ?? []) : []))
      )
      expect(doubts).toEqual([[1], [0]])
      expect(changeOf(second, "/fails")).toMatchObject({ status: "error", status_code: 500 })
      expect(statusesOf(third)).toMatchObject({ "/c": "removed", "/fails": "error" })
      site.pages["/fails"] = page("<p>fails</p>")
      expect(statusesOf(yield* site.read)).toMatchObject({ "/fails": "same" })
    })
  )

  it.live("calls nothing removed while a sitemap cannot be read that could be, however many runs that takes", () =>
    Effect.gen(function* () {
      const urlset = `<urlset><url><loc>${origin}/hidden</loc></url></urlset>`
      const sitemap = file("application/xml", urlset)
      const site = yield* watched(
        { ...first(), "/hidden": page("<p>hidden</p>"), "/sitemap.xml": sitemap },
        { crawlOptions: { sitemap: "include" } }
      )
      yield* site.read
      site.pages["/sitemap.xml"] = file("text/html", "out of order", 503)
      const down = [yield* site.read, yield* site.read]
      site.pages["/sitemap.xml"] = sitemap
      const back = yield* site.read
      site.pages["/sitemap.xml"] = file("text/html", "gone", 404)
      const gone = yield* site.read

      for (const told of down) {
        expect(changeOf(told, "/hidden")).toMatchObject({
          status: "error",
          error: expect.stringContaining(`not reached, and the sitemap ${origin}/sitemap.xml answered 503`)
        })
      }
      expect([statusesOf(back)["/hidden"], statusesOf(gone)["/hidden"]]).toEqual(["same", "removed"])
    })
  )

  it.live("fails with its start page, and calls nothing removed", () =>
    Effect.gen(function* () {
      const site = yield* watched(first())
      yield* site.read
      const home = site.pages["/"] ?? ""
      site.pages["/"] = file("text/html", "<p>maintenance</p>", 503)
      const refused = yield* Effect.flip(site.read)
      site.pages["/"] = home
      const closed = yield* watched({ ...first(), "/robots.txt": file("text/plain", "User-agent: *\nDisallow: /") })
      const forbidden = yield* Effect.flip(closed.read)

      expect(refused).toMatchObject({ _tag: "SourceError", over: true })
      expect(refused.message).toContain("answers 503")
      expect(forbidden.message).toContain("robots.txt of the site forbids the start page")
      expect(new Set(Object.values(statusesOf(yield* site.read)))).toEqual(new Set(["same"]))
    })
  )

  it.live("says nothing of pages that the limit kept it from, and says so in the check", () =>
    Effect.gen(function* () {
      const site = yield* watched(first(), { crawlOptions: { limit: 6 } })
      yield* site.read
      site.pages["/"] = page("home", "/x1", "/x2", "/x3", "/x4", "/x5", "/x6", "/a", "/b", "/c")
      for (const n of [1, 2, 3, 4, 5, 6]) site.pages[`/x${n}`] = page(`<p>x${n}</p>`)
      const told = yield* site.read

      expect(Object.values(statusesOf(told))).not.toContain("removed")
      expect(rowsOf(told, "monitor_checks")[0]?.["error"]).toMatch(
        /^the limit was reached: \d+ pages were not read, and \d+ known pages .* are not reported as removed$/
      )
      const last = told.at(-1)
      const state: any = last?._tag === "Checkpoint" ? last.state : undefined
      expect(Object.keys(state.pages)).toEqual(expect.arrayContaining([`${origin}/gone`, `${origin}/fails`]))
    })
  )

  it.live("goes on behind any answer, in another process too, and says the same", () =>
    Effect.gen(function* () {
      const site = yield* watched(first())
      yield* site.read
      change(site.pages)
      const whole = yield* site.answers(Option.none())
      const told = (answers: ReadonlyArray<SourceResponse>) =>
        Effect.map(Effect.forEach(answers, site.source.decode), (elements) => statusesOf(elements.flat()))

      expect([...new Set(whole.map(({ kind }) => kind))]).toEqual(["started", "pages", "errors", "end"])
      for (const [at, { cursor }] of whole.entries()) {
        const rest = yield* site.answers(Option.some(cursor))
        expect(rest.map(({ cursor: { isEnd } }: any) => isEnd)).toEqual(rest.map((_, n) => n === rest.length - 1))
        expect(yield* told([...whole.slice(0, at + 1), ...rest])).toEqual(yield* told(whole))
      }
    })
  )

  it.live("knows that a page has changed also where the file of versions is lost, and lacks only the difference", () =>
    Effect.gen(function* () {
      const site = yield* watched(first())
      yield* site.read
      change(site.pages)
      expect(readdirSync(join(site.directory, ".millrace", "pages"))).toContain("Mill.db")
      rmSync(join(site.directory, ".millrace"), { recursive: true })
      const told = yield* site.read

      expect(statusesOf(told)).toMatchObject({ "/a": "same", "/b": "changed", "/c": "removed", "/new": "new" })
      expect(changeOf(told, "/b")?.["diff"]).toBeNull()
    })
  )

  it.live("keeps a page under the URL that it was found by first, whichever variant is come by later", () =>
    Effect.gen(function* () {
      const site = yield* watched({ "/": page("home", "/docs/"), "/docs/": page("<p>docs</p>") })
      yield* site.read
      site.pages["/"] = page("home", "/docs/index.html")
      site.pages["/docs/index.html"] = page("<p>docs, anew</p>")
      const told = yield* site.read

      expect(statusesOf(told)).toEqual({ "/": "changed", "/docs/": "changed" })
      expect(rowsOf(told, "pages").map(({ url }) => url)).toContain(`${origin}/docs/`)
    })
  )

  it.live("finds every change of the demo site's revisions 1 to 5, and no other", () =>
    Effect.gen(function* () {
      // On a commit the service's own monitor sees the revisions before.
      const demo = yield* editions(timesOf(4, 3, 1), 5)
      const hosts = ["northmere.test", "www.northmere.test"]
      const site = yield* read(`${demoOrigin}/`, Layer.fresh(embedded(demo.port, hosts)), { limit: 5000 })
      yield* site.read
      const wrong: Array<string> = []
      let changes = 0
      for (const edition of demo.later) {
        demo.turnTo(edition)
        const rows = rowsOf(yield* site.read, "page_changes")
        const told = against(
          edition,
          new Map(rows.map(({ status, url }) => [String(url).replace(demoOrigin, ""), String(status)]))
        )
        wrong.push(...told.wrong)
        changes += told.changes
      }

      expect(changes).toBeGreaterThan(Math.min(60, 30 * demo.later.length))
      expect(wrong).toEqual([])
    })
  )

  it.effect(
    "has a page that is no document as a reject and as an error, and takes it neither for gone nor for changed",
    () =>
      Effect.gen(function* () {
        const odd = { markdown: 5, metadata: documentOf("/odd").metadata }
        const { layer } = serviceOf([documentOf("/", { markdown: "home" }), odd])
        const elements = yield* (yield* read(`${origin}/`, layer, {})).read

        expect(rowsOf(elements, "pages").map(({ url }) => url)).toEqual([`${origin}/`])
        expect(elements.filter(({ _tag }) => _tag === "Reject")).toMatchObject([{ path: "/markdown", raw: odd }])
        expect(changeOf(elements, "/odd")).toMatchObject({ status: "error" })
        const unknownKeys = elements.flatMap((element) => (element._tag === "UnknownKeys" ? element.keys : []))
        expect(unknownKeys).toEqual([{ url: `${origin}/odd` }, { url: `${origin}/private` }])
      })
  )

  it.effect("keeps an answer that is none of the contract as it came, and then says so", () =>
    Effect.gen(function* () {
      const { layer } = scriptedService((what) =>
        what.startsWith("POST")
          ? { status: 200, body: { success: true, id: "1", url: "http://service.test/" } }
          : { status: 200, body: { success: true, status: "completed", data: "all of it" } }
      )
      const site = yield* read(`${origin}/`, layer, {})
      const answers: Array<SourceResponse> = []
      const asked = site.source
        .fetch({ key: "odd", directory: site.directory, start: Option.none(), after: Option.none(), limits: {} })
        .pipe(Stream.runForEach((answer) => Effect.sync(() => void answers.push(answer))))
      const failed = yield* Effect.flip(Effect.provide(asked, Layer.merge(layer, Inboxes.layerMemory)))

      expect(failed).toMatchObject({ _tag: "SourceError", source: "monitor" })
      expect(answers.map(({ kind }) => kind)).toEqual(["started", "pages"])
      expect(answers[1]?.text).toContain('"all of it"')
      const [, odd] = answers
      const unread = odd === undefined ? undefined : yield* Effect.flip(site.source.decode(odd))
      expect(unread?.message).toContain("the service's answer (pages of a crawl) does not match the API contract")
    })
  )

  it.effect("refuses what it cannot do, and says what to do", () =>
    Effect.gen(function* () {
      const target = { type: "crawl", url: origin }
      const refused = (options: object) =>
        Effect.map(Effect.exit(monitor.decode({ monitor: "Mill", by: "crawl", ...options })), (exit) =>
          Exit.isFailure(exit) ? String(exit.cause) : ""
        )

      expect(yield* refused({})).toContain("with by: crawl it names what to crawl")
      expect(yield* refused({ targets: [target, target] })).toContain("write a pipeline for each")
      expect(yield* refused({ targets: [{ type: "scrape", urls: [origin] }] })).toContain("leave out by")
      expect(yield* refused({ targets: [target], goal: "prices" })).toContain("is judged by the service")
      expect(yield* refused({ targets: [target], schedule: { text: "daily" } })).toContain(
        "set schedule in the pipeline"
      )
      expect(yield* refused({ targets: [target] })).toBe("")
    })
  )
})
