import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, it } from "@effect/vitest"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { expect, vi } from "vitest"
import { chromiumPath } from "#web/chromiumPath"
import { crawlSite } from "../../service/crawlSite.ts"
import { origin, patient, postJson, scrapePage, service } from "../../service/scrapePage.ts"
import { type Answer, file, page, redirect, scriptedSite } from "../../service/scriptedSite.ts"
import { soaking } from "../../thoroughness.ts"

const chromium = chromiumPath()
if (chromium === undefined) console.error("SKIPPED: no Chromium on this machine, so nothing of the browser was tested")

const script = (code: string) => `<title>t</title><main id=m><p>before</p></main><script>${code}</script>`
const rendered = script("document.getElementById('m').innerHTML = '<h1>Made</h1><p>by a script</p>'")

/** The size of a PNG, from its header. */
const pngSize = (url: string): readonly [number, number] => {
  const bytes = Buffer.from(url.replace("data:image/png;base64,", ""), "base64")
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

describe.skipIf(chromium === undefined)("the browser", () => {
  // To start Chromium costs more than to open a page: what a test needs no service of its own for is asked of this one.
  const scope = Scope.makeUnsafe()
  const routes: Record<string, Answer> = {}
  let shared: Context.Context<HttpClient.HttpClient>
  beforeAll(async () => {
    const site = await Effect.runPromise(Scope.provide(scriptedSite(routes), scope))
    shared = await Effect.runPromise(Layer.buildWithScope(service(site.port), scope))
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  /** What scraping "/" answers of a site that has these pages alone. */
  const scrape = (pages: Readonly<Record<string, Answer>>, options: object = {}) =>
    Effect.suspend(() => {
      for (const path of Object.keys(routes)) delete routes[path]
      Object.assign(routes, pages)
      return Effect.provide(postJson("/v2/scrape", { url: `${origin}/`, ...patient, ...options }), shared)
    })

  it.live("reads a page as its scripts made it, and plain HTTP does not", () =>
    Effect.gen(function* () {
      const plain = yield* scrape({ "/": rendered })
      const seen = yield* scrape({ "/": rendered }, { waitFor: 1, formats: ["markdown", "rawHtml"] })

      expect(plain.body.data.markdown).toBe("before")
      expect(seen.body.data.markdown).toBe("# Made\n\nby a script")
      expect(seen.body.data.rawHtml).toContain("<h1>Made</h1>")
      expect(seen.body.data.metadata).toMatchObject({ statusCode: 200, url: "http://site.test/", title: "t" })
    })
  )

  it.live("is missed by a service that has shown a page with it, also after a restart", () =>
    Effect.gen(function* () {
      const app = file("text/javascript", 'document.querySelector("p").textContent = "Twelve chairs, from 40 euros"')
      const site = yield* scriptedSite({
        "/": '<title>t</title><p>Our shop</p><script src="/app.js"></script>',
        "/app.js": app
      })
      const folder = mkdtempSync(join(tmpdir(), "millrace-"))
      const ask = (options: object = {}) =>
        Effect.map(
          Effect.provide(
            postJson("/v2/scrape", { url: `${origin}/`, ...patient, ...options }),
            service(site.port, { database: join(folder, "service.sqlite") })
          ),
          ({ body: { data } }) => ({ markdown: data.markdown, warning: data.warning })
        )
      const without = Effect.acquireUseRelease(
        Effect.sync(() => vi.stubEnv("PLAYWRIGHT_CHROMIUM", "/nowhere")),
        () => Effect.all([ask(), ask({ zeroDataRetention: true })]),
        () => Effect.sync(() => vi.unstubAllEnvs())
      )

      const unknown = yield* without
      const shown = yield* ask()
      const known = yield* without

      const whole = { markdown: "Our shop", warning: undefined }
      const unread = {
        markdown: "Our shop",
        warning: expect.stringMatching(/^the page says little, on a site whose pages/)
      }
      expect([unknown, shown, known]).toEqual([
        [whole, whole],
        { markdown: "Twelve chairs, from 40 euros", warning: undefined },
        [unread, unread]
      ])
      rmSync(folder, { recursive: true })
    }).pipe(Effect.scoped)
  )

  it.live("reads what scripts put into shadow roots and frames, where a reader sees it", () =>
    Effect.gen(function* () {
      const card = (title: string) =>
        `<shop-card><b slot=price>5 EUR</b>${title}<i slot=unknown>not shown</i></shop-card>`
      const site = script(
        `customElements.define("shop-card", class extends HTMLElement {
          constructor() {
            super()
            this.attachShadow({ mode: "open" }).innerHTML =
              '<style>p { color: red }</style><h2><slot></slot></h2><p>Price: <slot name=price></slot> <slot name=note>no note</slot></p>' +
              '<shop-link></shop-link>'
          }
        })
        customElements.define("shop-link", class extends HTMLElement {
          constructor() { super(); this.attachShadow({ mode: "open" }).innerHTML = "<p><a href=/more>more</a></p>" }
        })
        m.innerHTML = '${card("Lamp")}<iframe id=made></iframe><iframe src=/inner/page></iframe><iframe src=/hidden hidden></iframe>'
        made.contentDocument.body.innerHTML = "<p>in a frame</p><div></div><iframe></iframe>"
        made.contentDocument.querySelector("div").attachShadow({ mode: "open" }).innerHTML = "<p>in its root: <slot>empty</slot></p>"
        made.contentDocument.querySelector("iframe").contentDocument.body.innerHTML = "<p>in its frame</p>"`
      )
      const inner = page("inner", "next")
      const pages = { "/": site, "/inner/page": inner, "/hidden": page("hidden"), "/more": page("more") }
      const { body } = yield* scrape(pages, { waitFor: 100, onlyMainContent: false, formats: ["markdown", "links"] })
      const { body: crawled } = yield* scrape(pages, { waitFor: 100, actions: [{ type: "scrape" }] })

      expect(body.data.markdown).toContain("## Lamp\n\nPrice: **5 EUR** no note\n\n[more](http://site.test/more)")
      expect(body.data.markdown).toContain("in a frame\n\nin its root: empty\n\nin its frame")
      expect(body.data.markdown).not.toMatch(/not shown|hidden|color: red/)
      expect(body.data.links).toEqual(
        ["more", "inner/page", "inner/next", "hidden"].map((path) => `http://site.test/${path}`)
      )
      expect(crawled.data.actions.scrapes[0].html).toContain("<p>in a frame</p>")
    })
  )

  it.live("reads a page of a thousand shadow roots and a hundred frames whose scripts replace what reading uses", () =>
    Effect.gen(function* () {
      const many = script(
        `for (let at = 0; at < 1000; at++) {
          const host = m.appendChild(document.createElement("div"))
          host.attachShadow({ mode: "open" }).innerHTML = "<p>row " + at + "</p>"
          if (at >= 100) continue
          const frame = m.appendChild(document.createElement("iframe"))
          frame.contentDocument.body.innerHTML = "<p>frame " + at + "</p>"
        }
        Array.prototype.reverse = () => { throw new Error("mine") }
        Document.prototype.querySelectorAll = () => { throw new Error("mine") }`
      )
      const { body } = yield* scrape({ "/": many }, { waitFor: 1, timeout: 60_000, onlyMainContent: false })

      expect(body.data.markdown.match(/^row \d+$/gm)).toHaveLength(1000)
      expect(body.data.markdown.match(/^frame \d+$/gm)).toHaveLength(100)
    })
  )

  it.live("fills an empty shell of scripts that nobody asked it for, and follows what is in it", () =>
    Effect.gen(function* () {
      const shell = (code: string) =>
        `<!doctype html><title>app</title><body><div id="root"></div><script>${code}</script></body>`
      const fetched = shell(
        "fetch('/data').then(a => a.text()).then(t => { root.innerHTML = '<main><h1>' + t + '</h1><a href=\"/next\">next</a></main>' })"
      )
      const crawl = yield* crawlSite({
        "/": fetched,
        "/data": file("text/plain", "From data"),
        "/next": shell("root.innerHTML = '<p>Second</p>'")
      })

      expect(crawl.byPath.get("/")).toMatchObject({ markdown: expect.stringContaining("# From data") })
      expect(crawl.byPath.get("/next")).toMatchObject({ markdown: "Second" })
      expect(crawl.documents.map(({ warning }) => warning)).toEqual([undefined, undefined])
    })
  )

  it.live("shows a page that says little, and waits while a page says only that it loads", () =>
    Effect.gen(function* () {
      const app = (body: string, path: string) => `<title>${path}</title>${body}<script src="${path}.js"></script>`
      const code = (text: string) => file("text/javascript", text)
      const fill = 'root.innerHTML = "<p>Three lamps</p>"'
      const { byPath } = yield* crawlSite({
        "/": page("home", "/splash", "/lazy", "/note"),
        "/splash": app('<div id="root"><img src="/logo.svg" alt="Lamps"><p>読み込み中</p></div>', "/splash"),
        "/splash.js": code(fill),
        "/lazy": app('<div id="root"></div>', "/lazy"),
        "/lazy.js": code(`root.innerHTML = "<p>Loading...</p>"; setTimeout(() => { ${fill} }, 1500)`),
        "/note": app("<p>Closed on Mondays.</p>", "/note"),
        "/note.js": code("")
      })

      const seen = ["/splash", "/lazy", "/note"].map((path) => byPath.get(path))
      expect(seen.map((one) => one?.markdown)).toEqual(["Three lamps", "Three lamps", "Closed on Mondays."])
      expect(seen.map((one) => one?.warning)).toEqual([undefined, undefined, undefined])
    })
  )

  it.live("shows a page whose text is that of the start, and no page that says something of its own", () =>
    Effect.gen(function* () {
      const template = '<h1>The shop</h1><p>Lamps since 1899.</p><a href="/lamps">Lamps</a><a href="/nets">Nets</a>'
      const app = (title: string, body: string) =>
        `<title>${title}</title><body>${body}<div id="view"></div><script src="/app.js"></script></body>`
      const asked: Array<string> = []
      const code: Answer = (request, response) => {
        asked.push(new URL(request.headers.referer ?? "").pathname)
        response.writeHead(200, { "content-type": "text/javascript" })
        response.end('view.innerHTML = "<p>Here is " + document.title + "</p>"')
      }
      const crawl = yield* crawlSite({
        "/": app("start", template),
        "/lamps": app("lamps", template),
        "/nets": app("nets", '<p>Nets for all waters.</p><a href="/lamps">Lamps</a>'),
        "/app.js": code
      })

      const shown = (path: string) => /Here is \w+/.exec(crawl.byPath.get(path)?.markdown ?? "")?.[0]
      expect([shown("/"), shown("/lamps"), shown("/nets")]).toEqual(["Here is start", "Here is lamps", undefined])
      expect(asked.toSorted()).toEqual(["/", "/lamps"])
    })
  )

  it.live(
    "takes no page of the browser itself for the page, where scripts or actions lead to what cannot be reached",
    () =>
      Effect.gen(function* () {
        const away = "<title>away</title><div id=root></div><script>location.replace('http://10.0.0.1/')</script>"
        const left = '<title>left</title><main><p>Text</p><a id=out href="http://10.0.0.1/">out</a></main>'
        const shell = yield* scrape({ "/": away })
        const actions = [
          { type: "click", selector: "#out" },
          { type: "wait", milliseconds: 1000 }
        ]
        const acted = yield* scrape({ "/": left }, { actions })

        expect(shell.body.data).toMatchObject({
          markdown: "",
          warning: expect.stringContaining("10.0.0.1 is not a public")
        })
        expect(acted.body).toMatchObject({ success: false, error: expect.stringContaining("10.0.0.1 is not a public") })
      })
  )

  it.live("asks for an empty shell once, and does each action on it once", () =>
    Effect.gen(function* () {
      const app =
        '<!doctype html><title>shop</title><div id="root"></div><script>root.innerHTML = "<main><p>One lamp</p><button>Order</button></main>";' +
        "document.querySelector('button').onclick = () => { fetch('/order', { method: 'POST' }).then(() => root.insertAdjacentHTML('beforeend', '<p id=sent>sent</p>')); history.pushState({}, '', '/done') }</script>"
      const asked: Array<string> = []
      const heard =
        (answer: string): Answer =>
        (request, response) => {
          const who = request.headers["user-agent"]?.includes("Chrome") === true ? "browser" : "plain"
          asked.push(`${request.method} ${request.url} ${who}`)
          response.setHeader("content-type", "text/html").end(answer)
        }
      const site = { "/": heard(app), "/order": heard("ordered"), "/done": heard(app) }
      const waited = yield* crawlSite(site, { limit: 1, sitemap: "skip", scrapeOptions: { waitFor: 1, ...patient } })
      const waits = asked.splice(0)
      const actions = [
        { type: "click" as const, selector: "button" },
        { type: "wait" as const, selector: "#sent" }
      ]
      yield* crawlSite(site, { limit: 1, sitemap: "skip", scrapeOptions: { actions, ...patient } })

      expect(waited.documents.map(({ markdown, warning }) => [markdown, warning])).toEqual([["One lamp", undefined]])
      expect(waits).toEqual(["GET / plain", "GET / browser"])
      expect(asked).toEqual(["GET / plain", "GET / browser", "POST /order browser"])
    })
  )

  it.live(
    "says of a shell that it could not show that it was not read, and asks for it again as often as that helps",
    () =>
      Effect.gen(function* () {
        const shell = (code: string) => `<title>app</title><div id="root"></div><script>${code}</script>`
        const crawlOf = (code: string, timeout: number) =>
          crawlSite({ "/": page("home", "/app"), "/app": shell(code) }, { sitemap: "skip", scrapeOptions: { timeout } })
        const endless = yield* crawlOf("for (;;) {}", 3000)
        const nothing = yield* crawlOf("1", 30_000)

        const appOf = ({ documents }: typeof endless) =>
          documents
            .filter(({ metadata }) => metadata.title === "app")
            .map(({ metadata, warning }) => [metadata.unread, warning])
        expect(appOf(nothing)).toEqual([
          ["SCRAPE_BROWSER_ERROR", expect.stringContaining("waitFor gives its scripts more time")]
        ])
        expect(appOf(endless)).toEqual([["SCRAPE_TIMEOUT", expect.stringContaining("raise timeout")]])
        expect(endless.requests.filter((path) => path === "/app")).toHaveLength(2)
        for (const { documents } of [endless, nothing]) {
          expect(documents.find(({ metadata }) => metadata.title === "home")?.warning).toBeUndefined()
        }
      })
  )

  it.live("does what the actions say, in order, and brings what they give", () =>
    Effect.gen(function* () {
      const page =
        '<title>t</title><main><input id=i><button id=b onclick="out.append(i.value)">go</button>' +
        "<p id=out></p><p id=key></p><i class=c onclick=\"this.textContent='c'\">x</i><i class=c onclick=\"this.textContent='c'\">y</i>" +
        "<div style='height:3000px'></div></main><script>i.onkeydown = e => { if (e.key === 'Enter') key.textContent = 'entered' };" +
        "setTimeout(() => document.querySelector('main').append(Object.assign(document.createElement('p'), {id: 'late', textContent: 'late'})), 50)</script>"
      const { body } = yield* scrape(
        { "/": page },
        {
          actions: [
            { type: "wait", selector: "#late" },
            { type: "click", selector: "#i" },
            { type: "write", text: "typed" },
            { type: "press", key: "Enter" },
            { type: "click", selector: "#b" },
            { type: "click", selector: ".c", all: true },
            { type: "scrape" },
            { type: "scroll", direction: "down" },
            { type: "executeJavascript", script: "({ y: scrollY > 0, n: 42 })" },
            { type: "executeJavascript", script: "const n = 1; return await Promise.resolve(n + 1)" },
            { type: "wait", milliseconds: 1 },
            { type: "screenshot" },
            { type: "pdf" }
          ]
        }
      )

      const { markdown, actions } = body.data
      expect(Object.keys(actions)).toEqual(["screenshots", "scrapes", "javascriptReturns", "pdfs"])
      expect(markdown).toBe("typed\n\nentered\n\n*cc*\n\nlate")
      expect(actions.scrapes).toEqual([
        { url: "http://site.test/", html: expect.stringContaining('<p id="out">typed</p>') }
      ])
      expect(actions.javascriptReturns).toEqual([
        { type: "object", value: { y: true, n: 42 } },
        { type: "number", value: 2 }
      ])
      expect(actions.screenshots.map(pngSize)).toEqual([[1280, 800]])
      expect(
        Buffer.from(actions.pdfs[0].replace("data:application/pdf;base64,", ""), "base64").toString("latin1", 0, 5)
      ).toBe("%PDF-")
    })
  )

  it.live("says which action failed, and why, with 400", () =>
    Effect.gen(function* () {
      const { status, body } = yield* scrape(
        { "/": rendered },
        { actions: [{ type: "scrape" }, { type: "executeJavascript", script: "nowhere.to" }] }
      )

      expect(status).toBe(400)
      expect(body).toMatchObject({ success: false, code: "SCRAPE_ACTION_ERROR" })
      expect(body.error).toContain("action 2 (executeJavascript) failed: ")
      expect(body.error).toContain("nowhere is not defined")
    })
  )

  it.live("pictures the page: its window, all of it, a phone's, a JPEG", () =>
    Effect.gen(function* () {
      const tall =
        "<title>t</title><meta name=viewport content='width=device-width'><body style='margin:0'><div style='height:2000px'>tall</div>"
      const of = (options: object) => Effect.map(scrape({ "/": tall }, options), ({ body }) => body.data)
      const whole = yield* of({ formats: ["markdown", "screenshot@fullPage"] })
      const sized = yield* of({ formats: [{ type: "screenshot", viewport: { width: 500, height: 300 } }] })
      const phone = yield* of({ formats: ["screenshot"], mobile: true })
      const jpeg = yield* of({ formats: [{ type: "screenshot", quality: 50 }] })

      expect(pngSize(whole.screenshot)).toEqual([1280, 2000])
      expect(whole.markdown).toBe("tall")
      expect(pngSize(sized.screenshot)).toEqual([500, 300])
      expect(pngSize(phone.screenshot)).toEqual([780, 1688])
      expect(jpeg.screenshot).toMatch(/^data:image\/jpeg;base64,/)
      expect(jpeg.markdown).toBe(undefined)
    })
  )

  it.live("reaches no private address, whatever the page does", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const inside = yield* scriptedSite({ "/secret": file("text/plain", "secret") })
        const steal = (url: string) =>
          `fetch('${url}').then(r => r.text()).catch(() => 'refused').then(t => { out.append(t); out.className += 'x' })`
        const page =
          `<title>t</title><p id=out></p><img src="http://127.0.0.1:${inside.port}/img"><iframe src="http://localhost:${inside.port}/frame"></iframe>` +
          `<script>${steal(`http://127.0.0.1:${inside.port}/secret`)}; ${steal(`http://[::1]:${inside.port}/secret`)};` +
          `new WebSocket('ws://127.0.0.1:${inside.port}/socket'); navigator.sendBeacon('http://127.0.0.1:${inside.port}/beacon')</script>`
        const { body } = yield* scrape(
          { "/": page },
          { actions: [{ type: "wait", selector: ".xx" }], formats: ["rawHtml"] }
        )

        expect(body.data.rawHtml).toContain("refusedrefused")
        expect(inside.requests).toEqual([])
      })
    )
  )

  it.live("sends the caller's headers to the page's own host, and to no other", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const seen: Array<string> = []
        const note: Answer = (request, response) => {
          seen.push(
            `${request.headers.host}${request.url} ${request.headers["authorization"] ?? "none"} ${request.headers["cookie"] ?? "none"}`
          )
          if (request.url === "/hop")
            return void response.writeHead(302, { location: "http://other.test/hopped" }).end()
          const isPage = request.url === "/"
          response.writeHead(200, { "content-type": isPage ? "text/html" : "image/png" })
          response.end(isPage ? "<title>t</title><img src=http://other.test/direct><img src=/hop><img src=/own>" : "")
        }
        const site = yield* scriptedSite({ "/": note, "/hop": note, "/hopped": note, "/direct": note, "/own": note })
        yield* postJson("/v2/scrape", {
          url: "http://site.test/",
          headers: { Authorization: "Bearer key", Cookie: "a=1; b=2" },
          waitFor: 1,
          ...patient
        }).pipe(Effect.provide(service(site.port)))

        expect([...new Set(seen)].toSorted()).toEqual([
          "other.test/direct none none",
          "other.test/hopped none none",
          "site.test/ Bearer key a=1; b=2",
          "site.test/hop Bearer key a=1; b=2",
          "site.test/own Bearer key a=1; b=2"
        ])
      })
    )
  )

  it.live("ends a page that never settles with 408, and the next page is served", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const site = yield* scriptedSite({
          "/hang": '<title>t</title><img src="/never">',
          "/never": () => {},
          "/loop": script("while (true) {}"),
          "/": rendered
        })
        const answers = yield* Effect.forEach(["/hang", "/loop", "/"], (path) =>
          postJson("/v2/scrape", {
            url: `http://site.test${path}`,
            mobile: true,
            timeout: path === "/" ? patient.timeout : 2000
          })
        ).pipe(Effect.provide(service(site.port)))

        expect(answers.map(({ status }) => status)).toEqual([408, 408, 200])
        expect(answers[0]?.body.error).toContain("Request Timeout")
        expect(answers[2]?.body.data.markdown).toBe("# Made\n\nby a script")
      })
    )
  )

  it.live("leaves a file alone and says so", () =>
    Effect.gen(function* () {
      const { body } = yield* scrape({ "/": file("text/plain", "plain") }, { formats: ["markdown", "screenshot"] })

      expect(body.data.markdown).toBe("plain")
      expect(body.data.warning).toContain("only HTML is opened in the browser")
    })
  )

  it.live("follows redirects before it opens the page", () =>
    Effect.gen(function* () {
      const { body } = yield* scrape({ "/": redirect("/there"), "/there": rendered }, { waitFor: 1 })

      expect(body.data.metadata).toMatchObject({ url: "http://site.test/there", sourceURL: "http://site.test/" })
    })
  )

  it.live("takes its turn with the page's host, as every other exchange does", () =>
    Effect.gen(function* () {
      let open = 0
      let most = 0
      const slowly: Answer = (_request, response) => {
        most = Math.max(most, ++open)
        response.on("close", () => (open -= 1))
        response.setHeader("content-type", "text/html")
        response.write("<title>t</title><main>")
        setImmediate(() => setImmediate(() => response.end("<p>here</p>")))
      }
      const paths = Array.from({ length: 6 }, (_, index) => `/${index}`)
      const site = yield* scriptedSite(Object.fromEntries(paths.map((path) => [path, slowly])))
      const scrapeAt = (path: string) =>
        postJson("/v2/scrape", { url: `http://site.test${path}`, waitFor: 1, ...patient })
      const scraped = yield* Effect.forEach(paths, scrapeAt, { concurrency: "unbounded" }).pipe(
        Effect.provide(service(site.port, { perHost: 1 }))
      )

      expect(scraped.map(({ body }) => body.data?.markdown)).toEqual(paths.map(() => "here"))
      expect(site.requests.filter((path) => paths.includes(path))).toHaveLength(12)
      expect(most).toBe(1)
    }).pipe(Effect.scoped)
  )
})

/** Runs it with another program as the browser. */
const withBrowser = <A, E, R>(path: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const before = process.env["PLAYWRIGHT_CHROMIUM"]
    process.env["PLAYWRIGHT_CHROMIUM"] = path
    const restore = Effect.sync(() => {
      if (before === undefined) delete process.env["PLAYWRIGHT_CHROMIUM"]
      else process.env["PLAYWRIGHT_CHROMIUM"] = before
    })
    return Effect.ensuring(effect, restore)
  })

describe("without a browser", () => {
  // It takes the 30 seconds that a browser has for its start.
  it.live.skipIf(!soaking)("whose start hangs, all pages wait for one start", () => {
    const folder = mkdtempSync(join(tmpdir(), "millrace-hung-"))
    const program = join(folder, "chromium")
    writeFileSync(program, `#!/bin/sh\necho start >> ${folder}/starts\nexec sleep 1000\n`, { mode: 0o755 })
    const paths = Array.from({ length: 6 }, (_, at) => `/${at}`)
    const shell = '<title>app</title><div id="root"></div><script src="/app.js"></script>'
    const site = Object.fromEntries([["/", page("home", ...paths)], ...paths.map((path) => [path, shell] as const)])
    return Effect.gen(function* () {
      const { byPath } = yield* withBrowser(program, crawlSite(site))
      const warnings = paths.map((path) => byPath.get(path)?.warning)

      expect(readFileSync(join(folder, "starts"), "utf8")).toBe("start\n")
      for (const warning of warnings)
        expect(warning).toMatch(/the browser could not show it: (?:the browser does not start|the page took longer)/)
    }).pipe(Effect.ensuring(Effect.sync(() => rmSync(folder, { recursive: true }))))
  })

  it.live("says what to install, with 400", () =>
    Effect.gen(function* () {
      const scraping = scrapePage({ "/": rendered }, { formats: ["screenshot"] })
      const { status, body } = yield* withBrowser("/nowhere/chromium", scraping)

      expect(status).toBe(400)
      expect(body.code).toBe("SCRAPE_BROWSER_UNAVAILABLE")
      expect(body.error).toContain("install playwright-core (npm install playwright-core) and Chromium")
    })
  )
})
