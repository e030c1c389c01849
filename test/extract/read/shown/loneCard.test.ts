import { expect, it } from "vitest"
import { Page } from "#extract/page/Page"
import * as Blocks from "#extract/read/shown/Blocks"
import { loneCard } from "#extract/read/shown/loneCard"

const cards = (count: number, from: number) =>
  Array.from({ length: count }, (_, i) => `<div class=card><h3><a href=/p${from + i}>Thing</a></h3><p>$${i}</p></div>`)

const lone = (html: string) => {
  const page = new Page(html, "https://shop.test/list")
  return loneCard(page, Blocks.read(page)).flatMap(({ things }) => things)
}

it("a card in a row of any list is not alone, and the only one outside of the lists is, wherever it stands", () => {
  const apart = `<section><div><h3><a href="/x">The only one</a></h3><p>$5</p></div></section>`
  const page = `<main><div>${cards(300, 0).join("")}</div><hr><div>${cards(200, 300).join("")}</div></main>`
  expect(lone(page)).toEqual([])
  expect(lone(page + apart)).toHaveLength(1)
  expect(lone(apart + page)).toHaveLength(1)
})
