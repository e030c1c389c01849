import { describe, expect, it } from "vitest"
import { Page } from "#extract/page/Page"
import { read } from "#extract/read/shown/Headings"
import { outline, pairs } from "../outline.ts"

const headings = (html: string) => read(new Page(html, "https://site.test/"))

describe("headings", () => {
  it("say what they say, and name what stands under them", () => {
    expect(
      pairs(
        headings(
          "<h1>Soup</h1><h2>Ingredients</h2><ul><li>Salt<li>Water</ul><p>x</p><h2>Notes</h2><p>Stir.</p><p>Eat.</p>"
        ).properties
      )
    ).toEqual({
      heading: "Soup",
      subheading: ["Ingredients", "Notes"],
      Ingredients: ["Salt", "Water"],
      Notes: "Stir. Eat."
    })
  })

  it("name what stands behind them where they stand alone in a block", () => {
    expect(pairs(headings("<div><div><h3>Size</h3></div><p>5</p></div>").properties)).toMatchObject({ Size: "5" })
  })

  it("of one level in one place are a list of parts", () => {
    const [group] = headings("<h1>FAQ</h1><h2>Why?</h2><p>So.</p><h2>How?</h2><p>Thus.</p>").groups

    expect(group?.name).toBe("FAQ")
    expect(group?.things.map(outline)).toEqual([
      { heading: "Why?", text: "So." },
      { heading: "How?", text: "Thus." }
    ])
  })

  it("in menus are left out", () => {
    expect(headings("<nav><h2>Menu</h2><p>a</p></nav>").properties).toEqual([])
  })

  it("of parts have the address that leads to them", () => {
    const html = '<h2 id=a>A</h2><p>One.</p><h2>B<a href="#b" title="Permalink to this heading">¶</a></h2><p>Two.</p>'

    expect(headings(html).groups[0]?.things.map(outline)).toEqual([
      { heading: "A", text: "One.", url: "https://site.test/#a" },
      { heading: "B", text: "Two.", url: "https://site.test/#b" }
    ])
  })

  it("are a title where the page's title says one of several, and subheadings elsewhere", () => {
    expect(
      pairs(headings("<title>The mill turns – Valley</title><h1>Valley</h1><h1>The mill turns</h1>").properties)
    ).toEqual({ subheading: "Valley", heading: "The mill turns" })
  })
})
