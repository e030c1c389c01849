import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { behindPort, leasesEnd } from "../service/databases.ts"
import { receiver } from "../service/receiver.ts"
import { type Answer, page, scriptedSite } from "../service/scriptedSite.ts"
import { ask, servedProcess } from "./servedProcess.ts"

const count = 40

/** A site of forty pages, half of which say something else from the second time on. The tenth request of each round that is held, and all after it, wait. */
const heldSite = Effect.gen(function* () {
  const hook = yield* receiver()
  let edition = 1
  let asked = 0
  let hold: { readonly reached: PromiseWithResolvers<void>; readonly released: PromiseWithResolvers<void> } | undefined
  const held =
    (body: () => string): Answer =>
    (_request, response) => {
      const answer = () => void response.setHeader("content-type", "text/html; charset=utf-8").end(body())
      if (hold === undefined || ++asked < 15) return answer()
      hold.reached.resolve()
      void hold.released.promise.then(answer)
    }
  const paths = Array.from({ length: count }, (_, n) => `/p${n}`)
  const site = yield* scriptedSite({
    "/": page("home", ...paths),
    "/hook": hook.answer,
    ...Object.fromEntries(
      paths.map((path, n) => [path, held(() => page(n % 2 === 0 || edition === 1 ? path : `${path} anew`))])
    )
  })
  const holding = Effect.sync(() => {
    edition = 2
    asked = 0
    hold = { reached: Promise.withResolvers<void>(), released: Promise.withResolvers<void>() }
    return hold
  })
  return { site, hook, holding }
})

behindPort("a service that is killed in the middle of a check", (database) => {
  it.live(
    "ends it when it is started again, with each page once, told once and paid for once",
    () =>
      Effect.gen(function* () {
        const place = yield* database.fresh
        const file = Redacted.isRedacted(place) ? Redacted.value(place) : place
        const { holding, hook, site } = yield* heldSite
        const killed = yield* servedProcess(site.port, file)
        const targets = [{ type: "crawl", url: "http://site.test/", crawlOptions: { sitemap: "skip" } }]
        const webhook = "http://site.test/hook"
        const monitor = yield* ask(`${killed.url}/v2/monitor`, {
          name: "m",
          schedule: { text: "daily" },
          targets,
          webhook
        })
        const checks = (url: string) => `${url}/v2/monitor/${monitor.id}/checks`
        const first = yield* ask(`${killed.url}/v2/monitor/${monitor.id}/run`, {})
        const baseline = yield* hook.untilEnd
        const { reached, released } = yield* holding
        const second = yield* ask(`${killed.url}/v2/monitor/${monitor.id}/run`, {})
        yield* Effect.promise(() => reached.promise)
        yield* killed.kill
        yield* leasesEnd(place)
        yield* Effect.sync(() => released.resolve())
        const again = yield* servedProcess(site.port, file)
        const told = yield* hook.untilEnd
        const { data: check } = yield* ask(`${checks(again.url)}/${second.id}?limit=1000`)
        const urls = check.pages.map(({ url }: { url: string }) => url)
        const toldUrls = told.flatMap(({ payload }) => payload.data.flatMap(({ url }: { url?: string }) => url ?? []))
        const list = yield* ask(checks(again.url))

        expect(baseline).toHaveLength(count + 2)
        expect(check).toMatchObject({
          status: "completed",
          summary: { totalPages: count + 1, same: count / 2 + 1, changed: count / 2, new: 0, removed: 0, error: 0 },
          actualCredits: count + 1
        })
        expect(new Set(urls).size).toBe(urls.length)
        expect(toldUrls).toHaveLength(count / 2)
        expect(new Set(toldUrls).size).toBe(toldUrls.length)
        expect(list.data.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id])
        const usage = yield* ask(`${again.url}/v2/team/credit-usage/historical`)
        expect(usage.periods.map(({ creditsUsed, totalCredits }: any) => creditsUsed ?? totalCredits)).toEqual([
          2 * (count + 1)
        ])
      }),
    // Three processes, on a machine that may have others.
    180_000
  )
})
