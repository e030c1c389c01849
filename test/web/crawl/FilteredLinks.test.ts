import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import * as FilteredLinks from "#web/Crawler"
import * as Scope from "#web/CrawlScope"
import type { DiscoveredUrl } from "#web/CrawlUrl"
import type { Visit } from "#web/PageVisit"
import * as PathFilter from "#web/PathFilter"

const start = new URL("http://site.test/")
const item: DiscoveredUrl = { seq: 0, key: "site.test/", url: start.href, depth: 1, kind: "link", state: "queued" }
const blog = "http://site.test/blog"
const shop = "http://site.test/shop"
const long = `http://site.test/${"a".repeat(4000)}`
const visited = (...links: ReadonlyArray<string>): Visit => ({ _tag: "Visit", state: "scraped", links })

const made = Effect.fnUntraced(function* (includePaths: ReadonlyArray<string>, maxDiscoveryDepth?: number) {
  const filter = yield* PathFilter.ofPatterns({ includePaths, excludePaths: [], regexOnFullURL: false })
  const own = { crawlEntireDomain: true, isOfDomain: undefined, allowExternalLinks: false }
  const said: Array<string> = []
  const warn = (message: string) => Effect.sync(() => void said.push(message))
  return { said, ...FilteredLinks.linkFilter({ ...own, start, maxDiscoveryDepth, filter }, warn) }
})

describe("the links of a crawl that pass its filters", () => {
  it.effect("are those of a visit that its patterns take, and are judged without them", () =>
    Effect.gen(function* () {
      const { ofVisit, rules, said } = yield* made(["^/blog"])
      const end = yield* ofVisit(item, visited(blog, shop))

      expect(end).toEqual(visited(blog))
      expect(Scope.judge(rules, new URL(shop), 2)).toBe("in")
      expect(said).toEqual([])
    })
  )

  it.effect("are not looked for beyond the greatest depth", () =>
    Effect.gen(function* () {
      const { ofVisit } = yield* made(["^/blog"], 1)

      expect(yield* ofVisit(item, visited(blog, shop))).toEqual(visited(blog, shop))
    })
  )

  it.effect("lack those that are too long for the patterns, and the crawl says so", () =>
    Effect.gen(function* () {
      const { passing, said } = yield* made(["^/blog", "(a|b){900}$"])

      expect(yield* passing([long, blog])).toEqual([blog])
      expect(said).toEqual([expect.stringContaining("some links were not followed")])
    })
  )
})
