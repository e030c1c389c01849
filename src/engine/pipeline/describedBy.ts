/**
 * A column with the descriptions of another column and of its fields: a column that was read from SQL has a type and no
 * description.
 *
 * The type stays as it is. Fields are found by their names.
 */
import { type Column, type ColumnType, named } from "../Column.ts"

export const describedBy = (column: Column, other: Column | undefined): Column => {
  if (other === undefined) return column
  const { description = column.description } = other
  return {
    ...column,
    type: typeBy(column.type, other.type),
    ...(description === undefined ? {} : { description })
  }
}

/** The same for each column, by its name. */
const allDescribedBy = (columns: ReadonlyArray<Column>, others: ReadonlyArray<Column>): ReadonlyArray<Column> =>
  columns.map((column) => describedBy(column, named(others, column.name)))

const typeBy = (type: ColumnType, other: ColumnType): ColumnType => {
  if (type._tag === "STRUCT" && other._tag === "STRUCT") {
    return { ...type, fields: allDescribedBy(type.fields, other.fields) }
  }
  return type._tag === "LIST" && other._tag === "LIST" ? { ...type, of: describedBy(type.of, other.of) } : type
}
