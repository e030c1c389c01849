import { describe, expect, it } from "vitest"
import { plain, type Rules } from "#law/corpus/plain"
import * as Sax from "#law/corpus/Sax"
import type { Element } from "#law/corpus/Xml"

const rules: Rules = {
  inline: new Set(["b"]),
  numbers: new Set(["num"]),
  headings: new Set(["heading"]),
  rows: new Set(["tr"]),
  cells: new Set(["td"]),
  lead: ({ attributes }) => attributes.n,
  dropped: ({ name }) => name === "gone",
  notes: ({ name }) => name === "note"
}

const of = (xml: string) => {
  const found: Array<Element> = []
  const sax = Sax.parserFor({
    open: () => "take",
    took: (element) => found.push(element),
    close: () => undefined,
    end: () => undefined
  })
  expect(sax.write(`<x>${xml}</x>`) ?? sax.end()).toBeUndefined()
  return plain(found, rules)
}

describe("the plain text of a tree", () => {
  it("is a paragraph a line, its number before it, numbers of one paragraph in one line", () => {
    expect(
      of("<p><num>(a)</num><p><num>(1)</num><p>One</p></p><p><num>(2)</num>\n two </p></p><p>Three</p>").text
    ).toBe("(a) (1) One\n(2) two\nThree")
  })

  it("goes on behind a heading that ends as headings in a line do, and no others", () => {
    expect(of("<num>(a)</num><heading>Light.—</heading><p>A lamp.</p>").text).toBe("(a) Light.—A lamp.")
    expect(of("<num>(a)</num><heading>Light.</heading><p>A lamp.</p>").text).toBe("(a) Light. A lamp.")
    expect(of("<heading>Light</heading><p>A lamp.</p>").text).toBe("Light\nA lamp.")
    expect(of("<heading>Light.</heading><p><num>(1)</num>A lamp.</p>").text).toBe("Light.\n(1) A lamp.")
  })

  it("has white space as one blank, where the words have some, and no invisible characters", () => {
    expect(of("a<b>b</b>\n  c\u00a0\u00a0d e\u00adf\u200b").text).toBe("ab c d ef")
    expect(of("<p>a</p>b<br/>c").text).toBe("a\nb\nc")
  })

  it("has a row as a line, and paragraphs in a cell within it", () => {
    expect(of("<tr><td>a</td><td><p>b</p><p>c</p></td><td/></tr><tr><td>d</td></tr>").text).toBe("a | b c |\nd")
  })

  it("has numbers that are attributes", () => {
    expect(of(`<p n="(a)">One</p><p>Two</p>`).text).toBe("(a) One\nTwo")
  })

  it("has what stands beside in its notes, a heading a line, and each word once", () => {
    expect(of("<p>law<note><heading>Note.</heading><p>beside</p></note> goes on</p><gone>away</gone>")).toEqual({
      text: "law goes on",
      notes: "Note.\nbeside"
    })
  })
})
