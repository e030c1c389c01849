import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import * as Plan from "#service/AccountPlan"
import { behindPort } from "../../databases.ts"
import { page, scriptedSite } from "../../scriptedSite.ts"
import { hosts, served } from "../../served.ts"

behindPort("GET /v2/scrape/{id}", (database) => {
  const keys = ["a", "b"].map((teamId) => ({ key: Redacted.make(`fc-${teamId}`), teamId, plan: Plan.standard }))
  const as = (teamId: string) => ({ headers: { authorization: `Bearer fc-${teamId}` } })

  it.effect("gives what a scrape gave, to its own team, for 24 hours, and fetches nothing", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": page("home") })
      const config = { database: yield* database.fresh, resolve: hosts(site.port), keys }
      const first = Effect.gen(function* () {
        const { ask } = yield* served(config)
        const scraped = yield* ask("POST", "/v2/scrape", { body: { url: "http://site.test/" }, ...as("a") })
        const path = `/v2/scrape/${scraped.body.data.metadata.scrapeId}`
        return {
          scraped,
          path,
          again: yield* ask("GET", path, as("a")),
          other: yield* ask("GET", path, as("b")),
          used: yield* ask("GET", "/v2/team/credit-usage", as("a"))
        }
      })
      const { scraped, path, again, other, used } = yield* Effect.scoped(first)
      // Nobody serves meanwhile: a service on Postgres looks at its leases every other second of a day.
      yield* TestClock.adjust("23 hours")
      yield* TestClock.adjust("59 minutes")
      const { ask } = yield* served(config)
      const kept = yield* ask("GET", path, as("a"))
      yield* TestClock.adjust("1 minute")
      const late = yield* ask("GET", path, as("a"))

      expect([again.status, other.status, kept.status, late.status]).toEqual([200, 404, 200, 404])
      expect(again.body).toEqual(scraped.body)
      expect(other.body.error).toContain("results are kept for 24 hours")
      expect(used.body.data.planCredits - used.body.data.remainingCredits).toBe(1)
      expect(site.requests).toEqual(["/"])
    })
  )

  it.effect("answers 404 for an id that no scrape has", () =>
    Effect.gen(function* () {
      const { ask } = yield* database.served()
      const { status, body } = yield* ask("GET", "/v2/scrape/0190c0de-0000-7000-8000-000000000000")

      expect(status).toBe(404)
      expect(body).toMatchObject({ success: false, error: expect.stringContaining("no scrape has the id") })
    })
  )
})
