/**
 * Values of a program as JSON values, each by the type of its column: what the journal keeps of a row.
 *
 * A value of another type than its column stays one: a Date in a column of texts is `{ "date": "..." }` here, and not a text,
 * so that the check of the row refuses it with its reason.
 */
import * as CellJson from "#engine/CellJson"
import type { ColumnType } from "#engine/Column"
import * as Instant from "#engine/Instant"

/** `type`: of the column; undefined: there is no such column. */
export const valueJson = (value: unknown, type: ColumnType | undefined): unknown => {
  if (type === undefined || type._tag === "JSON") return CellJson.ofAnything(value)
  switch (typeof value) {
    case "string":
    case "boolean":
      return value
    case "number":
      return ofNumber(value, type)
    case "bigint":
      return ofBigint(value, type)
    case "undefined":
      return null
    case "object":
      return value === null ? null : ofObject(value, type)
    case "function":
    case "symbol":
      return { [typeof value]: String(value) }
  }
}

const ofNumber = (value: number, type: ColumnType): unknown => {
  if (!Number.isFinite(value)) return type._tag === "DOUBLE" ? String(value) : { number: String(value) }
  return type._tag === "DOUBLE" && Object.is(value, -0) ? negativeZero : value
}

/** JSON text has a -0 and `JSON.parse` reads it, but `JSON.stringify` writes 0. */
const negativeZero = JSON.rawJSON("-0")

const ofBigint = (value: bigint, type: ColumnType): unknown => {
  // As cells hold them: microseconds, and exact digits.
  if (type._tag === "TIMESTAMP" && BigInt.asIntN(64, value) === value) return Instant.textOf(value)
  if (type._tag === "DECIMAL") return String(value)
  const json = CellJson.ofAnything(value)
  return typeof json === "number" || type._tag === "BIGINT" ? json : { bigint: json }
}

const ofObject = (value: object, type: ColumnType): unknown => {
  if (value instanceof Date) {
    const text = CellJson.ofAnything(value)
    return type._tag === "TIMESTAMP" && !Number.isNaN(value.getTime()) ? text : { date: text }
  }
  if (value instanceof Uint8Array) return CellJson.ofAnything(value)
  if (Array.isArray(value)) {
    return type._tag === "LIST" ? value.map((item) => valueJson(item, type.of.type)) : CellJson.ofAnything(value)
  }
  if (type._tag !== "STRUCT") return CellJson.ofAnything(value)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
      const field = type.fields.find((one) => one.name === name)
      // Nothing is lost with a member that has only nulls.
      if (field === undefined && (member === null || member === undefined)) return []
      return [[name, valueJson(member, field?.type)]]
    })
  )
}
