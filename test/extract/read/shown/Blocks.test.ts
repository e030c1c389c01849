import { describe, expect, it } from "vitest"
import { Page } from "#extract/page/Page"
import { read } from "#extract/read/shown/Blocks"
import { outline } from "../outline.ts"

const groups = (html: string) => read(new Page(html, "https://shop.test/"))
const card = (name: string, price: string, more = "") =>
  `<div class="card ${more}"><h3>${name}</h3><p class=price>${price}</p></div>`

describe("blocks that repeat", () => {
  it("are a list under the heading above them, whatever stands between", () => {
    const [group, ...others] = groups(
      `<h2>Teas</h2><section>${card("A", "1")}<p>ad</p>${card("B", "2", "sale")}${card("C", "3")}</section>`
    )

    expect(group?.name).toBe("Teas")
    expect(group?.source).toMatchObject({ kind: "block", path: "section" })
    expect(group?.things.map(outline)).toEqual([
      { heading: "A", price: "1" },
      { heading: "B", price: "2" },
      { heading: "C", price: "3" }
    ])
    expect(others).toEqual([])
  })

  it("are told apart by their classes in one place", () => {
    const found = groups(
      "<div><p class=a></p><div class=news><b>1</b><i>x</i></div><div class=jobs><b>2</b></div><div class=news><b>3</b><i>y</i></div><div class=jobs><b>4</b></div></div>"
    )

    expect(found.map(({ things }) => things.map(outline))).toEqual([
      [
        { text: "1", "text 2": "x" },
        { text: "3", "text 2": "y" }
      ],
      [{ text: "2" }, { text: "4" }]
    ])
  })

  it("may be the items of a list", () => {
    expect(groups("<ul><li>Salt<li>Water</ul>").map(({ things }) => things.map(outline))).toEqual([
      [{ text: "Salt" }, { text: "Water" }]
    ])
  })

  it.each([
    ["a menu", "<nav><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul></nav>"],
    ["a footer", "<footer><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul></footer>"],
    ["paragraphs", "<div><p>one</p><p>two</p><p>three</p></div>"],
    ["blocks of other shapes", "<div><div><p>a</p></div><div><ul><li>b</ul></div><div><img src=c></div></div>"],
    ["empty blocks", "<div><div class=x><i></i></div><div class=x><i></i></div></div>"]
  ])("are not %s", (_, html) => {
    expect(groups(html)).toEqual([])
  })

  it("end soon on a page of nothing but blocks", () => {
    const found = groups(`<div>${`<div class=x>${"<div class=y><b>1</b></div>".repeat(50)}</div>`.repeat(200)}</div>`)

    expect(found.length).toBeLessThan(61)
  })
})
