/** The example pipelines that extract, run as they are shipped on the demo site, held against what the site says of itself. */
import { copyFileSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Server from "#site/Server"
import * as Site from "#site/Site"
import { inFolder, millrace, query, start, write } from "../app/millrace.ts"
import { endEvent, pageEvent, post } from "../engine/inbox/sending.ts"
import { isEveryCase } from "../thoroughness.ts"

const site = Site.make({ seed: 1, revision: 1 })

/** What the site's pages say of themselves, those that have such a fact. */
const factsOf = (name: string) =>
  [...site.truth.pages.values()].flatMap(({ facts }) => (facts[name] === undefined ? [] : [facts]))

/** Runs an example of ours in a folder of its own. */
const withExample = (
  name: string,
  use: (ran: {
    readonly folder: string
    readonly stdout: string
    readonly again: () => Promise<string>
  }) => Promise<void>
): Promise<void> =>
  inFolder((folder) =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const { url } = yield* Server.serve(site, { host: "127.0.0.1", port: 0, slowness: 1 })
          copyFileSync(resolve(import.meta.dirname, "../../pipelines", name), join(folder, name))
          const run = async () => {
            const ended = await millrace(folder, "run", name, "--resolve", `northmere.example=${new URL(url).host}`)
            expect([ended.code, ended.stderr.split("\n").filter((line) => !/^$|, \d+\.\d s$/.test(line))]).toEqual([
              0,
              []
            ])
            return ended.stdout
          }
          yield* Effect.promise(async () => use({ folder, stdout: await run(), again: run }))
        })
      )
    )
  )

describe("the example extract-products.yaml", () => {
  it("loads every product of the shop with its offers as a child table, and merges them when it is run again", () =>
    withExample("extract-products.yaml", async ({ again, folder, stdout }) => {
      const ask = (sql: string) => query(join(folder, "out/products.duckdb"), sql)
      const loaded = () =>
        ask(`SELECT article_number AS sku, product_title AS name, stars::VARCHAR AS rating, review_count::INT AS reviews,
          o.price::VARCHAR AS price, o.currency, o.in_stock
          FROM products JOIN products__offers AS o ON o._parent_article_number = article_number ORDER BY sku`)
      const expected = factsOf("sku")
        .map(({ availability, currency, name, price, rating, reviews, sku }) => ({
          sku,
          name,
          rating,
          reviews,
          price,
          currency,
          in_stock: availability === "InStock"
        }))
        .toSorted((a, b) => (String(a.sku) < String(b.sku) ? -1 : 1))

      expect(expected.length).toBeGreaterThan(100)
      expect(await loaded()).toEqual(expected)
      // The wildcard of the shop counts its pages: those of the products, and those that list them.
      const [, pages] = /discovered (\d+) = \1 read \+ 0 failed \+ 0 blocked/.exec(stdout) ?? []
      expect(Number(pages)).toBeGreaterThan(expected.length)
      expect(stdout).toContain(`required values: ${2 * expected.length} filled + 0 missing`)
      // Every value of a row has a source that says it.
      expect(
        await ask(`SELECT count(*) AS lacking FROM products WHERE NOT EXISTS (FROM products__sources AS s
          WHERE s._parent_article_number = article_number AND s.path = '/productTitle' AND s.value = product_title)`)
      ).toEqual([{ lacking: "0" }])
      expect(
        await ask("SELECT count(*) AS n FROM products__sources WHERE url NOT LIKE 'http://northmere.example/shop/%'")
      ).toEqual([{ n: "0" }])

      // In a sample the example of a monitor is run again.
      if (isEveryCase) await again()

      expect(await loaded()).toEqual(expected)
      expect(await ask("SELECT status, engine FROM products_jobs")).toEqual(
        (isEveryCase ? [1, 2] : [1]).map(() => ({ status: "completed", engine: "rules" }))
      )
    }))
})

describe("the example agent-jobs.yaml", () => {
  it("loads every open post of the board, with the run, its trace and what it wrote", () =>
    withExample("agent-jobs.yaml", async ({ folder, stdout }) => {
      const ask = (sql: string) => query(join(folder, "out/jobs.duckdb"), sql)
      const expected = factsOf("reference").map(({ closes, employer, place, salary, title }) => ({
        title,
        employer,
        place,
        salary,
        closes
      }))
      const order = (rows: ReadonlyArray<object>) => rows.map((row) => JSON.stringify(row)).toSorted()

      expect(expected.length).toBeGreaterThan(20)
      const rows = await ask("SELECT job_title AS title, employer, place, salary, closes FROM posts")
      expect(order(rows)).toEqual(order(expected))
      expect(await ask("SELECT status, outcome, engine FROM posts_runs")).toEqual([
        { status: "completed", outcome: "succeeded", engine: "rules" }
      ])
      expect(await ask("SELECT count(*) AS n FROM posts_events WHERE type = 'run.finished'")).toEqual([{ n: "1" }])
      expect(await ask("SELECT count(*) > 20 AS many, count(content) AS read FROM posts_snapshots")).toEqual([
        { many: true, read: "0" }
      ])
      expect(stdout).toContain("discovered 1 = 1 read + 0 failed + 0 blocked")
    }))
})

describe("the example monitor-events.yaml", () => {
  it("receives with the command that it names, and loads what comes", () =>
    inFolder(async (folder) => {
      const example = resolve(import.meta.dirname, "../../pipelines/monitor-events.yaml")
      copyFileSync(example, join(folder, "monitor-events.yaml"))
      write(folder, "webhook-secret", "whsec-1")
      const { ended, process } = start(
        folder,
        "receive",
        "monitor-events.yaml",
        "--port=0",
        "--secret-file=webhook-secret"
      )
      const url = await new Promise<string>((done) =>
        process.stdout?.once("data", (chunk) => done(/http:\S+/.exec(String(chunk))?.[0] ?? ""))
      )
      const loaded = new Promise<void>((done) =>
        process.stdout?.on("data", (chunk) => (String(chunk).includes("done in") ? done() : undefined))
      )
      for (const body of [pageEvent("e1"), endEvent("e2")]) await Effect.runPromise(post(url, body))
      await loaded
      process.kill("SIGTERM")
      await ended

      expect(await query(join(folder, "out/events.duckdb"), "SELECT url, status FROM page_changes")).toEqual([
        { url: "http://site.test/0", status: "changed" }
      ])
    }))
})

describe("the example monitor.yaml", () => {
  it("loads what the first check finds, and what has changed since when it is run again", () =>
    withExample("monitor.yaml", async ({ again, folder }) => {
      const ask = (sql: string) => query(join(folder, "out/changes.duckdb"), sql)
      const first = await ask("SELECT pages, new, changed, status FROM monitor_checks")
      await again()

      expect(first).toMatchObject([{ status: "completed", changed: "0" }])
      expect(Number(first[0]?.["new"])).toBeGreaterThan(20)
      expect(await ask("SELECT count(*) AS n FROM page_changes WHERE status = 'new'")).toEqual([
        { n: String(first[0]?.["new"]) }
      ])
      expect(
        await ask("SELECT count(*) AS n, sum(changed)::BIGINT AS changed, max(same) AS same FROM monitor_checks")
      ).toEqual([{ n: "2", changed: "0", same: first[0]?.["new"] }])
    }))
})
