import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { monitor } from "#connectors/webdata/index"
import type { WebData } from "#contract/WebData"
import type { Inboxes as InboxService } from "#engine/Inbox"
import * as Inboxes from "#engine/Inboxes"
import * as Source from "#engine/Source"
import * as SourceSuite from "#testing/SourceSuite"
import { scriptedService } from "../../../contract/client/scriptedService.ts"
import { embedded } from "../../../service/crawlSite.ts"
import { page, scriptedSite } from "../../../service/scriptedSite.ts"
import { kept, rowsOf } from "../scriptedJobs.ts"

const id = "01a20000-0000-7000-8000-000000000001"
const checkId = (n: number) => `01a20000-0000-7000-8000-1000000000${String(n).padStart(2, "0")}`
const at = "2026-03-02T09:00:00.000Z"

const counts = (total: number, changed: number) => ({
  totalPages: total,
  same: total - changed,
  changed,
  new: 0,
  removed: 0,
  error: 0
})

const checkOf = (n: number, status: string, total: number) => ({
  id: checkId(n),
  monitorId: id,
  status,
  trigger: "scheduled",
  scheduledFor: at,
  startedAt: at,
  finishedAt: status === "running" ? null : at,
  estimatedCredits: 1,
  reservedCredits: null,
  actualCredits: total,
  billingStatus: "confirmed",
  summary: counts(total, Math.ceil(total / 2)),
  targetResults: [],
  notificationStatus: null,
  error: null,
  createdAt: at,
  updatedAt: at
})

const priceSource = { url: "http://site.test/0", kind: "label", path: "p", span: [1, 9], certainty: "high" }

const pageOf = (check: number, n: number) => ({
  id: `${check}-${n}`,
  targetId: "t",
  url: `http://site.test/${n}`,
  status: n % 2 === 0 ? "changed" : "same",
  statusCode: 200,
  previousScrapeId: "a",
  currentScrapeId: "b",
  error: null,
  metadata: { title: `Page ${n}` },
  judgment: null,
  diff: n % 2 === 0 ? { text: "-a\n+b\n", json: { price: { previous: 1, current: 2 } } } : null,
  snapshot:
    n % 2 === 0
      ? { json: { price: 2, name: "Lamp" }, sources: { "/price": [priceSource], "/name": [priceSource] } }
      : null,
  createdAt: at
})

const record = {
  id,
  name: "Mill",
  status: "active",
  schedule: { cron: "0 9 * * *", timezone: "UTC" },
  nextRunAt: at,
  lastRunAt: at,
  currentCheckId: null,
  targets: [{ id: "t", type: "scrape", urls: ["http://site.test/"] }],
  webhook: null,
  notification: null,
  retentionDays: 30,
  estimatedCreditsPerMonth: 30,
  lastCheckSummary: null,
  goal: null,
  judgeEnabled: false,
  createdAt: at,
  updatedAt: at
}

/** A service with one monitor, whose checks have so many pages each; the last of them may be running. */
const service = (sizes: ReadonlyArray<number>, isLastRunning = false) =>
  scriptedService((what) => {
    const url = new URL(what.split(" ")[1] ?? "", "http://service.test")
    const number = (name: string, other: number) => Number(url.searchParams.get(name) ?? other)
    const checks = sizes.map((size, n) =>
      checkOf(n, isLastRunning && n === sizes.length - 1 ? "running" : "completed", size)
    )
    const pagination = { limit: 100, offset: 0, total: checks.length }
    if (url.pathname === "/v2/monitor") return { status: 200, body: { success: true, data: [record], pagination } }
    if (url.pathname.endsWith("/checks")) {
      const data = checks.toReversed().slice(number("offset", 0), number("offset", 0) + number("limit", 20))
      return { status: 200, body: { success: true, data, pagination } }
    }
    const n = checks.findIndex((check) => url.pathname.endsWith(check.id))
    const size = sizes[n] ?? 0
    const [skip, limit] = [number("skip", 0), number("limit", 100)]
    const pages = Array.from({ length: Math.max(0, Math.min(limit, size - skip)) }, (_, at) => pageOf(n, skip + at))
    const next = skip + limit < size ? { next: `${url.href}&skip=${skip + limit}` } : {}
    return { status: 200, body: { success: true, id: checkId(n), data: { ...checks[n], pages, ...next }, ...next } }
  })

/** The same, where no page of its one check can be read. */
const unread = (status: string) =>
  scriptedService((what) => {
    const url = new URL(what.split(" ")[1] ?? "", "http://service.test")
    const summary = { ...counts(2, 0), same: 0, error: 2 }
    const check = { ...checkOf(0, status, 2), summary, error: status === "failed" ? "t: no such host" : null }
    const pagination = { limit: 100, offset: 0, total: 1 }
    if (url.pathname === "/v2/monitor") return { status: 200, body: { success: true, data: [record], pagination } }
    if (url.pathname.endsWith("/checks")) return { status: 200, body: { success: true, data: [check], pagination } }
    const pages = [1, 2].map((n) => ({
      ...pageOf(0, n),
      status: "error",
      statusCode: 500,
      error: "HTTP 500",
      diff: null
    }))
    return { status: 200, body: { success: true, id: checkId(0), data: { ...check, pages } } }
  })

/** A source that asks for checks opens no inbox. */
const withInboxes = <E>(service: Layer.Layer<WebData, E>) => Layer.merge(service, Inboxes.layerMemory)

const readIn = (
  layer: Layer.Layer<WebData | InboxService>,
  from: Partial<Source.ResumePoint<unknown, unknown>> = {},
  options = {}
) =>
  Effect.provide(Stream.runCollect(Source.read(monitor.with({ monitor: "Mill", ...options }), from)), layer).pipe(
    Effect.map((elements): ReadonlyArray<Source.Element<unknown>> => [...elements])
  )

describe("the monitor source", () => {
  it.live("says of the fields that changed where the page says them now", () =>
    Effect.gen(function* () {
      const [change] = rowsOf(yield* readIn(withInboxes(service([1]).layer)), "page_changes")

      expect(change).toMatchObject({
        fields: { price: { previous: 1, current: 2 } },
        fields_sources: { "/price": [priceSource] },
        fields_unsupported: null
      })
    })
  )

  it.live("has a row for a page that cannot be read where that begins, and when it answers otherwise", () =>
    Effect.gen(function* () {
      const codes = [404, 404, 410, 404]
      const { layer } = scriptedService((what) => {
        const url = new URL(what.split(" ")[1] ?? "", "http://service.test")
        const checks = codes.map((_, n) => ({
          ...checkOf(n, "completed", 2),
          summary: { ...counts(2, 0), same: 1, error: 1 }
        }))
        const pagination = { limit: 100, offset: 0, total: 1 }
        if (url.pathname === "/v2/monitor") return { status: 200, body: { success: true, data: [record], pagination } }
        if (url.pathname.endsWith("/checks")) {
          return { status: 200, body: { success: true, data: checks.toReversed(), pagination } }
        }
        const n = checks.findIndex((check) => url.pathname.endsWith(check.id))
        const dead = { ...pageOf(n, 3), status: "error", statusCode: codes[n], error: "dead", diff: null }
        const pages = [pageOf(n, 1), dead]
        return { status: 200, body: { success: true, id: checkId(n), data: { ...checks[n], pages } } }
      })
      const whole = yield* readIn(withInboxes(layer))
      const found = (elements: typeof whole) =>
        rowsOf(elements, "page_changes").map((row) => [row["check_id"], row["status_code"]])

      expect(found(whole)).toEqual([
        [checkId(0), 404],
        [checkId(2), 410],
        [checkId(3), 404]
      ])
      expect(rowsOf(whole, "monitor_checks").map((row) => row["failed"])).toEqual([1, 1, 1, 1])
      // A run that begins behind the first check knows what it could not read.
      const states = whole.flatMap((element) => (element._tag === "Checkpoint" ? [element.state] : []))
      const next = yield* readIn(withInboxes(layer), { start: Option.fromUndefinedOr(states[1]) })
      expect(found(next)[0]).toEqual([checkId(2), 410])
    })
  )

  for (const status of ["failed", "completed"]) {
    it.live(`tells of a check that could read nothing (${status}), and has not read it`, () =>
      Effect.gen(function* () {
        const elements = yield* readIn(withInboxes(unread(status).layer))

        expect(rowsOf(elements, "page_changes").map((row) => row["status"])).toEqual(["error", "error"])
        expect(rowsOf(elements, "monitor_checks").map((row) => row["failed"])).toEqual([2])
        const last = elements.findLast((element) => element._tag === "Progress")
        expect(last?._tag === "Progress" ? last.facts : {}).toEqual({
          discovered: 2,
          read: 0,
          failed: 2,
          checks: 1,
          unread: 1
        })
      })
    )
  }

  it.effect("gives what changed in each check, in order, and the checks", () =>
    Effect.gen(function* () {
      const elements = yield* readIn(withInboxes(service([3, 2]).layer))

      expect(rowsOf(elements, "page_changes")).toMatchObject([
        { check_id: checkId(0), url: "http://site.test/0", status: "changed", title: "Page 0", diff: "-a\n+b\n" },
        { check_id: checkId(0), url: "http://site.test/2", fields: { price: { previous: 1, current: 2 } } },
        { check_id: checkId(1), url: "http://site.test/0" }
      ])
      expect(rowsOf(elements, "monitor_checks")).toMatchObject([
        { check_id: checkId(0), monitor_id: id, status: "completed", pages: 3, changed: 2, same: 1 },
        { check_id: checkId(1), pages: 2 }
      ])
      expect(elements.at(-1)).toMatchObject({ _tag: "Checkpoint", state: { after: checkId(1) } })
    })
  )

  it.effect("reads on after the last check, and not one that is running", () =>
    Effect.gen(function* () {
      const start = Option.some({ after: checkId(0) })
      const elements = yield* readIn(withInboxes(service([3, 2, 5], true).layer), { start })

      expect(rowsOf(elements, "monitor_checks").map((row) => row["check_id"])).toEqual([checkId(1)])
      expect(elements.at(-1)).toMatchObject({ state: { after: checkId(1) } })
    })
  )

  it.effect("goes on behind any answer, in the middle of a check too", () =>
    Effect.gen(function* () {
      const reader = monitor.with({ monitor: "Mill", same: true })
      const from = { start: Option.none(), key: "k", limits: {}, directory: "." }
      const layer = withInboxes(service([250, 2]).layer)
      const ask = (after: Option.Option<unknown>) =>
        Effect.provide(Stream.runCollect(reader.fetch({ ...from, after })), layer)
      const whole = kept(yield* ask(Option.none()))
      for (const [n, answer] of whole.entries()) {
        const rest = kept(yield* ask(Option.some(answer.cursor)))
        expect(rest.map(({ cursor }) => cursor)).toEqual(whole.slice(n + 1).map(({ cursor }) => cursor))
      }

      expect(whole).toHaveLength(1 + 3 + 1)
    })
  )

  it.effect("says what to do where there is no such monitor", () =>
    Effect.gen(function* () {
      const failed = yield* Effect.flip(readIn(withInboxes(service([1]).layer), {}, { monitor: "Nobody" }))

      expect(failed.message).toContain('no monitor "Nobody"; name its targets under targets')
    })
  )

  it.live("makes the monitor that its file describes, once, and checks it in each run", () =>
    Effect.gen(function* () {
      const pages: Record<string, string> = { "/": page("home", "/a"), "/a": page("a") }
      const site = yield* scriptedSite(pages)
      const options = {
        targets: [{ type: "crawl" as const, url: "http://site.test/", crawlOptions: { sitemap: "skip" as const } }]
      }
      const layer = yield* Layer.build(withInboxes(embedded(site.port)))
      const run = (start: Option.Option<unknown>) =>
        Effect.provideContext(
          Stream.runCollect(Source.read(monitor.with({ monitor: "Mill", ...options }), { start })),
          layer
        )
      const first = yield* run(Option.none())
      pages["/a"] = page("a anew")
      const last = first.findLast((element) => element._tag === "Checkpoint")
      const second = yield* run(last?._tag === "Checkpoint" ? Option.some(last.state) : Option.none())

      expect(rowsOf([...first], "page_changes").map(({ status }) => status)).toEqual(["new", "new"])
      expect(rowsOf([...second], "page_changes")).toMatchObject([{ url: "http://site.test/a", status: "changed" }])
      expect(rowsOf([...second], "monitor_checks")).toHaveLength(1)
    })
  )

  SourceSuite.suite("webdata.monitor", {
    reader: Effect.sync(() => monitor.with({ monitor: "Mill", same: true })),
    layer: Layer.fresh(Layer.suspend(() => withInboxes(service([3, 120, 2]).layer))),
    volatile: ["_fetched_at"]
  })
})
