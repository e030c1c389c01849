import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { pagesTable } from "#connectors/webdata/crawl/pagesTable"
import * as Column from "#engine/Column"
import * as Source from "#engine/Source"
import * as Pdf from "#site/Pdf"
import { embedded, origin } from "../../../service/crawlSite.ts"
import { file, page, scriptedSite } from "../../../service/scriptedSite.ts"
import { documentOf, elementsOf, pagesOf, product, type ScrapeOptions, sourceOf, typed } from "../scriptedCrawl.ts"

/** The columns that the options add to those that are always there, as SQL. */
const columnsOf = (scrapeOptions: ScrapeOptions) => {
  const columns = (options: ScrapeOptions) => sourceOf(options).tables[0].columns
  const always = new Set(columns({}).map(({ name }) => name))
  return columns(scrapeOptions)
    .filter(({ name }) => !always.has(name))
    .map(({ name, type }) => `${name} ${Column.toSql(type)}`)
}

describe("the columns of pages", () => {
  it("are those of the formats that are asked for, and a warning always", () => {
    const selectors = [{ selector: "a", attribute: "href" }]

    expect(columnsOf({ formats: ["markdown", "html", "rawHtml", "links"] })).toEqual([])
    expect(sourceOf({}).tables[0].columns).toContainEqual({
      name: "warning",
      type: { _tag: "VARCHAR" },
      nullable: true,
      description: "what the service warns of"
    })
    expect(columnsOf({ formats: ["summary", "images"] })).toEqual(["summary VARCHAR", "images VARCHAR[]"])
    expect(columnsOf({ formats: ["screenshot@fullPage"] })).toEqual(["screenshot VARCHAR"])
    expect(columnsOf({ formats: [{ type: "screenshot", quality: 80 }] })).toEqual(["screenshot VARCHAR"])
    expect(columnsOf({ formats: ["changeTracking"] })).toEqual([
      "change_status VARCHAR",
      "previous_scrape_at TIMESTAMP",
      "change_tracking JSON"
    ])
    expect(columnsOf({ formats: [{ type: "attributes", selectors }] })).toEqual([
      'attributes STRUCT("selector" VARCHAR, "attribute" VARCHAR, "values" VARCHAR[])[]'
    ])
    expect(columnsOf({ actions: [{ type: "scrape" }] })).toEqual(["actions JSON"])
    expect(columnsOf({ actions: [], parsers: ["pdf"] })).toEqual([])
    expect(columnsOf({ parsers: [{ type: "pdf", pages: true }] })).toEqual([
      'pdf_pages STRUCT("page_number" BIGINT, "markdown" VARCHAR)[]'
    ])
  })

  it("are of the type that the schema of the format json says, and JSON where it has none", () => {
    const evidence = ["json_sources JSON", "json_unsupported JSON"]
    expect(columnsOf({ formats: [{ type: "json", prompt: "the price" }] })).toEqual(["json JSON", ...evidence])
    expect(columnsOf(typed)).toEqual([
      'json STRUCT("name" VARCHAR, "price" DECIMAL(18, 2), "in_stock" BOOLEAN, "since" DATE, "offers" STRUCT("seller" VARCHAR)[])',
      "json_other JSON",
      ...evidence
    ])
    const closed = { type: "object", properties: { n: { type: "integer" } }, additionalProperties: false }
    expect(columnsOf({ formats: [{ type: "json", schema: closed }] })).toEqual(['json STRUCT("n" BIGINT)', ...evidence])
    const list = { type: "array", items: closed }
    expect(columnsOf({ formats: [{ type: "json", schema: list }] })).toEqual(['json STRUCT("n" BIGINT)[]', ...evidence])
  })

  it("tell a changed page by its content, and not by what differs each time", () => {
    const { tables } = sourceOf({ formats: ["summary", "screenshot", "changeTracking", { type: "json", prompt: "x" }] })

    expect(tables[0].fingerprint).toEqual(["title", "description", "markdown", "html", "raw_html", "json", "summary"])
  })

  it.effect("are read by a schema that is compiled once, not for each answer", () =>
    Effect.gen(function* () {
      const { reader } = pagesTable(typed)

      expect(yield* reader).toBe(yield* reader)
    })
  )

  it.effect("hold what the service answered", () =>
    Effect.gen(function* () {
      const tracked = { previousScrapeAt: "2026-11-20T04:00:00.250Z", changeStatus: "changed", visibility: "visible" }
      const results = {
        screenshots: ["data:,a"],
        scrapes: [],
        javascriptReturns: [{ type: "number", value: 1 }],
        pdfs: []
      }
      const whole = documentOf("/", {
        summary: "In short.",
        images: ["http://site.test/a.png"],
        screenshot: "data:image/png;base64,AA==",
        changeTracking: { ...tracked, json: { price: { previous: 1, current: null } } },
        attributes: [{ selector: "a", attribute: "href", values: ["/a", "/b"] }],
        actions: results,
        pages: [{ pageNumber: 1, markdown: "# One" }],
        json: { price: [1, "1"] },
        warning: "the PDF has 2 pages; the first 1 were read"
      })
      const selectors = [{ selector: "a", attribute: "href" }]
      const pages = pagesOf(
        yield* elementsOf(
          {
            formats: [
              "summary",
              "images",
              "screenshot",
              "changeTracking",
              { type: "attributes", selectors },
              { type: "json", prompt: "the price" }
            ],
            actions: [{ type: "screenshot" }],
            parsers: [{ type: "pdf", pages: true }]
          },
          [whole, documentOf("/bare")]
        )
      )

      expect(pages[0]).toMatchObject({
        summary: "In short.",
        images: ["http://site.test/a.png"],
        screenshot: "data:image/png;base64,AA==",
        change_status: "changed",
        previous_scrape_at: 1_795_147_200_250_000n,
        change_tracking: { ...tracked, json: { price: { previous: 1, current: null } } },
        attributes: [{ selector: "a", attribute: "href", values: ["/a", "/b"] }],
        actions: results,
        pdf_pages: [{ page_number: 1, markdown: "# One" }],
        json: { price: [1, "1"] },
        warning: "the PDF has 2 pages; the first 1 were read"
      })
      expect(pages[1]).toMatchObject({
        url: `${origin}/bare`,
        summary: null,
        images: null,
        screenshot: null,
        change_status: null,
        previous_scrape_at: null,
        change_tracking: null,
        attributes: null,
        actions: null,
        pdf_pages: null,
        json: null,
        warning: null
      })
    })
  )

  it.live("hold what the embedded service makes of a page", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const text = "Kettles boil water. This kettle boils a litre of water in two minutes, and it is red."
        const site = yield* scriptedSite({
          "/": `<html lang="en"><head><title>Kettle</title><script type="application/ld+json">
            {"@type":"Product","name":"Kettle","price":"12.50","since":"2026-01-31"}</script></head>
            <body><main><h1>Kettle</h1><p>${text}</p><img src="/kettle.png" alt="a kettle"></main></body></html>`
        })
        const source = sourceOf({
          formats: [
            "summary",
            "images",
            "changeTracking",
            { type: "attributes", selectors: [{ selector: "img", attribute: "alt" }] },
            { type: "json", schema: product }
          ]
        })
        const [page] = pagesOf([
          ...(yield* Effect.provide(Stream.runCollect(Source.read(source)), embedded(site.port)))
        ])

        expect(page).toMatchObject({
          images: [`${origin}/kettle.png`],
          change_status: "new",
          previous_scrape_at: null,
          change_tracking: { changeStatus: "new", visibility: "visible" },
          attributes: [{ selector: "img", attribute: "alt", values: ["a kettle"] }],
          json: { name: "Kettle", price: "12.50", since: "2026-01-31" },
          json_sources: {
            "/name": [{ url: `${origin}/`, kind: "json-ld", path: "Product/name", certainty: "high" }],
            "/price": [{ kind: "json-ld", path: "Product/price" }]
          },
          json_unsupported: null
        })
        expect(page?.["summary"]).toContain("kettle")
      })
    )
  )
})

describe("the pages of a PDF", () => {
  it.live("are a list of their page, with the warning that there are more", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const lines = Array.from({ length: 60 }, (_, at) => `Line ${at} of the plan.`)
        const site = yield* scriptedSite({
          "/": page("Start", "/plan.pdf"),
          "/plan.pdf": file("application/pdf", Pdf.make("Plan", lines))
        })
        const source = sourceOf({ parsers: [{ type: "pdf", pages: true, maxPages: 1 }] })
        const elements = yield* Effect.provide(Stream.runCollect(Source.read(source)), embedded(site.port))
        const pages = pagesOf([...elements]).map(({ pdf_pages, warning }) => ({ pdf_pages, warning }))

        expect(pages).toEqual([
          { pdf_pages: null, warning: null },
          {
            pdf_pages: [{ page_number: 1, markdown: expect.stringContaining("Line 0 of the plan.") }],
            warning: "the PDF has 2 pages; the first 1 were read"
          }
        ])
      })
    )
  )
})
