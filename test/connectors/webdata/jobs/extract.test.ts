import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { extract } from "#connectors/webdata/index"
import type { WebData } from "#contract/WebData"
import * as SourceSuite from "#testing/SourceSuite"
import { completed, factsOf, inTime, type Job, jobService, kept, readAll, rowsOf } from "../scriptedJobs.ts"

const a = "http://shop.test/a"
const b = "http://shop.test/b"
const item = {
  type: "object",
  required: ["sku", "price"],
  properties: {
    sku: { type: "string" },
    price: { type: "number", multipleOf: 0.01 },
    inStock: { type: "boolean" },
    offers: { type: "array", items: { type: "object", properties: { seller: { type: "string" } } } }
  }
}
const schema = { type: "object", properties: { products: { type: "array", items: item } } }
const pagesOf = (...urls: ReadonlyArray<string>) => urls.map((_, at) => `http://shop.test/${at}`)
const eleven = pagesOf(..."abcdefghijk")
const asked = (jobs: ReadonlyArray<Job>) => jobs.map(({ request }) => request.urls)

/** One product a page, named after it. */
const oneEach = (request: { readonly urls: ReadonlyArray<string> }) =>
  completed(
    { products: request.urls.map((url) => ({ sku: url, price: 1, inStock: null, offers: null })) },
    Object.fromEntries(request.urls.map((url, at) => [`/products/${at}/sku`, url]))
  )

describe("the tables of an extract", () => {
  it("are those of the schema: its only list is the rows, and lists in rows are child tables by nature", () => {
    const [table, sources, jobs] = extract.with({ urls: [a], schema }).tables

    expect(table.name).toBe("extracted")
    expect(table.columns.map(({ name }) => name)).toEqual([
      "sku",
      "price",
      "in_stock",
      "offers",
      "_other",
      "_row",
      "_fetched_at",
      "_source_url",
      "_job_id"
    ])
    expect([table.key, table.nested, table.mergePartialRows]).toEqual([["_job_id", "_row"], "tables", true])
    expect(sources?.name).toBe("extracted__sources")
    expect(sources?.parent).toEqual({ table: "extracted", on: { _parent_row: "_row", _parent_job_id: "_job_id" } })
    expect(jobs?.name).toBe("extract_jobs")
  })

  it("are named by the user's key, and their sources by it too", () => {
    const [table, sources] = extract.with({ urls: [a], schema }).keyed?.(["sku"]).tables ?? []

    expect(table?.columns.some(({ name }) => name === "_row")).toBe(false)
    expect(table?.columns[0]).toEqual({ name: "sku", type: { _tag: "VARCHAR" }, nullable: false })
    expect(sources?.parent?.on).toEqual({ _parent_sku: "sku" })
  })

  it.effect("have one column data where there is no schema, and one row per job that found something", () =>
    Effect.gen(function* () {
      const source = extract.with({ urls: [a, b], prompt: "the price", split: 1 })
      const service = jobService("extract", (_request, number) =>
        completed(number === 0 ? { price: [1] } : { price: null })
      )
      const rows = rowsOf(yield* readAll(source, service), "extracted")

      expect(rows).toMatchObject([{ data: { price: [1] }, _row: 0 }])
    })
  )

  it.effect("do not lose a list called sources among where values come from", () =>
    Effect.sync(() => {
      const named = { type: "object", properties: { sources: { type: "array", items: { type: "string" } } } }

      expect(extract.with({ urls: [a], schema: named }).tables[0].columns[0]?.name).toBe("sources_2")
    })
  )
})

describe("an extract", () => {
  it.effect("gives typed rows, where each value comes from, and the job", () =>
    Effect.gen(function* () {
      const service = jobService("extract", () =>
        completed(
          { products: [{ sku: "x/1", price: 12.5, inStock: true, offers: [{ seller: "y" }], colour: "red" }, null] },
          { "/products/0/sku": a, "/products/0/price": b, "/products/0/offers/0/seller": b }
        )
      )
      const elements = yield* readAll(extract.with({ urls: [a, b], schema }), service)

      expect(rowsOf(elements, "extracted")).toMatchObject([
        {
          sku: "x/1",
          price: "12.50",
          in_stock: true,
          offers: [{ seller: "y" }],
          _other: { colour: "red" },
          _row: 0,
          _source_url: b
        }
      ])
      expect(
        rowsOf(elements, "extracted__sources").map(({ path, span_from, url, value }) => [path, value, url, span_from])
      ).toEqual([
        ["/sku", "x/1", a, 1],
        ["/price", "12.5", b, 1],
        ["/offers/0/seller", "y", b, 1]
      ])
      expect(rowsOf(elements, "extract_jobs")).toMatchObject([
        { status: "completed", urls: [a, b], engine: "rules", credits: 3, error: null, asked_again: 0 }
      ])
      expect(rowsOf(elements, "extract_jobs")[0]?.["sheet"]).toMatchObject({
        pages_not_read: 0,
        fields: expect.arrayContaining([
          { field: "/products/*/sku", found: 1, read_not_said: 0, not_understood: 0, given_not_said: 0 }
        ])
      })
      expect(factsOf(elements)).toMatchObject({ discovered: 2, read: 2, failed: 0, credits: 3, filled: 2, missing: 0 })
    })
  )

  it.effect("has a sheet: by field what was found, what was read and not said, and what only a model says", () =>
    Effect.gen(function* () {
      const products = [
        { sku: "1", price: 1 },
        { sku: null, price: null },
        { sku: null, price: 3 }
      ]
      const unsupported = [
        { path: "/products/1/sku", value: "Gold" },
        { path: "/makers/0", value: "Nobody" }
      ]
      const service = jobService("extract", () => ({
        ...completed({ products, makers: null, colour: null }, { "/products/0/sku": a }),
        unsupported,
        unclear: ["/colour", "/products/2/sku"],
        considered: [{ field: "/products/2/sku", value: "2", kind: "text", place: "p", why: "it is listed", url: a }],
        pagesFailed: 2
      }))
      const [job] = rowsOf(
        yield* readAll(extract.with({ urls: [a], schema, retry_missing: 0 }), service),
        "extract_jobs"
      )

      expect(job?.["sheet"]).toEqual({
        pages_not_read: 2,
        pages_gone: 0,
        fields: [
          {
            field: "/products/*/sku",
            found: 1,
            read_not_said: 0,
            not_understood: 1,
            given_not_said: 1,
            given: ["Gold"],
            considered: [{ value: "2", kind: "text", place: "p", why: "it is listed", url: a }]
          },
          { field: "/products/*/price", found: 2, read_not_said: 1, not_understood: 0, given_not_said: 0 },
          { field: "/makers", found: 0, read_not_said: 0, not_understood: 0, given_not_said: 1, given: ["Nobody"] },
          { field: "/colour", found: 0, read_not_said: 0, not_understood: 1, given_not_said: 0 }
        ]
      })
    })
  )

  it.effect("is split evenly over small jobs, a wildcard one of its own, some at a time", () =>
    Effect.gen(function* () {
      let most = 0
      const service = jobService("extract", (request) => {
        most = Math.max(most, service.running())
        return oneEach(request)
      })
      const urls = [...eleven, "http://other.test/*"]
      const elements = yield* readAll(extract.with({ urls, schema }), service, { concurrency: 2 })

      expect(asked(service.jobs)).toEqual([eleven.slice(0, 4), eleven.slice(4, 8), eleven.slice(8), urls.slice(11)])
      expect(most).toBeLessThanOrEqual(2)
      expect(rowsOf(elements, "extracted")).toHaveLength(12)
      expect(factsOf(elements)).toMatchObject({ discovered: 12, read: 12 })
    })
  )

  it.effect("asks again only the pages of rows that lack what is required, only for that, and fills the rows", () =>
    Effect.gen(function* () {
      const service = jobService("extract", (_request, number) =>
        number === 0
          ? completed(
              {
                products: [
                  { sku: "1", price: 1 },
                  { sku: "2", price: null, inStock: true }
                ]
              },
              { "/products/0/sku": a, "/products/1/sku": b }
            )
          : completed(
              {
                products: [
                  { sku: "2", price: 2 },
                  { sku: "9", price: 9 }
                ]
              },
              { "/products/0/price": b, "/products/1/price": b }
            )
      )
      const source = extract.with({ urls: [a, b], schema }).keyed?.(["sku"]) ?? expect.fail("it has no key")
      const elements = yield* readAll(source, service)

      expect(service.jobs[1]?.request).toMatchObject({ urls: [b] })
      expect(Object.keys(service.jobs[1]?.request.schema.properties.products.items.properties)).toEqual([
        "sku",
        "price"
      ])
      // The second part of a row is told beside it; the engine makes one of them.
      expect(rowsOf(elements, "extracted").map(({ sku, price = null }) => [sku, price])).toEqual([
        ["1", "1.00"],
        ["2", null],
        ["2", "2.00"]
      ])
      expect(rowsOf(elements, "extract_jobs").map(({ asked_again: again }) => again)).toEqual([0, 1])
      expect(factsOf(elements)).toMatchObject({ discovered: 2, read: 2, filled: 4, missing: 0, credits: 6 })
    })
  )

  it.effect("knows a row without a key again by its page, and asks as often as it is told", () =>
    Effect.gen(function* () {
      const service = jobService("extract", (request, number) =>
        number === 0 ? oneEachWithoutPrice(request) : number === 1 ? completed({ products: [] }) : oneEach(request)
      )
      const elements = yield* readAll(extract.with({ urls: [a], schema, retry_missing: 2 }), service)
      const [row, part] = rowsOf(elements, "extracted")

      expect(service.started()).toBe(3)
      expect([row?.["_job_id"], row?.["_row"], row?.["price"]]).toEqual([service.jobs[0]?.id, 0, undefined])
      expect([part?.["_job_id"], part?.["_row"], part?.["price"]]).toEqual([service.jobs[0]?.id, 0, "1.00"])

      const never = jobService("extract", oneEachWithoutPrice)
      const lacking = yield* readAll(extract.with({ urls: [a], schema, retry_missing: 0 }), never)
      expect(never.started()).toBe(1)
      expect(factsOf(lacking)).toMatchObject({ filled: 1, missing: 1 })
    })
  )

  it.effect("counts the pages that could not be read, and goes on where a job fails", () =>
    Effect.gen(function* () {
      const service = jobService("extract", (request, number) =>
        number === 0
          ? { status: "failed", success: false, error: "the host is gone" }
          : { ...oneEach(request), warnings: [`${eleven[4]}: the site answers 404`] }
      )
      const elements = yield* readAll(extract.with({ urls: eleven, schema }), service)

      expect(factsOf(elements)).toMatchObject({ discovered: 11, read: 6, failed: 5 })
      expect(rowsOf(elements, "extract_jobs").map(({ error, status }) => [status, error])).toContainEqual([
        "failed",
        "the host is gone"
      ])
    })
  )

  it.effect(
    "keeps what the service warns of, of the job and of its pages, and takes no page with a warning for unread",
    () =>
      Effect.gen(function* () {
        const said = {
          warnings: ["the pages have more than 50,000 rows"],
          warning: `${a}: the page says more than is read`
        }
        const service = jobService("extract", (request) => ({ ...oneEach(request), ...said }))
        const elements = yield* readAll(extract.with({ urls: [a], schema }), service)

        expect(factsOf(elements)).toMatchObject({ discovered: 1, read: 1, failed: 0 })
        expect(rowsOf(elements, "extract_jobs").map(({ warnings }) => warnings)).toEqual([
          [...said.warnings, said.warning]
        ])
      })
  )

  it.effect("fails where every job failed, and says why", () =>
    Effect.gen(function* () {
      const service = jobService("extract", () => ({ status: "failed", success: false, error: "the host is gone" }))
      const error = yield* Effect.flip(readAll(extract.with({ urls: eleven, schema }), service))

      expect(error).toMatchObject({ over: true, message: "every job failed; the last error: the host is gone" })
    })
  )

  it.effect("begins no further job where what is spent reaches the limit, and tells what is left", () =>
    Effect.gen(function* () {
      const service = jobService("extract", oneEach)
      const elements = yield* readAll(extract.with({ urls: eleven, schema }), service, { credits: 3, concurrency: 1 })

      expect(service.started()).toBe(1)
      expect(factsOf(elements)).toMatchObject({ discovered: 11, read: 4, failed: 0, left: 7, credits: 3 })
      expect(elements.at(-1)?._tag).toBe("Checkpoint")
    })
  )

  it.effect("rejects what does not fit its schema, with an answer that says it alone", () =>
    Effect.gen(function* () {
      const service = jobService("extract", () =>
        completed({
          products: [
            { sku: "1", price: 1 },
            { sku: 5, price: 2 }
          ]
        })
      )
      const source = extract.with({ urls: [a], schema })
      const rejects = (yield* readAll(source, service)).filter((element) => element._tag === "Reject")
      const [reject] = rejects
      const again = reject?.answer === undefined ? [] : yield* source.decode(reject.answer)

      expect(rejects).toMatchObject([
        { reason: "it does not fit the schema: must be string: 5", path: "/sku", raw: { sku: 5, price: 2 } }
      ])
      expect(again.filter(({ _tag }) => _tag === "Reject")).toMatchObject([
        { reason: reject?.reason, raw: reject?.raw }
      ])
      expect(again.filter(({ _tag }) => _tag === "Batch")).toEqual([])
    })
  )

  it.effect("asks nothing where its schema can not be used", () =>
    Effect.gen(function* () {
      const service = jobService("extract", oneEach)
      const error = yield* Effect.flip(readAll(extract.with({ urls: [a], schema: { type: "text" } }), service))

      expect(error.message).toMatch(/^the JSON Schema cannot be used: .*; correct source.schema$/)
      expect(service.started()).toBe(0)
    })
  )
})

const oneEachWithoutPrice = (request: { readonly urls: ReadonlyArray<string> }) =>
  completed(
    { products: request.urls.map((url) => ({ sku: url, price: null })) },
    Object.fromEntries(request.urls.map((url, at) => [`/products/${at}/sku`, url]))
  )

describe("an extract that is gone on with", () => {
  const source = extract.with({ urls: eleven, schema })
  const ask = (after: Option.Option<unknown>, concurrency = 2) =>
    Stream.runCollect(source.fetch({ start: Option.none(), after, key: "k", limits: { concurrency }, directory: "." }))

  it.effect("starts no job a second time, behind whichever answer it stopped", () =>
    Effect.gen(function* () {
      const whole = kept(yield* inTime(Effect.provide(ask(Option.none()), jobService("extract", oneEach).layer)))
      expect(whole.map(({ kind }) => kind)).toHaveLength(6)

      for (const at of whole.keys()) {
        const service = jobService("extract", oneEach)
        // Killed: nobody has cancelled anything, and some answers never came to the journal.
        const before = kept(yield* inTime(Effect.provide(ask(Option.none()), service.layer))).slice(0, at + 1)
        const rest = kept(
          yield* inTime(Effect.provide(ask(Option.fromUndefinedOr(before.at(-1)?.cursor)), service.layer))
        )
        const elements = (yield* Effect.forEach([...before, ...rest], source.decode)).flat()

        expect(service.started()).toBe(3)
        expect(
          rowsOf(elements, "extracted")
            .map(({ sku }) => sku)
            .toSorted()
        ).toEqual(eleven.toSorted())
        expect(factsOf(elements)).toMatchObject({ discovered: 11, read: 11, failed: 0, credits: 9 })
        expect(elements.filter(({ _tag }) => _tag === "Checkpoint")).toHaveLength(1)
      }
    })
  )

  it.effect("starts those anew that were cancelled with it, or are gone", () =>
    Effect.gen(function* () {
      // The start of the second job is in the journal, or it is not, and the job is found again by its key.
      for (const [lost, read] of [
        ["cancelled", 1],
        ["cancelled", 2],
        ["gone", 2]
      ] as const) {
        const service = jobService("extract", oneEach)
        const first = kept(
          yield* inTime(Effect.provide(Stream.runCollect(Stream.take(source.fetch(from), read)), service.layer))
        )
        for (const job of service.jobs) job.isCancelled = lost === "cancelled"
        if (lost === "gone") service.jobs.splice(0)
        const rest = kept(
          yield* inTime(Effect.provide(ask(Option.fromUndefinedOr(first.at(-1)?.cursor)), service.layer))
        )
        const elements = (yield* Effect.forEach([...first, ...rest], source.decode)).flat()

        expect(rowsOf(elements, "extracted")).toHaveLength(11)
        expect(factsOf(elements)).toMatchObject({ discovered: 11, read: 11, failed: 0 })
      }
    })
  )

  it.effect("lets jobs end that are under way where the service refuses another, and then says why", () =>
    Effect.gen(function* () {
      const service = jobService("extract", oneEach, (what) =>
        what.startsWith("POST") && service.started() === 2 ? { status: 402 } : undefined
      )
      const answers: Array<string> = []
      const error = yield* inTime(
        source.fetch(from).pipe(
          Stream.runForEach(({ kind }) => Effect.sync(() => void answers.push(kind))),
          Effect.flip,
          Effect.provide(service.layer)
        )
      )

      expect(error.message).toContain("add credits")
      expect(answers.toSorted()).toEqual(["ended", "ended", "started", "started"])
      expect(service.jobs.some(({ isCancelled }) => isCancelled)).toBe(false)
    })
  )

  it.effect("cancels its jobs when it is interrupted", () =>
    Effect.gen(function* () {
      const service = jobService("extract", () => undefined)
      const fiber = yield* Effect.forkChild(Effect.provide(ask(Option.none()), service.layer))
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.interrupt(fiber)

      expect(service.jobs.map(({ isCancelled }) => isCancelled)).toEqual([true, true])
    })
  )
})

const from = {
  start: Option.none(),
  after: Option.none(),
  key: "k",
  limits: { concurrency: 2 },
  directory: "."
} as const

describe("the extract source keeps the laws of a source", () => {
  // Each reading asks a service of its own, which has not seen its keys.
  const subject: SourceSuite.Subject<WebData> = {
    reader: Effect.sync(() => extract.with({ urls: eleven, schema })),
    layer: Layer.fresh(Layer.suspend(() => jobService("extract", oneEach).layer)),
    volatile: ["_job_id", "job_id", "_parent_job_id", "_fetched_at", "started_at", "ended_at"]
  }
  // An extract has one checkpoint, at its end: what resumes between two has nothing to try.
  const laws = SourceSuite.laws.filter(({ sentence }) => !/then from it|failing after/.test(sentence))
  for (const law of laws) it.effect(law.sentence, () => inTime(SourceSuite.check(law, subject)))
})

describe("an extract of a row a page", () => {
  const flat = { type: "object", properties: { sku: { type: "string" }, price: { type: "number" } } }
  const site = Array.from({ length: 12 }, (_, at) => `http://shop.test/parts/${at}`)
  const wildcard = "http://shop.test/parts/*"
  const links = [...site, "http://shop.test/about"].map((url) => ({ url }))
  const mapped = (what: string) =>
    what.startsWith("POST /v2/map") ? { status: 200, body: { success: true, id: "m", links } } : undefined
  const service = () =>
    jobService("extract", ({ urls }) => completed({ sku: `of ${urls[0]}`, price: 1 }, { "/sku": urls[0] }), mapped)

  it.effect("looks for the pages of a wildcard once, and has a job and a row for each, named by its address", () =>
    Effect.gen(function* () {
      const own = service()
      const { asked, jobs } = own
      const reader = extract.with({ urls: [wildcard], schema: flat, rows: "per_page" })
      const read = yield* readAll(reader, own)

      expect(reader.tables[0].key).toEqual(["_source_url"])
      expect(jobs.map(({ request }) => [request.urls, request.rows])).toEqual(site.map((url) => [[url], undefined]))
      expect(rowsOf(read, "extracted").map((row) => row["_source_url"])).toEqual(expect.arrayContaining(site))
      expect(rowsOf(read, "extracted")).toHaveLength(12)
      expect(factsOf(read)).toMatchObject({ discovered: 12, read: 12, failed: 0 })
      expect(asked.filter(({ what }) => what.startsWith("POST /v2/map"))).toHaveLength(1)
    })
  )

  it.effect("says which pages give no row, and counts what they lack; an item that is rejected is none", () =>
    Effect.gen(function* () {
      const required = { ...flat, required: ["sku", "price"] }
      const says = (url: string) => {
        const at = Number(url.split("/").at(-1))
        return at < 7 ? { sku: url, price: 1 } : at < 9 ? { sku: null, price: 1 } : { sku: null, price: null }
      }
      const own = () => jobService("extract", ({ urls }) => completed(says(urls[0]), { "/price": urls[0] }), mapped)
      const reader = extract.with({ urls: [wildcard], schema: required, rows: "per_page", retry_missing: 0 })
      const unkeyed = yield* readAll(reader, own())
      const keyed = yield* readAll(reader.keyed?.(["sku"]) ?? reader, own())
      const warned = (read: typeof unkeyed) =>
        read.flatMap((element) => (element._tag === "Warning" ? [element.message] : []))

      expect(factsOf(unkeyed)).toMatchObject({ read: 12, without_rows: 3, filled: 16, missing: 8 })
      expect(factsOf(unkeyed)).toMatchObject({ lacking_sku: 5, lacking_price: 3 })
      expect(factsOf(keyed)).toMatchObject({ read: 12, without_rows: 5, filled: 14, missing: 6 })
      expect(factsOf(keyed)).toMatchObject({ lacking_sku: 3, lacking_price: 3 })
      expect(warned(unkeyed).toSorted()).toEqual(
        ["10", "11", "9"].map(
          (at) =>
            `http://shop.test/parts/${at}: the page gives no row: nothing that the schema asks for was found on it`
        )
      )
      expect(warned(keyed).filter((message) => message.includes("millrace rejects list"))).toHaveLength(2)
      expect(rowsOf(unkeyed, "extract_jobs").flatMap((row) => row["warnings"])).toHaveLength(3)
    })
  )

  it.effect("counts the pages of a wildcard where one job reads them all", () =>
    Effect.gen(function* () {
      const given = { ...completed({ sku: "1", price: 1 }, { "/sku": site[0] ?? "" }), pagesRead: 12, pagesFailed: 3 }
      const reader = extract.with({ urls: [wildcard, a], schema: flat, split: 1 })
      const read = yield* readAll(
        reader,
        jobService("extract", ({ urls }) => (urls[0] === a ? completed({ sku: "2" }) : given))
      )

      expect(factsOf(read)).toMatchObject({ discovered: 16, read: 13, failed: 3 })
    })
  )

  it.effect("counts a link that answers 404 as gone, and a page that was named as failed", () =>
    Effect.gen(function* () {
      const gone = { success: false, status: "failed", error: "it answers 404", pagesGone: [site[3] ?? ""] }
      const whole = { ...completed({ sku: "1", price: 1 }, { "/sku": site[0] ?? "" }), pagesRead: 11, pagesGone: [a] }
      const perPage = { schema: flat, rows: "per_page", retry_missing: 0 } as const
      const own = () =>
        jobService(
          "extract",
          ({ urls }) => (urls[0] === site[3] ? gone : completed({ sku: urls[0], price: 1 })),
          mapped
        )
      const one = yield* readAll(
        extract.with({ urls: [wildcard], schema: flat, split: 1 }),
        jobService("extract", () => whole)
      )
      const each = yield* readAll(extract.with({ urls: [wildcard], ...perPage }), own())
      const named = yield* readAll(extract.with({ urls: [wildcard, site[3] ?? ""], ...perPage }), own())

      expect(factsOf(one)).toMatchObject({ discovered: 12, read: 11, gone: 1, failed: 0, missing: 0 })
      expect(factsOf(each)).toMatchObject({ discovered: 12, read: 11, gone: 1, failed: 0, missing: 0 })
      expect(factsOf(each)["without_rows"]).toBeUndefined()
      expect(factsOf(named)).toMatchObject({ discovered: 12, read: 11, failed: 1 })
    })
  )

  it.effect("goes on with the pages that are left, and looks for none again", () =>
    Effect.gen(function* () {
      const { asked, layer, jobs } = service()
      const reader = extract.with({ urls: [wildcard], schema: flat, rows: "per_page" })
      const ask = reader.fetch({
        start: Option.none(),
        after: Option.none(),
        key: "k",
        limits: { concurrency: 1 },
        directory: "."
      })
      const some = yield* Effect.provide(inTime(Stream.runCollect(Stream.take(ask, 6))), layer)
      const after = Option.fromUndefinedOr([...some].at(-1)?.cursor)
      const rest = yield* Effect.provide(
        inTime(Stream.runCollect(reader.fetch({ start: Option.none(), after, key: "k", limits: {}, directory: "." }))),
        layer
      )

      const all = [...some, ...rest]
      expect(all.filter(({ kind }) => kind === "ended").length).toBe(12)
      expect(new Set(jobs.map(({ request }) => request.urls[0])).size).toBe(12)
      expect(asked.filter(({ what }) => what.startsWith("POST /v2/map"))).toHaveLength(1)
    })
  )
})
