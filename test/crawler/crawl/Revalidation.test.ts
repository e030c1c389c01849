import { describe, expect, it } from "vitest"
import * as Revalidation from "../../../src/crawler/crawl/Revalidation.ts"
import type { KnownPage } from "../../../src/crawler/frontier/CrawlUrl.ts"
import { contentVersion } from "../../../src/html/content/version.ts"

const day = 24 * 60 * 60 * 1000
const at = Date.parse("2026-03-10T12:00:00Z")
const page: KnownPage = { url: "http://site.test/a", etag: '"1"', version: contentVersion, at, links: [] }
const knowing = (known: KnownPage, mode: "ask" | "lastmod" = "ask") =>
  Revalidation.make({ find: async (url) => (url === known.url ? known : undefined) }, mode)

describe("a crawl that asks only for what has changed", () => {
  it("knows a page that the same finder has read, or that no finder has", async () => {
    expect(await knowing(page).find(page.url)).toBe(page)
    expect(await knowing({ ...page, version: undefined }).find(page.url)).toBeDefined()
    expect(await knowing({ ...page, version: contentVersion - 1 }).find(page.url)).toBeUndefined()
  })

  it("takes a page for old that its sitemap says has not changed for a day before it was asked for", () => {
    const told = (lastmod: string | undefined, mode: "ask" | "lastmod" = "lastmod") => {
      const revalidation = knowing(page, mode)
      revalidation.told(page.url, lastmod)
      return revalidation.isOld(page)
    }

    expect(told("2026-03-09")).toBe(true)
    expect(told(new Date(at - day).toISOString())).toBe(true)
    expect(told("2026-03-10")).toBe(false)
    expect(told("lately")).toBe(false)
    expect(told(undefined)).toBe(false)
    expect(told("2026-03-01", "ask")).toBe(false)
    expect(knowing(page, "lastmod").isOld(page)).toBe(false)
  })

  it("sends what the site said last", () => {
    expect(Revalidation.conditionsOf(page)).toEqual({ "if-none-match": '"1"' })
    expect(Revalidation.conditionsOf({ ...page, etag: undefined, lastModified: "Tue" })).toEqual({
      "if-modified-since": "Tue"
    })
  })
})
