/**
 * The straight lines and the filled boxes of a page of a PDF: the rulings of its tables. Text, curves and pictures are left out.
 *
 * Programs rule a table with strokes, with thin filled boxes, or with the backgrounds of its cells.
 */
import { DrawOPS, OPS } from "./pdfjs.ts"

/** In points, from the lower left corner of the page. A line is a box without a height or without a width. */
export interface Box {
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
}

/** What a page draws: the names of operations, and the arguments of each. */
export interface Operations {
  readonly fnArray: ReadonlyArray<number>
  readonly argsArray: ReadonlyArray<unknown>
}

/** How points of a drawing become points of the page: six numbers, as a PDF writes them. */
export type Matrix = readonly [number, number, number, number, number, number]

const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** More lines are a map or a picture. */
const most = 20_000

/** The lines and boxes of a page; none if there are too many for a table. */
export const boxesOf = (operations: Operations): ReadonlyArray<Box> => {
  const boxes: Array<Box> = []
  for (const { given, matrix, operation } of matrices(operations)) {
    if (operation === OPS.constructPath) boxes.push(...ofPath(given, matrix))
    if (boxes.length > most) return []
  }
  return boxes
}

/** The operations of a page in order, each with the matrix that holds for it. */
export function* matrices({ argsArray, fnArray }: Operations) {
  const saved: Array<Matrix> = []
  let matrix = identity
  for (const [at, operation] of fnArray.entries()) {
    const given = argsArray[at]
    if (operation === OPS.save || operation === OPS.paintFormXObjectBegin) saved.push(matrix)
    if (operation === OPS.restore || operation === OPS.paintFormXObjectEnd) matrix = saved.pop() ?? matrix
    else if (operation === OPS.transform) matrix = product(matrix, matrixOf(given) ?? identity)
    else if (operation === OPS.paintFormXObjectBegin)
      matrix = product(matrix, matrixOf(Array.isArray(given) ? given[0] : undefined) ?? identity)
    yield { operation, given, matrix }
  }
}

const matrixOf = (given: unknown): Matrix | undefined => {
  if (!isList(given) || given.length < 6) return undefined
  const [a, b, c, d, e, f] = Array.from(given, Number)
  return [a ?? 1, b ?? 0, c ?? 0, d ?? 1, e ?? 0, f ?? 0]
}

const isList = (given: unknown): given is ArrayLike<unknown> =>
  Array.isArray(given) || given instanceof Float32Array || given instanceof Float64Array

export const product = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  a * g + c * h,
  b * g + d * h,
  a * i + c * j,
  b * i + d * j,
  a * k + c * l + e,
  b * k + d * l + f
]

const strokes: ReadonlySet<unknown> = new Set([OPS.stroke, OPS.closeStroke])
const fills: ReadonlySet<unknown> = new Set([
  OPS.fill,
  OPS.eoFill,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke
])

/** The arguments are the operation that ends the path, and the points of the path in one list. A path that only clips draws nothing. */
const ofPath = (given: unknown, matrix: Matrix): ReadonlyArray<Box> => {
  if (!Array.isArray(given)) return []
  const operands: ReadonlyArray<unknown> = given
  const [end, lists] = operands
  const path: unknown = Array.isArray(lists) ? lists[0] : lists
  if (!isList(path) || (!strokes.has(end) && !fills.has(end))) return []
  return partsOf(path, matrix).flatMap((points) => (strokes.has(end) ? sidesOf(points) : boxOf(points)))
}

type Point = readonly [x: number, y: number]

/** The parts of a path of straight lines, as points; a part with a curve is left out. */
const partsOf = (path: ArrayLike<unknown>, [a, b, c, d, e, f]: Matrix): ReadonlyArray<ReadonlyArray<Point>> => {
  const parts: Array<Array<Point>> = []
  let isCurved = false
  const end = () => {
    if (isCurved) parts.pop()
    isCurved = false
  }
  for (let at = 0; at < path.length; ) {
    const operation = path[at]
    const [x, y] = [Number(path[at + 1]), Number(path[at + 2])]
    const point: Point = [a * x + c * y + e, b * x + d * y + f]
    if (operation === DrawOPS.moveTo) {
      end()
      parts.push([point])
      at += 3
    } else if (operation === DrawOPS.lineTo) {
      parts.at(-1)?.push(point)
      at += 3
    } else if (operation === DrawOPS.curveTo || operation === DrawOPS.quadraticCurveTo) {
      isCurved = true
      at += operation === DrawOPS.curveTo ? 7 : 5
    } else {
      const [first] = parts.at(-1) ?? []
      if (first !== undefined) parts.at(-1)?.push(first)
      at += 1
    }
  }
  end()
  return parts
}

/** In points: a line is not wider, and not more aslant. */
const thin = 3
const aslant = 0.6

const sidesOf = (points: ReadonlyArray<Point>): ReadonlyArray<Box> =>
  points.slice(1).flatMap((point, at) => {
    const box = around([points[at] ?? point, point])
    return Math.min(box.right - box.left, box.top - box.bottom) <= aslant ? [box] : []
  })

/** The box of a filled part whose sides are level and upright. */
const boxOf = (points: ReadonlyArray<Point>): ReadonlyArray<Box> => {
  const isLevel = points.every(([x, y], at) => {
    const [nextX, nextY] = points[(at + 1) % points.length] ?? [x, y]
    return Math.min(Math.abs(nextX - x), Math.abs(nextY - y)) <= aslant
  })
  return isLevel && points.length >= 4 && points.length <= 6 ? [around(points)] : []
}

const around = (points: ReadonlyArray<Point>): Box => {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  return { left: Math.min(...xs), bottom: Math.min(...ys), right: Math.max(...xs), top: Math.max(...ys) }
}

/** A line along one axis: where it is on the other, and from where to where it goes. */
export interface Edge {
  readonly at: number
  readonly from: number
  readonly to: number
}

export interface Edges {
  /** From left to right; `at` is the height. */
  readonly level: ReadonlyArray<Edge>
  /** From below to above; `at` is how far right. */
  readonly upright: ReadonlyArray<Edge>
}

/** The lines of boxes as text of a rotation sees them, in degrees: measured along its lines and across them. */
export const edgesOf = (boxes: ReadonlyArray<Box>, turn: number): Edges => {
  const [cos, sin] = [Math.round(Math.cos((turn * Math.PI) / 180)), Math.round(Math.sin((turn * Math.PI) / 180))]
  const seen = ([x, y]: Point): Point => [x * cos + y * sin, y * cos - x * sin]
  const [level, upright]: [Array<Edge>, Array<Edge>] = [[], []]
  for (const box of boxes) {
    const { bottom, left, right, top } = around([seen([box.left, box.bottom]), seen([box.right, box.top])])
    if (top - bottom <= thin) level.push({ at: (top + bottom) / 2, from: left, to: right })
    else if (right - left <= thin) upright.push({ at: (left + right) / 2, from: bottom, to: top })
    else {
      level.push({ at: top, from: left, to: right }, { at: bottom, from: left, to: right })
      upright.push({ at: left, from: bottom, to: top }, { at: right, from: bottom, to: top })
    }
  }
  return { level: joined(level), upright: joined(upright) }
}

/** In points: lines that are nearer to each other are one. */
const near = 2
const apart = 4

/** The edges in order, those of one line joined. */
const joined = (edges: ReadonlyArray<Edge>): ReadonlyArray<Edge> => {
  const made: Array<Edge> = []
  const inOrder = edges.toSorted((one, other) => one.at - other.at)
  for (let at = 0; at < inOrder.length; ) {
    const first = inOrder[at]?.at ?? 0
    let end = at
    while (end < inOrder.length && (inOrder[end]?.at ?? 0) - first <= near) end += 1
    let open: Edge | undefined
    for (const edge of inOrder.slice(at, end).sort((one, other) => one.from - other.from)) {
      if (open !== undefined && edge.from - open.to <= apart) open = { ...open, to: Math.max(open.to, edge.to) }
      else {
        if (open !== undefined) made.push(open)
        open = { ...edge, at: first }
      }
    }
    if (open !== undefined) made.push(open)
    at = end
  }
  return made
}
