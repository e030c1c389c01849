/** Whether a cell is the JavaScript value of its column, as the table in `Column` has it. */
import type * as Column from "../pipeline/Column.ts"
import type * as Table from "../pipeline/Table.ts"

/** What does not fit in a row: a column it should not have, or the first cell that is not of its column. */
export const misfit = (table: Table.Table, row: Table.Row): string | undefined => {
  const names = new Set(table.columns.map((column) => column.name))
  const foreign = Object.keys(row).find((name) => !names.has(name))
  if (foreign !== undefined) return `${table.name} has no column ${foreign}`
  const wrong = table.columns.find((column) => !fits(column, row[column.name]))
  return wrong && `${table.name}.${wrong.name} is no ${wrong.type._tag}`
}

const fits = ({ type, nullable }: Column.Column, cell: unknown): boolean => {
  if (cell === null || cell === undefined) return nullable
  switch (type._tag) {
    case "VARCHAR":
      return typeof cell === "string"
    case "BOOLEAN":
      return typeof cell === "boolean"
    case "BIGINT":
      return typeof cell === "bigint" || Number.isSafeInteger(cell)
    case "DOUBLE":
      return typeof cell === "number"
    case "DECIMAL":
      return typeof cell === "string" && /^[+-]?\d+(\.\d*)?$/.test(cell)
    case "DATE":
      return typeof cell === "string" && /^\d{4}-\d\d-\d\d$/.test(cell) && !Number.isNaN(Date.parse(cell))
    case "TIMESTAMP":
      return typeof cell === "bigint"
    case "JSON":
      return JSON.stringify(cell) !== undefined
    case "STRUCT":
      return typeof cell === "object" && type.fields.every((field) => fits(field, Reflect.get(cell, field.name)))
    case "LIST":
      return Array.isArray(cell) && cell.every((item) => fits(type.of, item))
  }
}
