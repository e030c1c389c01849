/**
 * SQL that converts a value from one type to another: to widen an old column, and to put narrower rows into it.
 *
 * `cast` changes no value but numbers that a double cannot hold; `exactly` refuses those. A text becomes a JSON string and is never parsed as JSON, structs are
 * matched by the names of their fields, and a narrower type takes only values that it can hold unchanged.
 */

import { type Column, type ColumnType, quote, toSql } from "./Column.ts"
import * as Database from "./Duckdb.ts"
import { changeText, fitsInto, mayChange } from "./widen.ts"

/** The expression, converted to another type. `depth` makes the variables of nested lists different. */
export const cast = (sql: string, from: ColumnType, to: ColumnType, depth = 0): string => {
  if (toSql(from) === toSql(to)) return sql
  if (to._tag === "JSON") return json(sql, from, depth)
  if (from._tag === "STRUCT" && to._tag === "STRUCT") {
    const fields = to.fields.map((field) => `${quote(field.name)} := ${fieldOf(sql, from.fields, field, depth)}`)
    return `CASE WHEN ${sql} IS NULL THEN NULL ELSE struct_pack(${fields.join(", ")}) END`
  }
  if (from._tag === "LIST" && to._tag === "LIST") {
    const item = `item${depth}`
    return `list_transform(${sql}, lambda ${item}: ${cast(item, from.of.type, to.of.type, depth + 1)})`
  }
  if (from._tag === "DOUBLE" && to._tag === "VARCHAR") return numberText(sql)
  return fitsInto(from, to) ? `CAST(${sql} AS ${toSql(to)})` : narrow(sql, from, to)
}

/** The text of a double as other destinations have it (`cellConverter`): "2" and "1e+15", where DuckDB has "2.0" and "1000000000000000.0". */
const numberText = (sql: string): string => {
  const text = `CAST(${sql} AS VARCHAR)`
  const digits = `rtrim(replace(substr(ltrim(${text}, '-'), 2), '.', ''), '0')`
  const long = `concat(CASE WHEN ${sql} < 0 THEN '-' END, left(ltrim(${text}, '-'), 1), CASE WHEN ${digits} <> '' THEN '.' || ${digits} END, 'e+15')`
  return `CASE WHEN ${sql} IS NULL THEN NULL WHEN isnan(${sql}) THEN 'NaN' WHEN isinf(${sql}) THEN CASE WHEN ${sql} > 0 THEN 'Infinity' ELSE '-Infinity' END
    WHEN abs(${sql}) >= 1e15 AND abs(${sql}) < 1e16 THEN ${long} ELSE regexp_replace(${text}, '\\.0$', '') END`
}

/** A column, converted to another type. It fails, with the value in its message, where that would change a value. */
export const exactly = (name: string, sql: string, from: ColumnType, to: ColumnType): string => {
  const loss = lossOf(sql, from, to)
  if (loss === undefined) return cast(sql, from, to)
  const [before, after] = [`column ${name}: `, ` ${changeText(from, to)}`].map(Database.literal)
  const message = `${before} || left(CAST(${sql} AS VARCHAR), 100) || ${after}`
  return `CASE WHEN ${loss} THEN error(${message}) ELSE ${cast(sql, from, to)} END`
}

/**
 * The condition that a value changes; undefined: it does not, whatever it is. The text of a double is compared with a DECIMAL,
 * because DuckDB rounds a double to the scale.
 */
export const lossOf = (sql: string, from: ColumnType, to: ColumnType, depth = 0): string | undefined => {
  if (!mayChange(from, to)) return undefined
  if (from._tag === "LIST" && to._tag === "LIST") {
    const item = `item${depth}`
    const loss = lossOf(item, from.of.type, to.of.type, depth + 1)
    return loss && `coalesce(len(list_filter(${sql}, lambda ${item}: ${loss})) > 0, false)`
  }
  if (from._tag === "STRUCT" && to._tag === "STRUCT") {
    const losses = from.fields.flatMap(({ name, type }) => {
      const field = to.fields.find((field) => field.name === name)
      return (field && lossOf(`struct_extract(${sql}, ${Database.literal(name)})`, type, field.type, depth)) ?? []
    })
    return `(${losses.join(" OR ")})`
  }
  const double = `CAST(${sql} AS DOUBLE)`
  const back = from._tag === "DECIMAL" ? `CAST(${double} AS VARCHAR)` : double
  return `TRY_CAST(${back} AS ${toSql(from)}) IS DISTINCT FROM ${sql}`
}

const fieldOf = (sql: string, from: ReadonlyArray<Column>, { name, type }: Column, depth: number): string => {
  const source = from.find((field) => field.name === name)
  return source === undefined
    ? `CAST(NULL AS ${toSql(type)})`
    : cast(`struct_extract(${sql}, ${Database.literal(name)})`, source.type, type, depth)
}

/**
 * Numbers that JSON does not have, and those that its readers would read as other ones, become text as in `cellConverter`, also
 * inside of lists and structs.
 */
const json = (sql: string, from: ColumnType, depth: number): string => {
  if (from._tag === "DOUBLE") {
    const word = `CASE WHEN isnan(${sql}) THEN 'NaN' WHEN ${sql} > 0 THEN 'Infinity' ELSE '-Infinity' END`
    return `CASE WHEN isfinite(${sql}) THEN to_json(${sql}) WHEN ${sql} IS NOT NULL THEN to_json(${word}) END`
  }
  if (from._tag === "BIGINT") {
    const isSafe = `${sql} BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}`
    return `CASE WHEN ${isSafe} THEN to_json(${sql}) WHEN ${sql} IS NOT NULL THEN to_json(CAST(${sql} AS VARCHAR)) END`
  }
  if (from._tag === "DECIMAL") {
    const text = `CAST(${sql} AS VARCHAR)`
    const digits = `ltrim(replace(${from.scale === 0 ? text : `rtrim(${text}, '0')`}, '.', ''), '-0')`
    return `CASE WHEN length(${digits}) <= 15 THEN to_json(CAST(${sql} AS DOUBLE)) WHEN ${sql} IS NOT NULL THEN to_json(${text}) END`
  }
  const parts = /BIGINT|DECIMAL|DOUBLE/.test(toSql(from)) ? ofJson(from) : from
  return `to_json(${cast(sql, from, parts, depth)})`
}

const ofJson = (type: ColumnType): ColumnType => {
  const json: ColumnType = { _tag: "JSON" }
  if (type._tag === "LIST") return { _tag: "LIST", of: { ...type.of, type: json } }
  return type._tag === "STRUCT"
    ? { _tag: "STRUCT", fields: type.fields.map((field) => ({ ...field, type: json })) }
    : type
}

/**
 * Conversion to a narrower type. The engine has checked that the rows fit: a whole number fits a moment, because both are
 * bigint. DuckDB would round other values, so they are refused.
 */
const narrow = (sql: string, from: ColumnType, to: ColumnType): string => {
  const value = `CAST(${sql} AS ${toSql(to)})`
  if (from._tag === "JSON") {
    if (to._tag === "VARCHAR") return `json_extract_string(${sql}, '$')`
    // A cast refuses an object that lacks a field; it is null then.
    const isNested = to._tag === "STRUCT" || to._tag === "LIST"
    return isNested ? `json_transform(${sql}, ${Database.literal(JSON.stringify(structureOf(to)))})` : value
  }
  if (from._tag === "BIGINT" && to._tag === "TIMESTAMP") return `make_timestamp(${sql})`
  if (from._tag === "TIMESTAMP" && to._tag === "BIGINT") return `epoch_us(${sql})`
  const numeric = numbers.has(from._tag) || from._tag === "VARCHAR"
  if (numeric && numbers.has(to._tag)) return checked(sql, value, to, "DOUBLE")
  if (from._tag === "TIMESTAMP" && to._tag === "DATE") return checked(sql, value, to, "TIMESTAMP")
  return from._tag === "VARCHAR" && scalars.has(to._tag)
    ? value
    : `CAST(CASE WHEN ${sql} IS NULL THEN NULL ELSE ${refusal(sql, to)} END AS ${toSql(to)})`
}

/** A type as `json_transform` writes it. */
const structureOf = (type: ColumnType): unknown => {
  if (type._tag === "LIST") return [structureOf(type.of.type)]
  if (type._tag !== "STRUCT") return toSql(type)
  return Object.fromEntries(type.fields.map((field) => [field.name, structureOf(field.type)]))
}

const numbers: ReadonlySet<string> = new Set(["BIGINT", "DECIMAL", "DOUBLE"])
const scalars: ReadonlySet<string> = new Set(["BOOLEAN", "DATE", "TIMESTAMP"])

const checked = (sql: string, value: string, to: ColumnType, as: string): string =>
  `CASE WHEN ${sql} IS NULL OR CAST(${value} AS ${as}) = CAST(${sql} AS ${as}) THEN ${value} ELSE ${refusal(sql, to)} END`

const refusal = (sql: string, to: ColumnType): string =>
  `error(CAST(${sql} AS VARCHAR) || ' is not a valid ' || ${Database.literal(toSql(to))})`
