/**
 * How this sink writes a column down, and which of our types a column of the database has.
 *
 * Structs, and lists of anything but plain values, are JSON. What JSON it is, the comment of the column says
 * (`STRUCT("name" VARCHAR)`), so that the next run knows the type. JSON is `json` and not `jsonb`, which changes what it is
 * given: it drops the order of members and digits of numbers, and refuses U+0000. A column that somebody made `jsonb` stays so.
 */
import * as Column from "../../../src/pipeline/Column.ts"
import { columnFromSql } from "../../../src/pipeline/columnFromSql.ts"

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

/** Whether a type is one of Postgres's own, so that lists of it are arrays. */
export const isPlain = ({ _tag }: Column.ColumnType): boolean => _tag !== "JSON" && _tag !== "STRUCT" && _tag !== "LIST"

/** Whether values of a type are kept as JSON. */
export const isInJson = (type: Column.ColumnType): boolean => typeSql(type) === "json"

/** What the comment of a column says: the type, where the database has no word for it. */
export const typeComment = (type: Column.ColumnType): string | undefined =>
  isInJson(type) && type._tag !== "JSON" ? Column.toSql(type) : undefined

/** What the comment of a column says in all: the type where `typeComment` has it, and in the next line what the column holds. */
export const columnComment = ({
  description,
  type
}: Pick<Column.Column, "type" | "description">): string | undefined => {
  const said = [typeComment(type), description].filter((line) => line !== undefined)
  return said.length === 0 ? undefined : said.join("\n")
}

/** Our type of a column, by how `format_type` spells its own; undefined where we have none. */
export const typeOf = (sql: string, comment: string | null = null): Column.ColumnType | undefined => {
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
  if (isJsonSql(sql)) {
    const said =
      comment === null ? undefined : (columnFromSql(comment) ?? columnFromSql(comment.split("\n", 1)[0] ?? ""))
    return said !== undefined && isInJson(said) ? said : { _tag: "JSON" }
  }
  return names[sql]
}

export const isJsonSql = (sql: string): boolean => sql === "json" || sql === "jsonb"

/** A column of a new table. */
export const definition = ({ name, nullable, type }: Column.Column): string =>
  `${Column.quote(name)} ${typeSql(type)}${nullable ? "" : " NOT NULL"}`

/** A column that is added to rows which do not have it: they leave it null. */
export const addition = ({ name, type }: Column.Column): string => `${Column.quote(name)} ${typeSql(type)}`

const names: Readonly<Record<string, Column.ColumnType>> = {
  text: { _tag: "VARCHAR" },
  "character varying": { _tag: "VARCHAR" },
  boolean: { _tag: "BOOLEAN" },
  bigint: { _tag: "BIGINT" },
  "double precision": { _tag: "DOUBLE" },
  date: { _tag: "DATE" },
  "timestamp with time zone": { _tag: "TIMESTAMP" }
}
