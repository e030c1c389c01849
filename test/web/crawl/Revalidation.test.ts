import { describe, expect, it } from "vitest"
import { contentVersion } from "#page/contentVersion"
import type { KnownPage } from "#web/CrawlUrl"
import * as Revalidation from "#web/Revalidation"

const day = 24 * 60 * 60 * 1000
const at = Date.parse("2026-03-10T12:00:00Z")
const page: KnownPage = { url: "http://site.test/a", etag: '"1"', version: contentVersion, at, links: [] }
const knowing = (known: KnownPage, mode: Parameters<typeof Revalidation.of>[1] = "ask", rules?: number) =>
  Revalidation.of({ find: async (url) => (url === known.url ? known : undefined) }, mode, undefined, rules)

describe("a crawl that asks only for what has changed", () => {
  it("knows a page that the same finder has read, or that no finder has", async () => {
    expect(await knowing(page).find(page.url)).toBe(page)
    expect(await knowing({ ...page, version: undefined }).find(page.url)).toBeDefined()
    expect(await knowing({ ...page, version: contentVersion - 1 }).find(page.url)).toBeUndefined()
  })

  it("knows a page whose data the same rules have given, where data is asked for", async () => {
    expect(await knowing({ ...page, rules: 2 }, "ask", 2).find(page.url)).toBeDefined()
    expect(await knowing({ ...page, rules: 1 }, "ask", 2).find(page.url)).toBeUndefined()
    expect(await knowing(page, "ask", 1).find(page.url)).toBeUndefined()
  })

  it("takes a page for old that its sitemap says has not changed for a day before it was asked for", () => {
    const isOld = (lastmod: string | undefined, mode: "ask" | "lastmod" = "lastmod") => {
      const revalidation = knowing(page, mode)
      revalidation.listed(page.url, lastmod)
      return revalidation.isOld(page, at + day)
    }

    expect(isOld("2026-03-09")).toBe(true)
    expect(isOld(new Date(at - day).toISOString())).toBe(true)
    expect(isOld("2026-03-10")).toBe(false)
    expect(isOld("lately")).toBe(false)
    expect(isOld(undefined)).toBe(false)
    expect(isOld("2026-03-01", "ask")).toBe(false)
    expect(knowing(page, "lastmod").isOld(page, at + day)).toBe(false)
  })

  it("leaves a page alone for half of the mean time between its changes, within the bounds", () => {
    const bounds = { minMillis: 60 * 60 * 1000, maxMillis: 30 * day }
    const intervalOf = (known: KnownPage) => {
      let [old, due] = [0, 100 * day]
      while (due - old > 1) {
        const middle = Math.floor((old + due) / 2)
        if (knowing(known, bounds).isOld(known, at + middle)) old = middle
        else due = middle
      }
      return due
    }
    const of = (days: number, changes: number) => intervalOf({ ...page, since: at - days * day, changes }) / day

    expect(intervalOf(page)).toBe(bounds.minMillis)
    expect([of(8, 0), of(8, 1), of(8, 3), of(8, 400)]).toEqual([4, 2, 1, 1 / 24])
    expect(of(1000, 0)).toBe(30)
    const revalidation = Revalidation.of({ find: async () => page }, bounds, undefined)
    const known = { ...page, since: at - 8 * day, changes: 1 }
    expect([1.9, 2.1].map((days) => revalidation.isOld(known, at + days * day))).toEqual([true, false])
  })

  it("counts how often a page that is read again has changed, by what was read of it", () => {
    const read = (content: string | undefined, etag: string | undefined, days: number): KnownPage => ({
      url: page.url,
      etag,
      at: at + days * day,
      links: [],
      traits: { content }
    })
    const visits = [read("a", '"1"', 0), read("a", '"2"', 1), read("b", '"2"', 2), read(undefined, '"2"', 3)]
    const known = visits.reduce<KnownPage | undefined>(
      (before, visit) => Revalidation.readAgain(visit, before),
      undefined
    )

    expect(known).toMatchObject({ since: at, at: at + 3 * day, changes: 1 })
    expect(Revalidation.readAgain(read(undefined, undefined, 4), known)).toMatchObject({ since: at, changes: 2 })
  })

  it("sends what the site said last", () => {
    expect(Revalidation.conditionsOf(page)).toEqual({ "if-none-match": '"1"' })
    expect(Revalidation.conditionsOf({ ...page, etag: undefined, lastModified: "Tue" })).toEqual({
      "if-modified-since": "Tue"
    })
  })
})
