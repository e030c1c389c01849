/**
 * Cells and other values as JSON values: what a JSON column can hold of them.
 *
 * | cell                      | JSON                                                     |
 * | ------------------------- | -------------------------------------------------------- |
 * | BIGINT                    | number; text where it is beyond 2^53                     |
 * | DOUBLE                    | number; "NaN", "Infinity", "-Infinity"                   |
 * | DECIMAL, DATE             | text, as it is                                           |
 * | TIMESTAMP                 | text, RFC 3339 in UTC: "2026-11-21T04:23:05.250Z"        |
 * | STRUCT                    | object with all fields of the type, null where absent    |
 * | LIST                      | array                                                    |
 *
 * No digit is lost: exact numbers stay text. The result is always a value that JSON text can hold.
 */
import type { ColumnType } from "./Column.ts"
import * as Instant from "./Instant.ts"
import { ownCell } from "./ownCell.ts"

/** The JSON value of a cell of this type. */
export const ofCell = (type: ColumnType): ((cell: unknown) => unknown) => {
  const convert = present(type)
  return (cell) => (cell === null || cell === undefined ? null : convert(cell))
}

const present = (type: ColumnType): ((cell: unknown) => unknown) => {
  switch (type._tag) {
    case "BIGINT":
      return (cell) => (typeof cell === "bigint" ? whole(cell) : cell)
    case "DOUBLE":
      return (cell) => (Number.isFinite(cell) ? cell : String(cell))
    case "TIMESTAMP":
      return (cell) => (typeof cell === "bigint" ? Instant.textOf(cell) : cell)
    case "STRUCT": {
      const fields = type.fields.map((field) => [field.name, ofCell(field.type)] as const)
      return (cell) =>
        typeof cell === "object" && cell !== null
          ? Object.fromEntries(fields.map(([name, convert]) => [name, convert(ownCell(cell, name))]))
          : cell
    }
    case "LIST": {
      const convert = ofCell(type.of.type)
      return (cell) => (Array.isArray(cell) ? cell.map(convert) : cell)
    }
    case "BOOLEAN":
    case "DATE":
    case "DECIMAL":
    case "JSON":
    case "VARCHAR":
      return (cell) => cell
  }
}

/** What an object says of itself by `toJSON`, as a URL does; one that does not is itself. Dates and bytes are cells already. */
export const inItsOwnWords = (value: object): unknown =>
  !(value instanceof Date) && !(value instanceof Uint8Array) && "toJSON" in value && typeof value.toJSON === "function"
    ? Reflect.apply(value.toJSON, value, [])
    : value

/**
 * The nearest JSON value of any JavaScript value. An object with `toJSON` is what that gives. A value that contains itself, or is
 * very deep, becomes "...".
 */
export const ofAnything = (value: unknown): unknown => any(value, new Set())

const maxDepth = 200

const any = (value: unknown, around: Set<object>): unknown => {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value
    case "number":
      return Number.isFinite(value) ? value : String(value)
    case "bigint":
      return whole(value)
    case "undefined":
      return null
    case "object":
      return value === null ? null : composite(value, around)
    case "function":
    case "symbol":
      return String(value)
  }
}

const composite = (value: object, around: Set<object>): unknown => {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64")
  if (around.has(value) || around.size > maxDepth) return "..."
  around.add(value)
  const json = inside(value, around)
  around.delete(value)
  return json
}

const inside = (value: object, around: Set<object>): unknown => {
  const json = inItsOwnWords(value)
  if (json !== value) return any(json, around)
  if (Array.isArray(value)) return Array.from(value, (item) => any(item, around))
  if (value instanceof Map || value instanceof Set) return Array.from(value, (item) => any(item, around))
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [[name, any(member, around)]]))
  )
}

const whole = (value: bigint): number | string =>
  value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value)
