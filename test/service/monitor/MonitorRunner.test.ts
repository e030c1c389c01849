import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import * as Plan from "#service/AccountPlan"
import { MonitorRunner } from "#service/monitor/MonitorRunner"
import { mailServer } from "../../base/mail/mailServer.ts"
import { behindPort, onPostgres } from "../databases.ts"
import { receiver } from "../receiver.ts"
import { gate, page, scriptedSite } from "../scriptedSite.ts"
import { hosts, type Service, served } from "../served.ts"
import { checkOf, leaseMillis, memory, monitorOf } from "./memory.ts"
import { check, crawlTarget, create, ended, origin, watched } from "./watching.ts"

const checksOf = (service: Service, id: string) =>
  Effect.map(service.ask("GET", `/v2/monitor/${id}/checks`), ({ body }): ReadonlyArray<any> => body.data)

/** Waits, without the clock, until a monitor has so many checks that are over. */
const over = Effect.fnUntraced(function* (service: Service, id: string, count: number) {
  for (;;) {
    const checks = yield* checksOf(service, id)
    if (checks.filter(({ finishedAt }) => finishedAt !== null).length >= count) return checks
    yield* Effect.promise(() => new Promise((done) => setTimeout(done, 5)))
  }
})

behindPort("a monitor that is due", (database) => {
  it.effect("is checked at its times, and not while it is paused", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-02T08:04:30Z"))
      const { service } = yield* watched(database, { "/": page("home") })
      const daily = { text: "daily at 9:00", timezone: "Europe/Berlin" }
      const targets = [{ type: "scrape", urls: [`${origin}/`] }]
      const { id, nextRunAt } = yield* create(service, { schedule: daily, targets })
      const set = (body: object) => service.ask("PATCH", `/v2/monitor/${id}`, { body })
      yield* set({ schedule: { text: "every 5 minutes" } })
      yield* TestClock.adjust("30 seconds")
      const [first] = yield* over(service, id, 1)
      yield* set({ status: "paused" })
      yield* TestClock.adjust("5 minutes")
      yield* set({ status: "active" })
      yield* TestClock.adjust("5 minutes")
      const checks = yield* over(service, id, 2)

      expect(nextRunAt).toBe("2026-03-03T08:00:00.000Z")
      expect(first).toMatchObject({ trigger: "scheduled", status: "completed" })
      expect(checks.map(({ scheduledFor }) => scheduledFor)).toEqual([
        "2026-03-02T08:15:00.000Z",
        "2026-03-02T08:05:00.000Z"
      ])
    })
  )

  it.effect("while a check is running has the time entered as skipped, and asks nothing of the site", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-02T00:04:30Z"))
      const slow = gate(page("slow"))
      const { requests, service } = yield* watched(database, { "/": slow.answer })
      const targets = [{ type: "scrape", urls: [`${origin}/`], scrapeOptions: { timeout: 120_000 } }]
      const { id } = yield* create(service, { schedule: { cron: "*/5 * * * *" }, targets })
      const { body } = yield* service.ask("POST", `/v2/monitor/${id}/run`)
      yield* slow.reached
      const asked = requests.length
      yield* TestClock.adjust("30 seconds")
      // The runner may set its alarm after the clock has moved: the clock moves on until it rings.
      const moving = Effect.forever(
        Effect.andThen(service.ask("GET", `/v2/monitor/${id}`), TestClock.adjust("100 millis"))
      )
      const [skipped] = yield* Effect.raceFirst(over(service, id, 1), moving)
      yield* slow.open
      const first = yield* ended(service, id, body.id)

      expect(skipped).toMatchObject({
        status: "skipped_overlap",
        trigger: "scheduled",
        billingStatus: "not_applicable"
      })
      expect(skipped.error).toContain(body.id)
      expect(first.trigger).toBe("manual")
      expect(requests.length).toBe(asked)
    })
  )

  it.effect("has the time entered as skipped where credits do not cover it", () =>
    Effect.gen(function* () {
      const keys = [{ key: Redacted.make("fc-1"), teamId: "a", plan: { ...Plan.standard, credits: 3 } }]
      const { requests, service } = yield* watched(database, { "/": page("home") }, { keys })
      const keyed: Service = {
        ...service,
        ask: (method, path, options) =>
          service.ask(method, path, { ...options, headers: { authorization: "Bearer fc-1" } })
      }
      const { id } = yield* create(keyed, { schedule: { text: "every 5 minutes" } })
      yield* TestClock.adjust("5 minutes")
      const [skipped] = yield* over(keyed, id, 1)

      expect(skipped).toMatchObject({ status: "skipped_no_credits", actualCredits: 0, estimatedCredits: 10_000 })
      expect(requests).toEqual([])
    })
  )

  it.effect("is made up for once when no process was there at its times", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": page("home") })
      const config = { database: yield* database.fresh, allowPrivate: true, resolve: hosts(site.port) }
      const scope = yield* Scope.make()
      const before = yield* Effect.provideService(served(config), Scope.Scope, scope)
      const targets = [{ type: "scrape", urls: [`${origin}/`] }]
      const { id } = yield* create(before, { schedule: { text: "hourly" }, targets })
      yield* Scope.close(scope, Exit.void)
      yield* TestClock.adjust("5 hours")
      const service = yield* served(config)
      const checks = yield* over(service, id, 1)
      const { body } = yield* service.ask("GET", `/v2/monitor/${id}`)

      expect(checks).toHaveLength(1)
      expect(body.data.nextRunAt).toBe("1970-01-01T06:00:00.000Z")
    })
  )

  it.live("tells its webhook of pages that are not the same, and of the end of the check", () =>
    Effect.gen(function* () {
      const hook = yield* receiver()
      const { pages, service } = yield* watched(database, {
        "/": page("home", "/a"),
        "/a": page("a"),
        "/hook": hook.answer
      })
      const webhook = { url: `${origin}/hook`, metadata: { for: "test" }, headers: { "x-own": "1" } }
      const { id } = yield* create(service, { webhook })
      const run = () => Effect.map(service.ask("POST", `/v2/monitor/${id}/run`), ({ body }): string => body.id)
      const firstId = yield* run()
      const first = yield* hook.untilEnd
      pages["/a"] = page("a anew")
      yield* ended(service, id, firstId)
      const secondId = yield* run()
      const second = yield* hook.untilEnd

      expect(first.map(({ payload }) => payload.type).toSorted()).toEqual([
        "monitor.check.completed",
        "monitor.page",
        "monitor.page"
      ])
      expect(second).toHaveLength(2)
      expect(second[0]?.headers["x-own"]).toBe("1")
      expect(second[0]?.payload).toMatchObject({
        success: true,
        type: "monitor.page",
        id: secondId,
        error: null,
        metadata: { for: "test" },
        data: [{ monitorId: id, checkId: secondId, url: `${origin}/a`, status: "changed" }]
      })
      expect(second[0]?.payload.data[0].diff.text).toContain("+# a anew")
      expect(second[1]?.payload).toMatchObject({
        type: "monitor.check.completed",
        data: [{ monitorId: id, checkId: secondId, status: "completed", summary: { changed: 1, same: 1 } }]
      })
    })
  )

  it.live("tells its webhook of a link that leads nowhere once, and of its page when it comes", () =>
    Effect.gen(function* () {
      const hook = yield* receiver()
      const { pages, service } = yield* watched(database, { "/": page("home", "/late"), "/hook": hook.answer })
      const { id } = yield* create(service, { webhook: `${origin}/hook` })
      const toldOf = Effect.fnUntraced(function* () {
        const { body } = yield* service.ask("POST", `/v2/monitor/${id}/run`)
        const told = yield* hook.untilEnd
        yield* ended(service, id, body.id)
        const check = yield* service.ask("GET", `/v2/monitor/${id}/checks/${body.id}`)
        return {
          told: told.flatMap(({ payload }) =>
            payload.type === "monitor.page" && payload.data[0].url.endsWith("/late") ? [payload.data[0].status] : []
          ),
          errors: check.body.data.summary.error
        }
      })
      const [first, second] = [yield* toldOf(), yield* toldOf()]
      pages["/late"] = page("late")
      const third = yield* toldOf()

      expect([first, second, third]).toEqual([
        { told: ["error"], errors: 1 },
        { told: [], errors: 1 },
        { told: ["new"], errors: 0 }
      ])
    })
  )

  it.live("with a goal is told of what matters to it alone, and says who judged", () =>
    Effect.gen(function* () {
      const hook = yield* receiver()
      const shop = (price: string, text: string) =>
        `<title>Lamp</title><main><h1>Lamp</h1><p>Price: ${price}</p><p>${text}</p></main>`
      const { pages, service } = yield* watched(database, {
        "/": page("home", "/lamp", "/about"),
        "/lamp": shop("£10", "Bright."),
        "/about": page("About the staff"),
        "/hook": hook.answer
      })
      const { id } = yield* create(service, { goal: "Alert when a price changes", webhook: `${origin}/hook` })
      const run = () => Effect.map(service.ask("POST", `/v2/monitor/${id}/run`), ({ body }): string => body.id)
      yield* ended(service, id, yield* run())
      const first = yield* hook.untilEnd
      pages["/lamp"] = shop("£12", "Bright.")
      pages["/about"] = page("About the people")
      const second = yield* ended(service, id, yield* run())
      const told = yield* hook.untilEnd

      expect(first.map(({ payload }) => payload.type)).toEqual(["monitor.check.completed"])
      expect(second.page("/lamp").judgment).toMatchObject({ meaningful: true, confidence: "high", judge: "rules" })
      expect(second.page("/lamp").judgment.reason).toMatch(/price differs: £10 before, £12 now/)
      expect(second.page("/about")).toMatchObject({
        status: "changed",
        judgment: { meaningful: false, judge: "rules" }
      })
      expect(told.flatMap(({ payload }) => payload.data.map(({ url }: { url?: string }) => url))).toEqual([
        `${origin}/lamp`,
        undefined
      ])
    })
  )
})

behindPort("a check that finds a change", (database) => {
  it.live("is written to its readers, once, with what changed; the first check is not", () =>
    Effect.gen(function* () {
      const server = yield* mailServer()
      const mail = { server: new URL(`smtp://127.0.0.1:${server.port}?tls=none`), from: "monitor@example.test" }
      const { pages, service } = yield* watched(database, { "/": page("home", "/a"), "/a": page("a") }, { mail })
      const notification = { email: { enabled: true, recipients: ["ann@example.test"], includeDiffs: true } }
      const { id } = yield* create(service, { name: "Mill", notification })
      const first = yield* check(service, id)
      pages["/a"] = page("a anew")
      const { id: secondId } = yield* check(service, id)
      let second = yield* ended(service, id, secondId)
      while (second.notificationStatus?.email === "pending") second = yield* ended(service, id, secondId)

      expect(first.notificationStatus).toBeNull()
      expect(second.notificationStatus).toEqual({ email: "sent" })
      expect(server.letters).toHaveLength(1)
      expect(server.letters[0]).toMatchObject({ from: "monitor@example.test", to: ["ann@example.test"] })
      expect(server.letters[0]?.text).toContain("Subject: Mill: 1 changed")
      expect(server.letters[0]?.text).toContain(`changed: ${origin}/a`)
      expect(server.letters[0]?.text).toContain("+# a anew")
    })
  )

  it.live("is written once of a page that still cannot be read, and again if its site answers otherwise", () =>
    Effect.gen(function* () {
      const server = yield* mailServer()
      const mail = { server: new URL(`smtp://127.0.0.1:${server.port}?tls=none`), from: "monitor@example.test" }
      const { pages, service } = yield* watched(database, { "/": page("home", "/a"), "/a": page("a") }, { mail })
      const { id } = yield* create(service, { notification: { email: { recipients: ["ann@example.test"] } } })
      yield* check(service, id)
      const states: Array<unknown> = []
      for (const status of [500, 500, 403]) {
        pages["/a"] = (_, response) => void response.writeHead(status).end("no")
        const { id: checkId } = yield* check(service, id)
        let last = yield* ended(service, id, checkId)
        while (last.notificationStatus?.email === "pending") last = yield* ended(service, id, checkId)
        states.push([last.summary.error, last.notificationStatus])
      }

      expect(states).toEqual([
        [1, { email: "sent" }],
        [1, null],
        [1, { email: "sent" }]
      ])
      expect(server.letters).toHaveLength(2)
    })
  )

  it.live("says that no mail server is configured where there is none", () =>
    Effect.gen(function* () {
      const { pages, service } = yield* watched(database, { "/": page("home") })
      const { id } = yield* create(service, { notification: { email: { recipients: ["ann@example.test"] } } })
      yield* check(service, id)
      pages["/"] = page("home anew")

      expect((yield* check(service, id)).notificationStatus).toEqual({ email: "not_configured" })
    })
  )
})

onPostgres("monitors that two processes see", (database) => {
  it.effect("are checked once at each time", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": page("home") })
      const config = { database: yield* database.fresh, allowPrivate: true, resolve: hosts(site.port) }
      const [one, other] = [yield* served(config), yield* served(config)]
      const targets = [{ type: "scrape", urls: [`${origin}/`] }]
      const { id } = yield* create(one, { schedule: { text: "every 5 minutes" }, targets })
      for (let time = 1; time <= 3; time++) {
        yield* TestClock.adjust("5 minutes")
        yield* over(other, id, time)
      }
      const checks = yield* checksOf(other, id)

      expect(checks.map(({ scheduledFor }) => scheduledFor)).toEqual(
        ["15", "10", "05"].map((minute) => `1970-01-01T00:${minute}:00.000Z`)
      )
      expect(site.requests.filter((path) => path === "/")).toHaveLength(3)
    })
  )

  it.live("are taken up by the other where one of them dies in a check", () =>
    Effect.gen(function* () {
      const slow = gate(page("slow"))
      const site = yield* scriptedSite({ "/": page("home", "/slow"), "/slow": slow.answer })
      const config = { database: yield* database.fresh, allowPrivate: true, resolve: hosts(site.port) }
      const scope = yield* Scope.make()
      const one = yield* Effect.provideService(served(config), Scope.Scope, scope)
      const other = yield* served(config)
      const { id } = yield* create(one, { targets: [crawlTarget] })
      const { body } = yield* one.ask("POST", `/v2/monitor/${id}/run`)
      yield* slow.reached
      yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* slow.left
      yield* slow.open
      const check = yield* ended(other, id, body.id)

      expect(check.statuses).toEqual({ "/": "new", "/slow": "new" })
      expect(site.requests.filter((path) => path === "/")).toHaveLength(1)
    })
  )
})

/** Monitors that run over these ports until the test is over. */
const running = Effect.fnUntraced(function* (world: Parameters<typeof memory>[0]) {
  const { layer, seen } = memory(world)
  const context = yield* Layer.build(MonitorRunner.layer.pipe(Layer.provide(layer)))
  return { seen, runner: Context.get(context, MonitorRunner) }
})

describe("monitors over ports in memory", () => {
  it.effect("enter a check at its time, with its webhook, and run it", () =>
    Effect.gen(function* () {
      const { seen } = yield* running({ monitor: monitorOf({ webhook: "http://hook.test/" }) })
      yield* TestClock.adjust("299 seconds")
      const early = seen.entries.length
      yield* TestClock.adjust("1 second")

      expect(early).toBe(0)
      expect(seen.entries).toMatchObject([{ trigger: "scheduled", scheduledFor: 300_000, next: 600_000 }])
      expect(seen.subscribed).toEqual(["check"])
      expect(seen.ends).toMatchObject([{ status: "completed" }])
    })
  )

  it.effect("enter a check that the team cannot pay for as skipped: it reads nothing and tells nobody", () =>
    Effect.gen(function* () {
      const { seen } = yield* running({ monitor: monitorOf({ webhook: "http://hook.test/" }), remaining: 0 })
      yield* TestClock.adjust("5 minutes")

      expect(seen.entries).toMatchObject([{ status: "skipped_no_credits", estimatedCredits: 1 }])
      expect([seen.begun, seen.subscribed, seen.ends]).toEqual([[], [], []])
    })
  )

  it.effect("run the checks that a dead process has left", () =>
    Effect.gen(function* () {
      const { seen } = yield* running({ left: [checkOf({ id: "left", status: "running" })] })
      yield* TestClock.adjust("1 second")

      expect(seen.ends).toMatchObject([{ status: "completed" }])
      expect(seen.sent).toContain("left")
    })
  )

  it.effect("stop a check that another process has taken, and do not end it", () =>
    Effect.gen(function* () {
      let isLost = false
      let isStopped = false
      const waiting = Effect.onInterrupt(Effect.never, () => Effect.sync(() => void (isStopped = true)))
      const { seen } = yield* running({
        left: [checkOf()],
        ended: () => waiting,
        renewed: (ids) => new Set(isLost ? [] : ids)
      })
      yield* TestClock.adjust(leaseMillis)
      const held = [seen.begun.length, isStopped]
      isLost = true
      yield* TestClock.adjust(leaseMillis)

      expect(held).toEqual([1, false])
      expect(isStopped).toBe(true)
      expect(seen.ends).toEqual([])
    })
  )

  it.effect("cancel the jobs of a check that is not to go on", () =>
    Effect.gen(function* () {
      const { runner, seen } = yield* running({})
      const crawl = { targetId: "site", type: "crawl", crawlId: "a crawl" } as const
      const batch = { targetId: "list", type: "scrape", expectedJobs: ["a batch"] } as const
      yield* runner.stop(checkOf({ targets: [crawl, batch] }))

      expect(seen.stopped).toEqual(["a crawl", "a batch"])
    })
  )
})
