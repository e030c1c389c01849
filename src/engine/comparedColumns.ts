/**
 * When two rows are the same: the columns that merge compares, so that every sink leaves the same rows unchanged.
 *
 * Columns that identify a row or its parent are always compared. Of the others, columns of the visit are not compared.
 */
import * as Predicate from "effect/Predicate"
import type * as Column from "./Column.ts"
import { unscaledOf } from "./cellValue.ts"
import { ownCell } from "./ownCell.ts"
import * as Table from "./Table.ts"

export interface Compared {
  readonly column: Column.Column
  /** Members of the objects in a JSON column that are not compared. */
  readonly except: ReadonlyArray<string>
}

/** Those columns of a table in a destination whose difference makes a row a changed one. */
export const comparedColumns = (table: Table.Table, columns: ReadonlyArray<Column.Column>): ReadonlyArray<Compared> => {
  const naming = new Set([...table.key, ...Object.keys(table.parent?.on ?? {})])
  return columns
    .filter(({ name }) => naming.has(name) || !Table.isOfVisit(table, name))
    .map((column) => {
      const members = table.visit?.[column.name]
      const isInside = members !== undefined && members !== true && column.type._tag === "JSON"
      return { column, except: isInside ? members : [] }
    })
}

/** The column with the version of the reading, if the destination has it. Child tables have none. */
export const versionColumn = (table: Table.Table, columns: ReadonlyArray<Column.Column>): string | undefined => {
  const { parent, reading } = table
  return parent === undefined && reading !== undefined && columns.some(({ name }) => name === reading.version)
    ? reading.version
    : undefined
}

/** What is compared of two rows that different versions of a program have read: not what the program fills. */
export const withoutReading = ({ reading }: Table.Table, compared: ReadonlyArray<Compared>): ReadonlyArray<Compared> =>
  reading === undefined
    ? compared
    : compared.flatMap(({ column, except }) => {
        const members = column.name === reading.version ? true : reading.columns[column.name]
        if (members === true) return []
        return [{ column, except: column.type._tag === "JSON" ? [...except, ...(members ?? [])] : except }]
      })

/** Whether a new row has a version of its reading, and the stored row of its key has another version or none. */
export const isOtherReading = (version: string | undefined, stored: Table.Row, coming: Table.Row): boolean =>
  version !== undefined &&
  (coming[version] ?? null) !== null &&
  String(stored[version] ?? null) !== String(coming[version])

/** A row in the compared columns, as text. An absent field is null, and 1 and 1n are the same BIGINT. */
export const rowText = (row: Table.Row, compared: ReadonlyArray<Compared>): string =>
  JSON.stringify(compared.map(({ column: { name, type }, except }) => plain(type, without(except, row[name]))))

/** A JSON object without some of its members. */
const without = (except: ReadonlyArray<string>, cell: unknown): unknown =>
  except.length > 0 && Predicate.isObject(cell)
    ? Object.fromEntries(Object.entries(cell).filter(([name]) => !except.includes(name)))
    : cell

const plain = (type: Column.ColumnType, cell: unknown): unknown => {
  if (cell === null || cell === undefined) return null
  if (type._tag === "LIST") return Array.isArray(cell) ? cell.map((item) => plain(type.of.type, item)) : cell
  if (type._tag === "STRUCT" && typeof cell === "object") {
    return type.fields.map((field) => plain(field.type, ownCell(cell, field.name)))
  }
  // JSON has no such numbers, and would make null of them.
  if (type._tag === "DOUBLE" && !Number.isFinite(cell)) return String(cell)
  // "3" and "3.00" are one number.
  if (type._tag === "DECIMAL") return String(unscaledOf(cell, type) ?? cell)
  return type._tag === "BIGINT" || type._tag === "TIMESTAMP" ? String(cell) : cell
}
