import { describe, expect, it } from "vitest"
import { refusedStart, unreadStart } from "#connectors/webdata/crawl/startPage"

const request = { url: "http://site.test" }
const documentOf = (sourceURL: string, statusCode: number, url = sourceURL) => ({
  metadata: { sourceURL, url, statusCode }
})
const errors = { errors: [], robotsBlocked: [] }

describe("the start page of a crawl", () => {
  it("was had where it answers 2xx, whatever other pages answer", () => {
    const documents = [documentOf("http://site.test/", 200), documentOf("http://site.test/a", 503)]

    expect(refusedStart(request, documents)).toBeUndefined()
    expect(
      unreadStart(request, {
        errors: [{ id: "1", url: "http://site.test/b", error: "" }],
        robotsBlocked: ["http://site.test/c"]
      })
    ).toBeUndefined()
  })

  it("was not had where it answers otherwise, also behind a redirect, and what to do is said", () => {
    expect(refusedStart(request, [documentOf("http://site.test/", 503)])).toBe(
      "the start page http://site.test answers 503, so nothing is loaded and stored rows stay as they are; run it again when the site works"
    )
    expect(refusedStart(request, [documentOf("http://site.test/", 404, "http://site.test/moved")])).toContain(
      "correct `url`"
    )
    expect(refusedStart(request, [documentOf("http://site.test/", 403)])).toContain("scrapeOptions.headers")
  })

  it("was not had where robots.txt forbids it or it could not be read", () => {
    expect(unreadStart(request, { ...errors, robotsBlocked: ["http://site.test/"] })).toContain(
      "robots.txt of the site forbids"
    )
    const failed = { id: "1", url: "http://site.test/", code: "EXTERNAL_LINK", error: "redirects off the domain" }
    expect(unreadStart(request, { ...errors, errors: [failed] })).toContain("EXTERNAL_LINK: redirects off the domain")
  })

  it("does not count where only sitemaps are read, or where the user's filters leave it out", () => {
    const blocked = { ...errors, robotsBlocked: ["http://site.test/"] }
    const filtered = { id: "1", url: "http://site.test/", code: "PATH_FILTER", error: "is not a result" }

    expect(refusedStart({ ...request, sitemap: "only" }, [documentOf("http://site.test/", 503)])).toBeUndefined()
    expect(unreadStart({ ...request, sitemap: "only" }, blocked)).toBeUndefined()
    expect(unreadStart(request, { ...errors, errors: [filtered] })).toBeUndefined()
    expect(unreadStart({ ...request, includePaths: ["^/docs/"] }, blocked)).toBeUndefined()
    expect(unreadStart({ ...request, excludePaths: ["^/$"] }, blocked)).toBeUndefined()
    expect(unreadStart({ ...request, includePaths: ["^/"] }, blocked)).toContain("robots.txt")
    // Only RE2 understands it: then the start counts.
    expect(unreadStart({ ...request, includePaths: ["(?i)^/docs"] }, blocked)).toContain("robots.txt")
  })
})
