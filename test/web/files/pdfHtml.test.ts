import { describe, expect, it } from "vitest"
import { pdfHtml } from "#web/readPdf"

const text = (text: string, level?: number) => ({ text, level, bullet: false })
const table = (heads: number, ...rows: ReadonlyArray<ReadonlyArray<string>>) => ({
  rows: rows.map((row) => row.map((text) => ({ text, across: 1, down: 1 }))),
  columns: [60, 200],
  heads
})

describe("a PDF as HTML", () => {
  it("has its words as they are, and the lines that do not flow on", () => {
    const html = pdfHtml([[text("Invoice", 1), text("File: my_file*name*\nCustomer: Smith & <Sons>")]])

    expect(html).toBe("<h1>Invoice</h1>\n<p>File: my_file*name*<br>\nCustomer: Smith &amp; &lt;Sons&gt;</p>")
  })

  it("has its items in lists", () => {
    const item = (text: string) => ({ text, level: undefined, bullet: true })

    expect(pdfHtml([[item("one"), item("two"), text("after")]])).toBe(
      "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n<p>after</p>"
    )
  })

  it("has a table over several pages once, without the head that each of them repeats", () => {
    const html = pdfHtml([
      [table(1, ["Item", "Price"], ["Lamp", "1.50"])],
      [table(1, ["Item", "Price"], ["Jar", "2.50"])],
      [table(0, ["Box", "7.00"]), text("after")]
    ])

    expect(html.match(/<tr>.*<\/tr>/g)).toEqual([
      `<tr><th scope="col">Item</th><th scope="col">Price</th></tr>`,
      "<tr><td>Lamp</td><td>1.50</td></tr>",
      "<tr><td>Jar</td><td>2.50</td></tr>",
      "<tr><td>Box</td><td>7.00</td></tr>"
    ])
    expect(html.match(/<table>/g)).toHaveLength(1)
    expect(html.endsWith("</table>\n<p>after</p>")).toBe(true)
  })

  it("has heads of groups and totals that are marked, the last ones as the foot", () => {
    const html = pdfHtml([
      [
        table(
          1,
          ["Item", "Units", "Price"],
          ["Kitchen", "", ""],
          ["Pot", "2", "4.00"],
          ["Garden", "", ""],
          ["Rake", "1", "9.00"],
          ["Total", "", "13.00"]
        )
      ]
    ])

    expect(html.split("\n").slice(2)).toEqual([
      `<tr><th scope="rowgroup">Kitchen</th><td></td><td></td></tr>`,
      "<tr><td>Pot</td><td>2</td><td>4.00</td></tr>",
      `<tr><th scope="rowgroup">Garden</th><td></td><td></td></tr>`,
      "<tr><td>Rake</td><td>1</td><td>9.00</td></tr>",
      "<tfoot>",
      `<tr><th scope="row">Total</th><td></td><td>13.00</td></tr>`,
      "</tfoot>",
      "</table>"
    ])
  })

  it("has two tables where the next page begins with another one", () => {
    const html = pdfHtml([[table(0, ["Lamp", "1.50"])], [{ ...table(0, ["a", "b", "c"]), columns: [60, 200, 300] }]])

    expect(html.match(/<table>/g)).toHaveLength(2)
  })
})
