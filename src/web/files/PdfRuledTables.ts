/**
 * The ruled tables of a page of a PDF: lines of text in the cells of grids.
 *
 * A grid is a table if at least two of its rows and two of its columns have text. Where no line divides the rows of a grid, its lines of
 * text do.
 */
import { type Grid, type GridCell, squareAt } from "./PdfGrid.ts"
import type { Cell, Line } from "./PdfLines.ts"
import { around } from "./PdfPlace.ts"
import * as PdfTable from "./PdfTable.ts"

/** A text in a grid: its square, and the line that it is a part of. */
interface Placed {
  readonly cell: Cell
  readonly line: Line
  readonly square: number
}

/** The lines in order, with the ruled tables in place of theirs. */
export const takeRuled = (
  lines: ReadonlyArray<Line>,
  grids: (turn: number) => ReadonlyArray<Grid>
): ReadonlyArray<Line | PdfTable.Table> => {
  const inGrids = new Map<Grid, Array<Placed>>()
  const all = placesOf(lines, grids)
  for (const { grid, ...placed } of all.flatMap(({ cells }) => cells.flatMap((cell) => cell ?? []))) {
    const known = inGrids.get(grid)
    if (known === undefined) inGrids.set(grid, [placed])
    else known.push(placed)
  }
  const tables = new Map<Grid, PdfTable.Table>()
  for (const [grid, placed] of inGrids) {
    const made = tableOf(grid, placed)
    if (made !== undefined) tables.set(grid, made)
  }
  const parts: Array<Line | PdfTable.Table> = []
  for (const { cells, line } of all) {
    const rest = cells.flatMap((place, at) => (place === undefined || !tables.has(place.grid) ? [line.cells[at]] : []))
    const table = cells.flatMap((place) => (place === undefined ? [] : (tables.get(place.grid) ?? [])))
    for (const each of new Set(table)) if (!parts.includes(each)) parts.push(each)
    if (rest.length === cells.length) parts.push(line)
    else if (rest.length > 0)
      parts.push(
        withCells(
          line,
          rest.flatMap((cell) => cell ?? [])
        )
      )
  }
  return parts
}

/** The place of each cell. A text that is turned in a table of other texts is a cell of theirs, such as the name of a narrow column. */
const placesOf = (lines: ReadonlyArray<Line>, grids: (turn: number) => ReadonlyArray<Grid>) => {
  const turns = [...new Set(lines.map(({ turn }) => turn))]
  const own = new Map<Grid, number>()
  for (const line of turns.length === 1 ? [] : lines) {
    for (const cell of line.cells) {
      const grid = placeOf(cell, line, line.turn, grids)?.grid
      if (grid !== undefined) own.set(grid, (own.get(grid) ?? 0) + 1)
    }
  }
  const placed = (cell: Cell, line: Line) =>
    [line.turn, ...turns.filter((turn) => turn !== line.turn)]
      .map((turn) => placeOf(cell, line, turn, grids))
      .reduce((best, place) => {
        const isMore = place !== undefined && (own.get(place.grid) ?? 0) > (own.get(best?.grid ?? place.grid) ?? 0)
        return isMore ? place : best
      })
  return lines.map((line) => ({ line, cells: line.cells.map((cell) => placed(cell, line)) }))
}

const withCells = (line: Line, cells: ReadonlyArray<Cell>): Line => ({
  ...line,
  cells,
  text: cells.map(({ text }) => text).join(" "),
  x: Math.min(...cells.map(({ x }) => x)),
  end: Math.max(...cells.map(({ end }) => end))
})

/** The square of a text in the grids that text of a rotation sees. */
const placeOf = (cell: Cell, line: Line, turn: number, grids: (turn: number) => ReadonlyArray<Grid>) => {
  const angle = ((line.turn - turn) * Math.PI) / 180
  const [along, across] = [(cell.x + cell.end) / 2, line.y + line.size * 0.3]
  const [x, y] = [
    along * Math.cos(angle) - across * Math.sin(angle),
    along * Math.sin(angle) + across * Math.cos(angle)
  ]
  for (const grid of grids(turn)) {
    const square = squareAt(grid, x, y)
    if (square !== undefined) return { grid, cell, line, square }
  }
  return undefined
}

const tableOf = (grid: Grid, placed: ReadonlyArray<Placed>): PdfTable.Table | undefined => {
  const texts = new Map<GridCell, Array<Placed>>()
  for (const each of placed) {
    const cell = grid.squares[each.square]
    if (cell === undefined) continue
    const known = texts.get(cell)
    if (known === undefined) texts.set(cell, [each])
    else known.push(each)
  }
  if (isHalfRuled(placed)) return undefined
  const cells = [...texts.keys()]
  const [rows, columns] = [new Set(cells.map(({ row }) => row)), new Set(cells.map(({ column }) => column))]
  if (columns.size < 2) return undefined
  const order = [...columns].sort((one, other) => one - other)
  const bands = [...rows].sort((one, other) => one - other)
  const made = bands.flatMap((row) => {
    const own = cells.filter((cell) => cell.row === row)
    return rowsOf(own, texts, bands.length <= mostUndivided).map((texts) =>
      rowOf(grid, { row, order, bands }, cells, texts)
    )
  })
  if (made.length < 2) return undefined
  return PdfTable.of(
    made,
    order.map((column) => grid.places[column] ?? 0)
  )
}

/** Whether most lines have several cells between two lines of the grid: it divides groups of columns, and gaps divide the columns. */
const isHalfRuled = (placed: ReadonlyArray<Placed>): boolean => {
  const counts = new Map<Line, Map<number, number>>()
  for (const { line, square } of placed) {
    const own = counts.get(line) ?? new Map<number, number>()
    own.set(square, (own.get(square) ?? 0) + 1)
    counts.set(line, own)
  }
  const several = [...counts.values()].filter((own) => [...own.values()].some((count) => count > 1)).length
  return counts.size > leastLines && several * 2 > counts.size
}

const leastLines = 4

type Texts = ReadonlyMap<GridCell, ReadonlyArray<Placed>>

/** A grid of more rows of text than these has a line between any two rows. */
const mostUndivided = 3

/** Lines of all cells of a row that are as long are text that goes on from one to the next. */
const proseLetters = 20

/** The texts of the cells of one row of a grid; of several rows, if lines of text stand side by side in it and no line divides them. */
const rowsOf = (cells: ReadonlyArray<GridCell>, texts: Texts, mayDivide: boolean): ReadonlyArray<Texts> => {
  const whole = new Map(cells.map((cell) => [cell, texts.get(cell) ?? []]))
  if (!mayDivide || cells.length < 2) return [whole]
  const heights: Array<{ readonly y: number; readonly cells: Set<GridCell> }> = []
  for (const [cell, some] of whole) {
    for (const { line } of some) {
      const known = heights.find(({ y }) => Math.abs(y - line.y) <= line.size * 0.5)
      if (known === undefined) heights.push({ y: line.y, cells: new Set([cell]) })
      else known.cells.add(cell)
    }
  }
  const full = heights.filter((height) => height.cells.size * 2 > cells.length)
  const isProse = [...whole.values()].every((some) => some.every(({ cell }) => cell.text.length >= proseLetters))
  if (full.length < 3 || full.length * 3 < heights.length || isProse) return [whole]
  // A line of text that is not full goes on with the row above.
  const inOrder = full.sort((one, other) => other.y - one.y)
  return inOrder.map(({ y }, at) => {
    const [above, below] = [
      at === 0 ? Number.POSITIVE_INFINITY : y + 1,
      (inOrder[at + 1]?.y ?? Number.NEGATIVE_INFINITY) + 1
    ]
    return new Map(
      [...whole].map(([cell, some]) => [cell, some.filter(({ line }) => line.y <= above && line.y > below)])
    )
  })
}

interface Place {
  readonly row: number
  /** The columns and rows of the grid that have text, in order. */
  readonly order: ReadonlyArray<number>
  readonly bands: ReadonlyArray<number>
}

/** A row of a table: cells that begin in it, and none where a cell of a row above or on the left goes on. */
const rowOf = (
  { squares, places }: Grid,
  { bands, order, row }: Place,
  cells: ReadonlyArray<GridCell>,
  texts: Texts
): ReadonlyArray<PdfTable.TableCell | undefined> => {
  const width = places.length - 1
  return order.map((column) => {
    const cell = squares[row * width + column]
    const isFilled = cell !== undefined && cells.includes(cell)
    if (isFilled && (cell.row !== row || cell.column !== column)) return undefined
    const own = (cell === undefined ? undefined : texts.get(cell)) ?? []
    const text = PdfTable.joined(own.map(({ cell }) => cell.text))
    const place = around(own.map(({ cell }) => cell.place))
    if (cell === undefined || !isFilled) return { text, place, across: 1, down: 1 }
    const within = (all: ReadonlyArray<number>, from: number, count: number) =>
      all.filter((at) => at >= from && at < from + count).length
    return {
      text,
      style: own[0]?.cell.style,
      place,
      across: within(order, cell.column, cell.across),
      down: within(bands, cell.row, cell.down)
    }
  })
}
