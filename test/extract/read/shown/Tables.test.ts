import { describe, expect, it } from "vitest"
import { Page } from "#extract/page/Page"
import { read } from "#extract/read/shown/Tables"
import { outline, pairs } from "../outline.ts"

const tables = (html: string) => read(new Page(html, "https://site.test/"))
const things = (html: string) => tables(html).groups.map((group) => group.things.map(outline))

describe("tables", () => {
  it("have rows as things under the names of their columns", () => {
    const { groups } = tables(
      "<h2>Prices</h2><table id=t><tr><th>Name<th>Price<tr><td><a href=/a>A</a><td>5<tr><td>B<td>6</table>"
    )
    const [group] = groups

    expect(group?.name).toBe("Prices")
    expect(group?.things.map(outline)).toEqual([
      { Name: "A", Price: "5" },
      { Name: "B", Price: "6" }
    ])
    expect(group?.things[0]?.properties[0]?.value).toMatchObject({
      href: "https://site.test/a",
      source: { kind: "table", path: "#t > tr[2] > td" }
    })
  })

  it("join heads that stand above one another, and call a column without a name by its number", () => {
    expect(
      things(
        "<table><tr><th rowspan=2>Year<th colspan=2>Sales<td><tr><th>North<th>South<th><tr><td>2020<td>1<td>2<td>3</table>"
      )
    ).toEqual([[{ Year: "2020", "Sales North": "1", "Sales South": "2", "column 4": "3" }]])
  })

  it("take the caption as a name, and rows that span the table as sections", () => {
    const [group] = tables(
      "<table><caption>C</caption><tr><th>A<th>B<tr><td colspan=2>First<tr><td>1<td>2<tr><th colspan=2>Second<tr><td>3<td>4</table>"
    ).groups

    expect(group?.name).toBe("C")
    expect(group?.things.map(outline)).toEqual([
      { section: "First", A: "1", B: "2" },
      { section: "Second", A: "3", B: "4" }
    ])
  })

  it("are labels and values where each row has a head", () => {
    const { properties, groups } = tables("<table><tr><th>Size:<td>5<tr><th>Tags<td><a href=/x>x</a></table>")

    expect(pairs(properties)).toEqual({ Size: "5", Tags: "x" })
    expect(groups).toEqual([])
  })

  it("are labels and values where two columns say so without heads", () => {
    expect(pairs(tables("<table><tr><td>Size<td>5<tr><td>Weight<td>2 kg</table>").properties)).toEqual({
      Size: "5",
      Weight: "2 kg"
    })
    expect(pairs(tables("<table><tr><th>A<td>1<th>B<td>2<tr><th>C<td>3<th>D<td>4</table>").properties)).toEqual({
      A: "1",
      B: "2",
      C: "3",
      D: "4"
    })
  })

  it("are one thing each where several tables have labels and values", () => {
    expect(
      things(
        "<table><caption>One</caption><tr><th>Size<td>1</table><table><caption>Two</caption><tr><th>Size<td>2</table>"
      )
    ).toEqual([
      [
        { Size: "1", name: "One" },
        { Size: "2", name: "Two" }
      ]
    ])
  })

  it("of parts are not said of a page that has one of its own with the same labels below its title", () => {
    const labels = (of: string, more = "") =>
      `<table><tr><th>Description:<td>Maps ${of}<tr><th>Status:<td>${of}${more}</table>`
    const parts = `<h2>Alias</h2>${labels("Alias")}<h2>Redirect</h2>${labels("Redirect")}`
    const shipping = "<h2>Shipping</h2><table><tr><th>Weight:<td>2 kg<tr><th>Height:<td>3 cm</table>"
    const own = tables(`<h1>mod_alias</h1>${labels("URLs", "<tr><th>Source:<td>mod_alias.c")}${shipping}${parts}`)
    const equal = tables(`<h1>Modules</h1>${labels("URLs")}${labels("Alias")}`)

    expect(pairs(own.properties)).toEqual({
      Description: "Maps URLs",
      Status: "URLs",
      Source: "mod_alias.c",
      Weight: "2 kg",
      Height: "3 cm"
    })
    expect(own.groups.map(({ things }) => things.map(outline))).toEqual([
      [
        { Description: "Maps Alias", Status: "Alias" },
        { Description: "Maps Redirect", Status: "Redirect" }
      ]
    ])
    expect(pairs(equal.properties)).toEqual({ Description: ["Maps URLs", "Maps Alias"], Status: ["URLs", "Alias"] })
    expect(equal.groups.map(({ things }) => things)).toEqual([[expect.anything(), expect.anything()]])
  })

  it("have columns as things as well where rows have heads", () => {
    expect(things("<table><tr><td><th>A<th>B<tr><th>Size<td>1<td>2<tr><th>Price<td>3<td>4</table>")).toEqual([
      [
        { name: "Size", A: "1", B: "2" },
        { name: "Price", A: "3", B: "4" }
      ],
      [
        { name: "A", Size: "1", Price: "3" },
        { name: "B", Size: "2", Price: "4" }
      ]
    ])
  })

  it("have a head without saying so where words stand above numbers", () => {
    expect(
      things("<table><tr><td>City<td>People<td>Area<tr><td>Bonn<td>330000<td>141<tr><td>Ulm<td>126000<td>118</table>")
    ).toEqual([
      [
        { City: "Bonn", People: "330000", Area: "141" },
        { City: "Ulm", People: "126000", Area: "118" }
      ]
    ])
  })

  it("are none where they only arrange the page or lead through it", () => {
    expect(
      tables("<table><tr><td>a<td><table><tr><td>b</table></table><nav><table><tr><td>c<td>d</table></nav>")
    ).toEqual({
      groups: [],
      properties: []
    })
  })
})

describe("a cell that says several things", () => {
  it("says them under the names of their classes too", () => {
    const row = (name: string) =>
      `<tr><td><p class=name>${name}</p><p class=description>About ${name}</p></td><td>1</td></tr>`
    const { groups } = read(
      new Page(`<table><tr><th>Setting</th><th>No</th></tr>${row("a")}${row("b")}</table>`, "https://x.test/")
    )

    expect(groups[0]?.things.map(outline)).toEqual([
      { Setting: "a About a", name: "a", description: "About a", No: "1" },
      { Setting: "b About b", name: "b", description: "About b", No: "1" }
    ])
  })
})
