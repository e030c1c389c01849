import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { leasesEnd, onEachDatabase } from "../service/databases.ts"
import { page, scriptedSite } from "../service/scriptedSite.ts"
import { ask, servedProcess } from "./servedProcess.ts"

const paths = Array.from({ length: 12 }, (_, index) => `/${index}`)

onEachDatabase("a page that ends the process which reads it", (database) => {
  it.live("ends two of them, and then fails; every other page of the job is read, and blamed for nothing", () =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const file = Redacted.isRedacted(place) ? Redacted.value(place) : place
      let ends = 0
      let kill: Effect.Effect<unknown> = Effect.void
      let died = Promise.withResolvers<void>()
      const site = yield* scriptedSite({
        "/": page("home", ...paths, "/killer"),
        ...Object.fromEntries(paths.map((path) => [path, page(path)])),
        "/killer": () => {
          ends += 1
          void Effect.runPromise(kill).then(() => died.resolve())
        }
      })
      const serve = Effect.gen(function* () {
        died = Promise.withResolvers<void>()
        const process = yield* servedProcess(site.port, file)
        kill = process.kill
        return process.url
      })
      const first = yield* serve
      const request = { url: "http://site.test/", sitemap: "skip", maxConcurrency: 4 }
      const { id } = yield* ask(`${first}/v2/crawl`, request)
      yield* Effect.promise(() => died.promise)
      yield* leasesEnd(place)
      yield* serve
      yield* Effect.promise(() => died.promise)
      yield* leasesEnd(place)
      const last = yield* serve
      let status = yield* ask(`${last}/v2/crawl/${id}`)
      while (status.status === "scraping") status = yield* ask(`${last}/v2/crawl/${id}?skip=99`)
      const { errors } = yield* ask(`${last}/v2/crawl/${id}/errors`)

      expect(ends).toBe(2)
      expect(status).toMatchObject({ status: "completed", completed: paths.length + 1 })
      expect(errors.map(({ code, url }: any) => [code, url])).toEqual([
        ["SCRAPE_PAGE_ENDED_PROCESS", "http://site.test/killer"]
      ])
    })
  )
})
