/**
 * Whether a row fits its table: the engine's own check, before any sink sees the row.
 *
 * Every sink accepts a row that passes, and reads the same values back. So the check is as strict as the
 * strictest sink: a DATE is a day of the calendar, from the year 1 on; a DECIMAL fits its precision, and digits beyond
 * its scale are refused unless they are zeros; a BIGINT has 64 bits; a TIMESTAMP is in DuckDB's range; a DOUBLE may be
 * NaN or infinite; JSON is what JSON text can hold, and an undefined member counts as absent; a column that the table
 * does not have is refused, because a sink would drop it, and so is a field that is not null. Half a surrogate pair is text,
 * though a sink that writes UTF-8 turns it into U+FFFD.
 */
import type * as Column from "./Column.ts"
import { ownCell } from "./ownCell.ts"
import type * as Table from "./Table.ts"

/** Why a row does not fit its table: the first cell that does not fit its column. */
export interface RowError {
  /** The column, or the name of a field of the row that the table does not have. */
  readonly column: string
  /** What the cell is and what it should be. A long value is cut. */
  readonly message: string
}

/** Why a row does not fit its table; undefined: it does. For many rows of one table, use `rowValidator`. */
export const validateRow = (table: Table.Table, row: Table.Row): RowError | undefined => rowValidator(table)(row)

/** Makes the check of the rows of one table. */
export const rowValidator = ({ name: table, columns }: Table.Table): ((row: Table.Row) => RowError | undefined) => {
  const checks = checksOf(columns, true)
  return (row) => {
    const wrong = checkAll(checks, row)
    if (wrong === undefined) return undefined
    const { name, at, fault } = wrong
    if (fault === foreign && at === "") return { column: name, message: `table ${table} has no column ${name}` }
    return { column: name, message: `column ${name}${at}: ${fault}` }
  }
}

/** What is wrong with a cell, and where inside of it: "[3].price". */
interface Fault {
  readonly at: string
  readonly fault: string
}

type Check = (cell: unknown) => Fault | undefined
type Tag = Column.ColumnType["_tag"]

interface Checks {
  /** Of a table, and not of a struct. */
  readonly isTable: boolean
  readonly names: ReadonlyArray<string>
  readonly positions: ReadonlyMap<string, number>
  readonly tags: ReadonlyArray<Tag>
  readonly checks: ReadonlyArray<Check>
  readonly required: ReadonlyArray<boolean>
  /** How many cells must not be null. */
  readonly needed: number
}

const absent = "it must not be null"
const foreign = "there is no such field"

const checksOf = (columns: ReadonlyArray<Column.Column>, isTable = false): Checks => ({
  isTable,
  names: columns.map(({ name }) => name),
  positions: new Map(columns.map(({ name }, position) => [name, position])),
  tags: columns.map(({ type }) => type._tag),
  checks: columns.map(({ type }) => checkOf(type)),
  required: columns.map(({ nullable }) => !nullable),
  needed: columns.filter(({ nullable }) => !nullable).length
})

/** Rows mostly have their columns in the order of the table, so a name is looked up only if it is not the next one. */
const checkAll = (all: Checks, row: object): (Fault & { readonly name: string }) | undefined => {
  const { names, positions, tags, checks, required } = all
  let next = 0
  let present = 0
  for (const name in row) {
    const position = names[next] === name ? next : positions.get(name)
    if (position !== undefined) next = position + 1
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `name` is a key of this very row
    const cell = (row as Table.Row)[name]
    // Nothing is lost with a null that a struct has no field for.
    if (position === undefined && (all.isTable || (cell !== null && cell !== undefined))) {
      return { name, at: "", fault: foreign }
    }
    if (position === undefined || cell === null || cell === undefined) continue
    const wrong = isPlainly(tags[position], cell) ? undefined : checks[position]?.(cell)
    if (wrong !== undefined) return { name, ...wrong }
    if (required[position] === true) present++
  }
  if (present === all.needed) return undefined
  const missing = names.find((name, position) => required[position] && (ownCell(row, name) ?? null) === null)
  return missing === undefined ? undefined : { name: missing, at: "", fault: absent }
}

/** A fast test that finds most cells that fit; false: the check of the column decides. */
const isPlainly = (tag: Tag | undefined, cell: unknown): boolean =>
  typeof cell === "string"
    ? tag === "VARCHAR"
    : typeof cell === "number" && (tag === "DOUBLE" || (tag === "BIGINT" && Number.isSafeInteger(cell)))

/** What is wrong with a cell of this type that is not null; undefined: nothing. */
export const checkOf = (type: Column.ColumnType): Check => {
  const refused = (cell: unknown): Fault => ({
    at: "",
    fault: `${kindOf(cell)} is not a valid ${sqlOf(type)}: ${shown(cell)}${wanted(type._tag, cell)}`
  })
  switch (type._tag) {
    case "VARCHAR":
      return (cell) => (typeof cell === "string" ? undefined : refused(cell))
    case "BOOLEAN":
      return (cell) => (typeof cell === "boolean" ? undefined : refused(cell))
    case "DOUBLE":
      return (cell) => (typeof cell === "number" ? undefined : refused(cell))
    case "BIGINT":
      return (cell) =>
        Number.isSafeInteger(cell) || (typeof cell === "bigint" && cell >= least && cell <= most)
          ? undefined
          : refused(cell)
    case "TIMESTAMP":
      return (cell) => (typeof cell === "bigint" && cell >= earliest && cell <= latest ? undefined : refused(cell))
    case "DATE":
      return (cell) => (typeof cell === "string" && isDay(cell) ? undefined : refused(cell))
    case "DECIMAL":
      return (cell) => (typeof cell === "string" && isDecimal(cell, type) ? undefined : refused(cell))
    case "JSON":
      return (cell) => (isJson(cell, 0) ? undefined : refused(cell))
    case "STRUCT": {
      const checks = checksOf(type.fields)
      return (cell) => {
        if (typeof cell !== "object" || cell === null || Array.isArray(cell)) return refused(cell)
        const wrong = checkAll(checks, cell)
        return wrong === undefined ? undefined : { at: `.${wrong.name}${wrong.at}`, fault: wrong.fault }
      }
    }
    case "LIST": {
      const { nullable } = type.of
      const { _tag: tag } = type.of.type
      const check = checkOf(type.of.type)
      return (cell) => {
        if (!Array.isArray(cell)) return refused(cell)
        for (let index = 0; index < cell.length; index++) {
          const item: unknown = cell[index]
          if (isPlainly(tag, item)) continue
          const wrong =
            item === null || item === undefined ? (nullable ? undefined : { at: "", fault: absent }) : check(item)
          if (wrong !== undefined) return { at: `[${index}]${wrong.at}`, fault: wrong.fault }
        }
        return undefined
      }
    }
  }
}

const least = -(2n ** 63n)
const most = 2n ** 63n - 1n

/** DuckDB's range: from 290309-12-22 BC to 294247-01-10; the next number on each side is its infinity. */
const earliest = -9_223_372_022_400_000_000n
const latest = 9_223_372_036_854_775_806n

const digit = (text: string, at: number): number => {
  const value = text.charCodeAt(at) - 48
  return value >= 0 && value <= 9 ? value : Number.NaN
}

const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether a text is "2026-11-21": a day that the calendar has. Written for speed: every row of a crawl has one. */
const isDay = (text: string): boolean => {
  if (text.length !== 10 || text[4] !== "-" || text[7] !== "-") return false
  const year = digit(text, 0) * 1000 + digit(text, 1) * 100 + digit(text, 2) * 10 + digit(text, 3)
  const month = digit(text, 5) * 10 + digit(text, 6)
  const day = digit(text, 8) * 10 + digit(text, 9)
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return year >= 1 && day >= 1 && day <= (daysOfMonth[month - 1] ?? 0) + (leap ? 1 : 0)
}

/** Whether a text is "-12.50": digits, before and after a point, that fit precision and scale. */
const isDecimal = (text: string, type: { readonly precision: number; readonly scale: number }): boolean => {
  const start = text[0] === "-" || text[0] === "+" ? 1 : 0
  const point = text.indexOf(".")
  const wholeEnd = point === -1 ? text.length : point
  if (wholeEnd === start || point === text.length - 1) return false
  for (let at = start; at < text.length; at++) if (at !== point && Number.isNaN(digit(text, at))) return false
  let first = start
  while (first < wholeEnd && text[first] === "0") first++
  let last = text.length
  while (last > wholeEnd + 1 && text[last - 1] === "0") last--
  return wholeEnd - first <= type.precision - type.scale && last - wholeEnd - 1 <= type.scale
}

/** Deeper values are refused, because a value that contains itself has no end. */
const maxDepth = 1000

const isJson = (value: unknown, depth: number): boolean => {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return true
  if (typeof value === "number") return Number.isFinite(value)
  if (typeof value !== "object" || depth > maxDepth) return false
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (!isJson(value[index], depth + 1)) return false
    return true
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  for (const name in value) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `name` is a key of this very object
    const member = (value as Table.Row)[name]
    if (member !== undefined && !isJson(member, depth + 1)) return false
  }
  return true
}

const kindOf = (cell: unknown): string => {
  if (typeof cell === "string") return "a text"
  if (Array.isArray(cell)) return "a list"
  if (typeof cell !== "object") return `a ${typeof cell}`
  const tag = Object.prototype.toString.call(cell).slice(8, -1)
  return tag === "Object" ? "an object" : `a ${tag}`
}

const sqlOf = (type: Column.ColumnType): string =>
  type._tag === "DECIMAL" ? `DECIMAL(${type.precision}, ${type.scale})` : type._tag

/** Advice for a cell that does not even have the form of the type. */
const wanted = (tag: Tag, cell: unknown): string => {
  if (tag === "TIMESTAMP" && typeof cell !== "bigint") return '; give a moment in UTC, such as "2026-11-21T04:23:05Z"'
  if (tag === "DATE" && !/^\d{4}-\d\d-\d\d$/.test(String(cell))) return '; give a day, such as "2026-11-21"'
  return tag === "DECIMAL" && typeof cell !== "string" ? '; give its digits as text, such as "12.50"' : ""
}

/** Any value as a short text of one line, for a message. */
const shown = (cell: unknown): string => {
  const text =
    typeof cell === "string"
      ? JSON.stringify(cell.slice(0, 60))
      : typeof cell === "object"
        ? inJson(cell)
        : String(cell)
  return text.length > 60 ? `${text.slice(0, 60)}...` : text
}

const inJson = (value: unknown): string => {
  try {
    return (
      JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? `${member}n` : member)) ??
      String(value)
    )
  } catch {
    return "a value that contains itself"
  }
}
