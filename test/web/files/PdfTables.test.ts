import { describe, expect, it } from "vitest"
import type { Line } from "#web/files/PdfLines"
import * as PdfTables from "#web/files/PdfTables"

/** Letters of 10 points, 5 points wide. */
const line = (y: number, ...cells: ReadonlyArray<readonly [x: number, text: string]>): Line => {
  const placed = cells.map(([x, text]) => ({ text, x, end: x + text.length * 5 }))
  const text = placed.map((cell) => cell.text).join(" ")
  return { text, x: placed[0]?.x ?? 0, end: placed.at(-1)?.end ?? 0, y, size: 10, turn: 0, cells: placed }
}

const rowsOf = (lines: ReadonlyArray<Line>) =>
  PdfTables.find(lines, () => []).map((part) =>
    "rows" in part ? part.rows.map((row) => row.map((cell) => cell?.text)) : part.text
  )

describe("the tables of a PDF", () => {
  it("are rows whose cells leave the same gaps free, and an empty cell is an empty text", () => {
    const rows = rowsOf([
      line(700, [60, "Price list"]),
      line(680, [60, "Item"], [200, "Qty"], [300, "Price"]),
      line(660, [60, "Lamp"], [200, "2"], [300, "1.50"]),
      line(640, [60, "Jar"], [300, "2.50"]),
      line(620, [60, "Box"], [200, "7"]),
      line(580, [60, "After the table."])
    ])

    expect(rows).toEqual([
      "Price list",
      [
        ["Item", "Qty", "Price"],
        ["Lamp", "2", "1.50"],
        ["Jar", "", "2.50"],
        ["Box", "7", ""]
      ],
      "After the table."
    ])
  })

  it("have cells of several lines, which programs write one after the other", () => {
    const rows = rowsOf([
      line(700, [60, "Item"], [200, "Text"], [400, "Price"]),
      line(680, [60, "Brass"]),
      line(668, [60, "lamp"]),
      line(680, [200, "a text that"]),
      line(668, [200, "is longer"], [400, "1.50"]),
      line(640, [60, "Jar"], [200, "short"], [400, "2.50"])
    ])

    expect(rows).toEqual([
      [
        ["Item", "Text", "Price"],
        ["Brass lamp", "a text that is longer", "1.50"],
        ["Jar", "short", "2.50"]
      ]
    ])
  })

  it("have words and days whole that a hyphen divides in their cells", () => {
    const rows = rowsOf([
      line(700, [60, "Item"], [200, "Day"], [300, "Text"]),
      line(680, [60, "Jar"], [200, "2025-08-"]),
      line(668, [200, "26"]),
      line(680, [300, "a val-"]),
      line(668, [300, "ley"]),
      line(640, [60, "Box"], [200, "2025-09-01"], [300, "none"])
    ])

    expect(rows).toEqual([
      [
        ["Item", "Day", "Text"],
        ["Jar", "2025-08-26", "a valley"],
        ["Box", "2025-09-01", "none"]
      ]
    ])
  })

  it("go on behind a row with a text that stands over the next cell", () => {
    const row = (y: number, name: string, ...others: ReadonlyArray<string>) =>
      line(y, [60, name], ...others.map((text, i) => [120 + i * 60, text] as const))
    const [rows] = rowsOf([
      row(700, "Name", "Sort", "Units", "Price", "Day"),
      row(680, "Lamp", "oak", "1", "2.00", "Mon"),
      line(660, [60, "A very long name"], [180, "2"], [240, "3.00"], [300, "Tue"]),
      row(640, "Jar", "glass", "3", "4.00", "Wed"),
      row(620, "Box", "tin", "4", "5.00", "Thu")
    ])

    expect(rows).toHaveLength(5)
    expect(rows?.[3]).toEqual(["Jar", "glass", "3", "4.00", "Wed"])
  })

  it("have rows with one cell, where the table goes on behind them", () => {
    const rows = rowsOf([
      line(700, [60, "Lamp"], [300, "1.50"]),
      line(680, [60, "Jar"], [300, "2.50"]),
      line(660, [60, "Gift"]),
      line(640, [60, "Box"], [300, "7.00"]),
      line(620, [60, "Sum"])
    ])

    expect(rows).toEqual([
      [
        ["Lamp", "1.50"],
        ["Jar", "2.50"],
        ["Gift", ""],
        ["Box", "7.00"]
      ],
      "Sum"
    ])
  })

  it("are not what two lines have in common by chance", () => {
    const rows = rowsOf([line(700, [60, "Chapter 4"], [400, "9"]), line(680, [60, "Chapter 5"], [400, "12"])])

    expect(rows).toEqual(["Chapter 4 9", "Chapter 5 12"])
  })

  it("are not columns of text, which are read one after the other", () => {
    const left = ["left text that goes on and on", "and on in its second line, too", "to the third line of the text"]
    const lines = [...left, ...left].map((text, i) =>
      line(700 - i * 12, [60, text], [320, text.replace("text", "words").replace("left", "right")])
    )

    const read = rowsOf(lines)

    expect(read).toHaveLength(12)
    expect(read.slice(0, 6)).toEqual([...left, ...left])
    expect(read[6]).toBe("right words that goes on and on")
  })
})
