import { describe, expect, it } from "vitest"
import { Page } from "#extract/page/Page"
import { gridOf, isLayout, rowItems } from "#extract/read/shown/Grid"
import { elements, parse, textOf } from "#page/Dom"

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

const items = (rows: string) => {
  const table = new Page(`<table>${rows}</table>`, "https://old.test/").elements.find(({ name }) => name === "table")
  return table === undefined ? undefined : rowItems(gridOf(table)).map((item) => item.map((row) => textOf(row)))
}

const title = (name: string) => `<tr><td colspan=2><a href="/${name}">${name}</a>`
const more = (price: number) => `<tr><td>price<td>${price}`

it("rows whose layouts repeat in turn are one item", () => {
  expect(items(`${title("a")}${more(1)}${title("b")}${more(2)}`)).toEqual([
    ["a", "price 1"],
    ["b", "price 2"]
  ])
  expect(items(`<tr>${title("a")}${more(1)}<tr>${title("b")}${more(2)}`)).toHaveLength(2)
})

it("a table has no items of several rows if it is uncertain which row begins an item", () => {
  expect(items(`${title("x")}${title("a")}${more(1)}${title("b")}${more(2)}`)).toHaveLength(2)
  expect(items(`${more(0)}${title("a")}${more(1)}${title("b")}${more(2)}`)).toEqual([])
})

it("a table has no items of several rows if rows have one layout, and links and pictures do not repeat", () => {
  const row = (name: string, says: string) => `<tr><td>${name}<td>${says}`
  const link = "<a href=/>x</a>"

  expect(items(row("a", link) + row("b", "y") + row("c", link) + row("d", link) + row("e", link))).toEqual([])
  expect(items(row("a", link) + row("b", "y") + row("c", link) + row("d", "y"))).toEqual([])
  expect(items([1, 2, 3, 4, 5, 6].map((i) => row("a", i % 2 === 0 ? link : "y")).join(""))).toHaveLength(3)
})

it("a table with heads, or with tables in it, has no items of several rows", () => {
  const rows = title("a") + more(1) + title("b")

  expect(items(`${rows}<tr><th>price<td>2`)).toEqual([])
  expect(items(`${rows}<tr><td>price<td><table><tr><td>2</table>`)).toEqual([])
})
