/**
 * The SQL of columns, and the type of a stored column.
 *
 * Structs, and lists of anything but plain values, are JSON. The comment of the column has their type
 * (`STRUCT("name" VARCHAR)`), so that the next run knows it. JSON is `json` and not `jsonb`, because `jsonb` changes values: it
 * loses the order of members and digits of numbers, and refuses U+0000. A column that a user made `jsonb` stays so.
 */
import * as Column from "#engine/Column"

export const typeSql = (type: Column.ColumnType): string => {
  switch (type._tag) {
    case "VARCHAR":
      return "text"
    case "BOOLEAN":
      return "boolean"
    case "BIGINT":
      return "bigint"
    case "DOUBLE":
      return "double precision"
    case "DECIMAL":
      return `numeric(${type.precision},${type.scale})`
    case "DATE":
      return "date"
    case "TIMESTAMP":
      return "timestamp with time zone"
    case "LIST":
      return isPlain(type.of.type) ? `${typeSql(type.of.type)}[]` : "json"
    case "JSON":
    case "STRUCT":
      return "json"
  }
}

/** Whether Postgres has the type, so that lists of it are arrays. */
export const isPlain = ({ _tag }: Column.ColumnType): boolean => _tag !== "JSON" && _tag !== "STRUCT" && _tag !== "LIST"

/** Whether values of a type are stored as JSON. */
export const isInJson = (type: Column.ColumnType): boolean => typeSql(type) === "json"

/** The type of a column, from the spelling of `format_type`; undefined: `Column` does not have it. */
export const typeOf = (sql: string): Column.ColumnType | undefined => {
  if (sql.endsWith("[]")) {
    const type = typeOf(sql.slice(0, -2))
    return type === undefined || !isPlain(type)
      ? undefined
      : { _tag: "LIST", of: { name: "item", type, nullable: true } }
  }
  const [, precision, scale] = /^numeric\((\d+),(\d+)\)$/.exec(sql) ?? []
  if (precision !== undefined) {
    return Number(precision) > 38 ? undefined : { _tag: "DECIMAL", precision: Number(precision), scale: Number(scale) }
  }
  return names[sql]
}

/** The definition of a column in a new table. */
export const definition = ({ name, nullable, type }: Column.Column): string =>
  `${Column.quote(name)} ${typeSql(type)}${nullable ? "" : " NOT NULL"}`

const names: Readonly<Record<string, Column.ColumnType>> = {
  text: { _tag: "VARCHAR" },
  "character varying": { _tag: "VARCHAR" },
  boolean: { _tag: "BOOLEAN" },
  bigint: { _tag: "BIGINT" },
  "double precision": { _tag: "DOUBLE" },
  date: { _tag: "DATE" },
  "timestamp with time zone": { _tag: "TIMESTAMP" },
  json: { _tag: "JSON" },
  jsonb: { _tag: "JSON" }
}
