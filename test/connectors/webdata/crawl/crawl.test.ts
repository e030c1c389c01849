import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type * as Source from "#engine/Source"
import type { SourceResponse } from "#engine/SourceElement"
import * as SourceSuite from "#testing/SourceSuite"
import { origin } from "../../../service/crawlSite.ts"
import {
  address,
  documentOf,
  elementsOf,
  pagesOf,
  product,
  rejectsOf,
  type ScrapeOptions,
  serviceOf,
  sourceOf,
  typed
} from "../scriptedCrawl.ts"

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
        { reason: expect.stringMatching(/^it is not a page document: Expected string/), path: "/markdown", raw: odd },
        { reason: "its json does not fit the schema: must be string: null", path: "/json/name", raw: nameless },
        { reason: "it is not a page document: Expected PageDocument", path: "", raw: "no document" }
      ])
      // Neither have their links come without them, nor are they taken for gone.
      expect(elements.some((element) => element._tag === "Batch" && element.table.name === "page_links")).toBe(false)
      const known = elements.flatMap((element) => (element._tag === "UnknownKeys" ? element.keys : []))
      expect(known).toEqual(["/cheap", "/odd", "/nameless", "/private"].map((path) => ({ url: `${origin}${path}` })))
    })
  )

  it.effect("parses again to the same, from an answer that says it alone", () =>
    Effect.gen(function* () {
      for (const reject of rejectsOf(yield* elementsOf(options, all))) {
        const answer: SourceResponse = JSON.parse(JSON.stringify(reject.answer))
        const again = yield* sourceOf(options).decode(answer)

        expect(again.filter(({ _tag }) => _tag === "Batch")).toEqual([])
        expect(rejectsOf(again)).toEqual([reject])
      }
    })
  )

  it.effect("is a row with its links once the schema lets it be", () =>
    Effect.gen(function* () {
      const [reject] = rejectsOf(yield* elementsOf(options, all))
      const lenient = sourceOf({ formats: ["links", { type: "json", schema: { type: "object", required: ["name"] } }] })
      const again = reject?.answer === undefined ? [] : yield* lenient.decode(reject.answer)

      expect(again.map((element) => (element._tag === "Batch" ? element.table.name : element._tag))).toEqual([
        "pages",
        "page_links",
        "Progress"
      ])
    })
  )
})

describe("a page that answers 503", () => {
  const withStatus = (path: string, statusCode: number, more: object = {}) => {
    const document = documentOf(path, more)
    return { ...document, metadata: { ...document.metadata, statusCode } }
  }

  it.effect("is a row that failed and an error with its code; one that answers 404 is a row that is gone", () =>
    Effect.gen(function* () {
      const all = [documentOf("/"), withStatus("/down", 503), withStatus("/gone", 404)]
      const elements = yield* elementsOf({ formats: ["markdown"] }, all)
      const [table] = sourceOf({ formats: ["markdown"] }).tables

      const standings = pagesOf(elements).map((row) => [row["status_code"], table.presence?.(row)])
      expect(standings).toEqual([
        [200, "seen"],
        [503, "failed"],
        [404, "gone"]
      ])
      const errors = elements.flatMap((element) =>
        element._tag === "Batch" && element.table.name === "crawl_errors" ? element.rows : []
      )
      expect(errors.map(({ code, error, url }) => [url, code, error])).toEqual([
        [`${origin}/down`, "HTTP_503", "the site answers 503"],
        [`${origin}/private`, "ROBOTS_BLOCKED", expect.any(String)]
      ])
      const unknownKeys = elements.flatMap((element) =>
        element._tag === "UnknownKeys" ? [[element.keys, element.why]] : []
      )
      expect(unknownKeys).toEqual([
        [[{ url: `${origin}/down` }], "HTTP 503"],
        [[{ url: `${origin}/private` }], "ROBOTS_BLOCKED"]
      ])
    })
  )

  it.effect(
    "and a page that no browser has shown is an unread row without a text, and an error that says what to do",
    () =>
      Effect.gen(function* () {
        const shell = documentOf("/app", { markdown: "", html: "<div></div>", warning: "install a browser" })
        const metadata = { ...shell.metadata, unread: "SCRAPE_BROWSER_UNAVAILABLE" }
        const elements = yield* elementsOf({ formats: ["markdown"] }, [documentOf("/"), { ...shell, metadata }])
        const [table] = sourceOf({ formats: ["markdown"] }).tables
        const [, row = {}] = pagesOf(elements)

        expect(table.presence?.(row)).toBe("unread")
        expect(row).toMatchObject({ url: `${origin}/app`, markdown: null, html: null, content_hash: null })
        const errors = elements.flatMap((element) =>
          element._tag === "Batch" && element.table.name === "crawl_errors" ? element.rows : []
        )
        expect(errors[0]).toMatchObject({ code: "SCRAPE_BROWSER_UNAVAILABLE", error: "install a browser" })
        expect(elements).toContainEqual(
          expect.objectContaining({ _tag: "UnknownKeys", why: "not readable without a browser" })
        )
      })
  )

  it.effect("is no reject for what its json lacks: a site that is down is no site that is whole", () =>
    Effect.gen(function* () {
      const down = withStatus("/down", 503, { json: { name: "Out of order", price: -1 } })
      const elements = yield* elementsOf(typed, [documentOf("/"), down])

      expect(rejectsOf(elements)).toEqual([])
      expect(pagesOf(elements)[1]).toMatchObject({ status_code: 503, json: null })
    })
  )

  it.effect("fails the crawl where it is the start page, for good, and nothing of it is told", () =>
    Effect.gen(function* () {
      const failed = yield* Effect.flip(elementsOf({ formats: ["markdown"] }, [withStatus("/", 503), documentOf("/a")]))

      expect(failed).toMatchObject({ _tag: "SourceError", over: true, retryable: false })
      expect(failed.message).toContain("answers 503")
    })
  )
})

describe("asking", () => {
  const all = Array.from({ length: 5 }, (_, at) => documentOf(`/${at}`, { json: { name: `${at}` } }))
  const ask = (after: Option.Option<unknown>) =>
    Stream.runCollect(sourceOf(typed).fetch({ start: Option.none(), after, key: "k", limits: {}, directory: "." }))
  const told = (answers: Iterable<SourceResponse>) =>
    [...answers].map(({ kind, text, cursor }) => ({ kind, text, cursor }))

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
