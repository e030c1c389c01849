/**
 * Divides a PDF into blocks.
 *
 * A PDF has letters and positions, but no paragraphs. Text larger than the rest is a heading. A line further below than
 * usual begins a paragraph. What is at the edge of most pages (a running title, a page number) is left out, but for its first words.
 * The numbers of lines are left out. A line that ends before the margin stays a line of its own, so that lists keep their rows. Text in
 * columns of cells is a table.
 */
import type { Grid } from "./PdfGrid.ts"
import type { Line } from "./PdfLines.ts"
import { around, type PdfPlace } from "./PdfPlace.ts"
import { isTable, type Table } from "./PdfTable.ts"
import * as PdfTables from "./PdfTables.ts"

export interface PdfPage {
  readonly width: number
  readonly lines: ReadonlyArray<Line>
  /** The grids that its drawn lines make, as lines of a rotation see them. */
  readonly grids: (turn: number) => ReadonlyArray<Grid>
}

export type Block = PdfText | Table

/** A heading, an item, or a paragraph. */
export interface PdfText {
  /** Its lines, separated where they do not continue each other. */
  readonly text: string
  readonly level: number | undefined
  readonly bullet: boolean
  readonly place?: PdfPlace | undefined
}

/** The blocks of each page. */
export const blocksOf = (pages: ReadonlyArray<PdfPage>): ReadonlyArray<ReadonlyArray<Block>> => {
  const trimmed = withoutEdges(withoutNumbers(pages.map(({ lines }) => lines)))
  const body = commonest(trimmed)
  const sizes = [
    ...new Set(trimmed.flatMap((page) => page.map(({ size }) => size)).filter((size) => size >= body * 1.15))
  ]
  const levels = new Map(sizes.sort((a, b) => b - a).map((size, i) => [size, Math.min(i + 1, maxLevel)]))
  return pages.map((page, i) => pageBlocks({ ...page, lines: trimmed[i] ?? [] }, levels))
}

const maxLevel = 4
/** A longer heading is text in large letters. */
const maxHeading = 200

const pageBlocks = ({ grids, lines, width }: PdfPage, levels: ReadonlyMap<number, number>): Array<Block> => {
  const parts = PdfTables.find(lines, grids)
  const pitch = median(parts.flatMap((part) => (isTable(part) ? [] : [part])))
  const groups: Array<Group | Table> = []
  for (const part of parts) {
    if (isTable(part)) {
      groups.push(part)
      continue
    }
    const level = part.text.length <= maxHeading ? levels.get(part.size) : undefined
    const bullet = bullets.test(part.text)
    const last = groups.at(-1)
    if (isGroup(last) && last.level === level && !bullet && isNext(last, part, pitch)) last.lines.push(part)
    else groups.push({ lines: [part], level, bullet })
  }
  const isFull = make(
    groups.flatMap((group) => (isGroup(group) ? [group.lines] : [])),
    width
  )
  return groups.map((group) => (isGroup(group) ? textOf(group, isFull) : group))
}

/** The lines of a heading, an item or a paragraph. */
interface Group {
  readonly lines: Array<Line>
  readonly level: number | undefined
  readonly bullet: boolean
}

const isGroup = (group: Group | Table | undefined): group is Group => group !== undefined && !isTable(group)

const bullets = /^[•◦▪‣●○■·]\s*/

const isNext = ({ bullet, level, lines }: Group, line: Line, pitch: number): boolean => {
  const before = lines.at(-1)
  if (before === undefined || before.turn !== line.turn || Math.abs(before.size - line.size) > 0.6) return false
  // A line that begins to the left of an item does not belong to it.
  if (bullet && line.x < before.x - 2) return false
  const gap = before.y - line.y
  return gap > 0 && gap <= Math.max(pitch * 1.35, level === undefined ? 0 : line.size * 1.6)
}

const textOf = ({ bullet, level, lines }: Group, isFull: (line: Line) => boolean): PdfText => {
  let text = ""
  let before: Line | undefined
  for (const line of lines) {
    if (before === undefined) text = bullet ? line.text.replace(bullets, "") : line.text
    else text = join(text, line.text, level !== undefined || isFull(before))
    before = line
  }
  return { text, level, bullet, place: around(lines.flatMap(({ cells }) => cells.map(({ place }) => place))) }
}

/** Joins a word that was hyphenated at the end of its line. */
const join = (text: string, next: string, flows: boolean): string =>
  /\p{Ll}-$/u.test(text) && /^\p{Ll}/u.test(next) ? text.slice(0, -1) + next : `${text}${flows ? " " : "\n"}${next}`

/** The most common distance between two lines of a paragraph. */
const median = (lines: ReadonlyArray<Line>): number => {
  const gaps = lines.flatMap((line, i) => {
    const gap = (lines[i - 1]?.y ?? 0) - line.y
    return i > 0 && gap > line.size * 0.5 && gap < line.size * 4 ? [gap] : []
  })
  return gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0
}

/** The most common size of letters. */
const commonest = (pages: ReadonlyArray<ReadonlyArray<Line>>): number => {
  const letters = new Map<number, number>()
  for (const page of pages) {
    for (const { size, text } of page) letters.set(size, (letters.get(size) ?? 0) + text.length)
  }
  return [...letters].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [0, 0])[0]
}

/**
 * The lines without first and last lines that are apart from the text and repeated on most pages, whatever their
 * numbers.
 */
const withoutEdges = (pages: ReadonlyArray<ReadonlyArray<Line>>): ReadonlyArray<ReadonlyArray<Line>> => {
  if (pages.length < 3) return pages
  const pagesOfEdge = new Map<string, number>()
  for (const page of pages) {
    for (const key of new Set([edgeKey(page, 0, 1), edgeKey(page, page.length - 1, page.length - 2)])) {
      if (key !== undefined) pagesOfEdge.set(key, (pagesOfEdge.get(key) ?? 0) + 1)
    }
  }
  const isEdge = (key: string | undefined): boolean =>
    key !== undefined && (pagesOfEdge.get(key) ?? 0) > pages.length / 2
  const once = new Set<string>()
  const isLeftOut = (page: ReadonlyArray<Line>, index: number, next: number): boolean => {
    const key = edgeKey(page, index, next)
    if (key === undefined || !isEdge(key)) return false
    const isFirst = !once.has(key) && /\p{L}/u.test(key)
    once.add(key)
    return !isFirst
  }
  return pages.map((page) => {
    const first = isLeftOut(page, 0, 1) ? 1 : 0
    const last = isLeftOut(page, page.length - 1, page.length - 2) ? page.length - 1 : page.length
    return page.slice(first, last)
  })
}

/** The pages without numbers of their lines: whole numbers from 1 on, below each other, on the left of all text, on several pages. */
const withoutNumbers = (pages: ReadonlyArray<ReadonlyArray<Line>>): ReadonlyArray<ReadonlyArray<Line>> => {
  const counted = pages.map(countedLines)
  if (counted.filter(({ size }) => size > 0).length < 2) return pages
  return pages.map((lines, at) =>
    lines.flatMap((line) => {
      if (counted[at]?.has(line) !== true) return [line]
      const cells = line.cells.slice(1)
      const [first] = cells
      return first === undefined ? [] : [{ ...line, cells, x: first.x, text: cells.map(({ text }) => text).join(" ") }]
    })
  )
}

/** The lines of a page that begin with their number, or are one. */
const countedLines = (lines: ReadonlyArray<Line>): ReadonlySet<Line> => {
  const numbers = lines.filter(({ cells: [first] }) => /^\d{1,3}$/.test(first?.text ?? ""))
  const left = Math.min(...numbers.map(({ x }) => x))
  // The number of the page stands elsewhere.
  const counted = numbers.filter(({ size, x }) => x <= left + size * 2)
  const isCount = counted.every(({ cells: [first], y }, at) => {
    return Number(first?.text) === at + 1 && y < (counted[at - 1]?.y ?? Number.POSITIVE_INFINITY)
  })
  const end = Math.max(...counted.map(({ cells: [first] }) => first?.end ?? 0))
  const isLeft = lines.every((line) => counted.includes(line) || line.x > end)
  return new Set(counted.length >= leastNumbers && isCount && isLeft ? counted : [])
}

const leastNumbers = 8

/**
 * What a repeated edge line has in common on all pages: its position and its words; undefined for a line of the text.
 */
const edgeKey = (page: ReadonlyArray<Line>, index: number, next: number): string | undefined => {
  const line = page[index]
  const neighbour = page[next]
  if (line === undefined || neighbour === undefined || Math.abs(line.y - neighbour.y) < line.size * 2) return undefined
  return `${Math.round(line.y)} ${line.text.replaceAll(/\d+|\b[ivxl]+\b/g, "#")}`
}

/**
 * Decides whether a line of a PDF is as wide as it can be, and so continues in the next.
 *
 * Text is set in columns, and the lines of a paragraph fill the width of theirs. If lines end anywhere, only the page
 * has a margin.
 */

/** Whether a line reaches the margin. */
type PdfMeasure = (line: Line) => boolean

const make = (groups: ReadonlyArray<ReadonlyArray<Line>>, width: number): PdfMeasure => {
  const columns = groups.flatMap(columnOf)
  const lines = groups.flat()
  const upright = lines.filter(({ turn }) => turn === 0)
  const left = upright.reduce((least, { x }) => Math.min(least, x), width)
  // The right margin is taken to be as wide as the left one.
  const page = (width - left) * full
  const lying = columnOfTurn(lines)
  return (line) => {
    const column = columns.find((each) => isWithin(line, each)) ?? lying(line.turn)
    return line.end >= (column === undefined ? page : column.x + column.width * full)
  }
}

/** Lines that are turned fill the width of the widest of them. */
const columnOfTurn = (lines: ReadonlyArray<Line>): ((turn: number) => Column | undefined) => {
  const columns = new Map<number, Column>()
  for (const { end, turn, x } of lines) {
    if (turn === 0) continue
    const known = columns.get(turn) ?? { x, width: 0 }
    const left = Math.min(known.x, x)
    columns.set(turn, { x: left, width: Math.max(known.x + known.width, end) - left })
  }
  return (turn) => columns.get(turn)
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
