import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import type { AgentRequest } from "#contract/Agent"
import type { Json } from "#contract/JsonSchema"
import type { PageDocument } from "#contract/PageDocument"
import * as AgentPlan from "#service/agent/AgentPlan"
import * as Reader from "#service/agent/Reader"

const url = (path: string) => new URL(path, "http://site.test")
const document = (markdown: string): PageDocument => ({
  markdown,
  rawHtml: `<p>${markdown}</p>`,
  metadata: { sourceURL: "http://site.test/a", url: "http://site.test/a", statusCode: 200, scrapeId: "s", title: "A" }
})
const filled = (data: Json) => ({
  data,
  sources: new Map(),
  missing: [],
  engine: { name: "rules" as const },
  tokens: 0
})

const reading = Effect.fnUntraced(function* (request: Partial<AgentRequest> = {}) {
  return Reader.start(
    yield* AgentPlan.ofRequest({ prompt: "x", urls: ["http://site.test/a"], effort: "low", ...request }, []),
    [{ url: "http://site.test/before", filled: filled({ name: "Before" }) }]
  )
})

describe("what a model may read", () => {
  it.effect("is what was given, found or linked, each as far as its page is", () =>
    Effect.gen(function* () {
      const reader = yield* reading()
      const before = ["/a", "/found", "/b"].map((path) => reader.depthOf(url(path)))
      reader.allow("http://site.test/found")
      reader.take(url("/a"), document("A"), ["http://site.test/b", "javascript:alert(1)"], filled(null))
      reader.take(url("/b"), document("B"), ["http://site.test/c", "http://site.test/a"], filled(null))

      expect(before).toEqual([0, undefined, undefined])
      expect(["/a", "/found", "/b", "/c", "/d"].map((path) => reader.depthOf(url(path)))).toEqual([
        0,
        0,
        1,
        2,
        undefined
      ])
      expect([reader.isGiven(url("/a")), reader.isGiven(url("/b"))]).toEqual([true, false])
    })
  )

  it.effect("is what was given and nothing else where the run is constrained to it", () =>
    Effect.gen(function* () {
      const reader = yield* reading({ strictConstrainToURLs: true })
      reader.allow("http://site.test/found")
      reader.take(url("/a"), document("A"), ["http://site.test/b"], filled(null))

      expect(["/a", "/found", "/b"].map((path) => reader.depthOf(url(path)))).toEqual([0, undefined, undefined])
    })
  )

  it.effect("is no more pages than the run has, those before a restart counted", () =>
    Effect.gen(function* () {
      const reader = yield* reading()
      reader.take(url("/a"), document("A"), [], filled(null))

      expect(reader.room()).toBe(8)
      expect(reader.known()).toEqual([{ url: "http://site.test/before", found: { name: "Before" } }])
      expect(reader.earlier()).toMatchObject([{ url: "http://site.test/before", text: "", html: "" }])
    })
  )

  it.effect("is told cut to a length, whatever a page has", () =>
    Effect.gen(function* () {
      const reader = yield* reading()
      const links = Array.from({ length: 100_000 }, (_, index) => `http://site.test/${index}`)
      const long = `http://site.test/${"x".repeat(5000)}`
      reader.take(
        url("/a"),
        document("y".repeat(1_000_000)),
        [long, ...links],
        filled({ rows: Array.from({ length: 50_000 }, (_, row) => row) })
      )
      const told = JSON.stringify(reader.told(url("/a")))

      expect(told.length).toBeLessThan(40_000)
      expect(told).not.toContain("xxxx")
      expect(reader.depthOf(url("/500"))).toBe(1)
      expect(reader.depthOf(url("/50000"))).toBeUndefined()
      expect(reader.pages()).toMatchObject([{ url: "http://site.test/a" }])
    })
  )
})
