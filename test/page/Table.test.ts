import { expect, test } from "vitest"
import { defaults, parse } from "#page/Page"

const md = (html: string): string | undefined =>
  parse(
    { url: "https://example.com/", body: Buffer.from(html), contentType: "text/html; charset=utf-8" },
    { ...defaults, onlyMainContent: false }
  ).markdown

test("a row of headers heads the table", () => {
  expect(
    md(
      "<table><caption>Cap</caption><thead><tr><th>A<th align=right>B<tbody><tr><td>1<td align=right><b>2</b></table>x"
    )
  ).toBe("Cap\n\n| A | B |\n| --- | ---: |\n| 1 | **2** |\n\nx")
})

test("a table without headers gets an empty head, so that no row is mistaken for one", () => {
  expect(md("<table><tr><td>1<td>2<tr><th>3<td>4</table>")).toBe("|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |")
})

test("pipes and lines in cells do not break the row", () => {
  expect(md("<table><tr><th>A<th>B<tr><td>a|b <code>c|d</code><td>x<br>y<p>z<ul><li>1<li>2</ul></table>")).toBe(
    "| A | B |\n| --- | --- |\n| a\\|b `c\\|d` | x<br>y<br>z<br>- 1<br>- 2 |"
  )
})

test("spans leave empty cells", () => {
  expect(md("<table><tr><th>A<th>B<th>C<tr><td colspan=2>1<td rowspan=2>2<tr><td>3<td>4</table>")).toBe(
    "| A | B | C |\n| --- | --- | --- |\n| 1 |  | 2 |\n| 3 | 4 |"
  )
})

test("a span of absurd size is limited", () => {
  const text = md(`<table>${"<tr><th rowspan=999999>a<th colspan=50>b<th>c".repeat(2)}</table>`)
  expect(text?.length).toBeLessThan(3000)
})

test("a table that lays out a page becomes the blocks of its cells", () => {
  expect(md("<table><tr><td><h2>A</h2><p>a</td><td><ul><li>b</ul><pre>c</pre></td></tr></table>")).toBe(
    "## A\n\na\n\n- b\n\n```\nc\n```"
  )
  expect(md("<ul><li><table role=presentation><tr><td>a<td>b<tr><td><p>c<p>d</table></ul>")).toBe("- a b\n\n  c\n\n  d")
})

test("a table around a table is a layout", () => {
  expect(md("<table><tr><td>x<td><table><tr><th>A<th>B<tr><td>1<td>2</table></table>")).toBe(
    "x\n\n| A | B |\n| --- | --- |\n| 1 | 2 |"
  )
})

test("a table in a quote is quoted line by line", () => {
  expect(md("<blockquote><table><tr><th>A<th>B<tr><td>1<td>2</table></blockquote>")).toBe(
    "> | A | B |\n> | --- | --- |\n> | 1 | 2 |"
  )
})

test("rows of a table that never began are text", () => {
  expect(md("a<tr><td>b<td>c")).toBe("a\n\nb\n\nc")
})

test("code in a cell of a table with headers keeps its lines", () => {
  expect(
    md("<table><tr><th>Call<th>Code<tr><td>a<td><pre>if (x) {\n  y | z\n}</pre><tr><td>b<td><pre>one()</pre></table>")
  ).toBe("| Call | Code |\n| --- | --- |\n| a | `if (x) {`<br>`  y \\| z`<br>`}` |\n| b | `one()` |")
})

test("a foot that is written before the body is the last row, and a late head the first", () => {
  const foot = "<tfoot><tr><td>Sum<td>3</tfoot>"
  const head = "<thead><tr><th>What<th>Price</thead>"
  const body = "<tbody><tr><td>a<td>1<tr><td>b<td>2</tbody>"
  const table = "| What | Price |\n| --- | --- |\n| a | 1 |\n| b | 2 |\n| Sum | 3 |"
  expect([md(`<table>${foot}${head}${body}</table>`), md(`<table>${body}${foot}${head}</table>`)]).toEqual([
    table,
    table
  ])
})

test("a table that only its roles make is a table", () => {
  const cell = (role: string, text: string) => `<span role=${role}>${text}</span>`
  const row = (...cells: ReadonlyArray<string>) => `<span role="row">${cells.join("")}</span>`
  const table = `<div role="table"><div role="rowgroup">${row(cell("columnheader", "Name"), cell("columnheader", "Age"))}</div>${row(cell("cell", "Ada"), cell("cell", "<b>36</b>"))}${row(cell("cell", "Bob"), cell("cell", "7"))}</div>`
  expect(md(`${table}after`)).toBe("| Name | Age |\n| --- | --- |\n| Ada | **36** |\n| Bob | 7 |\n\nafter")
  expect(md('<table><tr><th>A<th>B<tr><td><div role="row">1</div><td>2</table>')).toBe(
    "| A | B |\n| --- | --- |\n| 1 | 2 |"
  )
  expect(md('<p>a <span role="row">b</span> c</p>')).toBe("a b c")
})
