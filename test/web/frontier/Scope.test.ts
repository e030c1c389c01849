import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import * as Scope from "#web/CrawlScope"
import * as PathFilter from "#web/PathFilter"

const rules = (start: string, more: Partial<Scope.Rules> = {}): Scope.Rules => ({
  start: new URL(start),
  maxDiscoveryDepth: undefined,
  crawlEntireDomain: false,
  isOfDomain: undefined,
  allowExternalLinks: false,
  filter: PathFilter.everything,
  ...more
})

const judge = (start: string, url: string, more: Partial<Scope.Rules> = {}, depth = 1) =>
  Scope.judge(rules(start, more), new URL(url), depth)

/** The same where subdomains are allowed. */
const judgeWide = async (start: string, url: string) => {
  const isOfDomain = await Effect.runPromise(Scope.domainOf(new URL(start), true))
  return judge(start, url, { crawlEntireDomain: true, isOfDomain })
}

const all = { crawlEntireDomain: true }
const external = { allowExternalLinks: true }

describe("a link", () => {
  test.each<readonly [start: string, url: string, more: Partial<Scope.Rules>, verdict: ReturnType<typeof Scope.judge>]>(
    [
      ["http://site.test/", "http://site.test/a/b", {}, "in"],
      ["http://site.test/", "https://www.site.test/a", {}, "in"],
      ["http://www.site.test/", "http://site.test/a", {}, "in"],
      ["http://site.test/docs/", "http://site.test/docs/a", {}, "in"],
      ["http://site.test/docs/", "http://site.test/docs", {}, "in"],
      ["http://site.test/docs", "http://site.test/docs/a", {}, "in"],
      ["http://site.test/docs", "http://site.test/docs2", {}, "out"],
      ["http://site.test/docs/", "http://site.test/blog", {}, "out"],
      ["http://site.test/docs/", "http://site.test/", {}, "out"],
      ["http://site.test/docs/", "http://site.test/", all, "in"],
      ["http://site.test/docs/", "http://site.test/docs/../blog", {}, "out"],
      ["http://site.test/docs/index.html", "http://site.test/docs/a", {}, "in"],
      ["http://site.test/docs/index.html", "http://site.test/a", {}, "out"],
      ["http://site.test/", "http://site.test:8080/a", {}, "out"],
      ["http://site.test/", "http://api.site.test/a", {}, "out"],
      ["http://site.test/", "http://other.test/x", {}, "out"],
      ["http://site.test/", "http://other.test/x", external, "external"],
      ["http://site.test/", "http://other.test/?q=1", external, "external"],
      ["http://site.test/", "http://other.test/", external, "external-home"],
      ["http://site.test/", "http://other.test/logo.png", external, "out"],
      ["http://site.test/", "http://site.test/a.PNG", {}, "file"],
      ["http://site.test/", "http://site.test/v1.2/notes", {}, "in"],
      ["http://site.test/", "http://site.test/paper.pdf", {}, "in"],
      ["http://site.test/", "http://site.test/a.html?file=x.png", {}, "in"]
    ]
  )("from %s to %s with %j is %s", (start, url, more, verdict) => {
    expect(judge(start, url, more)).toBe(verdict)
  })

  test.each([
    ["http://site.example/", "http://api.site.example/a", "in"],
    ["http://api.site.example/", "http://site.example/a", "in"],
    ["http://a.github.io/", "http://b.github.io/x", "out"],
    ["http://a.co.uk/", "http://b.co.uk/x", "out"],
    ["http://127.0.0.1/", "http://127.0.0.2/x", "out"],
    ["http://site.test/", "http://evilsite.test/", "out"],
    ["http://site.example/", "http://site.example.evil.test/x", "out"]
  ])("from %s to %s with subdomains is %s", async (start, url, verdict) => {
    expect(await judgeWide(start, url)).toBe(verdict)
  })

  test("is out beyond the depth, also off the domain", () => {
    const shallow = { maxDiscoveryDepth: 2, allowExternalLinks: true }

    expect(judge("http://site.test/", "http://site.test/a", shallow, 2)).toBe("in")
    expect(judge("http://site.test/", "http://site.test/a", shallow, 3)).toBe("out")
    expect(judge("http://site.test/", "http://other.test/a", shallow, 3)).toBe("out")
  })

  test("is out where it is excluded, or not included, on the domain and off it", () => {
    const filter = {
      ...PathFilter.everything,
      excludes: (url: URL) => url.pathname.includes("no"),
      includes: (url: URL) => url.pathname !== "/x"
    }
    const verdicts = ["http://site.test/no", "http://site.test/x", "http://other.test/no", "http://other.test/yes"].map(
      (url) => judge("http://site.test/", url, { filter, allowExternalLinks: true })
    )

    expect(verdicts).toEqual(["out", "out", "out", "external"])
  })
})
