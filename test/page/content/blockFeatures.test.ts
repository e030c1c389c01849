import { expect, test } from "vitest"
import { measureBlocks, names } from "#page/content/blockFeatures"
import { factsOf } from "#page/content/factsOf"
import { readDom } from "#page/content/readDom"
import * as Dom from "#page/Dom"

const rowsOf = (html: string): ReadonlyArray<ReadonlyMap<string, number>> => {
  const root = Dom.parse(html)
  const { outline } = readDom(root)
  const rows = measureBlocks(outline, factsOf(root, "https://example.com/"))
  expect(rows).toHaveLength(outline.blocks.length * names.length)
  return outline.blocks.map(
    (_, i) => new Map(names.map((name, at) => [name, rows[i * names.length + at] ?? Number.NaN]))
  )
}

test("every feature has a name of its own, and every row has a number for each", () => {
  expect(new Set(names).size).toBe(names.length)
  const rows = rowsOf(
    "<title>Tea</title><main><h1>Tea</h1><p>Hot, and in cups.</p></main><nav><a href=/>Home</a></nav>"
  )
  for (const row of rows) for (const [name, value] of row) expect([name, Number.isFinite(value)]).toEqual([name, true])
})

test("a block knows itself and what it stands in", () => {
  const [title, text, home] = rowsOf(
    "<title>Tea</title><main><h1>Tea</h1><p>Hot, and in cups.</p></main><nav class=site-menu><a href=/>Home</a></nav>"
  )
  expect([title?.get("is title"), title?.get("heading"), title?.get("in main")]).toEqual([1, 1, 1])
  expect([text?.get("words"), text?.get("ends sentence"), text?.get("after title")]).toEqual([4, 1, 1])
  expect([home?.get("linked"), home?.get("in nav"), home?.get("hint navigation")]).toEqual([1, 1, 0])
})

test("what is repeated is counted by its way and by its text", () => {
  const rows = rowsOf(`<ul>${"<li class=card>Read more</li>".repeat(4)}</ul><p>Once.</p>`)
  expect(rows[3]?.get("way again")).toBe(4)
  expect(rows[3]?.get("text again")).toBe(4)
  expect(rows[3]?.get("which of the same text")).toBe(3)
  expect(rows[4]?.get("way again")).toBe(1)
})

test("a page of a million blocks in a row is measured once, not once for each", () => {
  const rows = rowsOf(`<main>${"<p>a b</p>".repeat(20_000)}</main>`)
  expect(rows.at(-1)?.get("words before")).toBeCloseTo(1, 3)
})
