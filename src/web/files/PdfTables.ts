/**
 * Finds tables among the lines of a page of a PDF, which does not mark them: by drawn lines, and elsewhere by
 * rows whose cells leave the same gaps free.
 *
 * A cell may have several lines, and programs write a table cell by cell or line by line. Text in columns looks like a
 * table of long cells: its lines are read one column after the other.
 */
import type { Grid } from "./PdfGrid.ts"
import type { Cell, Line } from "./PdfLines.ts"
import { around } from "./PdfPlace.ts"
import { takeRuled } from "./PdfRuledTables.ts"
import { isTable, joinedBelow, of, type Table, type TableCell } from "./PdfTable.ts"

type Part = Line | Table

/** The lines in order, with the tables in place of their lines. `grids`: those of the page, as lines of a rotation see them. */
export const find = (lines: ReadonlyArray<Line>, grids: (turn: number) => ReadonlyArray<Grid>): ReadonlyArray<Part> => {
  const parts: Array<Part> = []
  let free: Array<Line> = []
  for (const part of [...takeRuled(lines, grids), undefined]) {
    if (part !== undefined && !isTable(part)) free.push(part)
    else {
      parts.push(...findByGaps(free), ...(part === undefined ? [] : [part]))
      free = []
    }
  }
  return parts
}

const findByGaps = (lines: ReadonlyArray<Line>): ReadonlyArray<Part> => {
  const rows = rowsOf(lines)
  const parts: Array<Part> = []
  for (let at = 0; at < rows.length; ) {
    const run = runFrom(rows, at)
    if (isColumns(run)) parts.push(...byColumn(run))
    else if (isTabular(run)) parts.push(tableOf(run))
    else parts.push(...run.rows.flatMap((row) => row.lines))
    at += run.rows.length
  }
  return parts
}

/** Cells side by side, with the further lines of each. */
interface Row {
  readonly lines: ReadonlyArray<Line>
  readonly cells: ReadonlyArray<Cell>
  readonly top: number
  readonly bottom: number
  /** Whether its cells are written one after the other. */
  readonly isByCell: boolean
}

const rowsOf = (lines: ReadonlyArray<Line>): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  for (const line of lines) {
    const row = rows.at(-1)
    const wider = row === undefined ? undefined : (withCells(row, line) ?? withFurtherLine(row, line))
    if (wider !== undefined) rows[rows.length - 1] = wider
    else rows.push({ lines: [line], cells: line.cells, top: line.y, bottom: line.y, isByCell: false })
  }
  return rows
}

/**
 * Adds the cells of a line that goes back up to the row, at its right. Because cells may be centred, the line may begin
 * a little higher.
 */
const withCells = (row: Row, line: Line): Row | undefined => {
  const end = row.cells.reduce((most, cell) => Math.max(most, cell.end), Number.NEGATIVE_INFINITY)
  const isBeside =
    row.lines.length < mostLines &&
    row.lines[0]?.turn === line.turn &&
    line.x >= end + line.size * 0.3 &&
    line.y > row.bottom - line.size * 0.3 &&
    line.y < row.top + line.size * 2
  return isBeside ? { ...joined(row, line, [...row.cells, ...line.cells]), isByCell: true } : undefined
}

/** Adds a line that continues the last cell of the row, and may have further cells. */
const withFurtherLine = (row: Row, line: Line): Row | undefined => {
  const before = row.lines.at(-1)
  const last = row.cells.at(-1)
  const [further, ...behind] = line.cells
  if (before === undefined || last === undefined || further === undefined || row.lines.length >= mostLines)
    return undefined
  const gap = before.y - line.y
  const isBelow =
    before.turn === line.turn &&
    gap > 0 &&
    gap <= line.size * (row.isByCell ? 2.2 : 1.4) &&
    Math.abs(before.size - line.size) <= 0.6
  if (!isBelow || Math.abs(further.x - last.x) > 2 || (behind.length > 0 && row.cells.length === 1)) return undefined
  const longer = {
    ...last,
    text: joinedBelow(last.text, further.text),
    end: Math.max(last.end, further.end),
    place: around([last.place, further.place])
  }
  return joined(row, line, [...row.cells.slice(0, -1), longer, ...behind])
}

const joined = (row: Row, line: Line, cells: ReadonlyArray<Cell>): Row => ({
  ...row,
  cells,
  lines: [...row.lines, line],
  top: Math.max(row.top, line.y),
  bottom: Math.min(row.bottom, line.y)
})

/** A row with more lines is text. */
const mostLines = 40
/** As of a page. */
const mostCells = 100

interface Gap {
  readonly from: number
  readonly to: number
}

interface Run {
  readonly rows: ReadonlyArray<Row>
  /** The gaps that all rows leave free between their cells. */
  readonly gaps: ReadonlyArray<Gap>
}

/** The rows from `start` that share gaps; one row, if the next one shares none. */
const runFrom = (rows: ReadonlyArray<Row>, start: number): Run => {
  const first = rows.slice(start, start + 1)
  let gaps: ReadonlyArray<Gap> = first.flatMap(gapsOf)
  let end = start + 1
  let near = Number.POSITIVE_INFINITY
  while (inner(gaps).length > 0 && inner(gaps).length < mostCells && end < rows.length) {
    const [before, row, next] = rows.slice(end - 1, end + 2)
    if (before === undefined || row === undefined || !isNear(before, row) || distance(before, row) > near) break
    const common = commonGaps(gaps, gapsOf(row))
    const columns = inner(gaps).length
    // A text may be too long for its cell, and stand over the next one.
    const isOver = columns >= leastGaps && row.cells.length === columns && inner(common).length === columns - 1
    if (isOver && next !== undefined && goesOn(gaps, row, next)) {
      end += 1
      continue
    }
    if (inner(common).length < columns) break
    // A row may have a single cell if the table continues after it.
    if (row.cells.length === 1 && !(next !== undefined && goesOn(common, row, next))) break
    gaps = common
    near = Math.max(near === Number.POSITIVE_INFINITY ? 0 : near, distance(before, row) * 1.6)
    end += 1
  }
  return { rows: rows.slice(start, end), gaps: inner(gaps) }
}

/** A table of so many gaps goes on where one row fills one of them. */
const leastGaps = 4

/** The gaps of a row: between its cells, and on both sides, where other rows may have more cells. */
const gapsOf = ({ cells }: Row): ReadonlyArray<Gap> => {
  const ordered = [...cells].sort((one, other) => one.x - other.x)
  const starts = [...ordered.map(({ x }) => x), Number.POSITIVE_INFINITY]
  return starts.flatMap((to, i) => gapBetween(ordered[i - 1]?.end ?? Number.NEGATIVE_INFINITY, to))
}

const gapBetween = (from: number, to: number): ReadonlyArray<Gap> => (to - from > least ? [{ from, to }] : [])

const inner = (gaps: ReadonlyArray<Gap>): ReadonlyArray<Gap> =>
  gaps.filter(({ from, to }) => Number.isFinite(from) && Number.isFinite(to))

/** In points: the minimum width of a gap. */
const least = 3

/** Both lists are ordered from left to right. */
const commonGaps = (some: ReadonlyArray<Gap>, others: ReadonlyArray<Gap>): ReadonlyArray<Gap> => {
  const common: Array<Gap> = []
  for (let i = 0, j = 0; ; ) {
    const [one, other] = [some[i], others[j]]
    if (one === undefined || other === undefined) return common
    common.push(...gapBetween(Math.max(one.from, other.from), Math.min(one.to, other.to)))
    if (one.to < other.to) i += 1
    else j += 1
  }
}

const distance = (before: Row, row: Row): number => before.bottom - row.top

const isNear = (before: Row, row: Row): boolean => {
  const [first, own] = [before.lines[0], row.lines[0]]
  if (first === undefined || own === undefined) return false
  const gap = distance(before, row)
  return first.turn === own.turn && Math.abs(first.size - own.size) <= 2 && gap > 0 && gap < own.size * 5
}

const goesOn = (gaps: ReadonlyArray<Gap>, row: Row, next: Row): boolean =>
  next.cells.length > 1 && isNear(row, next) && inner(commonGaps(gaps, gapsOf(next))).length >= inner(gaps).length

/** Two rows of two cells may be chance. */
const isTabular = ({ gaps, rows }: Run): boolean =>
  gaps.length > 0 && rows.filter(({ cells }) => cells.length > 1).length >= (gaps.length > 1 ? 2 : 3)

const tableOf = ({ gaps, rows }: Run): Table => {
  const middles = gaps.map(({ from, to }) => (from + to) / 2)
  const columnOf = ({ end, x }: Cell): number => middles.filter((middle) => middle < (x + end) / 2).length
  const isFromRight = rows.some(
    ({ cells: [one, other] }) => one !== undefined && other !== undefined && other.x < one.x
  )
  const made: Array<Array<TableCell>> = []
  let before: Row | undefined
  for (const row of rows) {
    const last = made.at(-1)
    const above = last !== undefined && before !== undefined && isGoingOn(before, row, row.cells.map(columnOf), last)
    const own = above ? last : [...middles, 0].map((): TableCell => ({ text: "", across: 1, down: 1 }))
    for (const cell of row.cells) {
      const column = columnOf(cell)
      const text = joinedBelow(own[column]?.text ?? "", cell.text)
      const place = around([own[column]?.place, cell.place])
      own[column] = { text, style: own[column]?.style ?? cell.style, place, across: 1, down: 1 }
    }
    if (!above) made.push(own)
    before = row
  }
  if (isFromRight) for (const row of made) row.reverse()
  return of(made, [rows[0]?.cells[0]?.x ?? 0, ...middles])
}

/** Whether a row only has further lines of cells of the row above: not of the first, and as near as lines of one text. */
const isGoingOn = (before: Row, row: Row, columns: ReadonlyArray<number>, above: ReadonlyArray<TableCell>): boolean => {
  const size = row.lines[0]?.size ?? 0
  return (
    columns.length * 2 < above.filter(({ text }) => text !== "").length &&
    columns.every((column) => column > 0 && above[column]?.text !== "") &&
    distance(before, row) <= size * 1.4
  )
}

/** Whether this is text in columns: long cells, as close below each other as the lines of a paragraph. */
const isColumns = ({ gaps, rows }: Run): boolean => {
  if (gaps.length === 0 || gaps.length > 3 || rows.length < 5) return false
  const full = rows.filter(({ cells }) => cells.length === gaps.length + 1)
  return full.length * 2 > rows.length && gaps.every((_, i) => isProse(full, i)) && isProse(full, gaps.length)
}

const isProse = (rows: ReadonlyArray<Row>, column: number): boolean => {
  const lengths = rows.map(({ cells }) => cells[column]?.text.length ?? 0).sort((one, other) => one - other)
  return (lengths[Math.floor(lengths.length / 2)] ?? 0) >= proseLetters
}

/** The minimum length of most lines in a column of text. */
const proseLetters = 25

const byColumn = ({ gaps, rows }: Run): ReadonlyArray<Line> => {
  const middles = gaps.map(({ from, to }) => (from + to) / 2)
  const lines = rows.flatMap(({ lines }) => lines)
  return [...middles, Number.POSITIVE_INFINITY].flatMap((to, i) =>
    lines.flatMap((line) => {
      const cells = line.cells.filter(
        ({ end, x }) => (x + end) / 2 < to && (x + end) / 2 >= (middles[i - 1] ?? Number.NEGATIVE_INFINITY)
      )
      const [cell] = cells
      if (cell === undefined) return []
      const text = cells.map(({ text }) => text).join(" ")
      return [{ ...line, cells, text, x: cell.x, end: Math.max(...cells.map(({ end }) => end)) }]
    })
  )
}
