/**
 * Converts a cell of one type to another type, for tables that have wider columns than the run.
 *
 * It changes no value: one that the wider type cannot hold is refused. A narrower type takes only cells that are already its
 * values; others are refused.
 */
import * as Predicate from "effect/Predicate"
import { type ColumnType, toSql } from "./Column.ts"
import * as Instant from "./Instant.ts"
import { ownCell } from "./ownCell.ts"
import { changeText, mayChange } from "./widen.ts"

/** Makes the function that converts cells from one type to another. Null and undefined become null. */
export const cellConverter = (from: ColumnType, to: ColumnType): ((cell: unknown) => unknown) => {
  if (toSql(from) === toSql(to)) return (cell) => cell
  const convert = present(from, to)
  return (cell) => (cell === null || cell === undefined ? null : convert(cell))
}

const present = (from: ColumnType, to: ColumnType): ((cell: unknown) => unknown) => {
  switch (to._tag) {
    case "JSON":
      return json(from)
    case "VARCHAR":
      return textOf(from, to)
    case "DOUBLE":
      return mayChange(from, to)
        ? (cell) => (isKept(cell, from) ? Number(cell) : refuseChange(cell, from, to))
        : (cell) => (Number.isNaN(Number(cell)) ? refuse(cell, to) : Number(cell))
    case "BIGINT":
      return (cell) => (typeof cell === "bigint" || Number.isSafeInteger(cell) ? cell : refuse(cell, to))
    case "BOOLEAN":
      return (cell) => (typeof cell === "boolean" ? cell : refuse(cell, to))
    case "DATE":
      return (cell) => (/^\d{4}-\d\d-\d\d$/.test(String(cell)) ? cell : refuse(cell, to))
    case "TIMESTAMP":
      return from._tag === "DATE"
        ? (cell) => BigInt(Date.parse(`${String(cell)}T00:00:00Z`)) * 1000n
        : (cell) => (typeof cell === "bigint" ? cell : refuse(cell, to))
    case "DECIMAL":
      return (cell) => rescaled(String(cell), to.scale) ?? refuse(cell, to)
    case "STRUCT": {
      const fields = to.fields.map(
        ({ name, type }) => [name, cellConverter(fieldOf(from, name) ?? type, type)] as const
      )
      return (cell) =>
        Predicate.isObject(cell)
          ? Object.fromEntries(fields.map(([name, convert]) => [name, convert(ownCell(cell, name) ?? null)]))
          : refuse(cell, to)
    }
    case "LIST": {
      const convert = cellConverter(from._tag === "LIST" ? from.of.type : { _tag: "JSON" }, to.of.type)
      return (cell) => (Array.isArray(cell) ? cell.map(convert) : refuse(cell, to))
    }
  }
}

/** The text that a cell is, as databases spell it. */
const textOf = (from: ColumnType, to: ColumnType): ((cell: unknown) => unknown) => {
  if (from._tag === "TIMESTAMP") return sqlTime
  if (from._tag === "DECIMAL") return (cell) => rescaled(String(cell), from.scale)
  if (from._tag === "DOUBLE") return (cell) => sqlNumber(Number(cell))
  return (cell) => (typeof cell === "object" ? refuse(cell, to) : String(cell))
}

const fieldOf = (from: ColumnType, name: string): ColumnType | undefined =>
  from._tag === "STRUCT" ? from.fields.find((field) => field.name === name)?.type : { _tag: "JSON" }

/**
 * The JSON value of a cell: numbers stay numbers. Values that JSON does not have become text, and so do numbers that readers
 * of JSON would read as other ones.
 */
const json = (from: ColumnType): ((cell: unknown) => unknown) => {
  switch (from._tag) {
    case "BIGINT":
      return (cell) => (Number.isSafeInteger(Number(cell)) ? Number(cell) : String(cell))
    case "DECIMAL":
      return (cell) => (isExactNumber(String(cell)) ? Number(cell) : rescaled(String(cell), from.scale))
    case "DOUBLE":
      return (cell) => (Number.isFinite(cell) ? cell : String(cell))
    case "TIMESTAMP":
      return sqlTime
    case "STRUCT": {
      const json: ColumnType = { _tag: "JSON" }
      return present(from, { _tag: "STRUCT", fields: from.fields.map((field) => ({ ...field, type: json })) })
    }
    case "LIST":
      return present(from, { _tag: "LIST", of: { ...from.of, type: { _tag: "JSON" } } })
    case "BOOLEAN":
    case "DATE":
    case "JSON":
    case "VARCHAR":
      return (cell) => cell
  }
}

/** Whether a number keeps all digits of a decimal text: of any 15 it does. */
const isExactNumber = (text: string): boolean => {
  const [whole = "", fraction = ""] = text.replace(/^[+-]/, "").split(".")
  return `${whole}${fraction.replace(/0+$/, "")}`.replace(/^0+/, "").length <= 15
}

/** Whether a double holds an exact number: its shortest text has the same digits. */
const isKept = (cell: unknown, type: ColumnType): boolean => {
  const number = Number(cell)
  if (type._tag !== "DECIMAL") return Number.isFinite(number) && BigInt(number) === BigInt(String(cell))
  return isExactNumber(String(cell)) || plainDigits(number) === plainDigits(String(cell))
}

/** The digits of a number without its point and outer zeros, and where its point is. */
const plainDigits = (number: number | string): string => {
  const [mantissa = "", power = "0"] = String(number).split("e")
  const [whole = "", fraction = ""] = mantissa.replace(/^[+-]/, "").split(".")
  const digits = `${whole}${fraction}`.replace(/^0+/, "").replace(/0+$/, "")
  const zeros = fraction.length - `${whole}${fraction}`.length + `${whole}${fraction}`.replace(/0+$/, "").length
  return `${digits} ${Number(power) - zeros}`
}

/** A number as SQL writes it: "1.5", "-0", "1e-05", "1e+15". */
const sqlNumber = (cell: number): string => {
  const [digits, sign, power = "0"] = cell.toExponential().split(/e([+-])/)
  const isPlain = !Number.isFinite(cell) || (sign === "+" ? Number(power) < 15 : Number(power) <= 4)
  return isPlain ? (Object.is(cell, -0) ? "-0" : String(cell)) : `${digits}e${sign}${power.padStart(2, "0")}`
}

/** A moment as SQL writes it: "2026-11-21 12:00:00.5", "10000-01-01 00:00:00", "0044-03-15 12:00:00 BC". */
const sqlTime = (cell: unknown): string => {
  const text = Instant.textOf(BigInt(String(cell)))
  const [, years, day, time, fraction = ""] = written.exec(text) ?? []
  if (years === undefined) return text
  const year = Number(years)
  const shown = String(year > 0 ? year : 1 - year).padStart(4, "0")
  return `${shown}${day} ${time}${fraction.replace(/0+$/, "")}${year > 0 ? "" : " BC"}`
}

/** How `Instant.textOf` writes a moment; what has no end is only a word. */
const written = /^([+-]?\d+)(-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?Z$/

/** The digits of a number at a scale: "12.5" at 2 is "12.50". */
const rescaled = (text: string, scale: number): string | undefined => {
  const [whole = "", written = ""] = text.split(".")
  const fraction = written.replace(/0+$/, "")
  if (!/^[+-]?\d+(\.\d*)?$/.test(text) || fraction.length > scale) return undefined
  return scale === 0 ? whole : `${whole}.${fraction.padEnd(scale, "0")}`
}

const refuseChange = (cell: unknown, from: ColumnType, to: ColumnType): never => {
  throw new Error(`${String(cell)} ${changeText(from, to)}`)
}

const refuse = (cell: unknown, to: ColumnType): never => {
  throw new Error(`${typeof cell === "bigint" ? `${cell}n` : JSON.stringify(cell)} is not a valid ${toSql(to)}`)
}
