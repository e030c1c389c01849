import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { ask } from "../../e2e/servedProcess.ts"
import { isEveryCase } from "../../thoroughness.ts"
import { onPostgres } from "../databases.ts"
import { measuredSites } from "./measuredSite.ts"
import { process, urlOf } from "./serveProcess.ts"

/** A file of keys for a team with this plan. */
const keysFile = (plan: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-keys-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
    ),
    (folder) => {
      const file = join(folder, "keys.yaml")
      writeFileSync(file, plan)
      return file
    }
  )

onPostgres("the limits of a team over three processes", (databases) => {
  // In a sample `simulation.test.ts` and `PermitPool.test.ts` show it, in one process.
  it.live.runIf(isEveryCase)(
    "admit ten requests a minute, and read four pages at a time",
    () =>
      Effect.gen(function* () {
        const names = Array.from({ length: 6 }, (_, index) => `t${index}.test`)
        const sites = yield* measuredSites(names.map((name) => ({ name, pages: 8, delaySeconds: 0, millis: 100 })))
        const database = urlOf(yield* databases.fresh)
        const keys = yield* keysFile(
          "plans:\n  small: { requests_per_minute: 10, concurrency: 4 }\nkeys:\n  - { key: secret-of-team, team: small, plan: small }\n"
        )
        const three = yield* Effect.all(
          [0, 1, 2].map(() => process(database, sites.port, names, [`--keys=${keys}`])),
          { concurrency: 3 }
        )
        const headers = { authorization: "Bearer secret-of-team" }
        const asked = Array.from({ length: 15 }, (_, index) => {
          const url = three[index % 3]?.url ?? ""
          const name = names[index % 6] ?? ""
          return ask(`${url}/v2/crawl`, { url: `http://${name}/`, sitemap: "skip" }, headers)
        })
        const answers = yield* Effect.all(asked, { concurrency: "unbounded" })
        const started = answers.filter(({ success }) => success === true)
        const refused = answers.filter(({ success }) => success === false)
        const ended = (id: string): Effect.Effect<any> =>
          Effect.flatMap(ask(`${three[0]?.url}/v2/crawl/${id}`, undefined, headers), (body) =>
            body.status === "scraping" ? Effect.delay(ended(id), 100) : Effect.succeed(body)
          )
        const bodies = yield* Effect.all(
          started.map(({ id }) => ended(id)),
          { concurrency: "unbounded" }
        )

        // The bucket fills again while they are asked: one more for each six seconds.
        expect(started.length).toBeGreaterThanOrEqual(10)
        expect(started.length).toBeLessThanOrEqual(12)
        expect(started.length + refused.length).toBe(15)
        expect(refused[0].error).toMatch(/^Rate limit exceeded: retry after \d+ s$/)
        expect(bodies.map(({ completed }) => completed)).toEqual(started.map(() => 8))
        console.log(`most pages of the team at once: ${sites.peak()} of 4`)
        expect(sites.peak()).toBeLessThanOrEqual(4)
        expect(sites.peak()).toBeGreaterThan(1)
      }),
    180_000
  )
})
