import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import type { ExtractRequest } from "#contract/Extract"
import * as HttpUrl from "#contract/HttpUrl"
import * as ExtractPlan from "#extract/ExtractPlan"

const plan = (request: ExtractRequest) => ExtractPlan.ofRequest({ prompt: "lamps", ...request })
const problem = (request: ExtractRequest) => Effect.flip(plan(request))

describe("the plan of an extract", () => {
  it.effect("tells whole domains from pages", () =>
    Effect.gen(function* () {
      const { domains, pages } = yield* plan({
        urls: [
          "https://a.test/*",
          "b.test/*",
          "c.test:8080/*",
          "http://d.test/shop/*",
          " https://e.test/page ",
          "https://f.test/*/x",
          "https://g.test"
        ]
      })

      expect(domains.map(({ start }) => start.href)).toEqual([
        "https://a.test/",
        "https://b.test/",
        "https://c.test:8080/",
        "http://d.test/shop/"
      ])
      expect(pages.map(({ href }) => href)).toEqual(["https://e.test/page", "https://f.test/*/x", "https://g.test/"])
    })
  )

  it("names the URLs that are none, in their order and where they stand", () => {
    const request: ExtractRequest = {
      prompt: "lamps",
      urls: [
        "a.test",
        "https://a.test/",
        "ftp://a.test/*",
        "*",
        "",
        "mailto:x@y/*",
        "javascript:alert(1)/*",
        "https:///x"
      ]
    }
    const none = ["a.test", "ftp://a.test/*", "*", "", "mailto:x@y/*", "javascript:alert(1)/*"]
    const { details } = ExtractPlan.invalidUrls(request)

    expect(ExtractPlan.invalidOf(request)).toEqual(none)
    expect(details?.map(({ path }) => path)).toEqual([0, 2, 3, 4, 5, 6].map((index) => ["urls", index]))
  })

  it.effect("finds pages of a wildcard on subdomains, and by links only, where that is wanted", () =>
    Effect.gen(function* () {
      const urls = ["https://a.test/*"]
      const wide = yield* plan({ urls, includeSubdomains: true, ignoreSitemap: true })
      const usual = yield* plan({ urls })

      expect([wide.domains[0]?.isOfDomain?.("b.a.test"), wide.readsSitemaps]).toEqual([true, false])
      expect([usual.domains[0]?.isOfDomain, usual.readsSitemaps]).toEqual([undefined, true])
    })
  )

  it("says which options have no effect, as those that a no-code tool always sends", () => {
    const sent = { prompt: "lamps", ignoreSitemap: true, includeSubdomains: false, enableWebSearch: false }

    expect(ExtractPlan.notesOn({ ...sent, urls: ["https://a.test/x"] })).toEqual([
      "ignoreSitemap has no effect: it is for wildcards, such as https://example.com/*, and urls has none"
    ])
    expect(ExtractPlan.notesOn({ ...sent, urls: ["https://a.test/*"] })).toEqual([])
  })

  it.effect("reads a schema of type names as the object that it means, and says so", () =>
    Effect.gen(function* () {
      const request = { urls: ["https://a.test/x"], schema: { name: "string", price: "number" } }
      const { wanted } = yield* plan(request)

      expect(wanted.schema).toEqual({
        type: "object",
        properties: { name: { type: "string" }, price: { type: "number" } }
      })
      expect(ExtractPlan.notesOn(request)).toHaveLength(1)
      expect((yield* plan({ schema: { type: "string" } })).wanted.schema).toEqual({ type: "string" })
    })
  )

  it.effect("drops fragments of URLs, and takes none with a name or a password", () =>
    Effect.gen(function* () {
      const secretive = ["https://me:secret@a.test/y", "me:secret@a.test/*", "https://me@a.test/*"]
      const made = yield* plan({ urls: ["https://a.test/x#top", ...secretive] })

      expect(made.pages.map(({ href }) => href)).toEqual(["https://a.test/x"])
      expect(made.domains).toEqual([])
      expect(ExtractPlan.invalidOf({ urls: secretive })).toEqual(secretive)
      expect(ExtractPlan.invalidUrls({ urls: secretive.slice(0, 1) }).message).toBe(HttpUrl.credentialsMessage)
    })
  )

  it.effect("takes what is wanted from the request, else from its format json", () =>
    Effect.gen(function* () {
      const schema = { type: "object", properties: { name: { type: "string" } } }
      const formats = [{ type: "json" as const, prompt: "of the format", schema, checkPromptInjection: true }]
      const own = yield* ExtractPlan.ofRequest({ prompt: "own", schema: { type: "array" }, scrapeOptions: { formats } })
      const ofFormat = yield* ExtractPlan.ofRequest({ prompt: null, schema: null, scrapeOptions: { formats } })

      expect(own.wanted).toMatchObject({ prompt: "own", schema: { type: "array" } })
      expect(ofFormat.wanted).toMatchObject({ prompt: "of the format", schema })
      expect(ofFormat.checksInjection).toBe(true)
      expect([...ofFormat.scrape.formats].toSorted()).toEqual(["markdown", "rawHtml"])
    })
  )

  it.effect("searches where it is told to or has no URL, and follows links where it has an agent", () =>
    Effect.gen(function* () {
      const given = { urls: ["https://a.test/"] }
      const plans = yield* Effect.all([
        plan(given),
        plan({ ...given, enableWebSearch: true }),
        plan({ urls: [] }),
        plan({ ...given, agent: { model: "any" } }),
        plan({ urls: ["https://a.test/*"] })
      ])

      expect(plans.map(({ follows, limit, searches }) => [searches, follows, limit])).toEqual([
        [false, false, 11],
        [true, false, 11],
        [true, false, 10],
        [false, true, 1001],
        [false, false, 1000]
      ])
    })
  )

  it.effect("tells what is wrong before the first page is asked for", () =>
    Effect.gen(function* () {
      const problems = yield* Effect.all([
        problem({ schema: { type: "lamp" } }),
        problem({ schema: { $ref: "https://evil.test/schema" } }),
        problem({ schema: { type: "object", description: "x".repeat(200_000) } }),
        problem({ scrapeOptions: { includeTags: ["[["] } })
      ])

      expect(problems.map(({ _tag }) => _tag)).toEqual([
        "Unprocessable",
        "Unprocessable",
        "Unprocessable",
        "BadRequest"
      ])
      expect(problems[2]?.message).toBe("the JSON Schema is not valid: it is longer than 200000 characters")
    })
  )
})
