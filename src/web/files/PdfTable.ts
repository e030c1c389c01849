/** A table of a PDF: its cells, and how many of its rows are its head. */
import { headRows } from "#page/tableHead"
import type { PdfPlace } from "./PdfPlace.ts"

/** A cell that begins at its place. */
export interface TableCell {
  readonly text: string
  readonly style?: string | undefined
  readonly place?: PdfPlace | undefined
  /** How many columns and rows it has. */
  readonly across: number
  readonly down: number
}

export interface Table {
  /** All rows have the same number of places. Undefined: a cell of another place covers it. Empty cells have empty texts. */
  readonly rows: ReadonlyArray<ReadonlyArray<TableCell | undefined>>
  /** Where its columns begin. */
  readonly columns: ReadonlyArray<number>
  /** How many rows at the top name the columns. */
  readonly heads: number
}

/** Whether a part of a page is a table. */
export const isTable = (part: object): part is Table => "rows" in part

/** The texts of a table, empty where a cell of another place covers it. */
export const textsOf = ({ rows }: Pick<Table, "rows">): ReadonlyArray<ReadonlyArray<string>> =>
  rows.map((row) => row.map((cell) => cell?.text ?? ""))

/** The texts of a cell, one below the other. A word that a hyphen divides, and a day or a number, is whole. */
export const joined = (texts: ReadonlyArray<string>): string => texts.reduce(joinedBelow, "")

export const joinedBelow = (text: string, next: string): string => {
  if (text === "" || (/\p{Nd}-$/u.test(text) && /^\p{Nd}/u.test(next))) return text + next
  return /\p{Ll}-$/u.test(text) && /^\p{Ll}/u.test(next) ? text.slice(0, -1) + next : `${text} ${next}`
}

/** A table of these rows: its head is found. */
export const of = (rows: Table["rows"], columns: Table["columns"]): Table => ({
  rows,
  columns,
  heads: headRows(rows.map((row) => row.map((cell) => cell ?? { text: "" })))
})
