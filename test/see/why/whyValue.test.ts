import { expect, it } from "vitest"
import type { WhyModel } from "#see/why/WhyModel"
import { millrace, withSite, write } from "../../app/millrace.ts"
import { sampleOf } from "../../thoroughness.ts"

const product = (sku: string, name: string, price: string) =>
  `<html><head><title>${name}</title><script type="application/ld+json">${JSON.stringify({
    "@context": "https://schema.org",
    "@type": "Product",
    sku,
    name,
    offers: { "@type": "Offer", price, priceCurrency: "EUR" }
  })}</script></head><body><main><h1>${name}</h1><p>It is made of ash, and it lasts.</p></main></body></html>`

const pipeline = (sinks: string): ReadonlyArray<string> => [
  "source:",
  "  type: extract",
  '  urls: ["http://site.test/a", "http://site.test/b"]',
  "  schema:",
  "    type: object",
  "    properties:",
  "      products:",
  "        type: array",
  "        items:",
  "          type: object",
  "          properties:",
  '            articleNumber: { type: string, description: "the SKU" }',
  '            productTitle: { type: string, description: "name of the product" }',
  "            offers:",
  "              type: array",
  "              items: { type: object, properties: { price: { type: number }, currency: { type: string } } }",
  "table: { name: products, key: article_number }",
  sinks
]

const routes = () => ({
  "/a": product("LA-1", "Ash desk lamp", "140.00"),
  "/b": product("LA-2", "Oak stool", "60.00")
})

const modelOf = async (folder: string, ...args: ReadonlyArray<string>): Promise<WhyModel> => {
  const { code, stderr, stdout } = await millrace(folder, "why", "shop.yaml", ...args, "--json")
  expect([code, stderr]).toEqual([0, ""])
  return JSON.parse(stdout)
}

for (const [kind, sinks] of sampleOf(
  [
    ["a DuckDB file", "sinks: { db: { type: duckdb, path: ./out.duckdb } }"],
    ["a lake", "sinks: { lake: { type: parquet, path: ./lake } }"]
  ] as const,
  1,
  ([kind]) => kind
)) {
  it(`why says which page has a value of ${kind}, where on it, by which engine and in which run`, () =>
    withSite(routes(), async ({ folder, resolve }) => {
      write(folder, "shop.yaml", ...pipeline(sinks))
      await millrace(folder, "run", "shop.yaml", "--resolve", resolve)
      // A lake has the rows of both runs: the last one counts.
      const run = await millrace(folder, "run", "shop.yaml", "--resolve", resolve, "--full-refresh", "--json")
      const title = await modelOf(folder, "products", "LA-1", "product_title", "--fetch", "--resolve", resolve)
      const price = await modelOf(folder, "products__offers", "_parent_article_number=LA-2,_index=0", "price")
      const url = await modelOf(folder, "products", '{"article_number":"LA-1"}', "_fetched_at")

      expect(run.code).toBe(0)
      const place = title.evidence.find(({ kind }) => kind === "json-ld")
      expect(title).toMatchObject({
        value: "Ash desk lamp",
        key: { article_number: "LA-1" },
        row: {
          url: "http://site.test/a",
          run_id: kind === "a lake" ? JSON.parse(run.stdout).run_id : expect.any(String)
        },
        run: { status: "done" },
        engine: { name: "rules", model: null }
      })
      expect(place).toMatchObject({ url: "http://site.test/a", place: "Product/name", value: "Ash desk lamp" })
      expect(place?.context).toMatchObject({
        marked: '"Ash desk lamp"',
        before: expect.stringMatching(/"name":$/),
        matches: true,
        source: "the page as it is now"
      })
      const [from = 0, to = 0] = place?.span ?? []
      expect(routes()["/a"].slice(from, to)).toBe('"Ash desk lamp"')
      expect(price.evidence.map(({ place, url }) => [url, place])).toEqual([
        ["http://site.test/b", "Product/offers/price"]
      ])
      expect(price.notes).toEqual([expect.stringContaining("read again (--fetch)")])
      expect([url.evidence, url.notes]).toEqual([[], [expect.stringContaining("no page is recorded for this value")]])
    }))
}

it("why says so when a page has changed since its value was read", () => {
  const pages: Record<string, string> = routes()
  return withSite(pages, async ({ folder, resolve }) => {
    write(folder, "shop.yaml", ...pipeline("sinks: { db: { type: duckdb, path: ./out.duckdb } }"))
    await millrace(folder, "run", "shop.yaml", "--resolve", resolve)
    pages["/a"] = product("LA-1", "A lamp of another name altogether", "1.00")
    const args = ["shop.yaml", "products", "LA-1", "product_title", "--fetch", "--resolve", resolve]
    const { code, stdout } = await millrace(folder, "why", ...args)

    expect(code).toBe(0)
    expect(stdout).toContain("the page as it is now: this place does not have the value (any more)")
  })
})

it("why names what is like a table, a column or a key that is not there", () =>
  withSite(routes(), async ({ folder, resolve }) => {
    write(folder, "shop.yaml", ...pipeline("sinks: { db: { type: duckdb, path: ./out.duckdb } }"))
    const before = await millrace(folder, "why", "shop.yaml", "products", "LA-1", "product_title")
    await millrace(folder, "run", "shop.yaml", "--resolve", resolve)
    const ask = async (...args: ReadonlyArray<string>) => {
      const { code, stderr } = await millrace(folder, "why", "shop.yaml", ...args)
      return [code, stderr.trim()]
    }

    expect([before.code, before.stderr]).toEqual([1, expect.stringContaining("run the pipeline first")])
    expect(await ask("product", "LA-1", "product_title")).toEqual([
      2,
      expect.stringContaining("did you mean products?")
    ])
    expect(await ask("products", "LA-1", "product_titel")).toEqual([
      2,
      expect.stringContaining("did you mean product_title?")
    ])
    expect(await ask("products", "LA-3", "product_title")).toEqual([2, expect.stringContaining("did you mean LA-1?")])
    expect(await ask("products__offers", "LA-1", "price")).toEqual([
      2,
      expect.stringMatching(/the key lacks _parent_article_number: write _parent_article_number=\.\.\.,_index=\.\.\./)
    ])
    expect(await ask("products", "LA-1", "product_title", "--sink", "dv")).toEqual([
      2,
      expect.stringContaining("did you mean db?")
    ])
  }))

it("why says what is known of a table that keeps no places", () =>
  withSite({ "/": "<title>Home</title><main><p>It is a page.</p></main>" }, async ({ folder, resolve }) => {
    write(
      folder,
      "shop.yaml",
      "source: { type: crawl, url: http://site.test/ }",
      "sinks: { db: { type: duckdb, path: ./out.duckdb, write: scd2 } }"
    )
    await millrace(folder, "run", "shop.yaml", "--resolve", resolve)
    const title = await modelOf(folder, "pages", "http://site.test/", "title")

    expect(title).toMatchObject({
      value: "Home",
      evidence: [],
      row: { url: "http://site.test/" },
      reading: { column: "content_version", version: expect.any(Number) },
      notes: [expect.stringContaining("does not record places of single values")]
    })
    expect(title.row.run_id).toMatch(/^\d{8}T/)
  }))

it("why says where a page of a crawl has each value of its json", () =>
  withSite(routes(), async ({ folder, resolve }) => {
    const schema = "{ type: object, properties: { sku: { type: string }, name: { type: string } } }"
    write(
      folder,
      "shop.yaml",
      "source:",
      '  { type: crawl, url: "http://site.test/a", limit: 1,',
      `    scrapeOptions: { formats: [rawHtml, { type: json, schema: ${schema} }] } }`,
      "sinks: { db: { type: duckdb, path: ./out.duckdb } }"
    )
    const run = await millrace(folder, "run", "shop.yaml", "--resolve", resolve)
    const { evidence } = await modelOf(folder, "pages", "http://site.test/a", "json")

    expect([run.code, run.stderr.includes("rejected")]).toEqual([0, false])
    expect(evidence).toMatchObject([
      { url: "http://site.test/a", place: "/sku: Product/sku", value: "LA-1", certainty: "high" },
      { place: "/name: Product/name", value: "Ash desk lamp", context: { marked: '"Ash desk lamp"', matches: true } }
    ])
  }))

it("why says of a value that is null how many others its job has found, and that the page was read and does not say it", () =>
  withSite(routes(), async ({ folder, resolve }) => {
    const lines = pipeline("sinks: { db: { type: duckdb, path: ./out.duckdb } }")
    const at = lines.findIndex((line) => line.includes("productTitle"))
    write(folder, "shop.yaml", ...lines.toSpliced(at, 0, "            warrantyMonths: { type: integer }"))
    await millrace(folder, "run", "shop.yaml", "--resolve", resolve)
    const { notes, value } = await modelOf(folder, "products", "LA-1", "warranty_months")
    const { asked } = JSON.parse((await millrace(folder, "report", "shop.yaml", "--json")).stdout)

    expect(asked).toMatchObject({ jobs: 1, lacking_jobs: 1, lacking: [{ page: "http://site.test/a" }] })
    expect(asked.sheet.fields).toContainEqual(
      expect.objectContaining({ field: "/products/*/warrantyMonths", found: 0, read_not_said: 2 })
    )
    expect(value).toBeNull()
    expect(notes).toEqual([
      "the value is null: no page that was read for this row says it",
      "its job found 0 of 2 values of warranty_months: 2 were read and not said"
    ])
  }))
