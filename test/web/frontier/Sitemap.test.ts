import * as zlib from "node:zlib"
import { expect, test } from "vitest"
import * as Sitemap from "#web/frontier/Sitemap"

const read = (text: string | Uint8Array): ReturnType<typeof Sitemap.parse> =>
  Sitemap.parse(typeof text === "string" ? Buffer.from(text) : text, "https://example.com/maps/sitemap.xml")

test("a urlset gives absolute addresses and their dates", () => {
  expect(
    read(`<?xml version="1.0"?><urlset xmlns="x"><url><loc> https://example.com/a?x=1&amp;y=2 </loc><lastmod>2026-01-02</lastmod></url>
      <url><loc><![CDATA[/b]]></loc></url><url><loc>ftp://example.com/c</loc></url><url><loc></loc></url></urlset>`)
  ).toEqual({
    urls: [{ loc: "https://example.com/a?x=1&y=2", lastmod: "2026-01-02" }, { loc: "https://example.com/b" }],
    sitemaps: [],
    isSitemap: true
  })
})

test("an index gives sitemaps, whatever its prefix", () => {
  expect(read("<s:sitemapindex><s:sitemap><s:loc>one.xml</s:loc></s:sitemap></s:sitemapindex>")).toEqual({
    urls: [],
    sitemaps: [{ loc: "https://example.com/maps/one.xml" }],
    isSitemap: true
  })
})

test("the address of an image is not the address of a page", () => {
  expect(
    read("<urlset><url><image:image><image:loc>/i.png</image:loc></image:image><loc>/p</loc></url></urlset>").urls
  ).toEqual([{ loc: "https://example.com/p" }])
})

test("pages in other languages are pages too", () => {
  expect(
    read(
      '<urlset><url><loc>/en</loc><xhtml:link rel="alternate" hreflang="de" href="/de"/><xhtml:link rel="icon" href="/i"/></url></urlset>'
    ).urls.map(({ loc }) => loc)
  ).toEqual(["https://example.com/de", "https://example.com/en"])
})

test("feeds are sitemaps", () => {
  expect(
    read(
      "<rss><channel><link>/home</link><item><link>/a</link><pubDate>Mon, 02 Feb 2026</pubDate></item></channel></rss>"
    ).urls
  ).toEqual([{ loc: "https://example.com/a", lastmod: "Mon, 02 Feb 2026" }])
  expect(
    read(
      '<feed><link href="/home"/><entry><link rel="edit" href="/e"/><link href="/a"/><updated>2026-02-02</updated></entry></feed>'
    ).urls
  ).toEqual([{ loc: "https://example.com/a", lastmod: "2026-02-02" }])
})

test("an entry of a feed may name its page by its guid alone", () => {
  const item = (inner: string) => `<item>${inner}</item>`
  const feed = [
    item("<guid isPermaLink='true'>https://example.com/a</guid>"),
    item("<guid>https://example.com/b</guid>"),
    item("<guid isPermaLink='false'>https://example.com/c</guid>"),
    item("<guid>tag:example.com,2026:4</guid>"),
    item("<guid>https://example.com/?p=5</guid><link>https://example.com/e</link>")
  ].join("")
  const locs = ["https://example.com/a", "https://example.com/b", "https://example.com/e"]
  expect(read(`<rss><channel>${feed}</channel></rss>`).urls.map(({ loc }) => loc)).toEqual(locs)
})

test("the pages that a feed names are links, and those that a sitemap names are not", () => {
  const links = (text: string) => Sitemap.feedLinks(Buffer.from(text), "https://example.com/feed")
  const entry = '<entry><link href="/p"/></entry>'
  expect(links(`<feed>${entry}${entry}</feed>`)).toEqual(["https://example.com/p"])
  expect(links("<urlset><url><loc>/p</loc></url></urlset>")).toEqual([])
  // Longer than a page may hold up others.
  expect(links(`<feed>${entry}${" ".repeat(2 * 1024 * 1024)}</feed>`)).toEqual([])
})

test("a text sitemap is an address a line", () => {
  expect(
    read("\ufeffhttps://example.com/a\r\n\r\nnot an address\r\nhttps://example.com/b").urls.map((url) => url.loc)
  ).toEqual(["https://example.com/a", "https://example.com/b"])
})

test("gzip is known by its bytes, and a file that was cut off gives what it had", () => {
  const text = `<urlset>${Array.from({ length: 5000 }, (_, i) => `<url><loc>/p/${(i * 7919) % 99991}</loc></url>`).join("")}</urlset>`
  const packed = zlib.gzipSync(text)
  expect(read(packed).urls).toHaveLength(5000)
  const part = read(packed.subarray(0, packed.length / 2)).urls.length
  expect(part).toBeGreaterThan(1000)
  expect(part).toBeLessThan(5000)
})

test("a file that ends before its root element does, or before its gzip does, is said to be cut off", () => {
  const whole = "<urlset><url><loc>/a</loc></url><url><loc>/b</loc></url></urlset>"
  const cutOff = "the sitemap is cut off before its end"

  expect(read(whole).problem).toBeUndefined()
  expect(read(`${whole}\n<!-- made in 3 s -->\n`).problem).toBeUndefined()
  expect(read(whole.slice(0, -1)).problem).toBe(cutOff)
  expect(read(whole.slice(0, 40))).toMatchObject({ urls: [{ loc: "https://example.com/a" }], problem: cutOff })
  expect(read(zlib.gzipSync("https://example.com/a\n".repeat(3)).subarray(0, -4)).problem).toBe(cutOff)
  for (let length = 2; length < 12; length++) {
    expect(read(zlib.gzipSync(whole).subarray(0, length)).problem).toMatch(/cut off|empty|not valid/)
  }
})

test("a bomb is not unpacked", () => {
  expect(read(zlib.gzipSync(Buffer.alloc(Sitemap.maxBytes + 1, 32))).problem).toBe(
    "the sitemap unpacks to more than 52428800 bytes"
  )
})

test("what is no sitemap is said, and nothing is thrown", () => {
  expect(read("<!doctype html><html><body><a href=/x>").problem).toBe("the sitemap is an html page")
  expect(read("<note><url><loc>/x</loc></url></note>").problem).toBe('the sitemap has an unknown root element "note"')
  expect(read("").problem).toBe("the sitemap is empty")
  expect(read("\u0000\u0001garbage").problem).toBe("the sitemap names no address")
  expect(read(Uint8Array.of(0x1f, 0x8b, 1, 2, 3)).problem).toBe("the sitemap is not valid gzip")
  expect(read("<urlset><url><loc>/a</loc><url><loc>/b").problem).toBe("the sitemap names no address")
})

test("more addresses than a sitemap may have are left out, and said", () => {
  const found = read(`<urlset>${"<url><loc>/a</loc></url>".repeat(100_001)}</urlset>`)
  expect(found.urls).toHaveLength(100_000)
  expect(found.problem).toBe("the sitemap names more than 100000 addresses: the others are left out")
})
