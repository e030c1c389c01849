/**
 * What merge and scd2 ask of tables: a key, or a parent that is written with them; and rows that fill it.
 *
 * The law: this is checked before rows are taken, because a merge without a key would replace by nothing, and a history
 * without one would be of nobody.
 */
import * as Column from "./Column.ts"
import * as Sink from "./Sink.ts"
import type * as Table from "./Table.ts"

/** Why these tables cannot be written as planned, if so. */
export const mergeFault = (tables: ReadonlyArray<Sink.TablePlan>): string | undefined => {
  const keyed = tables.filter(({ write }) => write === "merge" || write === "scd2")
  for (const planned of keyed) {
    const { table, write } = planned
    const fault = write === "scd2" ? historyFault(planned) : undefined
    if (fault !== undefined) return fault
    if (table.parent === undefined && table.key.length === 0) {
      return `table ${table.name} has no key to merge by; give it one, or append`
    }
    if (table.parent !== undefined && !keyed.some((other) => other.table.name === table.parent?.table)) {
      return `table ${table.name} cannot merge without its parent ${table.parent.table}; merge both, or append both`
    }
  }
  return undefined
}

const historyFault = ({ table, fingerprint }: Sink.TablePlan): string | undefined => {
  const { name, key, parent, columns } = table
  if (parent !== undefined) return `table ${name} belongs to ${parent.table}, so it has no history of its own; merge it`
  if (key.length === 0) return `table ${name} has no key to tell versions by; give it one, or append`
  const taken = Sink.historyColumns.find(({ name }) => Column.named(columns, name) !== undefined)
  if (taken !== undefined) return `table ${name} has a column ${taken.name}, which scd2 adds; rename it, or merge`
  if (fingerprint === undefined)
    return `table ${name} has no fingerprint; name the columns whose change makes a version`
  const unknown = fingerprint.find((name) => Column.named(columns, name) === undefined)
  return unknown && `table ${name} has no column ${unknown}, which its fingerprint names; name one of its columns`
}

/** Why these rows cannot be written, if so: one leaves a column null that names it or its parent. */
export const rowFault = ({ table, write }: Sink.TablePlan, rows: ReadonlyArray<Table.Row>): string | undefined => {
  if (write !== "merge" && write !== "scd2") return undefined
  const named = [...table.key, ...Object.keys(table.parent?.on ?? {})]
  const missing = named.find((column) => rows.some((row) => row[column] === null || row[column] === undefined))
  return missing && `table ${table.name}: a row has no ${missing}, which ${write} needs; fill it, or append`
}
