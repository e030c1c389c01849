import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { afterAll } from "vitest"
import { crawlsHere } from "#connectors/webdata/embeddedCrawl"
import { crawl } from "#connectors/webdata/index"
import * as Source from "#engine/Source"
import * as EmbeddedCrawls from "#service/EmbeddedCrawls"
import * as ServiceConfig from "#service/ServiceConfig"
import * as SourceSuite from "#testing/SourceSuite"
import { embedded, origin } from "../../../service/crawlSite.ts"
import { quick } from "../../../service/quick.ts"
import { file, page, redirect, scriptedSite } from "../../../service/scriptedSite.ts"

const routes = {
  "/": page("home", "/a", "/b?utm_source=x", "/docs/index.html", "/docs/", "/old", "/secret", "/gone", "/down"),
  "/a": page("grüße", "/b", "/c", "https://other.test/"),
  "/b": page("b", "/", "/a"),
  "/c": page("c"),
  "/docs/": page("docs", "/c"),
  "/docs/index.html": page("docs", "/c"),
  "/old": redirect("/a", 301),
  "/down": file("text/html", "down", 503),
  "/robots.txt": file("text/plain", "User-agent: *\nDisallow: /secret")
}

const scope = Scope.makeUnsafe()
const site = await Effect.runPromise(Scope.provide(scriptedSite(routes), scope))
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const here = EmbeddedCrawls.layer({
  ...ServiceConfig.defaults,
  resolve: new Map([["site.test", { address: "127.0.0.1", port: site.port }]]),
  patience: quick
})
const options = { url: `${origin}/`, scrapeOptions: { formats: ["markdown", "links"] } } as const
/** A service that is asked for nothing. */
const layer = Layer.orDie(Layer.merge(embedded(site.port), here))

const volatile =
  "_fetched_at _job_id scrape_id fetched_date elapsed_ms metadata error_id occurred_at job_id created_at completed_at duration_seconds".split(
    " "
  )

const read = Effect.map(Stream.runCollect(Source.read(crawl.with(options))), (elements) => {
  const isSteady = (name: string) => !volatile.includes(name)
  return elements.flatMap((element) => {
    if (element._tag !== "Batch") return element._tag === "Checkpoint" ? [] : [JSON.stringify(element)]
    return element.rows.map((row) =>
      JSON.stringify([element.table.name, ...Object.entries(row).filter(([name]) => isSteady(name))])
    )
  })
})

describe("a crawl in this process", () => {
  it.live("says what a crawl of the service says", () =>
    Effect.gen(function* () {
      const byService = yield* Effect.provide(read, embedded(site.port))
      const own = yield* Effect.provide(read, layer)
      const steady = (all: ReadonlyArray<string>) => all.filter((text) => !text.includes('"Progress"')).toSorted()

      expect(steady(own)).toEqual(steady(byService))
      expect(own.filter((text) => text.startsWith('["pages"')).length).toBe(7)
      const factsOf = (all: ReadonlyArray<string>) =>
        JSON.parse(all.findLast((text) => text.includes('"Progress"')) ?? "{}").facts
      // No service sums up what its pages cost to download.
      const bytes = { wire_bytes: expect.any(Number), body_bytes: expect.any(Number) }
      expect(factsOf(own)).toEqual({ ...factsOf(byService), ...bytes })
    })
  )

  it.live("over a service a page says what it cost, and a copy that the service has kept costs nothing", () =>
    Effect.gen(function* () {
      const scrapeOptions = { formats: ["markdown"], maxAge: 3_600_000 } as const
      const bytes = Effect.map(
        Effect.suspend(() => Stream.runCollect(Source.read(crawl.with({ url: `${origin}/`, scrapeOptions })))),
        (elements) =>
          elements.flatMap((element) =>
            element._tag === "Batch" && element.table.name === "pages"
              ? element.rows.map(({ body_bytes, url, wire_bytes }) => [url, wire_bytes, body_bytes] as const)
              : []
          )
      )
      const [first, again] = yield* Effect.provide(Effect.all([bytes, bytes]), embedded(site.port))

      expect(first.length).toBeGreaterThan(3)
      expect(first.every(([, wire, body]) => Number(wire) > 0 && Number(body) > 0)).toBe(true)
      const copies = again.filter(([, wire]) => wire === 0)
      expect(copies.length).toBeGreaterThan(3)
      for (const [url, , body] of copies) expect(first.find(([one]) => one === url)?.[2]).toBe(body)
    })
  )

  it.live("fails as a crawl of the service does where its start cannot be had", () =>
    Effect.gen(function* () {
      const away = crawl.with({ url: "http://away.test/" })
      const error = yield* Effect.flip(Effect.provide(Stream.runDrain(Source.read(away)), layer))

      expect(error).toMatchObject({ _tag: "SourceError", over: true })
      expect(error.message).toContain("http://away.test/: ")
    })
  )

  it("is for readings that no service has begun", () => {
    const from = (after: unknown, start?: unknown) => ({
      after: Option.fromUndefinedOr(after),
      start: Option.fromUndefinedOr(start),
      key: "1",
      limits: {},
      directory: "."
    })

    expect(crawlsHere(crawl, from(undefined))).toBe(true)
    expect(crawlsHere({ type: "extract" }, from(undefined))).toBe(false)
    expect(crawlsHere(crawl, from({ jobId: "1", read: 2, next: "pages" }))).toBe(false)
    expect(crawlsHere(crawl, from({ jobId: "1", read: 2, next: "pages", embedded: true }))).toBe(true)
    expect(crawlsHere(crawl, from(undefined, { jobId: "1" }))).toBe(false)
    expect(crawlsHere(crawl, from(undefined, { jobId: "1", spellings: "" }))).toBe(true)
  })
})

describe("a crawl in this process keeps the laws of a source", () => {
  type Layered = ReturnType<typeof crawl.with> extends Source.Reader<infer R> ? R : never
  const subject: SourceSuite.Subject<Layered> = { reader: Effect.sync(() => crawl.with(options)), layer, volatile }
  // A crawl has one checkpoint, at its end: what resumes between two has nothing to try.
  const laws = SourceSuite.laws.filter(({ sentence }) => !/then from it|failing after/.test(sentence))
  for (const law of laws) it.live(law.sentence, () => SourceSuite.check(law, subject))
})
