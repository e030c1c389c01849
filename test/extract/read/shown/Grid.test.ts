import { describe, expect, it } from "vitest"
import { gridOf, isLayout } from "#extract/read/shown/Grid"
import { elements, parse } from "#page/Dom"

const grid = (html: string) => {
  const table = elements(parse(html)).find(({ name }) => name === "table")
  if (table === undefined) throw new Error("no table")
  return gridOf(table)
}
const texts = (html: string) => grid(html).rows.map(({ cells }) => cells.map((cell) => cell?.text))

describe("a table as a grid", () => {
  it("fills in cells that span columns and rows", () => {
    expect(texts("<table><tr><td rowspan=2>a<td colspan=2>b<tr><td>c<td>d<tr><td>e</table>")).toEqual([
      ["a", "b", "b"],
      ["a", "c", "d"],
      ["e"]
    ])
  })

  it("knows heads, the caption and what is a row of another table", () => {
    const read = grid(
      "<table><caption>T</caption><thead><tr><td>a<tbody><tr><th>b<tr><td>c<table><tr><td>d</table></table>"
    )

    expect(read.caption).toBe("T")
    expect(read.rows.map(({ isHead }) => isHead)).toEqual([true, true, false])
  })

  it("never trusts a span as a size", () => {
    const { rows, width } = grid("<table><tr><td colspan=999999999 rowspan=999999999>a<tr><td>b</table>")

    expect(width).toBeLessThanOrEqual(101)
    expect(rows).toHaveLength(2)
  })

  it.each([
    ["<table role=presentation><tr><td>a<td>b</table>", true],
    ["<table><tr><td>a</table>", true],
    ["<table><tr><td>a<td><table><tr><td>b</table></table>", true],
    ["<table><tr><td>a<td>b</table>", false],
    ["<table><tr><th>a<td><table><tr><td>b</table></table>", false]
  ])("%s only arranges the page: %s", (html, is) => {
    expect(isLayout(grid(html))).toBe(is)
  })
})
