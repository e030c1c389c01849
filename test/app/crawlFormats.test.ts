import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { filesOf } from "../connectors/parquet/lake.ts"
import { page } from "../service/scriptedSite.ts"
import { millrace, query, withSite, write } from "./millrace.ts"

/** A page of a product, said as shops say it. */
const product = (name: string, price: number, ...sellers: ReadonlyArray<string>): string => {
  const offers = sellers.map((seller, at) => ({ "@type": "Offer", seller, offerPrice: price + at }))
  const said = { "@type": "Product", name, price, releaseDate: "2026-01-31", offers }
  return page(name).replace("</head>", `<script type="application/ld+json">${JSON.stringify(said)}</script></head>`)
}

const shop = {
  "/": page("home", "/kettle", "/pan", "/debt"),
  "/kettle": product("Kettle", 12.5, "Anna", "Ben"),
  "/pan": product("Pan", 40),
  "/debt": product("Debt", -1)
}

const pipeline = (...more: ReadonlyArray<string>): ReadonlyArray<string> => [
  "source:",
  "  type: crawl",
  "  url: http://site.test/",
  "  scrapeOptions:",
  "    formats:",
  "      - markdown",
  "      - type: json",
  "        schema:",
  "          type: object",
  "          additionalProperties: false",
  "          properties:",
  "            price: { type: number, multipleOf: 0.01, minimum: 0 }",
  "            releaseDate: { type: string, format: date }",
  "            offers:",
  "              type: array",
  "              items:",
  "                type: object",
  "                additionalProperties: false",
  "                properties: { seller: { type: string }, offerPrice: { type: number } }",
  "sinks:",
  "  db: { type: duckdb, path: ./out.duckdb }",
  "  lake: { type: parquet, path: ./lake }",
  ...more
]

/** What a query on the newest files of a table in the lake gives. */
const inLake = async (folder: string, table: string, sql: string) => {
  const files = await Effect.runPromise(filesOf(join(folder, "lake"), table))
  const paths = files.map(({ path }) => `'${join(folder, "lake", path)}'`)
  return query(":memory:", sql.replace(table, `read_parquet([${paths.join()}])`))
}

describe("a crawl with formats", () => {
  it("loads the format json as typed columns, into DuckDB and Parquet, and rejects what does not fit", () =>
    withSite(shop, async ({ folder, resolve }) => {
      const file = write(folder, "shop.yaml", ...pipeline())

      const { code, stdout, stderr } = await millrace(folder, "run", file, "--json", "--resolve", resolve)

      expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" })
      expect(JSON.parse(stdout)).toMatchObject({
        rows: { pages: 3 },
        rejects: 1,
        accounting: { discovered: 4, loaded: 3, rejected: 1 }
      })
      const sql =
        "SELECT json.price + 1 AS more, json.release_date + 1 AS later, json.offers, typeof(json) AS type FROM pages ORDER BY url"
      const type = "STRUCT(price DECIMAL(18,2), release_date DATE, offers STRUCT(seller VARCHAR, offer_price DOUBLE)[])"
      const offers = [
        { seller: "Anna", offer_price: 12.5 },
        { seller: "Ben", offer_price: 13.5 }
      ]
      const loaded = [
        { more: null, later: null, offers: null, type },
        { more: "13.50", later: "2026-02-01", offers, type },
        { more: "41.00", later: "2026-02-01", offers: null, type }
      ]
      expect(await query(join(folder, "out.duckdb"), sql)).toEqual(loaded)
      expect(await inLake(folder, "pages", sql)).toEqual(loaded)
      expect(
        await query(
          join(folder, "out.duckdb"),
          "SELECT table_name, reason, path, raw->>'$.metadata.url' AS url FROM pages__rejects"
        )
      ).toEqual([
        {
          table_name: "pages",
          reason: "its json does not fit the schema: must be >= 0: -1",
          path: "/json/price",
          url: "http://site.test/debt"
        }
      ])
    }))

  it("loads a rejected page once the schema is mended, without asking for it again", () =>
    withSite(shop, async ({ folder, resolve, site }) => {
      const file = write(folder, "shop.yaml", ...pipeline())
      await millrace(folder, "run", file, "--resolve", resolve)
      const asked = site.requests.length
      const mended = readFileSync(join(folder, file), "utf8").replace(", minimum: 0", "")
      writeFileSync(join(folder, file), mended)

      const { code, stdout } = await millrace(folder, "rejects", "replay", file, "--sink", "db", "--json")

      expect(code).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({ tried: 1, resolved: 1 })
      expect(site.requests).toHaveLength(asked)
      expect(await query(join(folder, "out.duckdb"), "SELECT json.price FROM pages WHERE url LIKE '%/debt'")).toEqual([
        { price: "-1.00" }
      ])
    }))

  it("makes tables of the lists in a json with `nested: tables`", () =>
    withSite(shop, async ({ folder, resolve }) => {
      const file = write(folder, "shop.yaml", ...pipeline("table: { nested: tables }"))

      const { code } = await millrace(folder, "run", file, "--resolve", resolve)
      await millrace(folder, "run", file, "--resolve", resolve)

      expect(code).toBe(0)
      const children = "SELECT _parent_url, _index, seller, offer_price FROM pages__json__offers ORDER BY _index"
      const offers = [
        { _parent_url: "http://site.test/kettle", _index: "0", seller: "Anna", offer_price: 12.5 },
        { _parent_url: "http://site.test/kettle", _index: "1", seller: "Ben", offer_price: 13.5 }
      ]
      expect(await query(join(folder, "out.duckdb"), children)).toEqual(offers)
      // Parquet appends: each of the two runs has its own.
      expect(await inLake(folder, "pages__json__offers", children.replace("SELECT", "SELECT DISTINCT"))).toEqual(offers)
      expect(
        await query(
          join(folder, "out.duckdb"),
          "SELECT json.price, json.offers__count AS offers FROM pages WHERE json IS NOT NULL ORDER BY url"
        )
      ).toEqual([
        { price: "12.50", offers: "2" },
        { price: "40.00", offers: null }
      ])
    }))

  it("keeps a version of each json in a history, though nothing else of the page changes", () => {
    const routes: Record<string, string> = { ...shop }
    return withSite(routes, async ({ folder, resolve }) => {
      const lines = pipeline().filter((line) => !line.includes("- markdown") && !line.includes("lake:"))
      const file = write(folder, "shop.yaml", ...lines.map((line) => line.replace("duckdb, ", "duckdb, write: scd2, ")))
      await millrace(folder, "run", file, "--resolve", resolve)
      routes["/kettle"] = product("Kettle", 11, "Anna")

      const { code } = await millrace(folder, "run", file, "--resolve", resolve)

      expect(code).toBe(0)
      expect(
        await query(
          join(folder, "out.duckdb"),
          "SELECT json.price, len(json.offers) AS offers FROM pages WHERE url LIKE '%/kettle' ORDER BY _fetched_at"
        )
      ).toEqual([
        { price: "12.50", offers: "2" },
        { price: "11.00", offers: "1" }
      ])
    })
  })

  it("says before it asks that a schema cannot be used", () =>
    withSite(shop, async ({ folder, resolve, site }) => {
      const file = write(
        folder,
        "shop.yaml",
        ...pipeline().map((line) => line.replace("type: number, m", "type: numbr, m"))
      )

      const { code, stderr } = await millrace(folder, "run", file, "--resolve", resolve)

      expect(code).toBe(1)
      expect(stderr).toContain("the JSON Schema cannot be used: ")
      expect(stderr).toContain("correct the schema of the format json in scrapeOptions.formats")
      expect(site.requests).toEqual([])
    }))
})
