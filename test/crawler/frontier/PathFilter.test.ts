import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { BadRequest } from "../../../src/api/Errors.ts"
import * as PathFilter from "../../../src/crawler/frontier/PathFilter.ts"

const make = (patterns: Partial<PathFilter.Patterns>) =>
  PathFilter.make({ includePaths: [], excludePaths: [], regexOnFullURL: false, ...patterns })

const url = new URL("http://site.test/blog/2026/post?page=2")

describe("a path filter", () => {
  it.effect("without patterns lets everything in", () =>
    Effect.gen(function* () {
      const filter = yield* make({})

      expect([filter.includes(url), filter.excludes(url)]).toEqual([true, false])
    })
  )

  it.effect("matches anywhere in the path unless it is anchored, and any of its patterns is enough", () =>
    Effect.gen(function* () {
      const included = (...includePaths: ReadonlyArray<string>) =>
        Effect.map(make({ includePaths }), (filter) => filter.includes(url))

      expect(yield* included("2026")).toBe(true)
      expect(yield* included("^/blog/.*$")).toBe(true)
      expect(yield* included("^blog")).toBe(false)
      expect(yield* included("page=2")).toBe(false)
      expect(yield* included("nothing", "po[st]+")).toBe(true)
      expect(yield* included("BLOG")).toBe(false)
      expect(yield* included("(?i)BLOG")).toBe(true)
    })
  )

  it.effect("matches the whole URL where that is asked", () =>
    Effect.gen(function* () {
      const filter = yield* make({ excludePaths: ["page=\\d$"], includePaths: ["^http://site"], regexOnFullURL: true })

      expect([filter.includes(url), filter.excludes(url)]).toEqual([true, true])
    })
  )

  it.effect("is not slowed down by a pattern made for that", () =>
    Effect.gen(function* () {
      const filter = yield* make({ excludePaths: ["^/(a+)+$"] })

      expect(filter.excludes(new URL(`http://site.test/${"a".repeat(5000)}!`))).toBe(false)
    })
  )

  it.effect("names every pattern that is not RE2", () =>
    Effect.gen(function* () {
      const bad = ["(?=a)", "(?!a)", "(?<=a)", "(?<!a)", "(a)\\1", "a{1001}", "a++", "(", "[", "*"]
      const error = yield* Effect.flip(make({ includePaths: ["fine", ...bad], excludePaths: ["(?P=x)"] }))

      expect(error).toBeInstanceOf(BadRequest)
      expect(error.details?.map(({ path }) => path.join("."))).toEqual([
        ...bad.map((_, index) => `includePaths.${index + 1}`),
        "excludePaths.0"
      ])
    })
  )
})
