import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { crawl } from "../../../connectors/webdata/index.ts"
import type { Answer } from "../../../src/pipeline/Answer.ts"
import * as Column from "../../../src/pipeline/Column.ts"
import { misfit } from "../../../src/pipeline/misfit.ts"
import * as Source from "../../../src/pipeline/Source.ts"
import * as SourceSuite from "../../../src/testing/SourceSuite.ts"
import { type Reply, scriptedService, statusAnswer } from "../../client/scriptedService.ts"
import { embedded, origin } from "../../service/crawlSite.ts"
import { scriptedSite } from "../../service/scriptedSite.ts"

const url = `${origin}/`
const address = (path: string) => ({ url: `${origin}${path}`, sourceURL: `${origin}${path}` })

/** A document as a service gives it. */
const documentOf = (path: string, more: object = {}) => ({
  ...more,
  metadata: { ...address(path), statusCode: 200, scrapeId: `scrape of ${path}` }
})

/** A service with a crawl of these documents, two an answer. */
const serviceOf = (documents: ReadonlyArray<unknown>) =>
  scriptedService((what): Reply => {
    if (what.startsWith("POST")) return { status: 200, body: { success: true, id: "1", url: "http://service.test/" } }
    if (what.startsWith("DELETE")) return { status: 200, body: { status: "cancelled" } }
    if (what.endsWith("/errors")) return { status: 200, body: { errors: [], robotsBlocked: [`${origin}/private`] } }
    const skip = Number(/skip=(\d+)/.exec(what)?.[1])
    const data = documents.slice(skip, skip + 2)
    const total = documents.length
    const next = skip + 2 < total ? { next: "http://service.test/" } : {}
    return { status: 200, body: statusAnswer({ total, completed: total, data, ...next }) }
  })

type ScrapeOptions = NonNullable<Parameters<typeof crawl.with>[0]["scrapeOptions"]>
const sourceOf = (scrapeOptions: ScrapeOptions) => crawl.with({ url, scrapeOptions })

const elementsOf = Effect.fnUntraced(function* (scrapeOptions: ScrapeOptions, documents: ReadonlyArray<unknown>) {
  const { layer } = serviceOf(documents)
  return [...(yield* Effect.provide(Stream.runCollect(Source.read(sourceOf(scrapeOptions))), layer))]
})

/** The rows of pages, each of them one of its table. */
const pagesOf = (elements: ReadonlyArray<Source.Element<unknown>>) =>
  elements.flatMap((element) => {
    if (element._tag !== "Batch" || element.table.name !== "pages") return []
    for (const row of element.rows) expect(misfit(element.table, row)).toBeUndefined()
    return element.rows
  })

const rejectsOf = (elements: ReadonlyArray<Source.Element<unknown>>) =>
  elements.filter((element) => element._tag === "Reject")

/** The columns that the options add to those that are always there, as SQL. */
const columnsOf = (scrapeOptions: ScrapeOptions) => {
  const columns = (options: ScrapeOptions) => sourceOf(options).tables[0].columns
  const always = new Set(columns({}).map(({ name }) => name))
  return columns(scrapeOptions)
    .filter(({ name }) => !always.has(name))
    .map(({ name, type }) => `${name} ${Column.toSql(type)}`)
}

const product = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string" },
    price: { type: "number", multipleOf: 0.01, minimum: 0 },
    inStock: { type: "boolean" },
    since: { type: "string", format: "date" },
    offers: { type: "array", items: { type: "object", properties: { seller: { type: "string" } } } }
  }
}
const typed: ScrapeOptions = { formats: ["markdown", { type: "json", schema: product }] }

describe("the columns of pages", () => {
  it("are those of the formats that are asked for, and a warning always", () => {
    const selectors = [{ selector: "a", attribute: "href" }]

    expect(columnsOf({ formats: ["markdown", "html", "rawHtml", "links"] })).toEqual([])
    expect(sourceOf({}).tables[0].columns).toContainEqual({
      name: "warning",
      type: { _tag: "VARCHAR" },
      nullable: true
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
    expect(columnsOf({ formats: [{ type: "json", prompt: "the price" }] })).toEqual(["json JSON"])
    expect(columnsOf(typed)).toEqual([
      'json STRUCT("name" VARCHAR, "price" DECIMAL(18, 2), "in_stock" BOOLEAN, "since" DATE, "offers" STRUCT("seller" VARCHAR)[])',
      "json_other JSON"
    ])
    const closed = { type: "object", properties: { n: { type: "integer" } }, additionalProperties: false }
    expect(columnsOf({ formats: [{ type: "json", schema: closed }] })).toEqual(['json STRUCT("n" BIGINT)'])
    const list = { type: "array", items: closed }
    expect(columnsOf({ formats: [{ type: "json", schema: list }] })).toEqual(['json STRUCT("n" BIGINT)[]'])
  })

  it("tell a changed page by its content, and not by what differs each time", () => {
    const { tables } = sourceOf({ formats: ["summary", "screenshot", "changeTracking", { type: "json", prompt: "x" }] })

    expect(tables[0].fingerprint).toEqual(["title", "description", "markdown", "html", "raw_html", "json", "summary"])
  })

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
          json: { name: "Kettle", price: "12.50", since: "2026-01-31" }
        })
        expect(page?.["summary"]).toContain("kettle")
      })
    )
  )
})

describe("a json with a schema", () => {
  it.effect("is typed cells, and what the schema does not name beside them", () =>
    Effect.gen(function* () {
      const json = { name: "Kettle", price: 12.5, inStock: true, offers: [{ seller: "a", stars: 5 }], colour: "red" }
      const [page] = pagesOf(yield* elementsOf(typed, [documentOf("/", { json })]))

      expect(page?.["json"]).toEqual({ name: "Kettle", price: "12.50", in_stock: true, offers: [{ seller: "a" }] })
      expect(page?.["json_other"]).toEqual({ colour: "red", offers: { 0: { stars: 5 } } })
    })
  )

  it.effect("is null where nothing was found, and lacks what was not found", () =>
    Effect.gen(function* () {
      const elements = yield* elementsOf(typed, [
        documentOf("/null", { json: null }),
        documentOf("/absent"),
        documentOf("/nulls", { json: { name: null, price: null, offers: null } }),
        documentOf("/some", { json: { name: "Kettle", price: null, offers: [{ seller: null }] } })
      ])

      expect(rejectsOf(elements)).toEqual([])
      expect(pagesOf(elements).map(({ json }) => json)).toEqual([null, null, null, { name: "Kettle", offers: [{}] }])
    })
  )

  it.effect("keeps a null that the schema knows, and takes a list of rows as a list", () =>
    Effect.gen(function* () {
      const items = { type: "object", required: ["n"], properties: { n: { type: ["integer", "null"] } } }
      const list: ScrapeOptions = { formats: [{ type: "json", schema: { type: "array", items } }] }
      const pages = pagesOf(yield* elementsOf(list, [documentOf("/", { json: [{ n: 1 }, { n: null }] })]))

      expect(pages.map(({ json }) => json)).toEqual([[{ n: 1 }, { n: null }]])
    })
  )

  it.effect("is asked for only where its schema can be used: nothing is paid for", () =>
    Effect.gen(function* () {
      const { asked, layer } = serviceOf([documentOf("/")])
      const source = sourceOf({ formats: [{ type: "json", schema: { type: "text" } }] })
      const error = yield* Effect.flip(Effect.provide(Stream.runCollect(Source.read(source)), layer))

      expect(error.message).toMatch(/^the JSON Schema cannot be used: .*; mend the schema of the format json in scrape/)
      expect(error.retryable).toBe(false)
      expect(asked).toEqual([])
    })
  )
})

describe("what is no row", () => {
  const cheap = documentOf("/cheap", { markdown: "cheap", json: { name: "Kettle", price: -1 }, links: [`${origin}/a`] })
  const odd = { markdown: 5, metadata: address("/odd") }
  const nameless = documentOf("/nameless", { json: { name: null, price: 3 } })
  const all = [documentOf("/", { json: { name: "Pan" } }), cheap, odd, nameless, "no document"]
  const options: ScrapeOptions = { formats: ["markdown", "links", { type: "json", schema: product }] }

  it.effect("is a reject with its reason, its place and its document, beside the rows that are", () =>
    Effect.gen(function* () {
      const elements = yield* elementsOf(options, all)
      const rejects = rejectsOf(elements)

      expect(pagesOf(elements).map(({ url }) => url)).toEqual([`${origin}/`])
      expect(rejects.map(({ reason, path, raw, table }) => ({ reason, path, raw, table: table.name }))).toMatchObject([
        {
          reason: "its json does not fit the schema: must be >= 0: -1",
          path: "/json/price",
          raw: cheap,
          table: "pages"
        },
        { reason: expect.stringMatching(/^it is no page document: Expected string/), path: "/markdown", raw: odd },
        { reason: "its json does not fit the schema: must be string: null", path: "/json/name", raw: nameless },
        { reason: "it is no page document: Expected PageDocument", path: "", raw: "no document" }
      ])
      // Neither have their links come without them, nor are they taken for gone.
      expect(elements.some((element) => element._tag === "Batch" && element.table.name === "page_links")).toBe(false)
      const known = elements.flatMap((element) => (element._tag === "Unlearned" ? element.keys : []))
      expect(known).toEqual(["/cheap", "/odd", "/nameless", "/private"].map((path) => ({ url: `${origin}${path}` })))
    })
  )

  it.effect("parses again to the same, from an answer that says it alone", () =>
    Effect.gen(function* () {
      for (const reject of rejectsOf(yield* elementsOf(options, all))) {
        const answer: Answer = JSON.parse(JSON.stringify(reject.answer))
        const again = yield* sourceOf(options).parse(answer)

        expect(again.filter(({ _tag }) => _tag === "Batch")).toEqual([])
        expect(rejectsOf(again)).toEqual([reject])
      }
    })
  )

  it.effect("is a row with its links once the schema lets it be", () =>
    Effect.gen(function* () {
      const [reject] = rejectsOf(yield* elementsOf(options, all))
      const lenient = sourceOf({ formats: ["links", { type: "json", schema: { type: "object", required: ["name"] } }] })
      const again = reject?.answer === undefined ? [] : yield* lenient.parse(reject.answer)

      expect(again.map((element) => (element._tag === "Batch" ? element.table.name : element._tag))).toEqual([
        "pages",
        "page_links",
        "Progress"
      ])
    })
  )
})

describe("asking", () => {
  const all = Array.from({ length: 5 }, (_, at) => documentOf(`/${at}`, { json: { name: `${at}` } }))
  const ask = (after: Option.Option<unknown>) =>
    Stream.runCollect(sourceOf(typed).ask({ start: Option.none(), after, key: "k", limits: {} }))
  const told = (answers: Iterable<Answer>) => [...answers].map(({ kind, text, cursor }) => ({ kind, text, cursor }))

  it.effect("goes on behind each answer, and neither asks nor pays twice", () =>
    Effect.gen(function* () {
      const first = serviceOf(all)
      const whole = [...(yield* Effect.provide(ask(Option.none()), first.layer))]
      const requests = first.asked.map(({ what }) => what)
      expect(whole.map(({ kind }) => kind)).toEqual(["started", "pages", "pages", "pages", "errors"])
      expect(requests).toHaveLength(whole.length)

      for (const [at, { cursor }] of whole.entries()) {
        const other = serviceOf(all)
        // As it comes back from the journal, in another process.
        const rest = yield* Effect.provide(ask(Option.some(JSON.parse(JSON.stringify(cursor)))), other.layer)

        expect(told([...whole.slice(0, at + 1), ...rest])).toEqual(told(whole))
        expect(other.asked.map(({ what }) => what)).toEqual(requests.slice(at + 1))
      }
    })
  )

  it.effect("refuses a cursor that is not its own", () =>
    Effect.gen(function* () {
      const { asked, layer } = serviceOf(all)

      expect(Exit.isFailure(yield* Effect.exit(Effect.provide(ask(Option.some({ page: 2 })), layer)))).toBe(true)
      expect(asked).toEqual([])
    })
  )
})

describe("the crawl source keeps the laws of a source", () => {
  const all = Array.from({ length: 5 }, (_, at) => documentOf(`/${at}`, { json: { name: `${at}` } }))
  const subject: SourceSuite.Subject<Layered> = {
    reader: Effect.sync(() => sourceOf(typed)),
    layer: serviceOf(all).layer
  }
  // A crawl has one checkpoint, at its end: what resumes between two has nothing to try.
  const laws = SourceSuite.laws.filter(({ sentence }) => !/then from it|failing after/.test(sentence))
  for (const law of laws) it.effect(law.sentence, () => SourceSuite.check(law, subject))
})

type Layered = ReturnType<typeof sourceOf> extends Source.Reader<infer R> ? R : never
