import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { expect } from "vitest"
import { behindPort, leasesEnd } from "../service/databases.ts"
import { heldAnswers } from "../service/heldAnswers.ts"
import { page, scriptedSite } from "../service/scriptedSite.ts"
import { stores } from "../service/serviceParts.ts"
import { temporaryFolder } from "../temporaryFolder.ts"
import { ask, servedProcess } from "./servedProcess.ts"

const paths = Array.from({ length: 40 }, (_, index) => `/${index}`)
const key = { authorization: "Bearer fc-a" }
const credits = 30

/** A site whose eleventh page and all after it wait until they are let go. */
const heldSite = Effect.gen(function* () {
  const { held, open, reached } = heldAnswers(11)
  const site = yield* scriptedSite({
    "/": page("home", ...paths),
    ...Object.fromEntries(paths.map((path) => [path, held(page(path))]))
  })
  return { site, reached, open }
})

behindPort("credits that are reserved by a process that is killed", (database) => {
  it.live("stay reserved until the job goes on, and all that is spent is what the team has", () =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const file = Redacted.isRedacted(place) ? Redacted.value(place) : place
      const keys = join(temporaryFolder(), "keys.yaml")
      writeFileSync(keys, `plans:\n  small: { credits: ${credits} }\nkeys:\n  - { key: fc-a, team: a, plan: small }\n`)
      const serve = (port: number) => servedProcess(port, file, ["site"], [`--keys=${keys}`])
      const looked = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [held] = yield* sql<{ n: number | null }>`SELECT sum(credits) AS n FROM credit_hold`
        const [used] = yield* sql<{ n: number | null }>`SELECT sum(credits) AS n FROM team_usage`
        return { held: Number(held?.n ?? 0), used: Number(used?.n ?? 0) }
      }).pipe(Effect.provide(stores(place)))

      const { site, reached, open } = yield* heldSite
      const killed = yield* serve(site.port)
      const body = { url: "http://site.test/", limit: credits, sitemap: "skip" }
      const { id } = yield* ask(`${killed.url}/v2/crawl`, body, key)
      yield* reached
      yield* killed.kill
      const left = yield* looked
      yield* leasesEnd(place)
      const next = yield* serve(site.port)
      const refused = yield* ask(`${next.url}/v2/crawl`, { ...body, limit: credits - left.used }, key)
      yield* open
      const another = yield* ask(`${next.url}/v2/crawl`, { ...body, limit: 1 }, key)
      const end = yield* lastOf(`${next.url}/v2/crawl/${id}`)
      yield* lastOf(`${next.url}/v2/crawl/${another.id}`)

      expect(left.held).toBeGreaterThan(0)
      expect(left.used + left.held).toBeLessThanOrEqual(credits)
      expect(refused.error).toMatch(/Insufficient credits/)
      expect(end).toMatchObject({ status: "completed", completed: end.creditsUsed })
      expect(yield* looked).toEqual({ held: 0, used: credits })
    })
  )
})

const lastOf = Effect.fnUntraced(function* (url: string) {
  for (;;) {
    const status = yield* ask(`${url}?skip=${credits}`, undefined, key)
    if (status.status !== "scraping") return status
  }
})
