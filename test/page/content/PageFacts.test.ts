import { expect, test } from "vitest"
import { factsOf } from "#page/content/factsOf"
import { hashOfText } from "#page/content/letters"
import { spelled, titleHashes, typesOf, wholeTitleHashes } from "#page/content/PageFacts"
import * as Dom from "#page/Dom"
import { mainBlocks } from "#page/mainBlocks"

test("a title stands for itself and for its pieces", () => {
  const titles = titleHashes(["How to brew - Tea - The Shop"])
  for (const piece of ["How to brew - Tea - The Shop", "How to brew", "How to brew - Tea", "The Shop"]) {
    expect([piece, titles.has(hashOfText(piece))]).toEqual([piece, true])
  }
  expect(titles.has(hashOfText("How"))).toBe(false)
})

test("a title in a script without spaces has pieces too", () => {
  const titles = titleHashes(["三峡大坝开始放水_国内新闻_新闻网", "水車が直った｜水車新聞"])
  for (const piece of ["三峡大坝开始放水", "国内新闻", "水車が直った"]) {
    expect([piece, titles.has(hashOfText(piece))]).toEqual([piece, true])
  }
  expect(titleHashes(["read_file in C"]).has(hashOfText("read"))).toBe(false)
  expect(wholeTitleHashes(["三峡大坝开始放水"]).size).toBe(1)
})

test("the hash of a text has its letters, and none of the signs beside them in Unicode", () => {
  const nothing = hashOfText("")
  expect(hashOfText(" ×÷\u2000\u206f\u2190\u2bff\u3000\u3004\u3008\u3020")).toBe(nothing)
  for (const letter of "ªµº\u00c0\u1fff\u2070\u218f\u2c00\u2fff\u3005\u3007\u3021") {
    expect([letter, hashOfText(letter) === nothing]).toEqual([letter, false])
  }
})

test("types are read from JSON-LD that is no JSON too", () => {
  expect(typesOf('{"@type": ["Product"], "offers": {"@type":"http://schema.org/Offer",}')).toEqual(["Product", "Offer"])
})

test("what a page says of itself is read in time that grows with it, however much white space is in it", () => {
  const blanks = " ".repeat(190_000)
  expect(typesOf(`{"@type":${blanks}, "@type": "Offer"`)).toEqual(["Offer"])
  const { blocks } = mainBlocks(
    Dom.parse(`<main><p>Tea is brewed here.<pre>a${blanks}b</pre></main>`),
    "https://shop.example/"
  )
  expect(blocks.at(-1)?.text.length).toBe(blanks.length + 2)
  const { titles } = factsOf(
    Dom.parse(`<meta property=og:title content="Tea${blanks}| Shop">`),
    "https://shop.example/"
  )
  expect(titles.has(hashOfText("Tea"))).toBe(true)
})

test("a page says of itself what its head, its data and its items say", () => {
  const facts = factsOf(
    Dom.parse(
      `<title>Tea | Shop</title><meta property=og:type content=Product><meta property=og:site_name content=Shop>
       <script type="application/ld+json">{"@type":"Product"}</script><div itemscope itemtype="https://schema.org/Offer">`
    ),
    "https://shop.example/tea"
  )
  expect([facts.ogType, [...facts.types], facts.site === hashOfText("shop")]).toEqual([
    "product",
    ["Product", "Offer"],
    true
  ])
})

test("the spellings of one address are one", () => {
  const page = "https://www.example.com/blog/2024/julia"
  const others = ["/", "/index.html", "/index.php", "/Default.aspx", "/#releases", ""]
  for (const end of others) expect(spelled(`${page}${end}`, undefined)).toBe(page)
  expect(spelled(`${page}/?utm_source=feed`, `${page}/`)).toBe(page)
  expect(spelled("https://example.com/shop?page=2", "/shop?page=2&sort=name")).toBe(
    "https://example.com/shop?page=2&sort=name"
  )
  // What a page says of another path is no spelling of its own.
  expect(spelled(`${page}?id=1`, "https://www.example.com/")).toBe(`${page}?id=1`)
  expect(spelled("https://example.com/index.html", undefined)).toBe(spelled("https://example.com/", undefined))
  expect(spelled("no address", undefined)).toBe("no address")
})

test("the same bytes under another spelling of their address have the same main content", () => {
  const list = Array.from(
    { length: 12 },
    (_, i) => `<li><a href="/p/${i}">Tool number ${i} of the collection</a></li>`
  ).join("")
  const text = Array.from(
    { length: 9 },
    (_, i) => `<p>Sentence ${i} says something of the release, and then says more.</p>`
  ).join("")
  const html = `<body><nav><ul>${list}</ul></nav><div><h1>Release</h1><div class=note><b>A note</b> of the release, short.</div>${text}</div>`
  const kept = (url: string) => mainBlocks(Dom.parse(html), url).blocks.map(({ text }) => text)
  const ways = [
    "https://x.example/blog/julia/",
    "https://x.example/blog/julia",
    "https://x.example/blog/julia/index.html"
  ].map(kept)
  expect(ways[1]).toEqual(ways[0])
  expect(ways[2]).toEqual(ways[0])
})
