import { expect, test } from "vitest"
import { factsOf } from "#page/content/factsOf"
import { measurePage, pageFeatures } from "#page/content/pageFeatures"
import { readDom } from "#page/content/readDom"
import * as Dom from "#page/Dom"

const measured = (html: string, url: string): ReadonlyMap<string, number> => {
  const root = Dom.parse(html)
  const row = measurePage(readDom(root).outline, factsOf(root, url))
  return new Map(pageFeatures.map(({ name }, i) => [name, row[i] ?? Number.NaN]))
}

test("every feature has a name of its own and a number on an empty page", () => {
  expect(new Set(pageFeatures.map(({ name }) => name)).size).toBe(pageFeatures.length)
  for (const [name, value] of measured("", "not a url")) expect([name, Number.isFinite(value)]).toEqual([name, true])
})

test("addresses and declared types are facts", () => {
  const page = measured(
    '<script type="application/ld+json">{"@type":"Product"}</script><p>Tea</p>',
    "https://shop.example/products/tea"
  )
  expect([page.get("path product"), page.get("type product"), page.get("path forum")]).toEqual([1, 1, 0])
})

test("words in an article are shared out once, also where articles stand in articles", () => {
  const page = measured("<article>a b<article>c d</article></article><p>e f g h</p>", "https://example.com/")
  expect(page.get("share of words in article")).toBe(0.5)
})
