import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import * as Plan from "#service/AccountPlan"
import { behindPort } from "../databases.ts"
import { article, check, crawlTarget, create, ended, origin, watched } from "../monitor/watching.ts"
import { file, gate, page, redirect } from "../scriptedSite.ts"

behindPort("a monitor", (database) => {
  it.live("finds what is the same, changed, new, removed and not readable since the check before", () =>
    Effect.gen(function* () {
      const { pages, service } = yield* watched(database, {
        "/": page("home", "/a", "/b", "/c", "/d"),
        "/a": article("a", "It costs £10."),
        "/b": article("b", "Nothing happens here.", "Seen 5 minutes ago, 1,204 views."),
        "/c": page("c"),
        "/d": page("d")
      })
      const { id } = yield* create(service)
      const first = yield* check(service, id)
      pages["/"] = page("home", "/a", "/b", "/d", "/e")
      pages["/a"] = article("a", "It costs £12.")
      pages["/b"] = article("b", "Nothing  happens here.", "Seen 3 hours ago, 2,310 views.")
      pages["/d"] = file("text/html", "busy", 503)
      pages["/e"] = page("e")
      const second = yield* check(service, id)
      pages["/d"] = page("d")
      const third = yield* check(service, id)

      expect(first).toMatchObject({ status: "completed", trigger: "manual", actualCredits: 5, error: null })
      expect(first.statuses).toEqual({ "/": "new", "/a": "new", "/b": "new", "/c": "new", "/d": "new" })
      // What is not come by while a page that may link to it cannot be read, is not called removed yet.
      expect(second.statuses).toEqual({
        "/": "changed",
        "/a": "changed",
        "/b": "same",
        "/c": "error",
        "/d": "error",
        "/e": "new"
      })
      expect(second.summary).toEqual({ totalPages: 6, same: 1, changed: 2, new: 1, removed: 0, error: 2 })
      expect(second.page("/a").diff.text).toContain("-It costs £10.\n+It costs £12.")
      expect(second.page("/a").diff.json.files[0].chunks[0].changes).toContainEqual(
        expect.objectContaining({ type: "add", content: "+It costs £12." })
      )
      expect(second.page("/a").previousScrapeId).toBe(first.page("/a").currentScrapeId)
      expect(second.page("/d")).toMatchObject({ statusCode: 503, error: expect.stringContaining("503") })
      expect(third.statuses).toEqual({
        "/": "same",
        "/a": "same",
        "/b": "same",
        "/c": "removed",
        "/d": "same",
        "/e": "same"
      })
      const { body } = yield* service.ask("GET", `/v2/monitor/${id}`)
      expect(body.data).toMatchObject({ id, currentCheckId: null, lastCheckSummary: third.summary, status: "active" })
    })
  )

  it.live("calls nothing removed while the page it starts at cannot be read, however many checks that takes", () =>
    Effect.gen(function* () {
      const { pages, service } = yield* watched(database, {
        "/": page("home", "/a", "/b"),
        "/a": page("a"),
        "/b": page("b")
      })
      const { id } = yield* create(service)
      yield* check(service, id)
      pages["/"] = file("text/html", "are you a robot?", 403)
      const down = [yield* check(service, id), yield* check(service, id), yield* check(service, id)]
      pages["/"] = page("home", "/a")
      const up = yield* check(service, id)

      for (const { statuses } of down) expect(statuses).toEqual({ "/": "error", "/a": "error", "/b": "error" })
      expect(up.statuses).toEqual({ "/": "changed", "/a": "same", "/b": "removed" })
    })
  )

  it.live("calls pages removed where its own patterns leave out the page it starts at", () =>
    Effect.gen(function* () {
      const { pages, service } = yield* watched(database, {
        "/": page("home", "/a1", "/a2"),
        "/a1": page("a1"),
        "/a2": page("a2")
      })
      const { id } = yield* create(service)
      yield* check(service, id)
      const targets = [{ ...crawlTarget, crawlOptions: { sitemap: "skip", includePaths: ["^/a"] } }]
      yield* service.ask("PATCH", `/v2/monitor/${id}`, { body: { targets } })
      yield* check(service, id)
      pages["/"] = page("home", "/a1")
      const { statuses } = yield* check(service, id)

      expect(statuses).toMatchObject({ "/a1": "same", "/a2": "removed" })
    })
  )

  it.live("waits a check before it calls pages removed whose start leads to a login", () =>
    Effect.gen(function* () {
      const { pages, service } = yield* watched(database, {
        "/": page("home", "/a"),
        "/a": page("a"),
        "/login": page("Sign in")
      })
      const { id } = yield* create(service)
      yield* check(service, id)
      pages["/"] = redirect("/login")
      const shut = yield* check(service, id)
      pages["/"] = page("home", "/a")
      const open = yield* check(service, id)
      pages["/"] = redirect("/login")
      const forGood = [yield* check(service, id), yield* check(service, id)]

      expect([shut.statuses["/login"], shut.page("/a")]).toMatchObject([
        "changed",
        { status: "error", error: expect.stringContaining("starts at answers from http://site.test/login") }
      ])
      expect(open.statuses).toEqual({ "/": "changed", "/a": "same" })
      expect(forGood.map(({ statuses }) => statuses["/a"])).toEqual(["error", "removed"])
    })
  )

  it.live("calls nothing removed while a sitemap cannot be read that could be, however many checks that takes", () =>
    Effect.gen(function* () {
      const sitemap = file("application/xml", `<urlset><url><loc>${origin}/hidden</loc></url></urlset>`)
      const { pages, service } = yield* watched(database, {
        "/": page("home", "/a"),
        "/a": page("a"),
        "/hidden": page("hidden"),
        "/sitemap.xml": sitemap
      })
      const { id } = yield* create(service, { targets: [{ type: "crawl", url: `${origin}/` }] })
      const first = yield* check(service, id)
      pages["/sitemap.xml"] = file("text/html", "out of order", 503)
      const down = [yield* check(service, id), yield* check(service, id)]
      pages["/sitemap.xml"] = sitemap
      const back = yield* check(service, id)
      delete pages["/sitemap.xml"]
      const gone = yield* check(service, id)

      expect(first.statuses["/hidden"]).toBe("new")
      for (const { page, targetResults } of down) {
        const error = expect.stringContaining(`not reached, and the sitemap ${origin}/sitemap.xml answered 503`)
        expect(page("/hidden")).toMatchObject({ status: "error", error })
        expect(Object.keys(targetResults[0])).not.toContain("knownWarning")
      }
      expect([back.statuses["/hidden"], gone.statuses["/hidden"]]).toEqual(["same", "removed"])
    })
  )

  it.live("calls a page that is still linked and answers 404 removed, and an error from then on", () =>
    Effect.gen(function* () {
      const { pages, service } = yield* watched(database, {
        "/": page("home", "/gone", "/never"),
        "/gone": page("gone")
      })
      const { id } = yield* create(service)
      const first = yield* check(service, id)
      delete pages["/gone"]
      const second = yield* check(service, id)
      const third = yield* check(service, id)

      expect(first.statuses).toEqual({ "/": "new", "/gone": "new", "/never": "error" })
      expect(second.statuses).toEqual({ "/": "same", "/gone": "removed", "/never": "error" })
      expect(second.page("/gone")).toMatchObject({ statusCode: 404 })
      expect(third.statuses).toEqual({ "/": "same", "/gone": "error", "/never": "error" })
    })
  )

  it.live("calls nothing removed where the crawl stopped at its limit, or could not begin", () =>
    Effect.gen(function* () {
      const { pages, service } = yield* watched(database, {
        "/": page("home", "/a", "/b"),
        "/a": page("a"),
        "/b": page("b")
      })
      const { id } = yield* create(service)
      yield* check(service, id)
      const targets = [{ ...crawlTarget, crawlOptions: { sitemap: "skip", limit: 1 } }]
      yield* service.ask("PATCH", `/v2/monitor/${id}`, { body: { targets } })
      const limited = yield* check(service, id)
      pages["/"] = (_request, response) => void response.destroy()
      const broken = yield* check(service, id)

      expect(limited.statuses).toEqual({ "/": "same" })
      expect(limited.targetResults[0].warning).toMatch(/limit was reached/)
      expect(broken).toMatchObject({ status: "failed", statuses: { "/": "error" } })
      expect(broken.error).toContain("http://site.test/")
    })
  )

  it.live("watches URLs, and fields where a schema says which", () =>
    Effect.gen(function* () {
      const product = (price: string, text: string) =>
        `<title>Lamp</title><main><h1>Lamp</h1><dl><dt>Price</dt><dd>${price}</dd></dl><p>${text}</p></main>`
      const { pages, service } = yield* watched(database, {
        "/lamp": product("£10.50", "Bright."),
        "/note": page("note")
      })
      const schema = { type: "object", properties: { price: { type: "number" } } }
      const formats = [{ type: "changeTracking", modes: ["json"], schema }]
      const { id, targets } = yield* create(service, {
        targets: [
          { type: "scrape", urls: [`${origin}/lamp`], scrapeOptions: { formats } },
          { type: "scrape", urls: [`${origin}/note`, `${origin}/nowhere`] }
        ]
      })
      yield* check(service, id)
      pages["/lamp"] = product("£10.50", "Brighter than before.")
      const second = yield* check(service, id)
      pages["/lamp"] = product("£9.50", "Brighter than before.")
      const third = yield* check(service, id)

      expect(second.statuses).toEqual({ "/lamp": "same", "/note": "same", "/nowhere": "error" })
      expect(third.page("/lamp")).toMatchObject({
        status: "changed",
        targetId: targets[0].id,
        diff: { json: { price: { previous: 10.5, current: 9.5 } } },
        snapshot: { json: { price: 9.5 }, sources: { "/price": [{ url: `${origin}/lamp`, certainty: "high" }] } }
      })
      expect(third.page("/lamp").diff.text).toBeUndefined()
      expect(third.actualCredits).toBe(5 + 2)
    })
  )

  it.live("watches what searches find in the pages that were read", () =>
    Effect.gen(function* () {
      const { pages, service } = yield* watched(database, {
        "/": page("home", "/mill"),
        "/mill": article("The mill", "Flour is ground here.")
      })
      const { body } = yield* service.ask("POST", "/v2/crawl", { body: { url: `${origin}/`, sitemap: "skip" } })
      const done = (crawlId: string) =>
        Effect.gen(function* () {
          while ((yield* service.ask("GET", `/v2/crawl/${crawlId}?skip=99`)).body.status === "scraping");
        })
      yield* done(body.id)
      const { id } = yield* create(service, { targets: [{ type: "search", queries: ["flour"] }] })
      const first = yield* check(service, id)
      pages["/"] = page("home", "/mill", "/bakery")
      pages["/bakery"] = article("The bakery", "Flour is baked here.")
      yield* done((yield* service.ask("POST", "/v2/crawl", { body: { url: `${origin}/`, sitemap: "skip" } })).body.id)
      const second = yield* check(service, id)

      expect(first.statuses).toEqual({ "/mill": "new" })
      expect(second.statuses).toEqual({ "/mill": "same", "/bakery": "new" })
      expect(second.targetResults[0]).toMatchObject({ searchCompleted: true, resultCount: 2 })
      expect(second.actualCredits).toBe(2)
    })
  )

  it.live("is partial where one of its targets fails", () =>
    Effect.gen(function* () {
      const { service } = yield* watched(database, { "/": page("home") })
      const down = { type: "crawl", url: "http://nowhere.invalid/" }
      const { id } = yield* create(service, { targets: [crawlTarget, down] })
      const first = yield* check(service, id)

      expect(first).toMatchObject({ status: "partial", summary: { totalPages: 2, new: 1, error: 1 } })
      expect(first.error).toContain("nowhere.invalid")
    })
  )

  it.live("is not run by hand while it is paused or a check is running, and says so with 409", () =>
    Effect.gen(function* () {
      const slow = gate(page("slow"))
      const { service } = yield* watched(database, { "/": slow.answer })
      const { id } = yield* create(service)
      const run = (monitor: string) => service.ask("POST", `/v2/monitor/${monitor}/run`)
      const started = yield* run(id)
      yield* slow.reached
      const again = yield* run(id)
      const running = yield* service.ask("GET", `/v2/monitor/${id}`)
      yield* slow.open
      yield* ended(service, id, started.body.id)
      yield* service.ask("PATCH", `/v2/monitor/${id}`, { body: { status: "paused" } })
      const paused = yield* run(id)

      expect(started).toMatchObject({ status: 200, body: { success: true, data: { status: "queued", monitorId: id } } })
      expect(running.body.data.currentCheckId).toBe(started.body.id)
      expect([again.status, paused.status]).toEqual([409, 409])
      expect(again.body.error).toMatch(/is running/)
      expect(paused.body.error).toMatch(/is paused/)
      expect((yield* service.ask("GET", `/v2/monitor/${id}`)).body.data).toMatchObject({
        status: "paused",
        nextRunAt: null
      })
    })
  )

  it.live("keeps its time zone where its times are changed without one", () =>
    Effect.gen(function* () {
      const { service } = yield* watched(database, { "/": page("home") })
      const { id } = yield* create(service, { schedule: { cron: "0 9 * * *", timezone: "Europe/Berlin" } })
      const zoneAfter = (schedule: object) =>
        Effect.map(service.ask("PATCH", `/v2/monitor/${id}`, { body: { schedule } }), ({ body }) => body.data.schedule)

      expect(yield* zoneAfter({ cron: "30 7 * * *" })).toEqual({ cron: "30 7 * * *", timezone: "Europe/Berlin" })
      expect(yield* zoneAfter({ text: "daily at 8:00" })).toMatchObject({ timezone: "Europe/Berlin" })
      expect(yield* zoneAfter({ cron: "30 7 * * *", timezone: "UTC" })).toMatchObject({ timezone: "UTC" })
    })
  )

  it.live("is gone with its checks when it is deleted, and stops what was running", () =>
    Effect.gen(function* () {
      const slow = gate(page("slow"))
      const { service } = yield* watched(database, { "/": slow.answer })
      const { id } = yield* create(service)
      yield* service.ask("POST", `/v2/monitor/${id}/run`)
      yield* slow.reached
      const removed = yield* service.ask("DELETE", `/v2/monitor/${id}`)
      yield* slow.left

      expect(removed).toMatchObject({ status: 200, body: { success: true } })
      for (const path of ["", "/checks"]) {
        expect((yield* service.ask("GET", `/v2/monitor/${id}${path}`)).status).toBe(404)
      }
      expect((yield* service.ask("POST", `/v2/monitor/${id}/run`)).status).toBe(404)
      expect((yield* service.ask("DELETE", `/v2/monitor/${id}`)).status).toBe(404)
      expect((yield* service.ask("GET", "/v2/monitor")).body.data).toEqual([])
    })
  )

  it.live("lists monitors and checks by pages, and the pages of a check by status with next", () =>
    Effect.gen(function* () {
      const links = Array.from({ length: 7 }, (_, n) => `/p${n}`)
      const { pages, service } = yield* watched(database, {
        "/": page("home", ...links),
        ...Object.fromEntries(links.map((link) => [link, page(link)]))
      })
      const { id } = yield* create(service, { name: "first" })
      yield* create(service, { name: "second" })
      yield* check(service, id)
      for (const link of links.slice(0, 5)) pages[link] = page(`${link} anew`)
      const second = yield* check(service, id)
      const list = yield* service.ask("GET", "/v2/monitor?limit=1&offset=1")
      const checks = yield* service.ask("GET", `/v2/monitor/${id}/checks?limit=1`)
      const found: Array<string> = []
      let next = `${service.url}/v2/monitor/${id}/checks/${second.id}?limit=2&status=changed`
      while (next !== undefined) {
        const { body } = yield* service.ask("GET", next.replace(service.url, ""))
        found.push(...body.data.pages.map(({ url }: { url: string }) => url.replace(origin, "")))
        next = body.next
      }

      expect(list.body).toMatchObject({ data: [{ name: "first" }], pagination: { limit: 1, offset: 1, total: 2 } })
      expect(checks.body).toMatchObject({ data: [{ id: second.id }], pagination: { total: 2 } })
      expect(found.toSorted()).toEqual(links.slice(0, 5))
    })
  )

  it.live("does not check where credits do not cover it, and says so", () =>
    Effect.gen(function* () {
      const keys = [{ key: Redacted.make("fc-1"), teamId: "a", plan: { ...Plan.standard, credits: 3 } }]
      const { service } = yield* watched(database, { "/": page("home") }, { keys })
      const headers = { authorization: "Bearer fc-1" }
      const body = { name: "x", schedule: { cron: "0 * * * *" }, targets: [crawlTarget] }
      const made = yield* service.ask("POST", "/v2/monitor", { body, headers })
      const refused = yield* service.ask("POST", `/v2/monitor/${made.body.id}/run`, { headers })
      const targets = [{ type: "scrape", urls: [`${origin}/`] }]
      yield* service.ask("PATCH", `/v2/monitor/${made.body.id}`, { body: { targets }, headers })
      const started = yield* service.ask("POST", `/v2/monitor/${made.body.id}/run`, { headers })

      expect(refused.status).toBe(402)
      expect(started.status).toBe(200)
      expect(started.body.data.estimatedCredits).toBe(1)
      expect((yield* service.ask("GET", `/v2/monitor/${made.body.id}`)).status).toBe(401)
    })
  )
})
