import { describe, expect, it } from "vitest"
import * as Finding from "#service/monitor/Finding"

describe("a page that no browser has shown", () => {
  it("is an error that says what to do, and what is known of the page stays", async () => {
    const url = "http://site.test/app"
    const metadata = { sourceURL: url, url, statusCode: 200, scrapeId: "now", unread: "SCRAPE_BROWSER_UNAVAILABLE" }
    const document = { markdown: "", warning: "install a browser", metadata }
    const before = {
      key: url,
      askedKey: url,
      url,
      scrapeId: "before",
      checkId: "check",
      failures: 0,
      version: JSON.stringify({ title: "App", markdown: "The stored text." })
    }
    const watched = { text: true, fields: false }
    const page = { targetId: "site", key: url, askedKey: url, url, document }

    const known = await Finding.ofPage(page, before, watched)
    const first = await Finding.ofPage(page, undefined, watched)

    const error = { status: "error", error: "install a browser", state: "unseen" }
    expect(known).toMatchObject({ ...error, previousScrapeId: "before" })
    expect(first).toMatchObject({ ...error, previousScrapeId: null })
  })
})
