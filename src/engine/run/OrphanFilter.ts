/**
 * Finds the children of rows that were removed from a run, so that they are removed too.
 *
 * A source emits children after the batch with their parents, so the removed parents are known when the children arrive.
 */
import * as Table from "../Table.ts"

interface OrphanFilter {
  /** Notes rows of a table that were removed. */
  readonly takeOut: (table: Table.Table, rows: ReadonlyArray<Table.Row>) => void
  /** Notes rows of a table that stay: the children that come after one of them are its own, even if a row of its key was removed before. */
  readonly stay: (table: Table.Table, rows: ReadonlyArray<Table.Row>) => void
  /** Whether a row of the table, or of its parent, was removed. */
  readonly concerns: (table: Table.Table) => boolean
  /** Whether the parent of a row was removed. */
  readonly isOrphan: (table: Table.Table, row: Table.Row) => boolean
}

export const of = (tables: ReadonlyArray<Table.Table>): OrphanFilter => {
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
    stay: (table, rows) => {
      const names = out.get(table.name)
      const keys = Object.values(parents.get(table.name)?.on ?? {})
      if (names !== undefined && names.size > 0) for (const row of rows) names.delete(Table.keyText(row, keys))
    },
    concerns: ({ name, parent }) => out.has(name) || (parent !== undefined && out.has(parent.table)),
    isOrphan: ({ parent }, row) => {
      const names = parent === undefined ? undefined : out.get(parent.table)
      return names !== undefined && parent !== undefined && names.has(Table.keyText(row, Object.keys(parent.on)))
    }
  }
}
