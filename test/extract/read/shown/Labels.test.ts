import { describe, expect, it } from "vitest"
import { Page } from "#extract/page/Page"
import { isLabel, read } from "#extract/read/shown/Labels"
import { linesOf } from "#extract/read/shown/Lines"
import { pairs } from "../outline.ts"

const properties = (html: string) => {
  const page = new Page(html, "https://site.test/")
  return read(page, linesOf(page.root))
}
const labels = (html: string) => pairs(properties(html))

describe("labels", () => {
  it("stand before a colon", () => {
    expect(labels("<p>Price: 5 EUR</p><p>Größe： XL</p><li><b>Weight:</b> 2 <i>kg</i></li>")).toEqual({
      Price: "5 EUR",
      Größe: "XL",
      Weight: "2 kg"
    })
  })

  it("stand in bold before their value, which may be a link", () => {
    const [author] = properties("<p><strong>Author</strong> <a href=/jo>Jo</a></p>")

    expect(author).toMatchObject({ name: "Author", value: { data: "Jo", href: "https://site.test/jo" } })
  })

  it("may come several in a line", () => {
    expect(labels("<p>Pages: 320 | Language: English · Format: PDF</p><p>One: 1<br>Two: 2</p>")).toEqual({
      Pages: "320",
      Language: "English",
      Format: "PDF",
      One: "1",
      Two: "2"
    })
  })

  it("may stand on the line before their value, or before a list of values", () => {
    expect(labels("<p>Author:</p><p>Jo</p><div>Tags:</div><ul><li>a</li><li>b</li></ul><p>c</p>")).toEqual({
      Author: "Jo",
      Tags: ["a", "b"]
    })
  })

  it("are not what looks like one: a sentence, a time, an address, a menu", () => {
    expect(
      labels("<p>He came, he saw. Then: nothing</p><p>Open at 10:30</p><p>http://a.test</p><nav><p>Go: there</p></nav>")
    ).toEqual({})
    expect(["Price", "E-mail (work)", "#", "What did he say when he came home late", "One. Two"].map(isLabel)).toEqual([
      true,
      true,
      false,
      false,
      false
    ])
  })

  it("are no sums in bold", () => {
    expect(labels("<p><b>649 000 zł</b> 12 409 zł/m²</p><p><b>Rent</b> 20 zł</p>")).toEqual({ Rent: "20 zł" })
  })

  it("say where the value stands", () => {
    const html = "<p id=a>Price: <b>5</b></p>"
    const [price] = properties(html)

    expect(price?.value.source).toMatchObject({ kind: "label", path: "#a" })
    expect(html.slice(...(price?.value.source.span ?? [0, 0]))).toBe("5")
  })
})
