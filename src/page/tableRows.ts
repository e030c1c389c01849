/**
 * What the rows of a table are: data, the head of a group of rows, or a total of rows above.
 *
 * A total adds up the rows above in its columns. Sums may be chance, so that it must also look like one: its letters have a style of
 * their own, it is empty where the other rows are not, or all of its numbers are sums. A row that is called "Total" needs no sum, for
 * rates have none. What stands below a total in the same columns belongs to it, as a tax and what is to be paid do. The head of a group
 * has a text in the first column only.
 */
import type { HeadCell } from "./tableHead.ts"

export type RowKind = "data" | "group" | "total"

interface RowCell extends HeadCell {
  /** How many columns it has. */
  readonly across?: number
}

type Row = ReadonlyArray<RowCell>

/** `rows`: those below the head. A cell of several columns has its text in the first of them. */
export const rowKinds = (rows: ReadonlyArray<Row>): ReadonlyArray<RowKind> => {
  const hasOwnStyle = ownStyle(rows)
  const heads = rows.map((row, at) => isHead(row, rows[at + 1]))
  const several = heads.filter((is) => is).length > 1
  const sums = new Sums()
  const places = new Set<string>()
  let total: string | undefined
  return rows.map((row, at): RowKind => {
    const isWide = (row[0]?.across ?? 1) >= row.length
    if (heads[at] === true && (several || isWide || hasOwnStyle(row))) {
      sums.begin()
      return "group"
    }
    const place = placeOf(row)
    if (sums.isTotal(row, hasOwnStyle(row)) || (place === total && !places.has(place))) {
      sums.begin()
      total = place
      return "total"
    }
    sums.add(row)
    places.add(place)
    total = undefined
    return "data"
  })
}

const leastColumns = 3

const isHead = (row: Row, next: Row | undefined): boolean =>
  next !== undefined && row.length >= leastColumns && placeOf(row) === "0" && placeOf(next).includes(" ")

/** The columns that have a text. */
const placeOf = (row: Row): string => row.flatMap(({ text }, column) => (text === "" ? [] : [column])).join(" ")

/** Whether the first text of a row has another style than most rows with several texts. */
const ownStyle = (rows: ReadonlyArray<Row>): ((row: Row) => boolean) => {
  const styleOf = (row: Row) => row.find(({ text }) => text !== "")?.style
  const counts = new Map<string | undefined, number>()
  for (const row of rows) if (placeOf(row).includes(" ")) counts.set(styleOf(row), (counts.get(styleOf(row)) ?? 0) + 1)
  const [usual] = [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [undefined, 0])
  return (row) => styleOf(row) !== usual
}

interface Column {
  /** How many rows have a text, and how many a number, here. */
  texts: number
  numbers: number
  sum: number
}

/** The sums of all rows of data, and of those since the last total or head of a group. */
class Sums {
  private rows = 0
  private readonly all: Array<Column> = []
  private part: Array<Column> = []

  begin(): void {
    this.part = []
  }

  add(row: Row): void {
    this.rows += 1
    for (const [at, { text }] of row.entries()) {
      const amount = amountOf(text)
      for (const columns of [this.all, this.part]) {
        const column = (columns[at] ??= { texts: 0, numbers: 0, sum: 0 })
        column.texts += text === "" ? 0 : 1
        column.numbers += amount === undefined ? 0 : 1
        column.sum += amount ?? 0
      }
    }
  }

  isTotal(row: Row, hasOwnStyle: boolean): boolean {
    const numbers = row.flatMap(({ text }, at) => {
      const amount = amountOf(text)
      return amount === undefined ? [] : [{ at, amount }]
    })
    const label = row.find(({ text }) => text !== "")?.text ?? ""
    if (called.test(label) && row.some(({ text }) => /\p{Nd}/u.test(text))) return true
    const added = (least: number) =>
      numbers.filter(
        ({ amount, at }) =>
          amount !== 0 &&
          [this.all[at], this.part[at]].some((column) => (column?.numbers ?? 0) >= least && column?.sum === amount)
      )
    if (hasOwnStyle) return added(2).length > 0
    if (numbers.length === 0 || added(3).length < numbers.length) return false
    const isOpen = row.some(({ text }, at) => text === "" && this.all[at]?.texts === this.rows)
    return isOpen || (numbers.length > 1 && numbers.some(({ amount }) => amount >= leastSum))
  }
}

/** In hundredths: small numbers add up by chance. */
const leastSum = 2000

const called = /^(?:grand |sub[- ]?)?total(?:e[ns]?|s)?\s*:?$/i

/** The number of a cell, in hundredths; undefined for a share, a day, or a text with a number in it. */
const amountOf = (text: string): number | undefined => {
  const [, before = "", digits, behind = ""] = number.exec(text.trim()) ?? []
  if (digits === undefined || behind.includes("%")) return undefined
  const [, whole = digits, part = ""] = /^(.*)[.,](\d{1,2})$/.exec(digits) ?? []
  const amount = Number(whole.replaceAll(/\D/g, "")) * 100 + Number(part.padEnd(2, "0"))
  return /[-−]/.test(before) || (before.includes("(") && behind.includes(")")) ? -amount : amount
}

const number =
  /^([^\p{L}\d]*(?:\p{L}{1,3}\s?)?[^\p{L}\d]*)(\d(?:[\d.,'’\u00a0\u202f ]*\d)?)([^\p{L}\d]*(?:\p{L}{1,3})?[^\p{L}\d]*)$/u
