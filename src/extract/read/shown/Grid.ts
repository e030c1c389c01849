/**
 * A table as a grid: the cell at each place, spans filled in.
 *
 * The spans that a page declares are never trusted as a size; a grid has a limited number of places.
 */
import { type Element, elements, textOf } from "#page/Dom"
import type { Group } from "../../Candidates.ts"
import { type Budget, maxRows, maxValues } from "../../page/Budget.ts"
import type { Page } from "../../page/Page.ts"
import { groupOf } from "./Blocks.ts"

export interface Cell {
  readonly element: Element
  readonly text: string
  readonly isHead: boolean
}

export interface Row {
  readonly element: Element
  readonly cells: ReadonlyArray<Cell | undefined>
  readonly isHead: boolean
  /** Whether it is in the foot of the table. */
  readonly isFoot: boolean
}

export interface Grid {
  readonly element: Element
  readonly caption: string | undefined
  readonly rows: ReadonlyArray<Row>
  readonly width: number
}

const maxColumns = 100
const maxText = 2000

/** `onShort` is called where the table has more than a table may have. */
export const gridOf = (table: Element, onShort: () => void = () => {}): Grid => {
  const rows: Array<Row> = []
  let caption: string | undefined
  let width = 0
  let places = 0
  /** Cells that reach down from rows above, by column. */
  const reaching = new Map<number, { readonly cell: Cell; left: number }>()
  for (const { element, isFoot, isHead } of rowsOf(table)) {
    if (element.name === "caption") {
      caption ??= textOf(element, 200)
      continue
    }
    if (rows.length >= maxRows || places > maxValues) {
      onShort()
      break
    }
    const cells: Array<Cell | undefined> = []
    const fill = (): void => {
      for (let at = reaching.get(cells.length); at !== undefined; at = reaching.get(cells.length)) {
        if (--at.left === 0) reaching.delete(cells.length)
        cells.push(at.cell)
      }
    }
    for (const child of element.children) {
      if (child._tag === "Text" || (child.name !== "td" && child.name !== "th")) continue
      fill()
      const cell = { element: child, text: textOf(child, maxText), isHead: child.name === "th" || hasHeadRole(child) }
      const down = spanOf(child, "rowspan", maxRows)
      for (let i = spanOf(child, "colspan", maxColumns); i > 0 && cells.length < maxColumns; i--) {
        if (down > 1) reaching.set(cells.length, { cell, left: down - 1 })
        cells.push(cell)
      }
    }
    fill()
    if (cells.length === 0) continue
    places += cells.length
    width = Math.max(width, cells.length)
    rows.push({ element, cells, isHead: isHead || isHeads(cells), isFoot })
  }
  return { element: table, caption: caption === "" ? undefined : caption, rows, width }
}

/** Heads only, but for a corner and columns without a name. */
const isHeads = (cells: ReadonlyArray<Cell | undefined>): boolean => {
  const heads = cells.filter((cell) => cell?.isHead === true).length
  return heads === cells.length || (heads > 1 && cells.every((cell) => cell?.isHead !== false || cell.text === ""))
}

/** A table that only arranges the page: it says so, has one column, holds tables, or much text in a cell. */
export const isLayout = ({ element, rows, width }: Grid): boolean => {
  const role = element.attributes.get("role")
  if (role === "presentation" || role === "none" || width < 2 || rows.length === 0) return true
  const cells = rows.flatMap((row) => row.cells)
  if (cells.some((cell) => cell?.isHead === true)) return false
  return (
    cells.some((cell) => cell !== undefined && cell.text.length >= maxText) ||
    elements(element).some(({ name }) => name === "table" || name === "form" || name === "h1" || name === "h2")
  )
}

/** The rows of a table and its caption, those of its parts too; not those of tables in it. */
const rowsOf = (table: Element): ReadonlyArray<Pick<Row, "element" | "isFoot" | "isHead">> =>
  table.children.flatMap((child) => {
    if (child._tag === "Text" || !child.isVisible) return []
    if (child.name === "tr" || child.name === "caption") return [{ element: child, isHead: false, isFoot: false }]
    if (child.name !== "tbody" && child.name !== "thead" && child.name !== "tfoot") return []
    return child.children.flatMap((element) =>
      element._tag === "Element" && element.name === "tr" && element.isVisible
        ? [{ element, isHead: child.name === "thead", isFoot: child.name === "tfoot" }]
        : []
    )
  })

const hasHeadRole = ({ attributes }: Element): boolean => {
  const role = attributes.get("role")
  return role === "columnheader" || role === "rowheader" || attributes.has("scope")
}

/** A span of nought reaches to the end, which the limit is. */
const spanOf = ({ attributes }: Element, name: string, most: number): number => {
  const written = attributes.get(name)
  if (written === undefined) return 1
  const span = Number.parseInt(written, 10)
  return span === 0 && name === "rowspan" ? most : Number.isNaN(span) || span < 1 ? 1 : Math.min(span, most)
}

/** The items of a table as one list of cards, if it has any. */
export const itemsOf = (page: Page, grid: Grid, room: Budget): Group | undefined => {
  const rows = rowItems(grid).flatMap(([first, ...others]) =>
    first === undefined ? [] : [page.together([first, ...others])]
  )
  return rows.length === 0 ? undefined : groupOf(page, { rows, top: rows[0] }, room)
}

/*
 * Items of a table without heads that take several rows each: a title, below it what is known of it, an empty row.
 *
 * The layouts of the rows have a period then: how many cells a row has, and over how many columns each reaches. Where all rows
 * have one layout, there is a period only if links, or pictures, are in the same rows of every item and in no others.
 */

/** The rows of each item; empty if each row is an item, or if it is uncertain which row begins one. */
export const rowItems = (grid: Grid): ReadonlyArray<ReadonlyArray<Element>> => {
  if (grid.rows.length < leastByLayout * 2 || grid.rows.some(hasHead)) return []
  // Of thousands of nested tables, each would search all tables inside it.
  if (holdsOthers(grid.element, firstParts)) return []
  const rows = kindsOf(grid)
  for (let period = 2; period <= maxPeriod; period++) {
    const items = itemsBy(rows, period)
    const rowsIn = items.reduce((sum, item) => sum + item.length, 0)
    if (rowsIn < grid.rows.length * mostRows || !differ(items)) continue
    return holdsOthers(grid.element) ? [] : items.map((item) => item.map(({ element }) => element))
  }
  return []
}

const maxPeriod = 6
const firstParts = 200
const leastByLayout = 2
const leastByContent = 3
/** How much of a table has the period: a row for more of the list may stand below. */
const mostRows = 0.7

interface Kind {
  readonly element: Element
  /** Empty if the row is empty. */
  readonly layout: string
  readonly hasLink: boolean
  readonly hasPicture: boolean
}

const kindsOf = (grid: Grid): ReadonlyArray<Kind> => {
  const known = new Map(grid.rows.map((row) => [row.element, row]))
  return rowsOf(grid.element).flatMap(({ element }) => {
    if (element.name === "caption") return []
    const parts = elements(element)
    const hasPicture = parts.some(({ name }) => name === "img")
    const row = known.get(element)
    const isEmpty = row === undefined || (!hasPicture && row.cells.every((cell) => (cell?.text ?? "") === ""))
    const hasLink = parts.some(({ attributes, name }) => name === "a" && attributes.has("href"))
    return [{ element, layout: isEmpty ? "" : layoutOf(row), hasLink, hasPicture }]
  })
}

/** Over how many columns each cell reaches: "2 1". */
const layoutOf = ({ cells }: Row): string => {
  const widths: Array<number> = []
  for (const [i, cell] of cells.entries()) {
    const last = widths.length - 1
    if (i > 0 && cell === cells[i - 1]) widths[last] = (widths[last] ?? 0) + 1
    else widths.push(1)
  }
  return widths.join(" ")
}

/** The items in the longest periodic part of a table, without empty rows. */
const itemsBy = (rows: ReadonlyArray<Kind>, period: number): ReadonlyArray<ReadonlyArray<Kind>> => {
  const [from, to] = longest(rows, period)
  if (to - from < period * leastByLayout) return []
  const one = rows.slice(from, from + period)
  const isApart = one.some(isEmpty)
  // An empty row ends an item. Without empty rows, items begin with the period, and no row may be left over.
  const begin = isApart ? one.findIndex((row, i) => !isEmpty(row) && isEmpty(one[(i + period - 1) % period] ?? row)) : 0
  if (begin < 0 || (!isApart && (to - from) % period !== 0)) return []
  const items: Array<ReadonlyArray<Kind>> = []
  for (let at = from + begin; at < to; at += period) {
    items.push(rows.slice(at, Math.min(at + period, to)).filter((row) => !isEmpty(row)))
  }
  const length = items[0]?.length ?? 0
  return length < 2 ? [] : items.filter((item) => item.length === length)
}

const isEmpty = ({ layout }: Kind): boolean => layout === ""

/** The longest part in which each row has the layout of the row one period before it. */
const longest = (rows: ReadonlyArray<Kind>, period: number): readonly [from: number, to: number] => {
  let best: readonly [number, number] = [0, 0]
  let from = 0
  for (let at = period; at <= rows.length; at++) {
    if (at < rows.length && rows[at]?.layout === rows[at - period]?.layout) continue
    if (at - from > best[1] - best[0]) best = [from, at]
    from = at - period + 1
  }
  return best
}

/** Whether the rows of an item differ from one another, and in the same way in all items. */
const differ = (items: ReadonlyArray<ReadonlyArray<Kind>>): boolean => {
  const [first] = items
  if (first === undefined || items.length < leastByLayout) return false
  if (new Set(first.map(({ layout }) => layout)).size > 1) return true
  if (items.length < leastByContent) return false
  const isSteady = (has: (row: Kind) => boolean) =>
    new Set(first.map(has)).size > 1 && items.every((item) => item.every((row, i) => has(row) === has(first[i] ?? row)))
  return isSteady(({ hasLink }) => hasLink) || isSteady(({ hasPicture }) => hasPicture)
}

const hasHead = ({ cells, isHead }: Row): boolean => isHead || cells.some((cell) => cell?.isHead === true)

/** A table with tables or forms in it arranges a page. */
const holdsOthers = (table: Element, most?: number): boolean =>
  elements(table, most).some(({ name }) => name === "table" || name === "form")
