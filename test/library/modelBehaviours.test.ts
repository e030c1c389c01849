/** What models do, at the doors of a pipeline: extract, agent, a crawl with the format json, and the fields of a monitor. */
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { duckdb } from "#connectors/duckdb/index"
import { agent, crawl, extract } from "#connectors/webdata/index"
import { run, sql } from "../../src/index.ts"
import { inFolder } from "../app/millrace.ts"
import { answers, calls, type Reply, refusal, refuses, says, scriptedModel } from "../web/model/scriptedModel.ts"

const good = { name: "Ash lamp", price: 140 }
const invented = { name: "Gold lamp", price: 999, founder: "Elon Musk" }
const empty: Reply = (_, response) =>
  void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ choices: [] }))

/** By name, which is also that of the page; `most`: how often the model may be asked for that page. */
const behaviours: Readonly<Record<string, { readonly reply: Reply; readonly ofAgent?: Reply; readonly most: number }>> =
  {
    broken: { reply: refuses(500), most: 4 },
    busy: { reply: refuses(429, { "retry-after": "0" }), most: 4 },
    prose: { reply: says("I think that it is a lamp."), most: 2 },
    refusal: { reply: refusal, most: 2 },
    cut: { reply: answers({ content: '{"name":"Gold' }, "length"), most: 2 },
    empty: { reply: empty, most: 2 },
    foreign: { reply: calls(["browse", { url: "http://gold.test/" }]), most: 3 },
    loop: { reply: calls(["search", { query: "lamp" }]), most: 3 },
    fenced: { reply: says(`Here:\n\`\`\`json\n${JSON.stringify(good)}\n\`\`\``), most: 2 },
    thinking: { reply: says(`<think>It may be {gold}.</think>${JSON.stringify(good)}`), most: 2 },
    inventing: { reply: says(invented), ofAgent: calls(["finish", { data: invented }]), most: 3 },
    reading: {
      reply: says({ ...good, founder: "Elon Musk" }),
      ofAgent: (body, response) =>
        body.messages.some(({ role }: { readonly role: string }) => role === "tool")
          ? calls(["finish", { data: invented }])(body, response)
          : calls(["scrape", { url: pageIn(body) }])(body, response),
      most: 3
    },
    tool: { reply: calls(["finish", { data: invented }]), most: 3 }
  }
const names = Object.keys(behaviours)

const pageIn = (body: unknown): string => /http:\/\/127\.0\.0\.1:\d+\/b\/[a-z]+/.exec(JSON.stringify(body))?.[0] ?? ""

const schema = {
  type: "object",
  properties: { name: { type: "string" }, price: { type: "number" }, founder: { type: "string" } }
} as const

const site = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<{ readonly origin: string; readonly close: () => void }>((resolve) => {
        const server = createServer(({ url = "" }, response) => {
          const isPage = names.some((name) => url === `/b/${name}`)
          const links = names.map((name) => `<a href="/b/${name}">The page of ${name}</a>`).join(" ")
          const html = isPage
            ? `<title>Ash lamp</title><main><h1>Ash lamp</h1><p>Price: £140.00</p><p>It is made of wood in a barn.</p></main>`
            : `<title>Lamps</title><main>${links}</main>`
          const status = isPage || url === "/b/" ? 200 : 404
          response.writeHead(status, { "content-type": "text/html" }).end(status === 200 ? html : "")
        })
        server.listen(0, "127.0.0.1", () => {
          const { port } = server.address() as AddressInfo // listening on a port
          resolve({ origin: `http://127.0.0.1:${port}`, close: () => server.close() })
        })
      })
  ),
  ({ close }) => Effect.sync(close)
)

/** A site, and a model that behaves as the name of the page says; it is well as long as `isWell`. */
const setting = Effect.gen(function* () {
  const { origin } = yield* site
  const asked = new Map<string, number>()
  const state = { isWell: false }
  const model = yield* scriptedModel((body, response) => {
    const name = pageIn(body).split("/").at(-1) ?? ""
    const behaviour = behaviours[name]
    asked.set(name, (asked.get(name) ?? 0) + 1)
    const reply = body.tools === undefined ? behaviour?.reply : (behaviour?.ofAgent ?? behaviour?.reply)
    if (state.isWell || reply === undefined) says(good)(body, response)
    else reply(body, response)
  })
  const env = { ...process.env, MILLRACE_MODEL_URL: model.baseUrl.href, MILLRACE_MODEL: "small-1" }
  const options = { allowPrivate: true, journal: "temporary", env } as const
  return { asked, options, state, urls: names.map((name) => `${origin}/b/${name}`), start: `${origin}/b/` }
})

/** The names of the models that were asked more often than they may. */
const overrun = (asked: ReadonlyMap<string, number>) =>
  [...asked].filter(([name, times]) => times > (behaviours[name]?.most ?? 0))

describe("a model in a pipeline", () => {
  it.live("gives no value that no page says, and costs none that rules find: extract", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { asked, options, urls } = yield* setting
        yield* Effect.promise(() =>
          inFolder(async (folder) => {
            const db = duckdb.with({ path: join(folder, "lamps.duckdb") })
            const source = extract.with({ urls, schema, rows: "per_page", retry_missing: 0 })
            await run({ source, sinks: { db } }, options)
            const rows = await sql(db, "SELECT _source_url, name, price, founder FROM extracted ORDER BY ALL")
            const wanted = urls.toSorted().map((url) => ({ _source_url: url, ...good, founder: null }))
            const [{ failures } = { failures: 0 }] = await sql(
              db,
              "SELECT count(*)::INT AS failures FROM extract_jobs WHERE array_to_string(warnings, ' ') LIKE '%the model small-1 failed%'"
            )
            const unsure = await sql(db, "SELECT DISTINCT path FROM extracted__sources WHERE certainty IS NULL")

            expect(rows).toEqual(wanted)
            expect(failures).toBe(9)
            expect(unsure).toEqual([])
          })
        )
        expect(overrun(asked)).toEqual([])
        expect(asked.size).toBe(names.length)
      })
    )
  )

  it.live("gives no value that no page says, and costs none that rules find: agent", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { asked, options, urls } = yield* setting
        yield* Effect.promise(() =>
          inFolder(async (folder) => {
            const db = duckdb.with({ path: join(folder, "lamps.duckdb") })
            const prompt = "The lamp: its name, its price, its founder"
            const own = { urls, split: 1, prompt, schema, strictConstrainToURLs: true, retry_missing: 0 }
            await run({ source: agent.with(own), sinks: { db } }, options)
            const rows = await sql(db, "SELECT name, price, founder FROM agent_data")

            expect(rows).toEqual(urls.map(() => ({ ...good, founder: null })))
          })
        )
        expect(overrun(asked)).toEqual([])
        expect(asked.size).toBe(names.length)
      })
    )
  )

  it.live("gives no value that no page says, and costs none that rules find: a crawl with the format json", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { asked, options, start, urls } = yield* setting
        yield* Effect.promise(() =>
          inFolder(async (folder) => {
            const db = duckdb.with({ path: join(folder, "lamps.duckdb") })
            const scrapeOptions = { formats: [{ type: "json", schema } as const] }
            await run({ source: crawl.with({ url: start, scrapeOptions }), sinks: { db } }, options)
            const rows = await sql(
              db,
              `SELECT json.name AS name, json.price AS price, json.founder AS founder FROM pages WHERE url <> '${start}'`
            )

            expect(rows).toEqual(urls.map(() => ({ ...good, founder: null })))
          })
        )
        asked.delete("")
        expect(overrun(asked)).toEqual([])
      })
    )
  )

  it.live("makes no change of a page that is the same: the fields of a monitor", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { asked, options, start, state, urls } = yield* setting
        state.isWell = true
        yield* Effect.promise(() =>
          inFolder(async (folder) => {
            const db = duckdb.with({ path: join(folder, "lamps.duckdb") })
            const format = { type: "changeTracking", modes: ["json"], schema }
            const source = {
              type: "monitor",
              monitor: "lamps",
              by: "crawl",
              targets: [{ type: "crawl", url: start, crawlOptions: { scrapeOptions: { formats: [format] } } }]
            }
            const pipeline = join(folder, "lamps.yaml")
            const sinks = { db: { type: "duckdb", path: "./lamps.duckdb" } }
            writeFileSync(pipeline, JSON.stringify({ name: "lamps", source, sinks }))
            const kept = { ...options, journal: "disk" } as const
            await run(pipeline, kept)
            const before = await sql(db, "SELECT status, count(*)::INT AS n FROM page_changes GROUP BY ALL")
            state.isWell = false
            asked.clear()
            await run(pipeline, kept)
            const after = await sql(db, "SELECT status, count(*)::INT AS n FROM page_changes GROUP BY ALL")

            expect(before).toEqual([{ status: "new", n: urls.length + 1 }])
            expect(after).toEqual(before)
          })
        )
        asked.delete("")
        expect(overrun(asked)).toEqual([])
      })
    )
  )
})
