/** How this sink writes a column down: a point in time is a TIMESTAMPTZ, so that every reader's time zone shows the same instant. */
import * as Column from "../../src/pipeline/Column.ts"

export const typeSql = (type: Column.ColumnType): string => {
  switch (type._tag) {
    case "TIMESTAMP":
      return "TIMESTAMPTZ"
    case "STRUCT":
      return `STRUCT(${type.fields.map((field) => `${Column.quote(field.name)} ${typeSql(field.type)}`).join(", ")})`
    case "LIST":
      return `${typeSql(type.of.type)}[]`
    default:
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
