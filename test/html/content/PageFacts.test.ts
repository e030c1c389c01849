import { expect, test } from "vitest"
import { factsOf } from "../../../src/html/content/factsOf.ts"
import { hashOfText } from "../../../src/html/content/Outline.ts"
import { titleHashes, typesOf } from "../../../src/html/content/PageFacts.ts"
import * as Dom from "../../../src/html/Dom.ts"

test("a title stands for itself and for its pieces", () => {
  const titles = titleHashes(["How to brew - Tea - The Shop"])
  for (const piece of ["How to brew - Tea - The Shop", "How to brew", "How to brew - Tea", "The Shop"]) {
    expect([piece, titles.has(hashOfText(piece))]).toEqual([piece, true])
  }
  expect(titles.has(hashOfText("How"))).toBe(false)
})

test("types are read from JSON-LD that is no JSON too", () => {
  expect(typesOf('{"@type": ["Product"], "offers": {"@type":"http://schema.org/Offer",}')).toEqual(["Product", "Offer"])
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
