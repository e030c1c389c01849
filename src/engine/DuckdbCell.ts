/**
 * Converts cells to DuckDB's values and back, by column type.
 *
 * A cell that is not a value of its column's type is refused and never converted. There are two exceptions: half a surrogate
 * pair becomes U+FFFD, and fields of a struct that its type does not have are left out.
 */

import type * as driver from "@duckdb/node-api"
import type { DuckDBType, DuckDBValue } from "@duckdb/node-api"
import * as Predicate from "effect/Predicate"
import * as Column from "./Column.ts"
import { daysOf, jsonOf, refuse, unscaledOf } from "./cellValue.ts"
import * as Instant from "./Instant.ts"
import { ownCell } from "./ownCell.ts"
import { parseJson } from "./parseJson.ts"

/** DuckDB's driver. Only `Database` loads it; functions that make its values get it as a parameter. */
export type Driver = typeof driver

/** The driver's type of a column. */
export const typeOf = (driver: Driver, type: Column.ColumnType): DuckDBType => {
  switch (type._tag) {
    case "VARCHAR":
      return driver.VARCHAR
    case "BOOLEAN":
      return driver.BOOLEAN
    case "BIGINT":
      return driver.BIGINT
    case "DOUBLE":
      return driver.DOUBLE
    case "DATE":
      return driver.DATE
    case "TIMESTAMP":
      return driver.TIMESTAMP
    case "JSON":
      return driver.DuckDBVarCharType.create("JSON")
    case "DECIMAL":
      return driver.DECIMAL(type.precision, type.scale)
    case "STRUCT":
      return driver.STRUCT(Object.fromEntries(type.fields.map((field) => [field.name, typeOf(driver, field.type)])))
    case "LIST":
      return driver.LIST(typeOf(driver, type.of.type))
  }
}

/** Converts cells to DuckDB's values. It throws an error that names a cell that does not fit. */
export const encoder = (driver: Driver, type: Column.ColumnType): ((cell: unknown) => DuckDBValue) => {
  const encode = present(driver, type)
  return (cell) => (cell === null || cell === undefined ? null : encode(cell))
}

const present = (driver: Driver, type: Column.ColumnType): ((cell: unknown) => DuckDBValue) => {
  switch (type._tag) {
    case "VARCHAR":
      return (cell) => (typeof cell === "string" ? cell : refuse(type, cell))
    case "BOOLEAN":
      return (cell) => (typeof cell === "boolean" ? cell : refuse(type, cell))
    case "DOUBLE":
      return (cell) => (typeof cell === "number" ? cell : refuse(type, cell))
    case "BIGINT":
      return (cell) =>
        typeof cell === "bigint" ? cell : Number.isSafeInteger(cell) ? BigInt(Number(cell)) : refuse(type, cell)
    case "TIMESTAMP":
      return (cell) => (typeof cell === "bigint" ? new driver.DuckDBTimestampValue(cell) : refuse(type, cell))
    case "DATE":
      return (cell) => new driver.DuckDBDateValue(daysOf(cell) ?? refuse(type, cell))
    case "DECIMAL":
      return (cell) =>
        new driver.DuckDBDecimalValue(unscaledOf(cell, type) ?? refuse(type, cell), type.precision, type.scale)
    case "JSON":
      return (cell) => jsonOf(cell) ?? refuse(type, cell)
    case "STRUCT": {
      const fields = type.fields.map((field) => [field.name, encoder(driver, field.type)] as const)
      return (cell) => {
        if (!Predicate.isObject(cell)) return refuse(type, cell)
        const entries: Record<string, DuckDBValue> = {}
        for (const [name, encode] of fields) entries[name] = encode(ownCell(cell, name))
        return new driver.DuckDBStructValue(entries)
      }
    }
    case "LIST": {
      const encode = encoder(driver, type.of.type)
      return (cell) => (Array.isArray(cell) ? new driver.DuckDBListValue(cell.map(encode)) : refuse(type, cell))
    }
  }
}

/** Converts values that `encoder` made back to cells. */
export const decoder = (driver: Driver, type: Column.ColumnType): ((value: unknown) => unknown) => {
  switch (type._tag) {
    case "TIMESTAMP":
      return (value) =>
        value instanceof driver.DuckDBTimestampValue || value instanceof driver.DuckDBTimestampTZValue
          ? value.micros
          : value
    case "DATE":
      return (value) => (value instanceof driver.DuckDBDateValue ? Instant.dayTextOf(value.days) : value)
    case "DECIMAL":
      return (value) => (value === null ? null : String(value))
    case "JSON":
      return (value) => (typeof value === "string" ? parsed(value) : value)
    case "STRUCT": {
      const fields = type.fields.map((field) => [field.name, decoder(driver, field.type)] as const)
      return (value) =>
        value instanceof driver.DuckDBStructValue
          ? Object.fromEntries(fields.map(([name, decode]) => [name, decode(value.entries[name] ?? null)]))
          : value
    }
    case "LIST": {
      const decode = decoder(driver, type.of.type)
      return (value) => (value instanceof driver.DuckDBListValue ? value.items.map(decode) : value)
    }
    case "BIGINT":
    case "BOOLEAN":
    case "DOUBLE":
    case "VARCHAR":
      return (value) => value
  }
}

/** Parses JSON. DuckDB may write NaN or Infinity, which JSON does not have: such a text stays text. */
const parsed = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

/**
 * The expression that selects a column for `decoder`. The driver removes a byte order mark at the beginning of a text, so
 * such a text gets a second one.
 */
export const selected = ({ name, type }: Column.Column): string =>
  hasText(type) ? `${marked(type, Column.quote(name))} AS ${Column.quote(name)}` : Column.quote(name)

/** The same for any value. */
export const marked = (type: Column.ColumnType, sql: string, depth = 0): string => {
  if (!hasText(type)) return sql
  if (type._tag === "LIST")
    return `list_transform(${sql}, lambda i${depth}: ${marked(type.of.type, `i${depth}`, depth + 1)})`
  if (type._tag !== "STRUCT")
    return `CASE WHEN starts_with(${sql}, chr(65279)) THEN chr(65279) || ${sql} ELSE ${sql} END`
  const fields = type.fields.map((field) => {
    const quoted = Column.quote(field.name)
    return `${quoted} := ${marked(field.type, `(${sql}).${quoted}`, depth)}`
  })
  return `CASE WHEN ${sql} IS NULL THEN NULL ELSE struct_pack(${fields.join(", ")}) END`
}

const hasText = (type: Column.ColumnType): boolean =>
  type._tag === "VARCHAR" ||
  (type._tag === "LIST" && hasText(type.of.type)) ||
  (type._tag === "STRUCT" && type.fields.some((field) => hasText(field.type)))
