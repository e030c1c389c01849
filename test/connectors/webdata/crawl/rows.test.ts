import { describe, expect, it } from "@effect/vitest"
import * as rows from "#connectors/webdata/crawl/rows"

const context: rows.Context = { jobId: "1", startUrl: "http://site.test/", now: 0 }

const linksOf = (url: string, links: ReadonlyArray<string>) =>
  rows.pageLinks(context, [
    { document: { links, metadata: { url, sourceURL: url, scrapeId: "s", statusCode: 200 } }, formatRow: {} }
  ])

describe("links of a page", () => {
  it("have the host that the URL standard gives them, however they are written", () => {
    const links = [
      "http://site.test/",
      "http://site.test/a?b#c",
      "http://site.test",
      "http://site.test?a",
      "http://site.test#a",
      "http://site.test\\a",
      "http://SITE.test/a",
      "http://site.test:80/a",
      "http://site.test:8080/a",
      "https://site.test:80/a",
      "https://site.test:443/a",
      "http://site.test:99999/a",
      "http://user:word@site.test/a",
      "http://site.test@other.test/a",
      "http://1.2/a",
      "http://256.256.256.256/a",
      "http://[::1]:8080/a",
      "http://zürich.test/a",
      "http://xn--zrich-kva.test/a",
      "http://xn--/a",
      "http:///a",
      "http:site.test/a",
      "http://site.te\tst/a",
      "mailto:a@site.test",
      "/a",
      ""
    ]

    // Twice: what is known of a host is what was found.
    const found = linksOf("http://site.test/page", [...links, ...links])

    const expected = links.map((link) => URL.parse(link)?.host ?? null)
    expect(found.map(({ host }) => host)).toEqual([...expected, ...expected])
    expect(found.map(({ is_internal: isInternal }) => isInternal)).toEqual(
      [...expected, ...expected].map((host) => host === "site.test")
    )
    expect(found.map(({ position, link }) => [position, link])).toEqual(
      [...links, ...links].map((link, at) => [at, link])
    )
  })
})

it("what a page declares of itself stands in columns of its own, as the page says it", () => {
  const metadata = {
    url: "http://site.test/",
    sourceURL: "http://site.test/",
    scrapeId: "s",
    statusCode: 200,
    author: ["A. Miller", "B. Baker"],
    publishedTime: "2026-05-01T10:00+02:00",
    ogSiteName: "The mill",
    ogImage: 7
  }
  const [row] = rows.pages(context, [{ document: { metadata }, formatRow: {} }])

  expect(row).toMatchObject({
    meta_author: "A. Miller\nB. Baker",
    meta_published: "2026-05-01T10:00+02:00",
    meta_modified: null,
    og_site_name: "The mill",
    og_image: null
  })
})
