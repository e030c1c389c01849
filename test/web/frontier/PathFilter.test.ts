import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { expect } from "vitest"
import { BadRequest } from "#contract/Errors"
import * as PathFilter from "#web/PathFilter"

const make = (patterns: Partial<Parameters<typeof PathFilter.ofPatterns>[0]>) =>
  PathFilter.ofPatterns({ includePaths: [], excludePaths: [], regexOnFullURL: false, ...patterns })

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

  it.effect("finds the links that pass as it judges each URL, and what is no URL passes nothing", () =>
    Effect.gen(function* () {
      const filter = yield* make({ includePaths: ["^/blog", "^/news"], excludePaths: ["draft"] })
      const links = ["/blog/a", "/blog/draft", "/news", "/shop"].map((path) => `http://site.test${path}`)
      const { links: passing, tooLong } = yield* filter.passing([...links, "mailto:a@b.test", links[0] ?? ""])

      expect(passing).toEqual([links[0], links[2], links[0]])
      expect(passing).toEqual(
        links.filter((link) => !filter.excludes(new URL(link)) && filter.includes(new URL(link))).concat(links[0] ?? "")
      )
      expect(tooLong).toBe(0)
    })
  )

  it.effect("matches many links with many patterns in turns", () =>
    Effect.gen(function* () {
      const filter = yield* make({ excludePaths: Array.from({ length: 200 }, (_, at) => `(a|b)*x${at}$`) })
      const links = Array.from({ length: 50 }, (_, at) => `http://site.test/${"a".repeat(400)}${at}`)
      let turns = 0
      // `forever` yields after each time.
      const other = yield* Effect.forkChild(Effect.forever(Effect.sync(() => (turns += 1))), { startImmediately: true })
      const { links: passing } = yield* filter.passing(links)
      yield* Fiber.interrupt(other)

      expect(passing).toEqual(links)
      // 200 patterns of 20 steps on 50 links of 400 characters are 80 million.
      expect(turns).toBeGreaterThan(200)
    })
  )

  it.effect("does not match what would take too long, and says that it has not", () =>
    Effect.gen(function* () {
      const filter = yield* make({ includePaths: ["^/short", "(a|b){900}$"] })
      const long = new URL(`http://site.test/${"a".repeat(4000)}`)
      const short = new URL("http://site.test/short")

      expect(yield* filter.passing([long.href, short.href])).toEqual({ links: [short.href], tooLong: 1 })
      expect(filter.includes(long)).toBe(false)
    })
  )

  it.effect("refuses what is too large, alone or together, before it is compiled", () =>
    Effect.gen(function* () {
      const alone = yield* Effect.flip(make({ includePaths: ["fine", "a{1000}".repeat(280)] }))
      const together = yield* Effect.flip(make({ excludePaths: Array.from({ length: 300 }, () => "(\\w{900})") }))

      expect(alone.details).toEqual([
        {
          path: ["includePaths", 1],
          message:
            "includePaths[1] is too large: it has some 280001 steps, and may have 10000; repeat fewer parts by number"
        }
      ])
      expect(together.message).toBe(
        "includePaths and excludePaths are too large together; repeat fewer parts by number, such as {1000}"
      )
    })
  )

  it.effect("takes as many plain patterns as the contract allows", () =>
    Effect.gen(function* () {
      const filter = yield* make({
        includePaths: Array.from({ length: 1000 }, (_, at) => `^/${String(at).padStart(98, "p")}`)
      })

      expect(filter.includes(new URL(`http://site.test/${"999".padStart(98, "p")}`))).toBe(true)
      expect(filter.includes(new URL(`http://site.test/${"1000".padStart(98, "p")}`))).toBe(false)
    })
  )
})
