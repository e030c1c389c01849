import { describe, expect, it } from "vitest"
import { Page } from "#extract/page/Page"
import { read } from "#extract/read/shown/Definitions"
import { outline, pairs } from "../outline.ts"

const definitions = (html: string) => read(new Page(html, "https://site.test/"))

describe("definition lists", () => {
  it("give each term its values, and each of several terms the value that follows", () => {
    expect(pairs(definitions("<dl><dt>Author:<dd>Jo<dd>Mo<dt>Color<dt>Colour<dd>red</dl>").properties)).toEqual({
      Author: ["Jo", "Mo"],
      Color: "red",
      Colour: "red"
    })
  })

  it("may have a block around each entry", () => {
    expect(pairs(definitions("<dl><div><dt>A<dd><a href=/x>1</a></div><div><dt>B<dd>2</div></dl>").properties)).toEqual(
      {
        A: "1",
        B: "2"
      }
    )
  })

  it("are things where several speak of the same, named by the heading above each", () => {
    const { groups } = definitions(
      "<h2>One</h2><dl><dt>Size<dd>1</dl><h2>Two</h2><dl><dt>Size<dd>2</dl><dl><dt>Other<dd>3</dl>"
    )

    expect(groups.map(({ things }) => things.map(outline))).toEqual([
      [
        { heading: "One", Size: "1" },
        { heading: "Two", Size: "2" }
      ]
    ])
  })

  it("are a list of terms where there are three or more", () => {
    const [group] = definitions("<h2>Glossary</h2><dl><dt>A<dd>1<dt>B<dd>2<dt>C<dd>3</dl>").groups

    expect(group?.name).toBe("Glossary")
    expect(group?.things.map(outline)).toEqual([
      { name: "A", description: "1" },
      { name: "B", description: "2" },
      { name: "C", description: "3" }
    ])
  })

  it("that explain the options of a command say nothing of the page", () => {
    const option = (name: string) => `<dt>${name}<dd>Print what the command knows of it, and exit.`
    const { properties } = read(
      new Page(`<dl>${option("-V")}${option("--version")}${option("Exit status")}</dl>`, "https://site.test/")
    )

    expect(properties.map(({ name }) => name)).toEqual(["Exit status"])
  })
})
