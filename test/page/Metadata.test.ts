import { expect, test } from "vitest"
import { defaults, parse } from "#page/Page"

const metadata = (html: string): Readonly<Record<string, string | ReadonlyArray<string>>> =>
  parse({ url: "https://example.com/a/b", body: Buffer.from(html), contentType: "text/html; charset=utf-8" }, defaults)
    .metadata

test("title, description and language come first, as one line of plain text", () => {
  const found = metadata(
    '<html lang="de"><meta name=keywords content="a, b"><meta name=Description content="  x\n &amp; y "><title> A\n&lt;b&gt; </title>'
  )
  expect(Object.entries(found)).toEqual([
    ["title", "A <b>"],
    ["description", "x & y"],
    ["language", "de"],
    ["keywords", "a, b"]
  ])
})

test("open graph names are those that clients know", () => {
  expect(
    metadata(`<meta property="og:title" content=T><meta property="og:site_name" content=S><meta property="og:image" content="/i.png">
      <meta property="og:locale" content=en_US><meta property="og:locale:alternate" content=fr_FR>
      <meta property="article:published_time" content=2026-01-02><meta property="article:tag" content=x><meta property="article:tag" content=y>`)
  ).toEqual({
    title: "T",
    language: "en-US",
    ogTitle: "T",
    ogSiteName: "S",
    ogImage: "https://example.com/i.png",
    ogLocale: "en_US",
    ogLocaleAlternate: ["fr_FR"],
    publishedTime: "2026-01-02",
    articleTag: ["x", "y"]
  })
})

test("links of the head are absolute and follow the base", () => {
  expect(metadata('<base href="/c/"><link rel="shortcut icon" href=f.ico><link rel=canonical href="d?x=1">')).toEqual({
    favicon: "https://example.com/c/f.ico",
    canonical: "https://example.com/c/d?x=1"
  })
})

test("other names stay as the page writes them, and repeated ones become lists", () => {
  expect(
    metadata("<meta name=citation_author content=A><meta name=citation_author content=B><meta name=x content=''>")
  ).toEqual({
    citation_author: ["A", "B"]
  })
})

test("the title of a drawing is not the title of the page", () => {
  expect(metadata("<svg><title>icon</title></svg><title>page</title>").title).toBe("page")
})

test("a name like __proto__ is an ordinary key", () => {
  const found = metadata('<meta name="__proto__" content="x"><meta name="constructor" content="y">')
  expect(Object.getPrototypeOf(found)).toBe(Object.prototype)
  expect(Object.entries(found)).toEqual([
    ["__proto__", "x"],
    ["constructor", "y"]
  ])
})

test("entries, values and names are limited", () => {
  const many = Array.from({ length: 1000 }, (_, i) => `<meta name=n${i} content="${"x".repeat(10_000)}">`).join("")
  const found = metadata(`${many}<meta name="${"n".repeat(500)}" content=y>`)
  expect(Object.keys(found)).toHaveLength(200)
  expect(found.n0).toHaveLength(4000)
})
