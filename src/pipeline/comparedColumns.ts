/**
 * What makes two rows say the same: the columns that merge compares, so that every sink leaves the same rows as they are.
 *
 * Columns that identify a row or its parent always count, whatever their names. Of the others, columns that describe the
 * visit do not count.
 */
import * as Predicate from "effect/Predicate"
import type * as Column from "./Column.ts"
import * as Table from "./Table.ts"

export interface Compared {
  readonly column: Column.Column
  /** Of a JSON column: the members of an object that do not count. */
  readonly except: ReadonlyArray<string>
}

/** Of the columns that a table has in a destination, those whose difference makes a changed row. */
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

/** The column with the version that rows are read with, of those that a table has in a destination; children have none. */
export const versionColumn = (table: Table.Table, columns: ReadonlyArray<Column.Column>): string | undefined => {
  const { parent, reading } = table
  return parent === undefined && reading !== undefined && columns.some(({ name }) => name === reading.version)
    ? reading.version
    : undefined
}

/** Of columns that are compared, what is left of two rows that were read by two versions: what the reading does not fill. */
export const withoutReading = ({ reading }: Table.Table, compared: ReadonlyArray<Compared>): ReadonlyArray<Compared> =>
  reading === undefined
    ? compared
    : compared.flatMap(({ column, except }) => {
        const members = column.name === reading.version ? true : reading.columns[column.name]
        if (members === true) return []
        return [{ column, except: column.type._tag === "JSON" ? [...except, ...(members ?? [])] : except }]
      })

/** Whether rows of one key are of two readings: the one that comes has a version, and the stored one another or none. */
export const isReadAnew = (version: string | undefined, stored: Table.Row, coming: Table.Row): boolean =>
  version !== undefined &&
  (coming[version] ?? null) !== null &&
  String(stored[version] ?? null) !== String(coming[version])

/** What a row says in some columns. A field that is absent is null, and 1 and 1n are the same BIGINT. */
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
    return type.fields.map((field) => plain(field.type, Reflect.get(cell, field.name)))
  }
  return type._tag === "BIGINT" || type._tag === "TIMESTAMP" ? String(cell) : cell
}
