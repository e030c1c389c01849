import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import * as Plan from "#service/AccountPlan"
import { served } from "../../service/served.ts"

const good = {
  name: "Docs",
  schedule: { cron: "0 9 * * *", timezone: "UTC" },
  targets: [{ type: "scrape", urls: ["https://example.com/"] }]
}
const crawl = (crawlOptions: object) => ({ targets: [{ type: "crawl", url: "https://example.com/", crawlOptions }] })

/** What is wrong, and how the answer says so. */
const wrong: ReadonlyArray<readonly [string, object, RegExp]> = [
  ["no name", { name: undefined }, /name: is missing/],
  ["an empty name", { name: "  " }, /name: is empty: give the monitor a name/],
  ["no schedule", { schedule: undefined }, /schedule: is missing/],
  ["neither cron nor words", { schedule: { timezone: "UTC" } }, /cron or text/],
  ["cron and words", { schedule: { cron: "0 9 * * *", text: "daily" } }, /cron or text/],
  ["less than five minutes", { schedule: { cron: "*/2 * * * *" } }, /schedule\.cron: .*every 5 minutes/],
  ["less than five minutes in words", { schedule: { text: "every 4 minutes" } }, /schedule\.text: .*every 5 minutes/],
  ["a cron that is none", { schedule: { cron: "0 99 * * *" } }, /schedule\.cron: is not a cron expression/],
  ["words that mean nothing", { schedule: { text: "now and then" } }, /schedule\.text: .*is not understood/],
  [
    "a time zone that is none",
    { schedule: { cron: "0 9 * * *", timezone: "Mars" } },
    /schedule\.timezone: "Mars" is not a time zone/
  ],
  ["no target", { targets: [] }, /targets/],
  ["a target of no type", { targets: [{ type: "dream" }] }, /targets\.0: must be a target/],
  ["a scrape of no URL", { targets: [{ type: "scrape", urls: [] }] }, /targets\.0/],
  ["a scrape of what is no URL", { targets: [{ type: "scrape", urls: ["not a url"] }] }, /targets\.0/],
  ["a search of nothing", { targets: [{ type: "search", queries: [" "] }] }, /targets\.0/],
  ["a pattern that does not compile", crawl({ includePaths: ["("] }), /includePaths|\(/],
  ["a field that is not known", { colour: "red" }, /colour: unknown field/],
  ["a webhook to nowhere", { webhook: { url: "ftp://x" } }, /webhook/],
  ["an event that there is none of", { webhook: { url: "https://x.test/", events: ["monitor.moon"] } }, /webhook/],
  ["days that are too many", { retentionDays: 366 }, /retentionDays/],
  ["a reader without an address", { notification: { email: { recipients: ["nobody"] } } }, /e-mail address/],
  ["Slack", { notification: { slack: { enabled: true } } }, /Slack/]
]

describe("a monitor that is asked for with what it cannot be", () => {
  it.live("is 400, and says what is wrong and where", () =>
    Effect.gen(function* () {
      const service = yield* served()
      for (const [what, change, message] of wrong) {
        const { body, status } = yield* service.ask("POST", "/v2/monitor", { body: { ...good, ...change } })
        expect([what, status, body.error]).toEqual([what, 400, expect.stringMatching(message)])
      }
      const made = yield* service.ask("POST", "/v2/monitor", { body: good })
      for (const [change, message] of [
        [{ schedule: { cron: "* * * * *" } }, /every 5 minutes/],
        [{ status: "deleted" }, /status/],
        [{ targets: [] }, /targets/]
      ] as const) {
        const { body, status } = yield* service.ask("PATCH", `/v2/monitor/${made.body.id}`, { body: change })
        expect([status, body.error]).toEqual([400, expect.stringMatching(message)])
      }
    })
  )

  it.live("is taken with what public clients send beside, and with every kind of target", () =>
    Effect.gen(function* () {
      const service = yield* served()
      const body = {
        ...good,
        origin: "js-sdk@4.42.0",
        integration: "cli",
        webhook: "https://x.test/",
        notification: null,
        targets: [
          ...good.targets,
          { type: "crawl", url: "https://example.com/", crawlOptions: { maxDepth: 2, limit: 5, origin: "js-sdk" } },
          { type: "search", queries: ["mills"], searchWindow: "7d", maxResults: 20, includeDomains: ["example.com"] }
        ]
      }
      const { body: made, status } = yield* service.ask("POST", "/v2/monitor", { body })

      expect([status, made.error]).toEqual([200, undefined])
      expect(made.id).toBe(made.data.id)
      expect(new Set(made.data.targets.map(({ id }: { id: string }) => id)).size).toBe(3)
      // One page, five pages, two tens of results: each day.
      expect(made.data.estimatedCreditsPerMonth).toBe((1 + 5 + 4) * 30)
    })
  )

  it.live("is another team's business to nobody, and 403 to a key whose plan has no monitors", () =>
    Effect.gen(function* () {
      const key = (name: string, plan: Plan.Plan) => ({ key: Redacted.make(name), teamId: name, plan })
      const scoped: Plan.Plan = { ...Plan.standard, scopes: ["crawl"] }
      const service = yield* served({ keys: [key("a", Plan.standard), key("b", Plan.standard), key("c", scoped)] })
      const as = (name: string) => ({ authorization: `Bearer ${name}` })
      const made = yield* service.ask("POST", "/v2/monitor", { body: good, headers: as("a") })
      const path = `/v2/monitor/${made.body.id}`

      for (const [method, suffix, body] of [
        ["GET", "", undefined],
        ["PATCH", "", {}],
        ["DELETE", "", undefined],
        ["POST", "/run", {}],
        ["GET", "/checks", undefined]
      ] as const) {
        expect((yield* service.ask(method, path + suffix, { headers: as("b"), body })).status).toBe(404)
        expect((yield* service.ask(method, path + suffix, { headers: as("c"), body })).status).toBe(403)
        expect((yield* service.ask(method, path + suffix, { body })).status).toBe(401)
      }
      expect((yield* service.ask("GET", "/v2/monitor", { headers: as("b") })).body.data).toEqual([])
      expect((yield* service.ask("GET", path, { headers: as("a") })).status).toBe(200)
    })
  )
})
