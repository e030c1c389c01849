/**
 * Reads a table: rows of cells, each with its own blocks.
 *
 * A table of short values becomes a Markdown table. A table that only lays out the page becomes the blocks of its cells, one
 * after another. Which of the two it is, is known at its end.
 */

import { everything } from "../content/MainContent.ts"
import type { Budget } from "../tree/Budget.ts"
import { BLANK, Blocks, type Span } from "./Blocks.ts"

interface Cell {
  readonly blocks: Blocks
  readonly header: boolean
  readonly colspan: number
  readonly rowspan: number
  readonly align: string | undefined
}

type Section = "head" | "body" | "foot"

export class Table {
  /** The rows of each section: a reader sees the head first and the foot last, wherever they are written. */
  private readonly sections: Record<Section, Array<Array<Cell>>> = { head: [], body: [], foot: [] }
  /** The blocks outside of cells, such as the caption. */
  readonly around: Blocks
  readonly layout: boolean
  hasHeaders = false
  private section: Section = "body"
  private readonly budget: Budget

  constructor(layout: boolean, budget: Budget) {
    this.layout = layout
    this.budget = budget
    this.around = new Blocks(budget)
  }

  /** The following rows are in this section. */
  enter(section: Section): void {
    this.section = section
  }

  row(): void {
    this.sections[this.section].push([])
  }

  cell(header: boolean, colspan: string | undefined, rowspan: string | undefined, align: string | undefined): Blocks {
    const rows = this.sections[this.section]
    if (rows.length === 0) this.row()
    const isHeader = header || this.section === "head"
    if (isHeader) this.hasHeaders = true
    const blocks = new Blocks(this.budget)
    rows[rows.length - 1]?.push({
      blocks,
      header: isHeader,
      colspan: span(colspan, maxColumns),
      rowspan: span(rowspan, maxRowspan),
      align
    })
    return blocks
  }

  /** Writes the table into the blocks around it. */
  into(blocks: Blocks): void {
    blocks.absorb(this.around)
    blocks.request(BLANK)
    const { body, foot, head } = this.sections
    const rows = [...head, ...body, ...foot].filter((row) => row.some((cell) => cell.blocks.count > 0))
    if (rows.length === 0) return
    const grid = this.isGrid(rows) ? spread(rows, this.budget) : undefined
    if (grid !== undefined) blocks.write(write(grid, rows), spanOf(rows.flat()), true)
    else for (const row of rows) layOut(row, blocks)
  }

  private isGrid(rows: ReadonlyArray<ReadonlyArray<Cell>>): boolean {
    if (this.layout || rows.some((row) => row.some((cell) => cell.blocks.heavy))) return false
    const isWide = rows.some((row) => row.filter((cell) => cell.blocks.count > 0).length > 1)
    // Code in a single column is a block with its title.
    if (!(this.hasHeaders && isWide) && rows.some((row) => row.some((cell) => cell.blocks.hasCode))) return false
    if (this.hasHeaders) return rows.length > 1 || (rows[0]?.length ?? 0) > 1
    return isWide && rows.length > 1 && rows.every((row) => row.every((cell) => cell.blocks.count <= maxBlocksInCell))
  }
}

/** Writes a row without a table: as one line if all cells are short, otherwise as the blocks of its cells. */
const layOut = (row: ReadonlyArray<Cell>, blocks: Blocks): void => {
  const phrases = row.map((cell) => cell.blocks.phrase)
  if (phrases.includes(undefined)) {
    for (const cell of row) blocks.absorb(cell.blocks)
    return
  }
  blocks.request(BLANK)
  blocks.write(phrases.filter((phrase) => phrase !== "").join(" "), spanOf(row))
}

/** The blocks of the page that the cells were written from. Cells follow one another on the page. */
const spanOf = (cells: ReadonlyArray<Cell>): Span => {
  const spans = cells.flatMap(({ blocks }) => blocks.span ?? [])
  return { from: spans[0]?.from ?? 0, to: spans[spans.length - 1]?.to ?? 0 }
}

const maxColumns = 100
const maxRowspan = 1000
const maxBlocksInCell = 8

const span = (written: string | undefined, limit: number): number => {
  const value = written === undefined ? 1 : Number.parseInt(written, 10)
  return value > 1 ? Math.min(value, limit) : 1
}

/** The text of each cell in its column, with empty cells for spans; undefined: there are too many columns. */
const spread = (
  rows: ReadonlyArray<ReadonlyArray<Cell>>,
  budget: Budget
): ReadonlyArray<ReadonlyArray<string>> | undefined => {
  const taken: Array<number> = []
  const grid: Array<Array<string>> = []
  for (const row of rows) {
    const line: Array<string> = []
    for (const cell of row) {
      while ((taken[line.length] ?? 0) > 0) line.push("")
      const from = line.length
      line.push(cellText(cell.blocks))
      for (let i = 1; i < cell.colspan; i++) line.push("")
      if (line.length > maxColumns) return undefined
      for (let i = from; i < line.length; i++) taken[i] = Math.max(taken[i] ?? 0, cell.rowspan)
    }
    for (let i = 0; i < taken.length; i++) taken[i] = Math.max(0, (taken[i] ?? 0) - 1)
    budget.cell(line.length)
    grid.push(line)
  }
  return grid
}

const write = (grid: ReadonlyArray<ReadonlyArray<string>>, rows: ReadonlyArray<ReadonlyArray<Cell>>): string => {
  const width = grid.reduce((widest, line) => Math.max(widest, line.length), 1)
  const first = rows[0] ?? []
  const headed = first.length > 0 && first.every((cell) => cell.header)
  const lines: Array<string> = []
  const align: Array<string> = []
  for (const cell of rows[headed && rows.length > 1 ? 1 : 0] ?? []) {
    for (let i = 0; i < cell.colspan; i++) align.push(rules.get(cell.align ?? "") ?? "---")
  }
  const body = headed ? grid.slice(1) : grid
  lines.push(line(headed ? (grid[0] ?? []) : [], width))
  lines.push(`|${Array.from({ length: width }, (_, i) => ` ${align[i] ?? "---"} |`).join("")}`)
  for (const row of body) lines.push(line(row, row.length))
  return lines.join("\n")
}

const rules = new Map([
  ["left", ":---"],
  ["center", ":---:"],
  ["right", "---:"]
])

const line = (cells: ReadonlyArray<string>, width: number): string => {
  let out = "|"
  for (let i = 0; i < width; i++) out += cells[i] === undefined || cells[i] === "" ? "  |" : ` ${cells[i]} |`
  return out
}

const cellText = (blocks: Blocks): string => {
  const text = blocks.join(everything, true)
  const piped = text.includes("|") ? text.replaceAll("|", "\\|") : text
  return piped.includes("\n") ? piped.replace(/ *\n\s*/g, "<br>") : piped
}
