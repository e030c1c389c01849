/**
 * Values of one type as values of a wider one, in SQL: what `widen` says of types, said of values.
 *
 * The law: what becomes JSON is written as JSON and never read as such, so the text "[1]" stays a text. Null stays null at
 * every depth. Fields go by their names; those that are missing are null.
 */
import * as Column from "../../src/pipeline/Column.ts"

export const cast = (sql: string, from: Column.ColumnType, to: Column.ColumnType, depth = 0): string => {
  if (Column.toSql(from) === Column.toSql(to)) return sql
  if (to._tag === "JSON") return `to_json(${sql})`
  if (from._tag === "LIST" && to._tag === "LIST") {
    const item = `_item_${depth}`
    return `list_transform(${sql}, lambda ${item}: ${cast(item, from.of.type, to.of.type, depth + 1)})`
  }
  if (from._tag === "STRUCT" && to._tag === "STRUCT") {
    const fields = to.fields.map(({ name, type }) => {
      const present = from.fields.find((field) => field.name === name)
      const value = present === undefined ? absent(type) : cast(fieldOf(sql, name), present.type, type, depth)
      return `${Column.quote(name)} := ${value}`
    })
    return `CASE WHEN ${sql} IS NULL THEN NULL ELSE struct_pack(${fields.join(", ")}) END`
  }
  return `CAST(${sql} AS ${Column.toSql(to)})`
}

/** Null of a type. */
export const absent = (type: Column.ColumnType): string => `CAST(NULL AS ${Column.toSql(type)})`

/** What a query selects to have these columns out of those that are there. */
export const projection = (
  from: ReadonlyArray<Column.Column>,
  to: ReadonlyArray<Column.Column>
): ReadonlyArray<string> =>
  to.map(({ name, type }) => {
    const present = named(from, name)
    const value = present === undefined ? absent(type) : cast(Column.quote(present.name), present.type, type)
    return `${value} AS ${Column.quote(name)}`
  })

/** The column of a name. Names that differ in case only are one name to every SQL reader. */
export const named = (columns: ReadonlyArray<Column.Column>, name: string): Column.Column | undefined =>
  columns.find((column) => column.name === name) ??
  columns.find((column) => column.name.toLowerCase() === name.toLowerCase())

const fieldOf = (sql: string, name: string): string => `struct_extract(${sql}, '${name.replaceAll("'", "''")}')`
