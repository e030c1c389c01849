/**
 * A plan under which no stored value changes.
 *
 * A run that has a DOUBLE for a column of exact numbers would widen it, and round what a double cannot hold: 9007199254740993. So
 * the stored values are asked. If one of them would change, the column of the run becomes JSON instead, and so does that of the
 * destination: JSON keeps all digits of each value. A column of the key is not widened at all (`widerKeyFault`).
 */
import * as Effect from "effect/Effect"
import * as Column from "./Column.ts"
import { cellConverter } from "./convertCell.ts"
import type { Plan, TablePlan } from "./SinkPlan.ts"
import type * as Table from "./Table.ts"
import { mayChange, widen } from "./widen.ts"

/** A stored column, and the type to which a run would widen it. */
export interface Widening {
  readonly name: string
  readonly from: Column.ColumnType
  readonly to: Column.ColumnType
}

type Stored = ReadonlyArray<{ readonly name: string; readonly type: Column.ColumnType | undefined }>

/**
 * The plan with JSON columns where a stored value would change otherwise.
 *
 * `storedOf`: the columns of a table that keeps its rows; undefined: there is none. `changes`: whether a value of it would change.
 */
export const of = Effect.fnUntraced(function* <E, R>(
  plan: Plan,
  storedOf: (planned: TablePlan) => Effect.Effect<Stored | undefined, E, R>,
  changes: (table: string, widening: Widening) => Effect.Effect<boolean, E, R>
): Effect.fn.Return<Plan, E, R> {
  if (!plan.evolve) return plan
  const tables: Array<TablePlan> = []
  for (const planned of plan.tables) {
    const isReplaced = planned.write === "replace" && plan.shared !== true
    const stored = isReplaced || !hasDouble(planned) ? undefined : yield* storedOf(planned)
    const lossy = new Set<string>()
    for (const { column, widening } of wideningsOf(planned, stored ?? [])) {
      if (yield* changes(planned.table.name, widening)) lossy.add(column)
    }
    tables.push(lossy.size === 0 ? planned : withJson(planned, lossy))
  }
  return { ...plan, tables }
})

/** Whether a value of these rows would change. */
export const changesAny = (rows: ReadonlyArray<Table.Row>, { from, name, to }: Widening): boolean => {
  const convert = cellConverter(from, to)
  return rows.some((row) => {
    try {
      convert(row[name])
      return false
    } catch {
      return true
    }
  })
}

/** Whether a run may widen a column to a DOUBLE: it has one, or a DECIMAL that needs more digits beside another. */
const hasDouble = ({ table }: TablePlan): boolean =>
  table.columns.some(({ type }) => /DOUBLE|DECIMAL/.test(Column.toSql(type)))

const wideningsOf = ({ table }: TablePlan, stored: Stored) => {
  const identifying = [...table.key, ...Object.keys(table.parent?.on ?? {})]
  return table.columns.flatMap(({ name, type }) => {
    const there = identifying.includes(name) ? undefined : Column.named(stored, name)
    if (there?.type === undefined) return []
    const to = widen(there.type, type)
    const widening: Widening = { name: there.name, from: there.type, to }
    return mayChange(there.type, to) ? [{ column: name, widening }] : []
  })
}

const withJson = (planned: TablePlan, names: ReadonlySet<string>): TablePlan => ({
  ...planned,
  table: {
    ...planned.table,
    columns: planned.table.columns.map((column) =>
      names.has(column.name) ? { ...column, type: { _tag: "JSON" as const } } : column
    )
  }
})
