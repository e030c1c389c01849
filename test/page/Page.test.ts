import { expect, test } from "vitest"
import { contentVersion } from "#page/contentVersion"
import { defaults, parse } from "#page/Page"

const page = (body: string | Uint8Array, contentType: string | undefined = "text/html", options = defaults) =>
  parse(
    { url: "https://example.com/a/b", body: typeof body === "string" ? Buffer.from(body) : body, contentType },
    options
  )

test("one page is markdown, html, raw html, links and metadata, as asked", () => {
  const html = "<title>T</title><p>a <a href=/x>b</a>"
  expect(page(html, "text/html", { ...defaults, html: true, rawHtml: true })).toEqual({
    markdown: "a [b](https://example.com/x)",
    html: '<p>a <a href="https://example.com/x">b</a></p>',
    rawHtml: html,
    links: ["https://example.com/x"],
    kind: expect.stringMatching(/^[a-z]+$/),
    contentVersion,
    metadata: { title: "T" }
  })
  expect(page(html, "text/html", { ...defaults, markdown: false })).toEqual({
    links: ["https://example.com/x"],
    metadata: { title: "T" }
  })
})

test("links are absolute, unique, of the web, and in the order of the page", () => {
  expect(
    page(
      '<a href="z">1</a><map><area href="/m"></map><a href="z">2</a><a href="mailto:x@y.z">3</a><a href="javascript:1">4</a><a href="http://[">5</a><a>6</a><a href=" ?q ">7</a><p hidden><a href="#h">8</a>'
    ).links
  ).toEqual([
    "https://example.com/a/z",
    "https://example.com/m",
    "https://example.com/a/b?q",
    "https://example.com/a/b#h"
  ])
})

test("frames of the page's own site are links, also those of a frameset, and no other site's", () => {
  const frames =
    '<frameset><frame src="/menu.html"><frame src=main.html><frame src="https://ads.example.net/x"></frameset>' +
    '<iframe src="inner.html">old</iframe><iframe src="https://video.example.net/"></iframe><iframe src="about:blank"></iframe>' +
    "<iframe></iframe>"
  const { links } = page(frames)

  expect(links.map((link) => link.split("/").at(-1))).toEqual(["menu.html", "main.html", "inner.html"])
})

test("the next page of a list is a link where only the head names it, and so is a link in a drawing", () => {
  const head =
    "<head><link rel=next href=/list/3><link rel='PREV nofollow' href=/list/1><link rel=nextcloud href=/n></head>"
  const { links } = page(`${head}<svg><a xlink:href="/map/region"><text>Region</text></a></svg>`)

  expect(links.map((link) => new URL(link).pathname)).toEqual(["/list/3", "/list/1", "/map/region"])
})

test("a page in another language is a link where only the head names it", () => {
  const head =
    "<link rel=alternate hreflang=de href=/de/><link rel=alternate hreflang='' href=/x><link rel=alternate href=/feed>"
  expect(page(`<head>${head}</head><p>x</p>`).links).toEqual(["https://example.com/de/"])
})

test("a base moves the links that follow it", () => {
  expect(page('<base href="https://cdn.example.org/d/"><a href=e>x</a>').links).toEqual(["https://cdn.example.org/d/e"])
})

test("a refresh leads to an absolute address", () => {
  expect(page(`<meta http-equiv=Refresh content="0; URL='../next?a=1'">`).refresh).toBe("https://example.com/next?a=1")
  expect(page("<meta http-equiv=refresh content='5'>").refresh).toBeUndefined()
  expect(page("<noscript><meta http-equiv=refresh content='0;url=/nojs'></noscript>").refresh).toBeUndefined()
  expect(page("<meta http-equiv=refresh content='0;url=javascript:1'>").refresh).toBeUndefined()
})

test("text is its own markdown, data is fenced, and what cannot be read has none", () => {
  expect(page("# a\r\n", "text/markdown").markdown).toBe("# a")
  expect(page('{"a":"```"}', "application/json").markdown).toBe('````json\n{"a":"```"}\n````')
  expect(page("<rss><item/></rss>", "application/rss+xml").markdown).toBe("```xml\n<rss><item/></rss>\n```")
  expect(page("%PDF-1.7", "application/pdf")).toEqual({ links: [], metadata: {} })
})

test("an empty page is an empty page", () => {
  const empty = { markdown: "", html: "", rawHtml: "", links: [], metadata: {} }
  const all = { ...defaults, html: true, rawHtml: true, onlyMainContent: false }
  for (const body of ["", new Uint8Array(1000)]) {
    expect(page(body, "text/html", all)).toEqual(empty)
    expect(page(body, "text/html", { ...all, onlyMainContent: true })).toMatchObject(empty)
  }
})

test("no bytes make it throw", () => {
  let seed = 7
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below
  const parts =
    '<|>|</|/>|<!--|-->|<![CDATA[|]]>|"|\'|=|&|&#|&amp;|#|*|`|[|](|\n|\t|  |\u0000|é|\ud800|a href=x|a|p|b|ul><li|table><tr><td|pre|code|h1|blockquote|svg|math|title|script|meta http-equiv=refresh content=|style="display:none"|class="nav"|img src=data:|td colspan=9|br|dl><dt'.split(
      "|"
    )
  for (let i = 0; i < 2000; i++) {
    const text = Array.from({ length: random(60) }, () => parts[random(parts.length)]).join(random(2) === 0 ? "" : "<")
    const found = page(text, "text/html", { ...defaults, html: true })
    expect(found.markdown).toBe(found.markdown?.trim())
    expect(found.markdown).not.toMatch(/\n[ >]*\n[ >]*\n(?!.*```)/s)
  }
})

test("text nested a hundred thousand deep is still there", () => {
  for (const tag of ["<div>", "<b>", "<blockquote>", "<ul><li>", "<table><tr><td>", "<a href=x>", "<svg>", "<h1>"]) {
    const found = page(`${tag.repeat(100_000)}text`, "text/html", { ...defaults, html: true })
    expect([tag, found.markdown?.includes("text") || tag === "<svg>"]).toEqual([tag, true])
  }
})

test("nested lists cannot blow a page up", () => {
  const body = "<ul><li>x".repeat(20_000)
  expect(page(body).markdown?.length).toBeLessThan(body.length * 10)
})

test("queries of links are in the encoding of the page, their paths in UTF-8", () => {
  const html = Buffer.from("<meta charset=windows-1251><a href='/\xef?q=\xef'>x</a>", "latin1")
  expect(page(html).links).toEqual(["https://example.com/%D0%BF?q=%EF"])
  expect(page("<meta charset=utf-8><a href='/п?q=п'>x</a>").links).toEqual(["https://example.com/%D0%BF?q=%D0%BF"])
})

test("a page in the encoding of Korea has the syllables that Windows added", () => {
  const html = Buffer.concat([Buffer.from("<p>"), Buffer.from("8c63b9e6", "hex")])
  expect(page(html, "text/html; charset=euc-kr").markdown).toBe("똠방")
})
