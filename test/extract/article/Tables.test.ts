import { describe, expect, it } from "vitest"
import * as Draft from "../../../src/extract/article/Draft.ts"
import * as Tables from "../../../src/extract/article/Tables.ts"
import * as Dom from "../../../src/html/Dom.ts"

const marks = (html: string) => {
  const root = Draft.of(Dom.parse(html))
  Tables.markData(root)
  return Draft.within(root, (name) => name === "table").map(({ isData }) => isData)
}

const row = (cells: number) => `<tr>${"<td>x</td>".repeat(cells)}</tr>`

describe("Tables", () => {
  it.each([
    ["<table><tr><th>a</tr></table>", true],
    ["<table><caption>a</caption><tr><td>b</tr></table>", true],
    ["<table><caption></caption><tr><td>b</tr></table>", false],
    ['<table summary="a"><tr><td>b</tr></table>', true],
    ['<table role="presentation"><tr><th>a</tr></table>', false],
    [`<table>${row(1).repeat(20)}</table>`, false],
    [`<table>${row(20)}</table>`, false],
    [`<table>${row(2).repeat(10)}</table>`, true],
    [`<table>${row(5).repeat(2)}</table>`, true],
    [`<table>${row(3).repeat(3)}</table>`, false],
    [`<table>${row(4).repeat(3)}</table>`, true],
    [`<table><tr><td colspan="5">x</tr>${row(2)}</table>`, true]
  ])("%s has data: %s", (html, isData) => {
    expect(marks(html)).toEqual([isData])
  })

  it("holds a table that holds another for layout", () => {
    expect(marks(`<table><tr><td><table>${row(2).repeat(10)}</table></td><td>x</td></tr></table>`)).toEqual([
      false,
      true
    ])
  })
})
