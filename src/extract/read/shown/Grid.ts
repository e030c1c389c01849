/**
 * A table as a grid: the cell at each place, spans filled in.
 *
 * The spans that a page declares are never trusted as a size; a grid has a limited number of places.
 */
import { type Element, elements, textOf } from "#page/Dom"
import { maxRows, maxValues } from "../../page/Budget.ts"

export interface Cell {
  readonly element: Element
  readonly text: string
  readonly isHead: boolean
}

export interface Row {
  readonly element: Element
  readonly cells: ReadonlyArray<Cell | undefined>
  readonly isHead: boolean
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
  for (const { element, isHead } of rowsOf(table)) {
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
    rows.push({ element, cells, isHead: isHead || isHeads(cells) })
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
export const rowsOf = (table: Element): ReadonlyArray<{ readonly element: Element; readonly isHead: boolean }> =>
  table.children.flatMap((child) => {
    if (child._tag === "Text" || !child.seen) return []
    if (child.name === "tr" || child.name === "caption") return [{ element: child, isHead: false }]
    if (child.name !== "tbody" && child.name !== "thead" && child.name !== "tfoot") return []
    return child.children.flatMap((element) =>
      element._tag === "Element" && element.name === "tr" && element.seen
        ? [{ element, isHead: child.name === "thead" }]
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
