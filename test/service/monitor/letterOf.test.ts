import { expect, it } from "vitest"
import type { MonitorPage } from "#contract/MonitorCheck"
import type { Check } from "#service/monitor/Monitor"
import { letterOf } from "#service/monitor/MonitorRunner"

const check = (includeDiffs: boolean): Check => ({
  id: "c1",
  monitorId: "m1",
  teamId: "t",
  status: "completed",
  trigger: "scheduled",
  definition: {
    schedule: { cron: "0 9 * * *", timezone: "UTC" },
    targets: [],
    webhook: null,
    notification: { email: { recipients: ["ann@example.test"], includeDiffs } },
    goal: "prices",
    judgeEnabled: true,
    retentionDays: 30
  },
  scheduledFor: null,
  createdAt: 0,
  startedAt: 0,
  finishedAt: 0,
  estimatedCredits: 1,
  credits: 1,
  counts: { same: 0, changed: 1, new: 0, removed: 0, error: 1 },
  targets: [],
  error: null,
  mail: "pending"
})

const page = (more: Partial<MonitorPage>): MonitorPage => ({
  id: "p",
  targetId: "t",
  url: "http://site.test/a",
  status: "changed",
  statusCode: 200,
  previousScrapeId: null,
  currentScrapeId: null,
  error: null,
  metadata: null,
  judgment: null,
  diff: null,
  snapshot: null,
  createdAt: "2026-03-02T09:00:00.000Z",
  ...more
})

const judgment = {
  meaningful: true,
  confidence: "high",
  reason: "a price differs",
  meaningfulChanges: [],
  judge: "rules"
} as const

it("says what changed, why it matters, and how where that is asked for", () => {
  const pages = [
    page({ judgment, diff: { text: "-£10\n+£12\n" } }),
    page({ url: "http://site.test/b", status: "error", error: "the site answers 503" })
  ]
  const letter = letterOf("Mill", check(true), pages)

  expect(letter).toMatchObject({ id: "c1", to: ["ann@example.test"], subject: "Mill: 1 changed, 1 not readable" })
  expect(letter.text).toContain("Goal: prices")
  expect(letter.text).toContain("changed: http://site.test/a\na price differs\n-£10\n+£12")
  expect(letter.text).toContain("error: http://site.test/b\nthe site answers 503")
  expect(letterOf("Mill", check(false), pages).text).not.toContain("+£12")
})

it("lists no more pages than anybody reads, and says how many there are", () => {
  const letter = letterOf(
    "Mill",
    check(false),
    Array.from({ length: 60 }, () => page({}))
  )

  expect(letter.text.match(/^changed: /gm)).toHaveLength(50)
  expect(letter.text).toContain("and 10 more pages")
})
