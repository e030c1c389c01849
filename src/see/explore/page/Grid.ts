/**
 * A grid of any number of rows, of which only those that are seen are in the document.
 *
 * The scroll bar is that of an empty box; the rows stay where they are seen, and show other rows. Browsers limit how tall a
 * box can be, so a very long table has a box of that height, and moves by more than one row at each pixel.
 */
import type { ColumnInfo, ColumnSummary, Filter } from "../ExploreApi.ts"
import { isText, longestCell } from "../gridSql.ts"
import { columnContent, isLink, type ShownColumn } from "./columnContent.ts"
import { columnHead, type HeadActions } from "./columnHead.ts"
import { counted, el, fromFirstMark, markedNodes } from "./dom.ts"
import type { Row, Rows } from "./rows.ts"

const rowHeight = 28
const plainHeadHeight = 33
const profiledHeadHeight = 104
const tallest = 10_000_000
/** Narrower a column says nothing. */
const narrowest = 48
/** The pixels by which a key makes a column wider or narrower. */
const sizeStep = 40
/** A column of texts of this width may be wider. */
const longText = 260
/** Rows whose values say how wide columns are. */
const sampled = 200

interface GridOptions {
  readonly label: string
  readonly columns: ReadonlyArray<ColumnInfo>
  readonly rows: Rows
  /** Which columns are shown, and how; absent: all of them, as their values need it. */
  readonly shown?: ReadonlyArray<ShownColumn>
  /** A row that was clicked, or Enter was pressed on. */
  readonly open?: (row: number, isByKey: boolean) => void
  /** A column whose head was clicked, or "s" was pressed in. */
  readonly sort?: (column: string) => void
  /** The column that rows are sorted by: `name` or `-name`. */
  readonly order?: string
  /** Somebody has made a column wider or narrower: the columns with the widths that they have now. */
  readonly sized?: (shown: ReadonlyArray<ShownColumn>) => void
  /** What is marked in texts. */
  readonly marks?: RegExp | undefined
  /** Heads say what their columns hold, and rows are filtered by what is clicked. */
  readonly head?: HeadActions
}

export interface Grid {
  readonly element: HTMLElement
  /** Brings a cell into sight, and makes it the active one. `column`: as it stands in the grid. */
  readonly go: (row: number, column: number) => void
  /** Shows in the heads what their columns hold. */
  readonly profile: (summaries: ReadonlyMap<string, ColumnSummary>) => void
  /** Ends what the grid listens to outside of its element. */
  readonly close: () => void
}

export const makeGrid = (options: GridOptions): Grid => {
  const { rows } = options
  const { total } = rows
  const shown = options.shown ?? columnContent({ ...options, rows: firstRows(rows), key: [], isProfiled: false })
  const grid: Parts = { ...options, shown, size: (column, width) => widths.size(column, width) }
  const { body, element, head, headHeight, height, layer } = boxesOf(grid)
  const widths = columnWidths(element, shown, (sized) => {
    later()
    options.sized?.(sized)
  })
  let active: CellPosition = { row: 0, column: 0 }
  let first = 0
  let isDrawn = false
  const fitting = (): number => Math.max(1, Math.floor((element.clientHeight - headHeight) / rowHeight))
  const lastFirst = (): number => Math.max(0, total - fitting())
  const path = (): number => Math.max(1, height - element.clientHeight)
  /** The first column stays in sight, as it names the row, where enough is left for the others. */
  const isFrozen = (): boolean => element.clientWidth > 2.5 * widths.of(0)

  const draw = (): void => {
    isDrawn = true
    element.classList.toggle("frozen", isFrozen())
    layer.style.height = `${element.clientHeight}px`
    first = Math.min(lastFirst(), Math.round((element.scrollTop / path()) * lastFirst()))
    const visible = Math.min(total - first, fitting() + 1)
    rows.see(first, first + visible - 1, later)
    while (body.childElementCount > visible) body.lastElementChild?.remove()
    while (body.childElementCount < visible) body.append(emptyRow(shown))
    const sight: Sight = { ...grid, active, isNear: nearSight(element, widths.of) }
    for (const [at, line] of [...body.children].entries()) fillRow(line, first + at, sight)
    if (active.row >= first && active.row < first + visible) element.setAttribute("aria-activedescendant", activeCell)
    else element.removeAttribute("aria-activedescendant")
  }
  const later = (): void => {
    if (isDrawn) requestAnimationFrame(draw)
    isDrawn = false
  }
  /** Makes a cell the active one, and brings it into sight. */
  const go = (row: number, column: number): void => {
    active = { row: within(row, total), column: within(column, shown.length) }
    const wanted =
      active.row < first ? active.row : active.row >= first + fitting() ? active.row - fitting() + 1 : undefined
    if (wanted !== undefined) element.scrollTop = lastFirst() === 0 ? 0 : (wanted / lastFirst()) * path()
    showColumn(element, widths.of, active.column, active.column > 0 && isFrozen() ? widths.of(0) : 0)
    later()
  }
  element.addEventListener("scroll", later, { passive: true })
  element.addEventListener("keydown", (event) => {
    if (event.altKey || event.metaKey || event.target !== element) return
    const last: CellPosition = { row: total - 1, column: shown.length - 1 }
    const place = placeAfter(event, active, last, fitting())
    const by = stepOf(event)
    if (by !== 0) widths.size(active.column, widths.of(active.column) + by)
    const isDone = place !== undefined || by !== 0 || (!event.ctrlKey && act(event.key, active, grid))
    if (place !== undefined) go(place.row, place.column)
    if (isDone) event.preventDefault()
  })
  element.addEventListener("click", ({ target }) => {
    const cell = target instanceof Element && target.closest("a") === null ? target.closest(".cell") : null
    if (cell === null) return
    const column = [...(cell.parentElement?.children ?? [])].indexOf(cell)
    if (head.contains(cell)) return options.sort?.(shown[column]?.column.name ?? "")
    const line = [...body.children].indexOf(cell.parentElement ?? cell)
    go(first + line, column)
    options.open?.(active.row, false)
  })
  if (options.head !== undefined)
    offerFilter(layer, body, (line, column) => cellFilter(grid, first + line, column), options.head)
  const sizes = new ResizeObserver(() => {
    widths.fit()
    draw()
  })
  sizes.observe(element)
  return {
    element,
    go,
    profile: (summaries) => profileHeads(head, grid, summaries),
    close: () => sizes.disconnect()
  }
}

interface Parts extends GridOptions {
  readonly shown: ReadonlyArray<ShownColumn>
  /** Gives a column a width. */
  readonly size: (column: number, width: number) => void
}

/** A cell by its row and its column. */
interface CellPosition {
  readonly row: number
  readonly column: number
}

/** The nearest of so many places. */
const within = (place: number, count: number): number => Math.max(0, Math.min(count - 1, place))

const firstRows = (rows: Rows): ReadonlyArray<Row> =>
  Array.from({ length: Math.min(sampled, rows.total) }, (_, at) => rows.at(at)).flatMap((row) =>
    row === undefined ? [] : [row]
  )

/** What a key does with a cell; false: it is no key of the grid. */
const act = (key: string, { column: at, row }: CellPosition, grid: Parts): boolean => {
  const column = grid.shown[at]
  if (column === undefined) return false
  switch (key) {
    case "Enter":
      grid.open?.(row, true)
      return true
    case "s":
      grid.sort?.(column.column.name)
      return true
    case "c":
      grid.head?.about(column)
      return true
    case "f": {
      const filter = cellFilter(grid, row, at)
      if (filter !== undefined) grid.head?.choose(filter)
      return true
    }
    case "o": {
      const value = grid.rows.at(row)?.[column.at]
      if (typeof value === "string" && isLink(value)) window.open(value, "_blank", "noopener,noreferrer")
      return true
    }
    default:
      return false
  }
}

/** The rows that have the value of a cell; undefined: its value is not all here, or rows cannot be found by it. */
const cellFilter = ({ rows, shown }: Parts, row: number, at: number): Filter | undefined => {
  const column = shown[at]
  const value = column === undefined ? undefined : rows.at(row)?.[column.at]
  return column === undefined || value === undefined ? undefined : valueFilter(column, value)
}

export const valueFilter = (
  { column, kind }: Pick<ShownColumn, "column" | "kind">,
  value: Row[number]
): Filter | undefined =>
  (kind === "nested" && value !== null) || (typeof value === "string" && value.length > longestCell)
    ? undefined
    : { column: column.name, kind: "is", value }

/** A button over the cell below the mouse: only rows with its value. For keys it is "f". */
const offerFilter = (
  layer: HTMLElement,
  body: HTMLElement,
  filterOf: (line: number, column: number) => Filter | undefined,
  { choose }: HeadActions
): void => {
  const title = "Only rows with this value"
  const pick = el(
    "button",
    { type: "button", class: "pick", tabindex: -1, title, "aria-hidden": "true", hidden: true },
    "="
  )
  let filter: Filter | undefined
  pick.addEventListener("click", (event) => {
    event.stopPropagation()
    if (filter !== undefined) choose(filter)
  })
  body.addEventListener("pointerover", ({ pointerType, target }) => {
    const cell = target instanceof Element ? target.closest(".cell") : null
    if (cell === null || pointerType !== "mouse") return
    const line = cell.parentElement
    filter = filterOf([...body.children].indexOf(line ?? cell), [...(line?.children ?? [])].indexOf(cell))
    pick.hidden = filter === undefined
    const [place, own] = [layer.getBoundingClientRect(), cell.getBoundingClientRect()]
    pick.style.translate = `${own.right - place.left - 26}px ${own.top - place.top + 3}px`
  })
  layer.addEventListener("pointerleave", () => (pick.hidden = true))
  layer.append(pick)
}

/** Widths of columns in a grid: as their values need it, until somebody chooses. */
const columnWidths = (
  element: HTMLElement,
  shown: ReadonlyArray<ShownColumn>,
  changed: (shown: ReadonlyArray<ShownColumn>) => void
) => {
  let widths: ReadonlyArray<number> = shown.map(({ width }) => width)
  let isSized = shown.some((column) => column.isSized)
  return {
    of: (column: number): number => widths[column] ?? 0,
    /** The grid has another width. */
    fit: (): void => {
      if (!isSized) widths = stretched(shown, element.clientWidth)
      setWidths(element, widths)
    },
    size: (column: number, width: number): void => {
      isSized = true
      widths = widths.with(column, Math.max(narrowest, Math.round(width)))
      setWidths(element, widths)
      changed(shown.map((one, at) => ({ ...one, width: widths[at] ?? one.width, isSized: true })))
    }
  }
}

/** By how much a key makes a column wider. */
const stepOf = ({ ctrlKey, key }: KeyboardEvent): number =>
  ctrlKey ? 0 : key === "+" ? sizeStep : key === "-" ? -sizeStep : 0

/** What is left of the width goes to the column with the longest texts, if one has long ones. */
const stretched = (shown: ReadonlyArray<ShownColumn>, width: number): ReadonlyArray<number> => {
  const left = width - shown.reduce((sum, column) => sum + column.width, 0)
  const longest = Math.max(...shown.map((column) => (column.kind === "text" ? column.width : 0)))
  const at = longest < longText ? -1 : shown.findLastIndex((column) => column.width === longest)
  return shown.map((column, place) => (left > 0 && at === place ? column.width + left : column.width))
}

const setWidths = (element: HTMLElement, widths: ReadonlyArray<number>): void => {
  for (const [at, width] of widths.entries()) element.style.setProperty(`--w${at}`, `${width}px`)
  element.style.setProperty("--all", `${widths.reduce((sum, width) => sum + width, 0)}px`)
}

const profileHeads = (
  head: Element,
  { head: actions, shown }: Parts,
  summaries: ReadonlyMap<string, ColumnSummary>
): void => {
  if (actions === undefined) return
  for (const [at, cell] of [...head.children].entries()) {
    const column = shown[at]
    if (column !== undefined)
      cell.replaceChildren(
        // Its name and its grip.
        ...[...cell.children].slice(0, 2),
        ...columnHead(column, summaries.get(column.column.name), actions)
      )
  }
}

/** The elements of an empty grid. */
const boxesOf = (grid: Parts) => {
  const { head: actions, label, rows, shown } = grid
  const { total } = rows
  const headHeight = actions === undefined ? plainHeadHeight : profiledHeadHeight
  const head = el("div", { class: "row head", role: "row", "aria-rowindex": 1 }, ...shown.map(headCell(grid)))
  const body = el("div", { class: "body", role: "rowgroup" })
  const layer = el("div", { class: "layer", role: "presentation" }, el("div", { role: "rowgroup" }, head), body)
  const box = el("div", { role: "presentation" }, layer)
  const element = el(
    "div",
    {
      class: actions === undefined ? "grid" : "grid profiled",
      role: "grid",
      tabindex: 0,
      "aria-label": `${label}, ${counted(total)}`,
      "aria-rowcount": total + 1,
      "aria-colcount": shown.length
    },
    box
  )
  const height = Math.min(total * rowHeight, tallest) + headHeight
  box.style.height = `${height}px`
  box.style.width = "var(--all)"
  return { body, element, head, headHeight, height, layer }
}

/** Whether a column is in sight or half a screen from it: the cells of the others have nothing that anybody sees. */
const nearSight = (
  { clientWidth, scrollLeft }: Element,
  widthOf: (column: number) => number
): ((column: number) => boolean) => {
  const [from, to] = [scrollLeft - clientWidth / 2, scrollLeft + 1.5 * clientWidth]
  const near = new Set<number>()
  for (let at = 0, left = 0; left < to && widthOf(at) > 0; left += widthOf(at++))
    // The first column may stay in sight.
    if (at === 0 || left + widthOf(at) > from) near.add(at)
  return (column) => near.has(column)
}

interface Sight extends Parts {
  readonly active: CellPosition
  readonly isNear: (column: number) => boolean
}

const fillRow = (line: Element, row: number, { active, isNear, marks, rows, shown }: Sight): void => {
  const values = rows.at(row)
  line.setAttribute("aria-rowindex", String(row + 2))
  line.setAttribute("aria-selected", String(row === active.row))
  for (const [at, cell] of [...line.children].entries()) {
    const column = shown[at]
    if (column === undefined) continue
    const value = isNear(at) ? values?.[column.at] : undefined
    const text = !isNear(at) ? "" : values === undefined ? "…" : column.text(values)
    const marked = typeof value === "string" && isText(column.column) ? marks : undefined
    if (typeof value === "string" && isLink(value)) setLink(cell, text, value, marked)
    else if (marked !== undefined) setMarked(cell, text, marked)
    else setText(cell, text)
    setTitle(cell, value, text)
    const isActive = row === active.row && at === active.column
    // Only the active cell is referred to.
    if (isActive) cell.id = activeCell
    else if (cell.id !== "") cell.removeAttribute("id")
    const name = `cell${column.kind === "number" || column.kind === "money" ? " number" : ""}${
      value === null ? " none" : ""
    }${isActive ? " active" : ""}`
    if (cell.className !== name) cell.className = name
  }
}

/** The id of the cell that keys act on. */
const activeCell = "active-cell"

/** The whole value, where it is written otherwise. */
const setTitle = (cell: Element, value: Row[number] | undefined, text: string): void => {
  const whole = value === null || value === undefined || value === text ? "" : String(value)
  if (whole === text || whole === "") {
    if (cell.hasAttribute("title")) cell.removeAttribute("title")
  } else if (cell.getAttribute("title") !== whole) cell.setAttribute("title", whole)
}

/** Scrolls sideways until a column is in sight. `covered`: how much of the left a frozen column takes. */
const showColumn = (element: Element, widthOf: (column: number) => number, column: number, covered: number): void => {
  let left = 0
  for (let at = 0; at < column; at++) left += widthOf(at)
  const right = left + widthOf(column)
  if (left - covered < element.scrollLeft) element.scrollLeft = left - covered
  else if (right > element.scrollLeft + element.clientWidth) element.scrollLeft = right - element.clientWidth
}

/** Where a key moves from a cell; undefined: it does not move. */
const placeAfter = (
  { ctrlKey, key }: KeyboardEvent,
  { column, row }: CellPosition,
  last: CellPosition,
  fitting: number
): CellPosition | undefined => {
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

/** A text that is there is not written again: only then is scrolling cheap. */
const setText = (cell: Element, text: string): void => {
  const [only] = cell.childNodes
  if (only instanceof Text && cell.childNodes.length === 1) {
    if (only.data !== text) only.data = text
  } else cell.textContent = text
}

const setMarked = (cell: Element, text: string, marks: RegExp): void => {
  const shown = fromFirstMark(text, marks)
  if (cell.textContent !== shown || cell.querySelector("a") !== null) cell.replaceChildren(...markedNodes(shown, marks))
}

/** Keys open it by "o": the grid is one stop of the Tab key. */
const setLink = (cell: Element, text: string, href: string, marks: RegExp | undefined): void => {
  const old = cell.firstElementChild
  const isLinked = old instanceof HTMLAnchorElement && cell.childNodes.length === 1
  const link = isLinked ? old : el("a", { target: "_blank", rel: "noopener noreferrer", tabindex: -1 })
  if (link.getAttribute("href") !== href) link.setAttribute("href", href)
  if (marks === undefined) setText(link, text)
  else setMarked(link, text, marks)
  if (!isLinked) cell.replaceChildren(link)
}

const headCell =
  ({ head: actions, order = "", size }: Parts) =>
  (shown: ShownColumn, at: number) => {
    const { description, name, type } = shown.column
    const direction = order === name ? "ascending" : order === `-${name}` ? "descending" : undefined
    const arrow = direction === undefined ? "" : direction === "ascending" ? " ▲" : " ▼"
    const title = `${name}: ${type}${description === undefined ? "" : `; ${description}`}`
    const isRight = shown.kind === "number" || shown.kind === "money"
    const cell = el(
      "div",
      {
        class: isRight && actions === undefined ? "cell number" : "cell",
        role: "columnheader",
        "aria-sort": direction
      },
      el("span", { class: "name", title }, `${name}${arrow}`),
      grip((width) => size(at, width)),
      ...(actions === undefined ? [] : columnHead(shown, undefined, actions))
    )
    cell.style.width = `var(--w${at})`
    return cell
  }

/** The right border of a head, by which the mouse makes its column wider or narrower. For keys it is "+" and "-". */
const grip = (size: (width: number) => void): HTMLElement => {
  const element = el("span", { class: "grip", "aria-hidden": "true" })
  const head = (): DOMRect => (element.parentElement ?? element).getBoundingClientRect()
  /** From the pointer to the border that it holds. */
  let beside = 0
  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId)
    beside = head().right - event.clientX
    // No text is selected by the way.
    event.preventDefault()
  })
  element.addEventListener("pointermove", ({ clientX, pointerId }) => {
    if (element.hasPointerCapture(pointerId)) size(clientX + beside - head().left)
  })
  // A head that is clicked sorts.
  element.addEventListener("click", (event) => event.stopPropagation())
  return element
}

const emptyRow = (shown: ReadonlyArray<ShownColumn>): HTMLElement =>
  el(
    "div",
    { class: "row", role: "row" },
    ...shown.map((_, at) => {
      const cell = el("div", { class: "cell", role: "gridcell" })
      cell.style.width = `var(--w${at})`
      return cell
    })
  )
