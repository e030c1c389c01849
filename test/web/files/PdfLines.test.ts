import { describe, expect, it } from "vitest"
import * as PdfLines from "#web/files/PdfLines"

interface Other {
  readonly width?: number
  readonly size?: number
  readonly isLast?: boolean
  readonly transform?: ReadonlyArray<number>
}

/** As the library gives it: a piece of letters of 10 points, 5 points wide. */
const piece = (str: string, x: number, y: number, other: Other = {}) => {
  const { isLast = false, size = 10, transform = [size, 0, 0, size, x, y], width = str.length * 5 } = other
  return {
    str,
    dir: /\p{Script=Hebrew}|\p{Script=Arabic}/u.test(str) ? "rtl" : "ltr",
    width,
    height: size,
    transform,
    hasEOL: isLast
  }
}

const linesOf = (...pieces: ReadonlyArray<unknown>) => {
  const lines = PdfLines.create(() => ({ level: [], upright: [] }))
  lines.add(pieces)
  return lines.end()
}

describe("the lines of a page of a PDF", () => {
  it("have a space where a gap is as wide as one, and cells where it is wider", () => {
    const [line] = linesOf(piece("Brass", 60, 700), piece("lamp", 88, 700), piece("1.50", 200, 700))

    expect(line).toMatchObject({ text: "Brass lamp 1.50", x: 60, end: 220 })
    expect(line?.cells.map(({ text }) => text)).toEqual(["Brass lamp", "1.50"])
  })

  it("have cells at narrow gaps that stand below each other, also where the library has made one piece of two cells", () => {
    const row = (y: number, day: string, share: string) => [
      piece(day, 60, y),
      piece(share, 66 + day.length * 5, y, { isLast: true })
    ]
    const room = (y: number, end = 110) => ({ turn: 0, y, end, x: end + 6 })
    const rooms = [...[700, 680, 660, 640].map((y) => room(y)), room(620, 125)]
    const lines = PdfLines.create(() => ({ level: [], upright: [] }), rooms)
    lines.add([
      ...row(700, "2025-01-02", "36.3%"),
      ...row(680, "2025-09-28", "0.2%"),
      ...row(660, "2025-08-10", "24.8%"),
      piece("2025-02-15 19.0%", 60, 640, { isLast: true }),
      ...row(620, "a longer text", "goes on")
    ])

    expect(lines.end().map(({ cells }) => cells.map(({ text }) => text))).toEqual([
      ["2025-01-02", "36.3%"],
      ["2025-09-28", "0.2%"],
      ["2025-08-10", "24.8%"],
      ["2025-02-15", "19.0%"],
      ["a longer text goes on"]
    ])
  })

  it("are read from the left, in whatever order they were drawn", () => {
    const [line] = linesOf(piece("Price", 200, 700), piece("Item", 60, 700))

    expect(line?.text).toBe("Item Price")
  })

  it("have the size of most of their letters, not that of the mark before them", () => {
    const [line] = linesOf(piece("•", 60, 700, { size: 14 }), piece("a point of a list", 80, 700))

    expect(line).toMatchObject({ text: "• a point of a list", size: 10 })
    expect(line?.cells).toHaveLength(1)
  })

  it("are whole where their text is turned", () => {
    const upward = (str: string, x: number, y: number) => piece(str, x, y, { transform: [0, 10, -10, 0, x, y] })
    const lines = linesOf(upward("turned", 95, 60), upward("value", 95, 300), upward("next", 109, 60))

    expect(lines.map(({ text, turn }) => [text, turn])).toEqual([
      ["turned value", 90],
      ["next", 90]
    ])
    expect((lines[0]?.y ?? 0) - (lines[1]?.y ?? 0)).toBeCloseTo(14)
  })

  it("are read from the right where they are Hebrew, and numbers in them from the left", () => {
    // Shown: בתוכו 45 מספר, drawn from the left
    const [line] = linesOf(piece("בתוכו", 60, 700), piece("45", 90, 700), piece("מספר", 105, 700))

    expect(line?.text).toBe("מספר 45 בתוכו")
  })

  it("have whole letters where Arabic is drawn in the forms of its letters, one at a time", () => {
    const shown = ["\uFEE2", "\uFEDF", "\uFE8E", "\uFECC", "\uFEDF", "\uFE8E", "\uFE91"]
    const [line] = linesOf(...shown.map((form, i) => piece(form, 60 + i * 5, 700)))

    expect(line?.text).toBe("بالعالم")
  })

  it("are columns from the right where text is written from above", () => {
    const downward = (str: string, x: number) => ({ ...piece(str, x, 700, { width: 10 }), height: str.length * 10 })
    const lines = linesOf(downward("右の行", 500), downward("左の行", 480))

    expect(lines.map(({ text }) => text)).toEqual(["右の行", "左の行"])
    expect((lines[0]?.y ?? 0) > (lines[1]?.y ?? 0)).toBe(true)
  })
})
