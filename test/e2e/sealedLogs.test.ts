import { inspect } from "node:util"
import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { readingPages } from "#service/readingPages"
import * as ServiceConfig from "#service/ServiceConfig"
import * as ScrapePlan from "#web/ScrapePlan"
import { Scraper } from "#web/Scraper"
import { ScrapeStore } from "#web/ScrapeStore"
import { StoreError } from "#web/StoreError"
import { stores } from "../service/serviceParts.ts"

const canary = "quokkaburrow"
const url = `http://site.test/${canary}`

/** Everything that is logged, with its causes. */
const logging = () => {
  const lines: Array<string> = []
  const logger = Logger.make(({ cause, message }) => void lines.push(inspect([message, cause], { depth: 20 })))
  return { lines, layer: Logger.layer([logger]) }
}

const away = new StoreError({ message: `no row of ${url}`, isRetryable: true, cause: new Error(`of ${url}`) })
const lost = Effect.fail(away)
const failing = Layer.succeed(ScrapeStore, {
  copy: () => lost,
  keep: () => lost,
  snapshot: () => lost,
  remember: () => lost,
  result: () => lost,
  keepResult: () => lost,
  isRendered: () => lost,
  noteRendered: () => lost
})

describe("a store that fails under a scrape", () => {
  it.effect("is logged without a word of a page with zero data retention, and in full for any other", () =>
    Effect.gen(function* () {
      const { layer, lines } = logging()
      const plan = yield* ScrapePlan.ofOptions({ maxAge: 60_000 })
      const kept = Effect.fnUntraced(function* (keepsNothing: boolean) {
        const asked = { url, scrapeId: "1", teamId: "team", keeps: !keepsNothing, delayMillis: 0 }
        return yield* Effect.flip((yield* Scraper).copyOf({ ...plan, keepsNothing }, asked))
      })
      const pages = readingPages(ServiceConfig.defaults).pipe(Layer.provide(failing))
      const errors = yield* Effect.all([kept(true), kept(false)]).pipe(Effect.provide([pages, layer]))

      expect(errors.map(({ code }) => code)).toEqual(["SCRAPE_STORE_ERROR", "SCRAPE_STORE_ERROR"])
      expect(lines.map((line) => line.includes(canary))).toEqual([false, true])
    })
  )

  it.effect("is logged without words of rows where old pages cannot be removed", () =>
    Effect.gen(function* () {
      const { layer, lines } = logging()
      const context = yield* Layer.build(stores(":memory:")).pipe(Effect.provide(layer))
      const sql = Context.get(context, SqlClient.SqlClient)
      yield* sql`INSERT INTO scrape_copy (id, text, bytes, kept_at) VALUES ('1', ${canary}, 1, -1)`
      yield* sql`CREATE TRIGGER broken BEFORE DELETE ON scrape_copy
        BEGIN SELECT RAISE(ABORT, 'the row of quokkaburrow is broken'); END`
      yield* TestClock.adjust("8 days")
      while (lines.length === 0) yield* Effect.yieldNow

      expect(lines.join("\n")).toContain("old pages cannot be removed now")
      expect(lines.join("\n")).not.toContain(canary)
    })
  )
})
