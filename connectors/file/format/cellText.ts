/**
 * Converts cells to text in files, and back.
 *
 * | type      | text                                                                             |
 * | --------- | -------------------------------------------------------------------------------- |
 * | BIGINT    | all of its digits                                                                |
 * | DOUBLE    | with a point or an exponent, so that readers take it for a double                |
 * | DECIMAL   | the digits as written, at the scale of the column; in JSON a text, as it is exact |
 * | DATE      | "2026-11-21"                                                                     |
 * | TIMESTAMP | "2026-11-21T04:23:05.250Z"                                                       |
 *
 * Guarantee: what was written is read back equal. A cell that is not a value of its type is refused.
 */
import type { Column, ColumnType } from "#engine/Column"
import { daysOf, decimalText, jsonOf, refuse, unscaledOf } from "#engine/cellValue"
import * as Instant from "#engine/Instant"
import { ownCell } from "#engine/ownCell"
import { parseJson } from "#engine/parseJson"

/** The text of a cell that is not null, without quotes. Texts stay as they are; nested values are JSON. */
export const plainText = (type: ColumnType): ((cell: unknown) => string) => {
  switch (type._tag) {
    case "VARCHAR":
      return (cell) => (typeof cell === "string" ? cell : refuse(type, cell))
    case "BOOLEAN":
      return (cell) => (typeof cell === "boolean" ? String(cell) : refuse(type, cell))
    case "BIGINT":
      return (cell) => (typeof cell === "bigint" || Number.isSafeInteger(cell) ? String(cell) : refuse(type, cell))
    case "DOUBLE":
      return (cell) => (typeof cell === "number" ? double(cell) : refuse(type, cell))
    case "DATE":
      return (cell) => (daysOf(cell) === undefined ? refuse(type, cell) : String(cell))
    case "DECIMAL":
      return (cell) => decimalText(unscaledOf(cell, type) ?? refuse(type, cell), type.scale)
    case "TIMESTAMP":
      return (cell) => (typeof cell === "bigint" ? Instant.textOf(cell) : refuse(type, cell))
    case "JSON":
    case "LIST":
    case "STRUCT":
      return jsonText(type)
  }
}

/** The JSON text of a cell. */
export const jsonText = (type: ColumnType): ((cell: unknown) => string) => {
  const convert = present(type)
  return (cell) => (cell === null || cell === undefined ? "null" : convert(cell))
}

const present = (type: ColumnType): ((cell: unknown) => string) => {
  switch (type._tag) {
    case "JSON":
      return (cell) => jsonOf(cell) ?? refuse(type, cell)
    case "STRUCT": {
      const fields = type.fields.map((field) => [field.name, member(field)] as const)
      return (cell) =>
        typeof cell === "object" && cell !== null && !Array.isArray(cell)
          ? `{${fields.map(([name, text]) => text(ownCell(cell, name))).join(",")}}`
          : refuse(type, cell)
    }
    case "LIST": {
      const text = jsonText(type.of.type)
      return (cell) => (Array.isArray(cell) ? `[${cell.map(text).join(",")}]` : refuse(type, cell))
    }
    case "DOUBLE": {
      const text = plainText(type)
      return (cell) => (Number.isFinite(cell) ? text(cell) : `"${text(cell)}"`)
    }
    case "BIGINT":
    case "BOOLEAN":
      return plainText(type)
    case "DATE":
    case "DECIMAL":
    case "TIMESTAMP":
    case "VARCHAR": {
      const text = plainText(type)
      return (cell) => JSON.stringify(text(cell).toWellFormed())
    }
  }
}

/** A column or a field as a member of a JSON object: `"name":value`. */
const member = ({ name, type }: Column): ((cell: unknown) => string) => {
  const text = jsonText(type)
  const before = `${JSON.stringify(name)}:`
  return (cell) => before + text(cell)
}

/** A value of `parseJson` as a cell: the inverse of `jsonText`. */
export const cellOfJson = (type: ColumnType): ((value: unknown) => unknown) => {
  const convert = presentOfJson(type)
  return (value) => (value === null || value === undefined ? null : convert(value))
}

const presentOfJson = (type: ColumnType): ((value: unknown) => unknown) => {
  switch (type._tag) {
    case "BIGINT":
      return (value) => (typeof value === "object" ? BigInt(JSON.stringify(value)) : value)
    case "DOUBLE":
      return (value) => Number(typeof value === "object" ? JSON.stringify(value) : value)
    case "TIMESTAMP":
      return (value) => Instant.microsOfWritten(String(value))
    case "STRUCT": {
      const fields = type.fields.map((field) => [field.name, cellOfJson(field.type)] as const)
      return (value) =>
        typeof value === "object" && value !== null
          ? Object.fromEntries(fields.map(([name, convert]) => [name, convert(ownCell(value, name))]))
          : value
    }
    case "LIST": {
      const convert = cellOfJson(type.of.type)
      return (value) => (Array.isArray(value) ? value.map(convert) : value)
    }
    case "BOOLEAN":
    case "DATE":
    case "DECIMAL":
    case "JSON":
    case "VARCHAR":
      return (value) => value
  }
}

/** The cell of a text without quotes: the inverse of `plainText`. */
export const cellOfText = (type: ColumnType): ((text: string) => unknown) => {
  switch (type._tag) {
    case "BOOLEAN":
      return (text) => text === "true"
    case "BIGINT":
      return (text) => BigInt(text)
    case "DOUBLE":
      return Number
    case "TIMESTAMP":
      return Instant.microsOfWritten
    case "JSON":
    case "LIST":
    case "STRUCT": {
      const convert = cellOfJson(type)
      return (text) => convert(parseJson(text))
    }
    case "DATE":
    case "DECIMAL":
    case "VARCHAR":
      return (text) => text
  }
}

/** The text of a double. A whole number gets a point: "5.0". -0 keeps its sign. */
const double = (cell: number): string => {
  const text = Object.is(cell, -0) ? "-0" : String(cell)
  return /^-?\d+$/.test(text) ? `${text}.0` : text
}
