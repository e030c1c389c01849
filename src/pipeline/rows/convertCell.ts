/**
 * Converts a cell of one type to another type, for tables that have wider columns than the run.
 *
 * It changes a value only as `widen` says. A narrower type takes only cells that are already its values; others are refused.
 */
import * as Predicate from "effect/Predicate"
import { type ColumnType, toSql } from "../Column.ts"

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
      return from._tag === "TIMESTAMP"
        ? sqlTime
        : (cell) => (typeof cell === "object" ? refuse(cell, to) : String(cell))
    case "DOUBLE":
      return (cell) => (Number.isNaN(Number(cell)) ? refuse(cell, to) : Number(cell))
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
          ? Object.fromEntries(fields.map(([name, convert]) => [name, convert(Reflect.get(cell, name) ?? null)]))
          : refuse(cell, to)
    }
    case "LIST": {
      const convert = cellConverter(from._tag === "LIST" ? from.of.type : { _tag: "JSON" }, to.of.type)
      return (cell) => (Array.isArray(cell) ? cell.map(convert) : refuse(cell, to))
    }
  }
}

const fieldOf = (from: ColumnType, name: string): ColumnType | undefined =>
  from._tag === "STRUCT" ? from.fields.find((field) => field.name === name)?.type : { _tag: "JSON" }

/** The JSON value of a cell: numbers stay numbers, and values that JSON does not have become text. */
const json = (from: ColumnType): ((cell: unknown) => unknown) => {
  switch (from._tag) {
    case "BIGINT":
      return (cell) => (Number.isSafeInteger(Number(cell)) ? Number(cell) : String(cell))
    case "DECIMAL":
      return Number
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
    case "DOUBLE":
    case "JSON":
    case "VARCHAR":
      return (cell) => cell
  }
}

/** A moment as SQL writes it: "2026-11-21 12:00:00.5". */
const sqlTime = (cell: unknown): string => {
  const micros = BigInt(String(cell))
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n
  const whole = new Date(Number((micros - fraction) / 1000n)).toISOString().slice(0, 19).replace("T", " ")
  return fraction === 0n ? whole : `${whole}.${String(fraction).padStart(6, "0").replace(/0+$/, "")}`
}

/** The digits of a number at a scale: "12.5" at 2 is "12.50". */
const rescaled = (text: string, scale: number): string | undefined => {
  const [whole = "", written = ""] = text.split(".")
  const fraction = written.replace(/0+$/, "")
  if (!/^[+-]?\d+(\.\d*)?$/.test(text) || fraction.length > scale) return undefined
  return scale === 0 ? whole : `${whole}.${fraction.padEnd(scale, "0")}`
}

const refuse = (cell: unknown, to: ColumnType): never => {
  throw new Error(`${typeof cell === "bigint" ? `${cell}n` : JSON.stringify(cell)} is not a valid ${toSql(to)}`)
}
