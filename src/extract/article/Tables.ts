/** Which tables are there for their data. Others only lay a page out, and what they hold is judged like any part of it. */
import * as Draft from "./Draft.ts"

export const markData = (root: Draft.Node): void => {
  const shapes = new Map<Draft.Node, Shape>()
  const open: Array<Draft.Node> = []
  for (let at = Draft.following(root, root); at !== undefined; at = Draft.following(at, root)) {
    if (!parts.has(at.name)) continue
    while (open.length > 0 && !holds(open[open.length - 1], at)) open.pop()
    for (const table of open) count(shapes.get(table), at)
    if (at.name !== "table") continue
    shapes.set(at, { rows: 0, columns: 0, cells: 0, isNested: false, isMarked: false })
    if (open.length < maxNested) open.push(at)
  }
  for (const [table, shape] of shapes) table.isData = isData(table, shape)
}

interface Shape {
  rows: number
  columns: number
  /** In the row that is being read. */
  cells: number
  isNested: boolean
  /** Whether a part of it only makes sense in a table of data. */
  isMarked: boolean
}

/** Tables nested deeper than this are not counted in all that they stand in. */
const maxNested = 8

const parts = new Set(["table", "tr", "td", "th", "col", "colgroup", "thead", "tfoot", "caption"])

const holds = (table: Draft.Node | undefined, node: Draft.Node): boolean => {
  for (let at = node.parent; at !== undefined; at = at.parent) if (at === table) return true
  return false
}

const count = (shape: Shape | undefined, part: Draft.Node): void => {
  if (shape === undefined) return
  switch (part.name) {
    case "table":
      shape.isNested = true
      return
    case "tr":
      shape.rows += span(part.attribute("rowspan"))
      shape.cells = 0
      return
    case "td":
      shape.cells += span(part.attribute("colspan"))
      shape.columns = Math.max(shape.columns, shape.cells)
      return
    case "caption":
      if (part.first !== undefined) shape.isMarked = true
      return
    default:
      shape.isMarked = true
  }
}

const isData = (table: Draft.Node, shape: Shape): boolean => {
  if (table.attribute("role") === "presentation" || table.attribute("datatable") === "0") return false
  if ((table.attribute("summary") ?? "") !== "" || shape.isMarked) return true
  if (shape.isNested || shape.columns === 1 || shape.rows === 1) return false
  return shape.rows >= 10 || shape.columns > 4 || shape.rows * shape.columns > 10
}

const span = (written: string | undefined): number => {
  const number = written === undefined ? 1 : Number.parseInt(written.slice(0, 6), 10)
  return number >= 1 && number <= 1000 ? number : 1
}
