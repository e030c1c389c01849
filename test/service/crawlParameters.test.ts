import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import type { CrawlRequest } from "../../src/api/Crawl.ts"
import { crawlSite, origin } from "./crawlSite.ts"
import { file, page, redirect } from "./scriptedSite.ts"

/** One site on which every parameter of the specification's table makes a difference. Other hosts answer the same. */
const site = {
  "/robots.txt": file("text/plain", "User-agent: *\nDisallow: /private\n\nUser-agent: Special\nDisallow: /docs/b\n"),
  "/sitemap.xml": file("application/xml", `<urlset><url><loc>${origin}/docs/mapped</loc></url></urlset>`),
  "/docs/": page(
    "docs",
    "/docs/a",
    "/docs/b",
    "/docs/a?page=2",
    "/other",
    "/private/x",
    "http://other.test/o",
    "http://other.test/",
    "http://sub.site.test/docs/s",
    "/away"
  ),
  "/docs/a": page("a", "/docs/a/deep"),
  "/docs/a/deep": page("deep", "/docs/a/deep/deeper"),
  "/docs/a/deep/deeper": page("deeper"),
  "/docs/b": page("b"),
  "/docs/mapped": page("mapped"),
  "/docs/s": page("s"),
  "/other": page("other"),
  "/private/x": page("x"),
  "/o": page("o", "/docs/further"),
  "/away": redirect("http://other.test/o")
}
const all = ["/docs/", "/docs/a", "/docs/a/deep", "/docs/a/deep/deeper", "/docs/a?page=2", "/docs/b", "/docs/mapped"]

const rows: ReadonlyArray<readonly [parameter: string, request: Partial<CrawlRequest>, pages: ReadonlyArray<string>]> =
  [
    ["url: the start, and what is below it", {}, all],
    ["maxDiscoveryDepth 0: the start and the sitemap", { maxDiscoveryDepth: 0 }, ["/docs/", "/docs/mapped"]],
    ["maxDiscoveryDepth 1: one hop more", { maxDiscoveryDepth: 1 }, all.filter((path) => !path.includes("deep"))],
    [
      "includePaths: matched on the path, the start too",
      { includePaths: ["/a"] },
      ["/docs/a", "/docs/a/deep", "/docs/a/deep/deeper", "/docs/a?page=2"]
    ],
    [
      "excludePaths: matching paths are skipped",
      { excludePaths: ["deep", "/b$"] },
      ["/docs/", "/docs/a", "/docs/a?page=2", "/docs/mapped"]
    ],
    [
      "regexOnFullURL: the query is matched too",
      { includePaths: ["page=2|docs/$"], regexOnFullURL: true },
      ["/docs/", "/docs/a?page=2"]
    ],
    ["without regexOnFullURL the query is not", { excludePaths: ["page=2"] }, all],
    ["crawlEntireDomain: siblings and parents too", { crawlEntireDomain: true }, [...all, "/other"]],
    ["allowSubdomains: links to subdomains", { allowSubdomains: true }, [...all, "http://sub.site.test/docs/s"]],
    [
      "allowExternalLinks: one hop off the domain, no home pages",
      { allowExternalLinks: true },
      [...all, "http://other.test/o", "http://sub.site.test/docs/s"]
    ],
    ["sitemap skip: HTML links only", { sitemap: "skip" }, all.filter((path) => path !== "/docs/mapped")],
    ["sitemap only: no HTML links", { sitemap: "only" }, ["/docs/", "/docs/mapped"]],
    [
      "ignoreQueryParameters: one page for all queries",
      { ignoreQueryParameters: true },
      all.filter((path) => !path.includes("?"))
    ],
    ["delay: pages one at a time, the same pages", { delay: 0.001 }, all],
    ["maxConcurrency: the same pages", { maxConcurrency: 1 }, all]
  ]

describe("the crawl parameter", () => {
  for (const [parameter, request, pages] of rows) {
    it.live(parameter, () =>
      Effect.gen(function* () {
        const crawl = yield* crawlSite(site, { url: `${origin}/docs/`, ...request }, [
          "site.test",
          "other.test",
          "sub.site.test"
        ])

        expect(crawl.paths).toEqual(pages.toSorted())
        expect(crawl.status).toMatchObject({ status: "completed", total: pages.length, completed: pages.length })
        const { discovered = 0, scraped = 0, failed = 0, blocked = 0, left = 0 } = crawl.status.ledger ?? {}
        expect(discovered).toBe(scraped + failed + blocked + left)
      })
    )
  }

  it.live("limit: pages at most, in a crawl that knows of more", () =>
    Effect.gen(function* () {
      const crawl = yield* crawlSite(site, { url: `${origin}/docs/`, limit: 4 })

      expect(crawl.documents).toHaveLength(4)
      expect(crawl.status.ledger?.left).toBeGreaterThan(0)
    })
  )

  it.live("scrapeOptions: apply to every page", () =>
    Effect.gen(function* () {
      const formats = ["links", "html"] as const
      const crawl = yield* crawlSite(site, { url: `${origin}/docs/`, scrapeOptions: { formats } })

      for (const document of crawl.documents) {
        expect(Object.keys(document).toSorted()).toEqual(["html", "links", "metadata"])
      }
    })
  )

  it.live("prompt: words become options, and options that are set win", () =>
    Effect.gen(function* () {
      const prompt = "at most 3 pages, without the sitemap"
      const crawl = yield* crawlSite(site, { url: `${origin}/docs/`, prompt })
      const set = yield* crawlSite(site, { url: `${origin}/docs/`, prompt, limit: 2 })

      expect([crawl.documents.length, set.documents.length]).toEqual([3, 2])
      expect([...crawl.requests, ...set.requests]).not.toContain("/sitemap.xml")
    })
  )
})
