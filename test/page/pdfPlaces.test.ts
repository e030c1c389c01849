import { describe, expect, it } from "vitest"
import { attributeOf, fragmentOf, isOfPdf } from "#page/pdfPlaces"

const cell = (page: number, left: number, text: string) =>
  `<td${attributeOf({ page, left, top: 100.4, right: left + 50, bottom: 112 })}>${text}</td>`

describe("the place of a text of a PDF", () => {
  const html = `<p>before</p><table><tr>${cell(1, 20, "Lamp")}${cell(2, 90, "1.50")}</tr></table>`
  const placeOf = (part: string) => fragmentOf(html, [html.indexOf(part), html.indexOf(part) + part.length])

  it("is that of its element, and of the first text of an element without one", () => {
    expect(isOfPdf(html)).toBe(true)
    expect(placeOf(cell(2, 90, "1.50"))).toBe("#page=2&viewrect=90,100,50,12")
    expect(placeOf("1.50")).toBe("#page=2&viewrect=90,100,50,12")
    expect(placeOf(html.slice(html.indexOf("<table>")))).toBe("#page=1&viewrect=20,100,50,12")
  })

  it("is unknown where the HTML has none", () => {
    expect(placeOf("before")).toBeUndefined()
    expect(isOfPdf("<p>before</p>")).toBe(false)
  })
})
