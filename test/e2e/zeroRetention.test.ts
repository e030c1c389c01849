import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { describe, expect } from "vitest"
import type { ServiceConfig } from "#service/ServiceConfig"
import { start } from "../app/millrace.ts"
import { behindPort, leasesEnd } from "../service/databases.ts"
import { receiver } from "../service/receiver.ts"
import { file, gate, scriptedSite } from "../service/scriptedSite.ts"
import { stores } from "../service/serviceParts.ts"
import { temporaryFolder } from "../temporaryFolder.ts"
import { sampleOf } from "../thoroughness.ts"
import { ask, servedProcess } from "./servedProcess.ts"

/** A word that is in every part of a request and of the site, and nowhere else. */
const canary = "quokkaburrow"

const site = Effect.gen(function* () {
  const hook = yield* receiver()
  const page = (title: string, ...links: ReadonlyArray<string>) =>
    `<html lang="en"><head><title>${canary} ${title}</title></head><body><main><h1>${canary} ${title}</h1>
    <p>The price of the ${canary} is £12.50, and this text of ${title} is long enough to be found.</p>
    ${links.map((link) => `<a href="${link}">${canary}</a>`).join(" ")}</main></body></html>`
  const served = yield* scriptedSite({
    [`/${canary}/`]: page("home", `/${canary}/a`, `/${canary}/b`, `/${canary}/gone`),
    [`/${canary}/a`]: page("a", `/${canary}/b?x=${canary}`),
    [`/${canary}/b`]: page("b"),
    [`/${canary}/gone`]: (_, response) => void response.destroy(),
    [`/${canary}/file.txt`]: file("text/plain", `a file of ${canary}`),
    [`/${canary}-hook`]: hook.answer
  })
  return { port: served.port, hook }
})

/** `millrace serve` over a data folder, what it prints, and every byte that it has written there. */
const served = Effect.fnUntraced(function* (folder: string, port: number, flags: ReadonlyArray<string>) {
  const printed: Array<string> = []
  const { process, ended } = yield* Effect.acquireRelease(
    Effect.sync(() =>
      start(
        folder,
        "serve",
        "--port=0",
        "--data=data",
        `--resolve=site.test=127.0.0.1:${port}`,
        "--allow-private",
        ...flags
      )
    ),
    ({ process }) => Effect.sync(() => void process.kill("SIGKILL"))
  )
  for (const stream of [process.stdout, process.stderr]) stream?.on("data", (chunk) => printed.push(String(chunk)))
  const url = yield* Effect.promise(
    () =>
      new Promise<string>((done, fail) => {
        process.stdout?.once("data", (chunk) => done(/http:\S+/.exec(String(chunk))?.[0] ?? ""))
        process.once("exit", (code) => fail(new Error(`the service ended with ${code}: ${printed.join("")}`)))
      })
  )
  const kill = Effect.promise(() => {
    process.kill("SIGKILL")
    return ended
  })
  return { url, kill, printed }
})

const keysFile = "plans:\n  none: { zero_data_retention: true }\nkeys:\n  - { key: fc-zero, team: zero, plan: none }\n"

const foundIn = (folder: string, printed: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(canary)),
  ...(printed.join("").includes(canary) ? ["what the process printed"] : [])
]

const post = (url: string, body: object, headers: Readonly<Record<string, string>> = {}): Effect.Effect<any> =>
  Effect.promise(async () => {
    const sent = { "content-type": "application/json", "x-own": canary, ...headers }
    const answer = await fetch(url, { method: "POST", headers: sent, body: JSON.stringify(body) })
    return { http: answer.status, ...(await answer.json()) }
  })

const get = (url: string, headers: Readonly<Record<string, string>> = {}): Effect.Effect<any> =>
  Effect.promise(async () => {
    const answer = await fetch(url, { headers })
    return { http: answer.status, ...(await answer.json()) }
  })

const ended = Effect.fnUntraced(function* (url: string, headers?: Readonly<Record<string, string>>) {
  for (;;) {
    const status = yield* get(url, headers)
    if (status.status !== "scraping" && status.status !== "processing") return status
    yield* Effect.sleep("20 millis")
  }
})

it.live("the canary of these tests is found where nobody asks for zero retention", () =>
  Effect.gen(function* () {
    const { port } = yield* site
    const folder = temporaryFolder()
    const { kill, printed, url } = yield* served(folder, port, [])
    yield* post(`${url}/v2/scrape`, { url: `http://site.test/${canary}/` })
    yield* kill

    expect(foundIn(join(folder, "data"), printed)).not.toEqual([])
  })
)

behindPort("a job with zero retention whose process is killed", (database) => {
  it.live("has failed and says why, and the store has none of its words", () =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const held = gate(`<title>${canary}</title><main><h1>${canary}</h1></main>`)
      const { port } = yield* scriptedSite({
        [`/${canary}/`]: `<title>${canary}</title><main><a href="/${canary}/held">${canary}</a></main>`,
        [`/${canary}/held`]: held.answer
      })
      const file = Redacted.isRedacted(place) ? Redacted.value(place) : place
      const killed = yield* servedProcess(port, file)
      const request = { url: `http://site.test/${canary}/`, sitemap: "skip", zeroDataRetention: true }
      const hook = { url: `http://site.test/${canary}`, headers: { "x-hook": canary }, metadata: { word: canary } }
      const { id } = yield* ask(`${killed.url}/v2/crawl`, { ...request, webhook: hook })
      yield* held.reached
      const stored = yield* storedIn(place)
      yield* killed.kill
      yield* leasesEnd(place)
      const next = yield* servedProcess(port, file)
      const status = yield* ended(`${next.url}/v2/crawl/${id}`)
      yield* held.open

      expect(stored.length).toBeGreaterThan(3)
      expect(stored.filter((row) => row.includes(canary))).toEqual([])
      expect(status).toMatchObject({ status: "failed", data: [], error: expect.stringContaining("restarted") })
      expect((yield* storedIn(place)).filter((row) => row.includes(canary))).toEqual([])
    })
  )
})

/** Every row of every table, as text. */
const storedIn = Effect.fnUntraced(
  function* (_place: ServiceConfig["database"]) {
    const sql = yield* SqlClient.SqlClient
    const tables = yield* sql.onDialectOrElse({
      pg: () => sql<{ name: string }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
      orElse: () => sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'table'`
    })
    const rows = yield* Effect.forEach(tables, ({ name }) => sql`SELECT * FROM ${sql(name)}`)
    return rows.flat().map((row) => JSON.stringify(row))
  },
  (read, place) => Effect.provide(read, stores(place))
)

describe.each(
  sampleOf(
    [
      ["of a request that asks for it", [], {}, { zeroDataRetention: true }],
      ["of a team that has it", ["--keys=keys.yaml"], { authorization: "Bearer fc-zero" }, {}]
    ] as const,
    1,
    ([name]) => name
  )
)("zero data retention, %s", (_, flags, headers, asking) => {
  it.live("leaves nothing of what was asked and read in any file or in the log, and tells it once", () =>
    Effect.gen(function* () {
      const { hook, port } = yield* site
      const folder = temporaryFolder()
      writeFileSync(join(folder, "keys.yaml"), keysFile)
      const { kill, printed, url } = yield* served(folder, port, flags)
      const home = `http://site.test/${canary}/`
      const scraping = { formats: ["markdown", "links", "rawHtml"], headers: { "x-secret": canary }, maxAge: 100_000 }
      const data = join(folder, "data")

      const scraped = yield* post(`${url}/v2/scrape`, { url: home, ...scraping, ...asking }, headers)
      const again = yield* get(`${url}/v2/scrape/${scraped.data.metadata.scrapeId}`, headers)
      const schema = { type: "object", properties: { price: { type: "number" }, [canary]: { type: "string" } } }
      const json = { type: "json", schema, prompt: `the price of the ${canary}` }
      const filled = yield* post(`${url}/v2/scrape`, { url: home, formats: [json], ...asking }, headers)
      const tracked = yield* post(
        `${url}/v2/scrape`,
        { url: home, formats: ["markdown", "changeTracking"], ...asking },
        headers
      )
      const crawl = yield* post(
        `${url}/v2/crawl`,
        {
          url: home,
          scrapeOptions: scraping,
          sitemap: "skip",
          webhook: {
            url: `http://site.test/${canary}-hook`,
            headers: { "x-hook": canary },
            metadata: { word: canary }
          },
          ...asking
        },
        { ...headers, "x-idempotency-key": canary }
      )
      const batch = yield* post(
        `${url}/v2/batch/scrape`,
        { urls: [home, `${home}gone`], ...scraping, formats: [json], ...asking },
        headers
      )
      const map = yield* post(`${url}/v2/map`, { url: home, search: canary, ...asking }, headers)
      const search = yield* post(`${url}/v2/search`, { query: canary, scrapeOptions: scraping, ...asking }, headers)
      // In a request the field has no effect on these, and the answer says so (`retention.test.ts`).
      const refused =
        "zeroDataRetention" in asking
          ? []
          : [
              yield* post(`${url}/v2/extract`, { urls: [home], prompt: canary, schema, ...asking }, headers),
              yield* post(`${url}/v2/agent`, { prompt: canary, urls: [home], ...asking }, headers),
              yield* post(
                `${url}/v2/monitor`,
                {
                  name: canary,
                  schedule: { cron: "0 * * * *", timezone: "UTC" },
                  targets: [{ type: "scrape", urls: [home] }],
                  ...asking
                },
                headers
              )
            ]
      const crawled = yield* ended(`${url}/v2/crawl/${crawl.id}`, headers)
      const batched = yield* ended(`${url}/v2/batch/scrape/${batch.id}`, headers)
      const errors = yield* get(`${url}/v2/crawl/${crawl.id}/errors`, headers)
      const events = yield* hook.untilEnd
      const reread = yield* get(`${url}/v2/crawl/${crawl.id}`, headers)
      const here = foundIn(data, printed)
      yield* kill
      const next = yield* served(folder, port, flags)
      const later = yield* get(`${next.url}/v2/crawl/${crawl.id}`, headers)

      expect(scraped.data.markdown).toContain(canary)
      expect(again.http).toBe(404)
      expect(filled.data.json.price).toBe(12.5)
      expect([tracked.http, tracked.error]).toEqual([400, expect.stringContaining("changeTracking")])
      expect(crawled).toMatchObject({ status: "completed", completed: 4 })
      expect(crawled.data.every((page: any) => page.markdown.includes(canary))).toBe(true)
      expect(batched).toMatchObject({ status: "completed", completed: 1 })
      expect(errors.errors).toMatchObject([{ url: `${home}gone` }])
      expect(map.links.length).toBeGreaterThan(0)
      expect(search.data.web).toEqual([])
      expect(refused.map(({ http }) => http)).toEqual("zeroDataRetention" in asking ? [] : [400, 400, 400])
      expect(String(events.map(({ body }) => body.toString()))).toContain(canary)
      expect([reread.data, reread.creditsUsed]).toEqual([[], 4])
      expect(reread.warning).toMatch(/zero data retention/)
      expect(here).toEqual([])
      expect(later).toMatchObject({ status: "completed", completed: 4, data: [] })
      expect(foundIn(data, [...printed, ...next.printed])).toEqual([])
    })
  )
})
