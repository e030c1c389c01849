/**
 * Which children go with parents that were taken out of a run: they have nothing to belong to.
 *
 * Children come after the batch with their parents, so the removed parents are known when the children come.
 */
import * as Table from "../Table.ts"

export interface OrphanFilter {
  /** Remembers rows of a table that do not go on. */
  readonly takeOut: (table: Table.Table, rows: ReadonlyArray<Table.Row>) => void
  /** Whether any parent of this table's rows was taken out. */
  readonly mayHave: (table: Table.Table) => boolean
  /** Whether a row's parent was taken out. */
  readonly isOrphan: (table: Table.Table, row: Table.Row) => boolean
}

export const make = (tables: ReadonlyArray<Table.Table>): OrphanFilter => {
  const parents = new Map(
    tables.flatMap(({ parent }) => (parent === undefined ? [] : [[parent.table, parent] as const]))
  )
  const out = new Map<string, Set<string>>()
  return {
    takeOut: (table, rows) => {
      const parent = parents.get(table.name)
      if (parent === undefined) return
      const names = out.get(table.name) ?? new Set()
      out.set(table.name, names)
      for (const row of rows) names.add(Table.keyText(row, Object.values(parent.on)))
    },
    mayHave: ({ parent }) => parent !== undefined && out.has(parent.table),
    isOrphan: ({ parent }, row) => {
      const names = parent === undefined ? undefined : out.get(parent.table)
      return names !== undefined && parent !== undefined && names.has(Table.keyText(row, Object.keys(parent.on)))
    }
  }
}
