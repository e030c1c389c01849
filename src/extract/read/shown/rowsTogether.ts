/**
 * Rows of a table that are one item together: a row with the title, a row with what else is known of it, and again.
 *
 * Such tables have no heads. Their rows repeat by the cells that they have and by how far these reach, never by classes alone:
 * rows of two colours are items of their own.
 */
import type { Element } from "../../../html/Dom.ts"
import type { Row } from "./Grid.ts"

export interface Item {
  /** The row that it begins with. */
  readonly first: Element
  /** An element that holds all its rows; it is not in the tree of the page. */
  readonly whole: Element
}

/** The items of several rows; undefined: each row is an item. */
export const rowsTogether = (rows: ReadonlyArray<Row>): ReadonlyArray<Item> | undefined => {
  const shapes = rows.map(shapeOf)
  const period = [2, 3, 4].find((length) => repeats(shapes, length))
  if (period === undefined) return undefined
  const items: Array<Item> = []
  for (let at = 0; at + period <= lengthOf(shapes, period); at += period) {
    const [first, ...others] = rows.slice(at, at + period).map(({ element }) => element)
    const last = others.at(-1)
    if (first === undefined || last === undefined) continue
    items.push({ first, whole: { ...first, children: [first, ...others], to: last.to } })
  }
  return items
}

const minItems = 3

/** Whether rows of several shapes follow one another in the same order, up to a shorter rest such as a link to the next page. */
const repeats = (shapes: ReadonlyArray<string>, period: number): boolean => {
  const length = lengthOf(shapes, period)
  return new Set(shapes.slice(0, period)).size > 1 && length >= minItems * period && shapes.length - length <= period
}

/** How many rows from the first have the shape of the row one period before them. */
const lengthOf = (shapes: ReadonlyArray<string>, period: number): number => {
  const other = shapes.findIndex((shape, i) => i >= period && shape !== shapes[i - period])
  return other === -1 ? shapes.length : other
}

/** Where cells begin: "| | |" are three cells, "|   |" is one over two columns and one more. */
const shapeOf = ({ cells }: Row): string =>
  cells.map((cell, i) => (i > 0 && cell === cells[i - 1] ? " " : "|")).join("")
