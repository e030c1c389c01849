import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import * as Plan from "#service/AccountPlan"
import * as Pdf from "#site/Pdf"
import { lampSchema, origin, product } from "../agent/shop.ts"
import { behindPort } from "../databases.ts"
import { file, page, scriptedSite } from "../scriptedSite.ts"
import { hosts } from "../served.ts"

const headers = { authorization: "Bearer fc-a" }
const paths = Array.from({ length: 60 }, (_, index) => `/${index}`)

behindPort("the credits of jobs", (database) => {
  /** A service for one team with these credits, on this site. */
  const planned = Effect.fnUntraced(function* (credits: number, port: number) {
    const keys = [{ key: Redacted.make("fc-a"), teamId: "a", plan: { ...Plan.standard, credits } }]
    const { ask } = yield* database.served({ keys, resolve: hosts(port) })
    const post = (path: string, body: object) => Effect.map(ask("POST", path, { body, headers }), (answer) => answer)
    const ended = Effect.fnUntraced(function* (path: string) {
      for (;;) {
        const { body } = yield* ask("GET", path, { headers })
        if (body.status !== "scraping" && body.status !== "processing") return body
        yield* Effect.sleep("20 millis")
      }
    })
    const remaining = Effect.map(
      ask("GET", "/v2/team/credit-usage", { headers }),
      ({ body }) => body.data.remainingCredits
    )
    return { post, ended, remaining }
  })

  it.live("are not spent twice by crawls at the same time, which stop with their pages and say why", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({
        "/": page("home", ...paths),
        ...Object.fromEntries(paths.map((path) => [path, page(path)]))
      })
      const { ended, post, remaining } = yield* planned(100, site.port)
      const crawls = yield* Effect.forEach(
        [1, 2, 3, 4],
        () => post("/v2/crawl", { url: `${origin}/`, limit: 61, sitemap: "skip" }),
        { concurrency: 4 }
      )
      const ends = yield* Effect.forEach(crawls, ({ body }) => ended(`/v2/crawl/${body.id}`))
      const used = ends.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0)

      expect(crawls.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect(ends.map(({ status }) => status)).toEqual(Array(4).fill("completed"))
      expect([used, yield* remaining]).toEqual([100, 0])
      for (const end of ends) {
        expect(end.completed).toBe(end.creditsUsed)
        if (end.completed < 61) {
          expect(end.warning).toMatch(/^the credits of the team ran out/)
          expect(end.ledger.left).toBeGreaterThan(0)
        }
      }
      expect((yield* post("/v2/crawl", { url: `${origin}/`, limit: 1 })).status).toBe(402)
    })
  )

  it.live("end a batch with the pages that they cover, and a file that costs more than remains is not kept", () =>
    Effect.gen(function* () {
      const long = Pdf.make(
        "A file",
        Array.from({ length: 9 * 48 }, (_, line) => `line ${line}`)
      )
      const site = yield* scriptedSite({ "/": page("home"), "/file.pdf": file("application/pdf", long) })
      const { ended, post, remaining } = yield* planned(5, site.port)
      const batch = yield* post("/v2/batch/scrape", {
        urls: [`${origin}/`, `${origin}/file.pdf`],
        maxConcurrency: 1
      })
      const end = yield* ended(`/v2/batch/scrape/${batch.body.id}`)

      expect(end).toMatchObject({ status: "completed", completed: 1, creditsUsed: 1 })
      expect(end.warning).toMatch(/^the credits of the team ran out/)
      expect(yield* remaining).toBe(4)
    })
  )

  it.live("end an extract with the data of the pages that they cover", () =>
    Effect.gen(function* () {
      const long = "A lamp of ash wood, ".repeat(12)
      const site = yield* scriptedSite(
        Object.fromEntries(paths.slice(0, 20).map((path) => [path, product(`Lamp ${path} ${long}`, "10.00")]))
      )
      const { ended, post, remaining } = yield* planned(12, site.port)
      const schema = { type: "object", properties: { lamps: { type: "array", items: lampSchema } } }
      const extract = yield* post("/v2/extract", { urls: paths.slice(0, 20).map((path) => origin + path), schema })
      const end = yield* ended(`/v2/extract/${extract.body.id}`)

      expect(end.status).toBe("completed")
      expect(end.warning).toMatch(/^the credits of the team ran out/)
      expect(end.data.lamps.length).toBeGreaterThan(0)
      expect(end.creditsUsed).toBeLessThanOrEqual(12)
      expect(yield* remaining).toBe(12 - end.creditsUsed)
    })
  )

  it.live("are not needed for the free runs of a day; the run after them fails without any", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/lamp": product("Ash lamp", "140.00") })
      const { ended, post, remaining } = yield* planned(0, site.port)
      const run = () =>
        post("/v2/agent", { prompt: "the price of the lamp", urls: [`${origin}/lamp`], schema: lampSchema })
      const runs = yield* Effect.forEach([1, 2, 3, 4, 5, 6], run)
      const ends = yield* Effect.forEach(runs.slice(0, 5), ({ body }) => ended(`/v2/agent/${body.id}`))

      expect(runs.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 402])
      expect(ends.map(({ status }) => status)).toEqual(Array(5).fill("completed"))
      expect(yield* remaining).toBe(0)
    })
  )
})
