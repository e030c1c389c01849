/** The SQL of columns: a point in time has a time zone, so that readers in every time zone see the same instant. */

import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"

export const typeSql = (type: Column.ColumnType): string => {
  switch (type._tag) {
    case "TIMESTAMP":
      return "TIMESTAMP WITH TIME ZONE"
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

/** The definition of a column in a new table. */
export const definition = ({ name, nullable, type }: Column.Column): string =>
  `${Column.quote(name)} ${typeSql(type)}${nullable ? "" : " NOT NULL"}`

/** Whether a type in DuckDB's spelling has points in time without a zone, as tables of older versions have. They stay so. */
export const isWithoutZone = (sql: string): boolean => /\bTIMESTAMP\b(?! WITH TIME ZONE)/.test(sql)

/** A type in DuckDB's spelling, in which all points in time are TIMESTAMP. */
export const withoutZones = (sql: string): string => sql.replaceAll("TIMESTAMP WITH TIME ZONE", "TIMESTAMP")

/**
 * Convert points in time to a type with zones, and back. They use microseconds, because DuckDB's own cast uses a calendar, and
 * fails for moments near the limits of a TIMESTAMP.
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

/** Whether a type in DuckDB's spelling has points in time, all of them with a zone. */
export const isZoned = (sql: string): boolean => sql.includes("WITH TIME ZONE") && !isWithoutZone(sql)
