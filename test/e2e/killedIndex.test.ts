import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setImmediate } from "node:timers/promises"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { folder } from "#testing/folder"
import { page, scriptedSite } from "../service/scriptedSite.ts"
import { ask, servedProcess } from "./servedProcess.ts"

const pages = 150
const paths = Array.from({ length: pages }, (_, index) => `/p/${index}`)
const filler = "Some words of a long page that an index has to read. ".repeat(300)

const counted = (database: string, table: string): number => {
  const reader = new DatabaseSync(database, { readOnly: true })
  try {
    return Number(reader.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"])
  } finally {
    reader.close()
  }
}

describe("a service that is killed while it takes pages into its index", () => {
  it.live("goes on where it was when it is started again: every page is found, and none twice", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({
        "/": page("home", ...paths),
        ...Object.fromEntries(paths.map((path, index) => [path, page(`needle${index} ${filler}`)]))
      })
      const database = join(yield* folder, "service.sqlite")
      const first = yield* servedProcess(site.port, database)
      const { id } = yield* ask(`${first.url}/v2/crawl`, { url: "http://site.test/", sitemap: "skip" })
      while ((yield* ask(`${first.url}/v2/crawl/${id}?skip=${pages + 1}`)).status === "scraping");
      const cutOff = Effect.runPromise(ask(`${first.url}/v2/search`, { query: "needle" })).catch(() => "cut off")
      while (counted(database, "indexed_page") < 20) yield* Effect.promise(() => setImmediate())
      yield* first.kill
      const before = counted(database, "indexed_page")
      const second = yield* servedProcess(site.port, database)
      const found = yield* ask(`${second.url}/v2/search`, { query: `words needle${pages - 1}`, limit: 100 })
      yield* second.kill

      expect(yield* Effect.promise(() => cutOff)).toBe("cut off")
      expect(before).toBeGreaterThanOrEqual(20)
      expect(before).toBeLessThan(pages)
      expect(found.warning).toBeUndefined()
      expect(found.data.web).toHaveLength(100)
      expect(found.data.web[0].url).toBe(`http://site.test/p/${pages - 1}`)
      expect(counted(database, "indexed_page")).toBe(pages + 1)
    })
  )
})
