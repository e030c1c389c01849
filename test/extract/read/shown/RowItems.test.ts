import { expect, it } from "vitest"
import { Page } from "#extract/page/Page"
import { gridOf, rowItems } from "#extract/read/shown/Grid"
import { textOf } from "#page/Dom"

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
