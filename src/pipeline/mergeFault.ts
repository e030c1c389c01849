/**
 * What merge asks of tables: a key, or a parent that is merged with them; and rows that fill it.
 *
 * The law: this is checked before rows are taken, because a merge without a key would replace by nothing.
 */
import type * as Sink from "./Sink.ts"
import type * as Table from "./Table.ts"

/** Why these tables cannot be written as planned, if so. */
export const mergeFault = (tables: ReadonlyArray<Sink.TablePlan>): string | undefined => {
  const merged = tables.filter((each) => each.write === "merge").map(({ table }) => table)
  for (const { name, key, parent } of merged) {
    if (parent === undefined && key.length === 0) return `table ${name} has no key to merge by; give it one, or append`
    if (parent !== undefined && !merged.some((other) => other.name === parent.table)) {
      return `table ${name} cannot merge without its parent ${parent.table}; merge both, or append both`
    }
  }
  return undefined
}

/** Why these rows cannot be merged, if so: one leaves a column null that names it or its parent. */
export const rowFault = ({ table, write }: Sink.TablePlan, rows: ReadonlyArray<Table.Row>): string | undefined => {
  if (write !== "merge") return undefined
  const named = [...table.key, ...Object.keys(table.parent?.on ?? {})]
  const missing = named.find((column) => rows.some((row) => row[column] === null || row[column] === undefined))
  return missing && `table ${table.name}: a row has no ${missing}, which merge needs; fill it, or append`
}
