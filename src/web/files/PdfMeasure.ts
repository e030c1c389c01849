/**
 * Decides whether a line of a PDF is as wide as it can be, and so continues in the next.
 *
 * Text is set in columns, and the lines of a paragraph fill the width of theirs. If lines end anywhere, only the page
 * has a margin.
 */
import type { Line } from "./PdfLines.ts"

/** Whether a line reaches the margin. */
type PdfMeasure = (line: Line) => boolean

export const make = (groups: ReadonlyArray<ReadonlyArray<Line>>, width: number): PdfMeasure => {
  const columns = groups.flatMap(columnOf)
  const left = groups.reduce((least, lines) => lines.reduce((less, { x }) => Math.min(less, x), least), width)
  // The right margin is taken to be as wide as the left one.
  const page = (width - left) * full
  return (line) => {
    const column = columns.find((each) => isWithin(line, each))
    return line.end >= (column === undefined ? page : column.x + column.width * full)
  }
}

const full = 0.8
/** In points: the first line of a paragraph is indented. */
const indent = 30

interface Column {
  readonly x: number
  readonly width: number
}

const isWithin = ({ end, x }: Line, column: Column): boolean =>
  x > column.x - 2 && x < column.x + indent && end < column.x + column.width + 4

/**
 * Where the lines of a paragraph begin, and how wide the widest is, if most of them fill that width and read like text.
 */
const columnOf = (lines: ReadonlyArray<Line>): ReadonlyArray<Column> => {
  const x = lines.reduce((least, line) => Math.min(least, line.x), Number.POSITIVE_INFINITY)
  const width = lines.reduce((most, { end }) => Math.max(most, end), 0) - x
  const filling = lines.slice(0, -1)
  const wide = filling.filter(({ end }) => end >= x + width * 0.85)
  const letters = filling.reduce((sum, { text }) => sum + text.length, 0)
  const isProse =
    filling.length >= 3 &&
    wide.length >= filling.length * 0.8 &&
    letters >= filling.length * 22 &&
    lines.some(({ text }) => /^\p{Ll}/u.test(text))
  return isProse ? [{ x, width }] : []
}
