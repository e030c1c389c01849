/**
 * What makes two rows say the same: the columns that merge compares, so that every sink leaves the same rows as they are.
 *
 * The law: a column that names a row, or its parent, always counts, whatever it is called. Of the others those do not count
 * that describe the visit.
 */
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
