import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { behindPort, leasesEnd } from "../service/databases.ts"
import { deadly, endingsIn, loading } from "../service/deadlyPages.ts"
import { page, scriptedSite } from "../service/scriptedSite.ts"
import { isEveryCase } from "../thoroughness.ts"
import { ask, servedProcess } from "./servedProcess.ts"

const paths = Array.from({ length: 12 }, (_, index) => `/${index}`)
const others = Object.fromEntries(paths.map((path) => [path, page(path)]))
const request = { url: "http://site.test/", sitemap: "skip", maxConcurrency: 4 }

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-killing-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

/** How a crawl ended, and why pages failed. */
const ended = Effect.fnUntraced(function* (url: string, id: string) {
  for (;;) {
    yield* ask(`${url}/v2/crawl/${id}?skip=99`)
    const status = yield* ask(`${url}/v2/crawl/${id}`)
    if (status.status === "scraping") continue
    const { errors } = yield* ask(`${url}/v2/crawl/${id}/errors`)
    return { status, errors: errors.map(({ code, error, url }: any) => ({ code, error, url })) }
  }
})

behindPort("a page that was being read as its process ended", (database) => {
  it.live("fails where it ends the process too that reads nothing else; every other page of the job is read", () =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const file = Redacted.isRedacted(place) ? Redacted.value(place) : place
      const endings = join(yield* folder, "endings")
      const site = yield* scriptedSite({
        ...others,
        "/": page("home", ...paths.slice(0, 6), "/killer", ...paths.slice(6)),
        "/killer": `${deadly}${page("killer")}`
      })
      const serve = servedProcess(site.port, file, undefined, [], loading(endings))
      const first = yield* serve
      const { id } = yield* ask(`${first.url}/v2/crawl`, request)
      yield* first.ended
      yield* leasesEnd(place)
      const second = yield* serve
      const { errors, status } = yield* ended(second.url, id)

      expect(endingsIn(endings)).toEqual([
        { pid: first.pid, parent: process.pid },
        { pid: expect.any(Number), parent: second.pid }
      ])
      expect(errors).toEqual([
        { code: "SCRAPE_PAGE_ENDED_PROCESS", error: expect.stringContaining("SIGKILL"), url: "http://site.test/killer" }
      ])
      expect(status).toMatchObject({ status: "completed", completed: paths.length + 1 })
    })
  )

  // In a sample `killedService.test.ts` shows it, with one kill.
  it.live.runIf(isEveryCase)(
    "is read after all where it was killed from outside, however often, and be it the start of its crawl",
    () =>
      Effect.gen(function* () {
        const place = yield* database.fresh
        const file = Redacted.isRedacted(place) ? Redacted.value(place) : place
        let asked = 0
        let kill: Effect.Effect<unknown> = Effect.void
        let died = Promise.withResolvers<void>()
        const site = yield* scriptedSite({
          ...others,
          "/": (_, response) => {
            asked += 1
            if (asked <= 3) void Effect.runPromise(kill).then(() => died.resolve())
            else response.end(page("home", ...paths))
          }
        })
        const serve = Effect.gen(function* () {
          died = Promise.withResolvers<void>()
          const served = yield* servedProcess(site.port, file)
          kill = served.kill
          return served
        })
        const first = yield* serve
        const { id } = yield* ask(`${first.url}/v2/crawl`, request)
        let last = first
        for (let life = 1; life <= 3; life++) {
          yield* Effect.promise(() => died.promise)
          yield* leasesEnd(place)
          last = yield* serve
        }
        const { errors, status } = yield* ended(last.url, id)

        expect(asked).toBe(4)
        expect(errors).toEqual([])
        expect(status).toMatchObject({ status: "completed", completed: paths.length + 1 })
      })
  )
})
