/**
 * The grids that the lines of a page of a PDF make: the cells of ruled tables.
 *
 * Lines that cross make a grid. A cell goes on where no line ends it, so that it may span several columns and rows. A side on
 * which the lines of the other direction end is a side of the grid, also without a line of its own.
 */
import type { Edge, Edges } from "./PdfDrawing.ts"

export interface GridCell {
  readonly row: number
  readonly column: number
  /** How many rows and columns it has. */
  readonly down: number
  readonly across: number
}

export interface Grid {
  /** The heights of its level lines, from above; and how far right its upright lines are. */
  readonly heights: ReadonlyArray<number>
  readonly places: ReadonlyArray<number>
  readonly cells: ReadonlyArray<GridCell>
  /** The cell of each square, row by row. */
  readonly squares: ReadonlyArray<GridCell>
}

/** In points: so far may a line end before the one that it crosses. */
const slack = 4
/** A page with more lines of one direction, and a grid with more squares, is a picture. */
const mostEdges = 1500
const mostSquares = 50_000

export const gridsOf = (edges: Edges): ReadonlyArray<Grid> => {
  const { level, upright } = edges
  if (level.length > mostEdges || upright.length > mostEdges) return []
  return crossing(edges).flatMap((group) => {
    const grid = gridOf(group)
    return grid === undefined ? [] : [grid]
  })
}

/** The number of the square of a grid that a point is in; undefined: it is outside. */
export const squareAt = ({ heights, places }: Grid, x: number, y: number): number | undefined => {
  const column = places.findLastIndex((place) => place <= x)
  const row = heights.findLastIndex((height) => height >= y)
  const isOutside = column === -1 || row === -1 || column === places.length - 1 || row === heights.length - 1
  return isOutside ? undefined : row * (places.length - 1) + column
}

/** The groups of lines that cross each other. */
const crossing = ({ level, upright }: Edges): ReadonlyArray<Edges> => {
  const group = Array.from({ length: level.length + upright.length }, (_, at) => at)
  const rootOf = (at: number): number => {
    let root = at
    while (group[root] !== root) root = group[root] ?? root
    for (let next = at; next !== root; ) [next, group[next]] = [group[next] ?? root, root]
    return root
  }
  for (const [i, one] of level.entries()) {
    for (const [j, other] of upright.entries()) {
      const isCrossed =
        other.at >= one.from - slack &&
        other.at <= one.to + slack &&
        one.at >= other.from - slack &&
        one.at <= other.to + slack
      if (isCrossed) group[rootOf(i)] = rootOf(level.length + j)
    }
  }
  const groups = new Map<number, { readonly level: Array<Edge>; readonly upright: Array<Edge> }>()
  const of = (at: number) => {
    const root = rootOf(at)
    const known = groups.get(root) ?? { level: [], upright: [] }
    groups.set(root, known)
    return known
  }
  for (const [i, edge] of level.entries()) of(i).level.push(edge)
  for (const [j, edge] of upright.entries()) of(level.length + j).upright.push(edge)
  return [...groups.values()]
}

const gridOf = ({ level, upright }: Edges): Grid | undefined => {
  const columns = sidesOf(upright, level)
  const rows = sidesOf(level, upright)
  const [places, heights] = [columns.sides, rows.sides.toReversed()]
  const [width, height] = [places.length - 1, heights.length - 1]
  if (width < 1 || height < 1 || width * height < 2 || width * height > mostSquares) return undefined
  const isRight = (row: number, column: number) =>
    columns.isSide(places[column + 1] ?? 0, heights[row + 1] ?? 0, heights[row] ?? 0)
  const isBelow = (row: number, column: number) =>
    rows.isSide(heights[row + 1] ?? 0, places[column] ?? 0, places[column + 1] ?? 0)
  const squares: Array<GridCell | undefined> = Array.from({ length: width * height })
  const cells: Array<GridCell> = []
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      if (squares[row * width + column] !== undefined) continue
      const isFree = (at: number) => squares[row * width + at] === undefined
      let across = 1
      while (column + across < width && isFree(column + across) && !isRight(row, column + across - 1)) across += 1
      const within = Array.from({ length: across }, (_, at) => column + at)
      let down = 1
      while (row + down < height && within.every((at) => !isBelow(row + down - 1, at))) down += 1
      const cell: GridCell = { row, column, down, across }
      cells.push(cell)
      for (let at = row; at < row + down; at++) for (const each of within) squares[at * width + each] = cell
    }
  }
  return { heights, places, cells, squares: squares.flatMap((cell) => cell ?? []) }
}

/** Where the sides of one direction are, in order; and whether a side goes from one place to another. */
const sidesOf = (own: ReadonlyArray<Edge>, others: ReadonlyArray<Edge>) => {
  const sides: Array<number> = []
  for (const { at } of own.toSorted((one, other) => one.at - other.at)) {
    if (at - (sides.at(-1) ?? Number.NEGATIVE_INFINITY) > slack) sides.push(at)
  }
  const ends = [Math.min(...others.map(({ from }) => from)), Math.max(...others.map(({ to }) => to))]
  const open = ends.filter((end) => Number.isFinite(end) && sides.every((side) => Math.abs(side - end) > slack * 2))
  const isSide = (place: number, from: number, to: number): boolean => {
    if (open.includes(place)) return true
    const room = (to - from) / 4
    return own.some((edge) => Math.abs(edge.at - place) <= slack && edge.from <= from + room && edge.to >= to - room)
  }
  return { sides: [...sides, ...open].sort((one, other) => one - other), isSide }
}
