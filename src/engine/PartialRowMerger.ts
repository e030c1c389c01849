/**
 * Holds and merges rows that arrive in parts, until everything is read (`Table.mergePartialRows`).
 *
 * Later rows of a key fill only the null values of the first row. Children of such rows are held too, so that they still
 * come after their parents.
 */
import type * as Stage from "./Stage.ts"
import * as Table from "./Table.ts"

export interface PartialRowMerger {
  /** Whether rows of this table are held. */
  readonly holds: (table: Table.Table) => boolean
  /** Holds rows. Returns how many rows of the table are held now. */
  readonly take: (table: Table.Table, rows: ReadonlyArray<Stage.Staged>) => number
  /** Releases all held rows, in chunks, in the order of the tables. */
  readonly release: () => ReadonlyArray<readonly [Table.Table, ReadonlyArray<Stage.Staged>]>
}

/** The maximum number of rows in one chunk of a release. */
const chunk = 1000

export const of = (tables: ReadonlyArray<Table.Table>): PartialRowMerger => {
  const whole = new Set(tables.filter(({ mergePartialRows }) => mergePartialRows === true).map(({ name }) => name))
  const partialTables = new Map(
    tables
      .filter(({ name, parent }) => whole.has(name) || (parent !== undefined && whole.has(parent.table)))
      .map((table) => [table.name, { table, rows: new Map<string, Stage.Staged>() }])
  )
  return {
    holds: ({ name }) => partialTables.has(name),
    take: (table, some) => {
      const rows = partialTables.get(table.name)?.rows ?? new Map<string, Stage.Staged>()
      for (const staged of some) {
        const name = nameOf(table, staged.row, rows.size)
        const known = rows.get(name)
        rows.set(name, known === undefined ? staged : { ...known, row: filled(known.row, staged.row) })
      }
      return rows.size
    },
    release: () =>
      [...partialTables.values()].flatMap(({ rows, table }) => {
        const all = [...rows.values()]
        rows.clear()
        return Array.from(
          { length: Math.ceil(all.length / chunk) },
          (_, at) => [table, all.slice(at * chunk, (at + 1) * chunk)] as const
        )
      })
  }
}

/** Rows without a key are never the same. */
const nameOf = ({ key }: Table.Table, row: Table.Row, count: number): string =>
  key.length === 0 ? String(count) : Table.keyText(row, key)

/** A row whose null cells are filled from another row. */
export const filled = (row: Table.Row, by: Table.Row): Table.Row => ({
  ...row,
  ...Object.fromEntries(Object.entries(by).filter(([name, cell]) => cell != null && row[name] == null))
})
