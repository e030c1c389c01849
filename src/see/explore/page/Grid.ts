/**
 * A grid of any number of rows, of which only those that are seen are in the document.
 *
 * The scroll bar is that of an empty box; the rows stay where they are seen, and show other rows. Browsers limit how tall a
 * box can be, so a very long table has a box of that height, and moves by more than one row at each pixel.
 */
import type { ColumnInfo } from "../ExploreApi.ts"
import { isText } from "../gridSql.ts"
import { counted, el } from "./dom.ts"
import { fromFirstMark, markedNodes } from "./marked.ts"
import type { Rows } from "./rows.ts"

const rowHeight = 28
const headHeight = 33
const tallest = 10_000_000

interface GridOptions {
  readonly label: string
  readonly columns: ReadonlyArray<ColumnInfo>
  readonly rows: Rows
  /** A row that was clicked, or Enter was pressed on. */
  readonly open?: (row: number, isByKey: boolean) => void
  /** A column whose head was clicked, or "s" was pressed in. */
  readonly sort?: (column: string) => void
  /** The column that rows are sorted by: `name` or `-name`. */
  readonly order?: string
  /** What is marked in texts. */
  readonly marks?: RegExp | undefined
}

export interface Grid {
  readonly element: HTMLElement
  /** Brings a cell into sight, and makes it the active one. */
  readonly go: (row: number, column: number) => void
  /** Ends what the grid listens to outside of its element. */
  readonly close: () => void
}

export const makeGrid = (options: GridOptions): Grid => {
  const { columns, open, rows, sort } = options
  const { total } = rows
  const widths = columns.map(widthOf)
  const { body, element, head, height, layer } = boxesOf(options, widths)

  let active: Place = { row: 0, column: 0 }
  let first = 0
  let isDrawn = false
  const fitting = (): number => Math.max(1, Math.floor((element.clientHeight - headHeight) / rowHeight))
  const lastFirst = (): number => Math.max(0, total - fitting())
  const path = (): number => Math.max(1, height - element.clientHeight)

  /** The first column stays in sight, as it names the row, where enough is left for the others. */
  const isFrozen = (): boolean => element.clientWidth > 2.5 * (widths[0] ?? 0)

  const draw = (): void => {
    isDrawn = true
    element.classList.toggle("frozen", isFrozen())
    layer.style.height = `${element.clientHeight}px`
    first = Math.min(lastFirst(), Math.round((element.scrollTop / path()) * lastFirst()))
    const shown = Math.min(total - first, fitting() + 1)
    rows.see(first, first + shown - 1, later)
    while (body.childElementCount > shown) body.lastElementChild?.remove()
    while (body.childElementCount < shown) body.append(emptyRow(widths))
    for (const [at, line] of [...body.children].entries()) fillRow(line, first + at, active, options)
    const isSeen = active.row >= first && active.row < first + shown
    if (isSeen) element.setAttribute("aria-activedescendant", `r${active.row}c${active.column}`)
    else element.removeAttribute("aria-activedescendant")
  }
  const later = (): void => {
    if (!isDrawn) return
    isDrawn = false
    requestAnimationFrame(draw)
  }
  /** Makes a cell the active one, and brings it into sight. */
  const go = (row: number, column: number): void => {
    active = {
      row: Math.max(0, Math.min(total - 1, row)),
      column: Math.max(0, Math.min(columns.length - 1, column))
    }
    const wanted =
      active.row < first ? active.row : active.row >= first + fitting() ? active.row - fitting() + 1 : undefined
    if (wanted !== undefined) element.scrollTop = lastFirst() === 0 ? 0 : (wanted / lastFirst()) * path()
    showColumn(element, widths, active.column, active.column > 0 && isFrozen() ? (widths[0] ?? 0) : 0)
    later()
  }
  element.addEventListener("scroll", later, { passive: true })
  element.addEventListener("keydown", (event) => {
    if (event.altKey || event.metaKey) return
    const last: Place = { row: total - 1, column: columns.length - 1 }
    const place = placeAfter(event, active, last, fitting())
    if (place === undefined && event.key !== "Enter" && event.key !== "s") return
    event.preventDefault()
    if (place !== undefined) go(place.row, place.column)
    else if (event.key === "Enter") open?.(active.row, true)
    else sort?.(columns[active.column]?.name ?? "")
  })
  element.addEventListener("click", ({ target }) => {
    const cell = target instanceof Element ? target.closest(".cell") : null
    if (cell === null) return
    const column = [...(cell.parentElement?.children ?? [])].indexOf(cell)
    if (head.contains(cell)) return sort?.(columns[column]?.name ?? "")
    const line = [...body.children].indexOf(cell.parentElement ?? cell)
    go(first + line, column)
    open?.(active.row, false)
  })
  const sizes = new ResizeObserver(draw)
  sizes.observe(element)
  return { element, go, close: () => sizes.disconnect() }
}

/** A cell by its row and its column. */
interface Place {
  readonly row: number
  readonly column: number
}

/** The elements of an empty grid. */
const boxesOf = ({ columns, label, order = "", rows: { total } }: GridOptions, widths: ReadonlyArray<number>) => {
  const head = el(
    "div",
    { class: "row head", role: "row", "aria-rowindex": 1 },
    ...columns.map(headCell(order, widths))
  )
  const body = el("div", { class: "body", role: "rowgroup" })
  const layer = el("div", { class: "layer", role: "presentation" }, el("div", { role: "rowgroup" }, head), body)
  const box = el("div", { role: "presentation" }, layer)
  const element = el(
    "div",
    {
      class: "grid",
      role: "grid",
      tabindex: 0,
      "aria-label": `${label}, ${counted(total)}`,
      "aria-rowcount": total + 1,
      "aria-colcount": columns.length
    },
    box
  )
  const height = Math.min(total * rowHeight, tallest) + headHeight
  box.style.height = `${height}px`
  box.style.width = `${widths.reduce((sum, width) => sum + width, 0)}px`
  return { body, element, head, height, layer }
}

const fillRow = (line: Element, row: number, active: Place, { columns, marks, rows }: GridOptions): void => {
  const values = rows.at(row)
  line.setAttribute("aria-rowindex", String(row + 2))
  line.setAttribute("aria-selected", String(row === active.row))
  for (const [at, cell] of [...line.children].entries()) {
    const value = values?.[at]
    const text = values === undefined ? "…" : value === null || value === undefined ? "null" : oneLine(String(value))
    const column = columns[at]
    if (marks === undefined || typeof value !== "string" || column === undefined || !isText(column)) setText(cell, text)
    else setMarked(cell, text, marks)
    cell.id = `r${row}c${at}`
    // A number that JavaScript cannot have comes as text.
    const isNumber = typeof value === "number" || (value != null && column !== undefined && isNumeric(column))
    cell.className = `cell${isNumber ? " number" : ""}${value === null ? " none" : ""}${
      row === active.row && at === active.column ? " active" : ""
    }`
  }
}

/** Scrolls sideways until a column is in sight. `covered`: how much of the left a frozen column takes. */
const showColumn = (element: Element, widths: ReadonlyArray<number>, column: number, covered: number): void => {
  const left = widths.slice(0, column).reduce((sum, width) => sum + width, 0)
  const right = left + (widths[column] ?? 0)
  if (left - covered < element.scrollLeft) element.scrollLeft = left - covered
  else if (right > element.scrollLeft + element.clientWidth) element.scrollLeft = right - element.clientWidth
}

/** Where a key moves from a cell; undefined: it does not move. */
const placeAfter = (
  { ctrlKey, key }: KeyboardEvent,
  { column, row }: Place,
  last: Place,
  fitting: number
): Place | undefined => {
  switch (key) {
    case "ArrowDown":
      return { row: row + 1, column }
    case "ArrowUp":
      return { row: row - 1, column }
    case "ArrowRight":
      return { row, column: column + 1 }
    case "ArrowLeft":
      return { row, column: column - 1 }
    case "PageDown":
      return { row: row + fitting, column }
    case "PageUp":
      return { row: row - fitting, column }
    case "Home":
      return ctrlKey ? { row: 0, column } : { row, column: 0 }
    case "End":
      return ctrlKey ? { row: last.row, column } : { row, column: last.column }
    default:
      return undefined
  }
}

/** A row of the grid is one line. */
const oneLine = (text: string): string => text.replace(/\s+/gu, " ")

/** A text that is there is not written again: only then is scrolling cheap. */
const setText = (cell: Element, text: string): void => {
  if (cell.textContent !== text || cell.childElementCount > 0) cell.textContent = text
}

const setMarked = (cell: Element, text: string, marks: RegExp): void => {
  const shown = fromFirstMark(text, marks)
  if (cell.textContent !== shown) cell.replaceChildren(...markedNodes(shown, marks))
}

const headCell = (order: string, widths: ReadonlyArray<number>) => (column: ColumnInfo, at: number) => {
  const direction = order === column.name ? "ascending" : order === `-${column.name}` ? "descending" : undefined
  const arrow = direction === undefined ? "" : direction === "ascending" ? " ▲" : " ▼"
  const cell = el(
    "div",
    { class: "cell", role: "columnheader", title: `${column.name}: ${column.type}`, "aria-sort": direction },
    `${column.name}${arrow}`
  )
  cell.style.width = `${widths[at] ?? 0}px`
  return cell
}

const emptyRow = (widths: ReadonlyArray<number>): HTMLElement =>
  el(
    "div",
    { class: "row", role: "row" },
    ...widths.map((width) => {
      const cell = el("div", { class: "cell", role: "gridcell" })
      cell.style.width = `${width}px`
      return cell
    })
  )

const isNumeric = ({ type }: ColumnInfo): boolean =>
  /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|FLOAT|DOUBLE|REAL|DECIMAL|NUMERIC)\b(?!.*\[)/i.test(type)

const widthOf = ({ name, type }: ColumnInfo): number =>
  Math.max(
    /^(VARCHAR|JSON|STRUCT)|\[\]$/.test(type) ? 240 : type.startsWith("TIMESTAMP") ? 210 : 110,
    40 + name.length * 8
  )
