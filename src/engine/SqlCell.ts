/**
 * Cells and the values that a database stores for them, as far as a dialect says nothing else.
 *
 * TIMESTAMP is RFC 3339 in UTC with six digits, so that texts of the years 0 to 9999 sort as moments do. DECIMAL has all digits
 * of its scale, so that equal numbers are equal texts. Guarantee: what is stored is read back as the same cell.
 */

import * as CellJson from "./CellJson.ts"
import type { ColumnType } from "./Column.ts"
import { decimalText, jsonOf, refuse, unscaledOf } from "./cellValue.ts"
import * as Instant from "./Instant.ts"
import { parseJson } from "./parseJson.ts"
import type { SqlDialect, SqlValue } from "./SqlDialect.ts"

/** Makes the function that stores cells of a type. Null and undefined are null. */
export const storing = (dialect: Pick<SqlDialect, "store">, type: ColumnType): ((cell: unknown) => SqlValue) => {
  const store = dialect.store?.(type) ?? plainly(type)
  return (cell) => (cell === null || cell === undefined ? null : store(cell))
}

/** Makes the function that reads cells of a type. */
export const reading = (dialect: Pick<SqlDialect, "read">, type: ColumnType): ((value: unknown) => unknown) => {
  const read = dialect.read?.(type) ?? reader(type)
  return (value) => (value === null || value === undefined ? null : read(value))
}

const plainly = (type: ColumnType): ((cell: unknown) => SqlValue) => {
  switch (type._tag) {
    case "VARCHAR":
    case "DATE":
      return String
    case "BOOLEAN":
      return (cell) => cell === true
    case "BIGINT":
      return (cell) => (typeof cell === "bigint" || typeof cell === "number" ? cell : refuse(type, cell))
    case "DOUBLE":
      return (cell) => (typeof cell === "number" ? cell : refuse(type, cell))
    case "DECIMAL":
      return (cell) => {
        const digits = unscaledOf(cell, type)
        return digits === undefined ? refuse(type, cell) : decimalText(digits, type.scale)
      }
    case "TIMESTAMP":
      return (cell) => (typeof cell === "bigint" ? momentText(cell) : refuse(type, cell))
    case "JSON":
    case "LIST":
    case "STRUCT": {
      const json = CellJson.ofCell(type)
      return (cell) => jsonOf(json(cell)) ?? refuse(type, cell)
    }
  }
}

/** "2026-11-21T04:23:05.250000Z" */
const momentText = (micros: bigint): string => {
  const text = Instant.textOf(micros)
  const [, before = "", fraction = ""] = /^(.*:\d\d)(?:\.(\d+))?Z$/.exec(text) ?? []
  return before === "" ? text : `${before}.${fraction.padEnd(6, "0")}Z`
}

const reader = (type: ColumnType): ((value: unknown) => unknown) => {
  switch (type._tag) {
    case "VARCHAR":
    case "DATE":
    case "DECIMAL":
      return String
    case "BOOLEAN":
      return (value) =>
        value === true || value === 1 || value === 1n || value === "1" || value === "true" || value === "t"
    case "BIGINT":
      return (value) => BigInt(String(value))
    case "DOUBLE":
      return Number
    case "TIMESTAMP":
      return (value) => (value instanceof Date ? BigInt(value.getTime()) * 1000n : momentOf(String(value)))
    case "JSON":
      return (value) => (typeof value === "string" ? parseJson(value) : value)
    case "LIST":
    case "STRUCT": {
      const member = memberReader(type)
      return (value) => member(typeof value === "string" ? parseJson(value) : value)
    }
  }
}

/** A member of JSON as a cell of its type. */
const memberReader = (type: ColumnType): ((value: unknown) => unknown) => {
  switch (type._tag) {
    case "STRUCT": {
      const fields = type.fields.map((field) => [field.name, memberReader(field.type)] as const)
      return (value) =>
        typeof value === "object" && value !== null
          ? Object.fromEntries(
              fields.map(([name, read]) => [name, read(Object.hasOwn(value, name) ? Reflect.get(value, name) : null)])
            )
          : null
    }
    case "LIST": {
      const read = memberReader(type.of.type)
      return (value) => (Array.isArray(value) ? value.map(read) : null)
    }
    case "JSON":
      return (value) => value ?? null
    case "BIGINT":
    case "BOOLEAN":
    case "DATE":
    case "DECIMAL":
    case "DOUBLE":
    case "TIMESTAMP":
    case "VARCHAR": {
      const read = reader(type)
      // A member may have another type than its column by now, such as 7 where the column has texts.
      const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value))
      return (value) => (value === null || value === undefined ? null : read(textOf(value)))
    }
  }
}

/** A moment of ours, or what databases write: a space instead of the T, and no zone, which is UTC. */
const momentOf = (text: string): bigint => {
  const known = Instant.writtenMicrosOf(text) ?? Instant.writtenMicrosOf(`${text.replace(" ", "T")}Z`)
  if (known === undefined) throw new Error(`${text} is not a point in time of ours; write it as 2026-11-21T04:23:05Z`)
  return known
}
