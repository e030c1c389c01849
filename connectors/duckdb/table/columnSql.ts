/**
 * How this sink writes a column down: a point in time is a TIMESTAMPTZ, so that every reader's time zone shows the same
 * instant.
 */
import * as Database from "../../../src/duckdb/Database.ts"
import * as Column from "../../../src/pipeline/Column.ts"

export const typeSql = (type: Column.ColumnType): string => {
  switch (type._tag) {
    case "TIMESTAMP":
      return "TIMESTAMPTZ"
    case "STRUCT":
      return `STRUCT(${type.fields.map((field) => `${Column.quote(field.name)} ${typeSql(field.type)}`).join(", ")})`
    case "LIST":
      return `${typeSql(type.of.type)}[]`
    case "BIGINT":
    case "BOOLEAN":
    case "DATE":
    case "DECIMAL":
    case "DOUBLE":
    case "JSON":
    case "VARCHAR":
      return Column.toSql(type)
  }
}

/** A column of a new table. */
export const definition = ({ name, nullable, type }: Column.Column): string =>
  `${Column.quote(name)} ${typeSql(type)}${nullable ? "" : " NOT NULL"}`

/** A column that is added to rows which do not have it: they leave it null. */
export const addition = ({ name, type }: Column.Column): string => `${Column.quote(name)} ${typeSql(type)}`

/** Whether points in time within a type, as DuckDB spells it, have no zone: tables from before have them so, and keep them. */
export const isWithoutZone = (sql: string): boolean => /\bTIMESTAMP\b(?! WITH TIME ZONE)/.test(sql)

/** A type as DuckDB spells it, in which points in time are all the same. */
export const withoutZones = (sql: string): string => sql.replaceAll("TIMESTAMP WITH TIME ZONE", "TIMESTAMP")

/**
 * A value without zones as one with, and back. By the count of microseconds, which is the instant itself: DuckDB's own cast
 * uses a calendar, and fails for moments at the far ends of what a TIMESTAMP holds.
 */
export const withZones = (value: string, type: Column.ColumnType): string => moments(value, type, "make_timestamptz", 0)
export const leaveZones = (value: string, type: Column.ColumnType): string => moments(value, type, "make_timestamp", 0)

const moments = (value: string, type: Column.ColumnType, make: string, depth: number): string => {
  if (typeSql(type) === Column.toSql(type)) return value
  if (type._tag === "LIST") {
    const item = `moment${depth}`
    return `list_transform(${value}, lambda ${item}: ${moments(item, type.of.type, make, depth + 1)})`
  }
  if (type._tag !== "STRUCT") return `${make}(epoch_us(${value}))`
  const fields = type.fields.map((field) => {
    const own = `struct_extract(${value}, ${Database.literal(field.name)})`
    return `${Column.quote(field.name)} := ${moments(own, field.type, make, depth)}`
  })
  return `CASE WHEN ${value} IS NULL THEN NULL ELSE struct_pack(${fields.join(", ")}) END`
}

/** Whether every point in time within a type, as DuckDB spells it, has a zone. */
export const isZoned = (sql: string): boolean => sql.includes("WITH TIME ZONE") && !isWithoutZone(sql)
