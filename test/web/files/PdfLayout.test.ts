import { describe, expect, it } from "vitest"
import { blocksOf, type PdfPage } from "#web/files/PdfLayout"
import type { Line } from "#web/files/PdfLines"
import { pdfMarkdown } from "#web/files/pdfMarkdown"

const toMarkdown = (pages: ReadonlyArray<PdfPage>) => blocksOf(pages).map(pdfMarkdown)

/** Lines of a page 600 points wide, from the top: text, and what differs from a line of 10 points at the margin. */
const page = (...lines: ReadonlyArray<readonly [text: string, other?: Partial<Line>]>) => {
  let y = 800
  return {
    width: 600,
    grids: () => [],
    lines: lines.map(([text, other = {}]): Line => {
      y = other.y ?? y - 12
      const line = { text, size: 10, x: 60, end: 540, turn: 0, ...other, y }
      return { ...line, cells: [{ text, x: line.x, end: line.end }] }
    })
  }
}

describe("the lines of a PDF", () => {
  it("come without the numbers that count them on the left of each page, wherever the number of the page stands", () => {
    const counted = (number: number) =>
      page(
        [String(number), { x: 300, end: 305, y: 30 }],
        ...Array.from({ length: 9 }, (_, i) => [String(i + 1), { x: 40, end: 45, y: 780 - i * 24 }] as const),
        ...Array.from({ length: 9 }, (_, i) => [`Line ${"abcdefghi"[i]}.`, { end: 200, y: 780 - i * 24 }] as const)
      )
    const [first = ""] = toMarkdown([counted(1), counted(2)])

    expect(first.split(/\n+/)).toEqual(["1", ...[..."abcdefghi"].map((letter) => `Line ${letter}.`)])
  })

  it("become paragraphs where they fill the page, and words that were divided are whole", () => {
    const [markdown] = toMarkdown([
      page(["A paragraph that goes"], ["on in a sec-"], ["ond line.", { end: 200 }], ["Next.", { y: 700 }])
    ])

    expect(markdown).toBe("A paragraph that goes on in a second line.\n\nNext.")
  })

  it("stay lines where they end before the margin: rows of a list", () => {
    const [markdown] = toMarkdown([page(["Lamp 60.00", { end: 300 }], ["Jar 5.50", { end: 250 }])])

    expect(markdown).toBe("Lamp 60.00\nJar 5.50")
  })

  it("are headings where they are larger than the text, by their rank", () => {
    const [markdown] = toMarkdown([
      page(
        ["Title", { size: 20 }],
        ["Part", { size: 14, y: 740 }],
        ["The text of the part is what most letters are.", { y: 700 }]
      )
    ])

    expect(markdown).toBe("# Title\n\n## Part\n\nThe text of the part is what most letters are.")
  })

  it("are items where they begin with a bullet", () => {
    const [markdown] = toMarkdown([page(["• One"], ["goes on"], ["• Two"], ["1. kept", { y: 600 }])])

    expect(markdown).toBe("- One goes on\n- Two\n\n1\\. kept")
  })

  it("are left out where they stand apart at the edge of most pages, and only there", () => {
    const numbered = (n: number) =>
      page([`Report, page ${n}`, { y: 790 }], [`Text ${n}`, { y: 700, end: 100 }], [`More ${n}`, { end: 100 }])

    expect(toMarkdown([1, 2, 3].map(numbered))).toEqual([
      "Report, page 1\n\nText 1\nMore 1",
      "Text 2\nMore 2",
      "Text 3\nMore 3"
    ])
  })

  it("have no numbers where these count the lines of each page, whichever the file writes first", () => {
    const texts = Array.from({ length: 9 }, (_, at) => `words of line ${at + 1}`)
    const numbers = texts.map((_, at) => [`${at + 1}`, { x: 30, end: 36, y: 700 - at * 24 }] as const)
    const words = texts.map((text, at) => [text, { end: 200, y: 700 - at * 24 }] as const)
    const apart = page(...numbers, ...words)

    expect(toMarkdown([apart, apart])).toEqual([texts.join("\n"), texts.join("\n")])
    expect(toMarkdown([apart])[0]).toMatch(/^1\b/)
  })

  it("are text, whatever they look like", () => {
    const [markdown] = toMarkdown([page(["# not a heading *nor* <b>bold</b>"])])

    expect(markdown).toBe("\\# not a heading \\*nor\\* \\<b>bold\\</b>")
  })

  it("go on in the next where they fill their column, which may be narrower than the page", () => {
    const narrow = { end: 280 }
    const [markdown] = toMarkdown([
      page(
        ["A paragraph in a narrow column", narrow],
        ["goes on in the next line, and", narrow],
        ["in another one, and in one", narrow],
        ["more, where it ends.", { end: 150 }],
        ["Another one of", { end: 270, y: 700 }],
        ["two lines.", { end: 120 }]
      )
    ])

    expect(markdown).toBe(
      "A paragraph in a narrow column goes on in the next line, and in another one, and in one more, where it ends.\n\nAnother one of two lines."
    )
  })

  it("are rows where they stand in columns, also over the whole width of the page", () => {
    const row = (y: number, ...texts: ReadonlyArray<string>): Line => {
      const cells = texts.map((text, i) => ({ text, x: 60 + i * 200, end: 120 + i * 200 }))
      return { text: texts.join(" "), size: 10, x: 60, end: 520, turn: 0, y, cells }
    }
    const lines = [row(700, "Item", "Qty", "Price|net"), row(688, "Lamp", "2", "1.50"), row(676, "Jar*", "3", "2.50")]

    expect(toMarkdown([{ width: 600, grids: () => [], lines }])).toEqual([
      "| Item | Qty | Price\\|net |\n| --- | --- | --- |\n| Lamp | 2 | 1.50 |\n| Jar\\* | 3 | 2.50 |"
    ])
  })
})
