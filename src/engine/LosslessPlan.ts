/**
 * A plan under which no stored value changes.
 *
 * A run that has a DOUBLE for a column of exact numbers would widen it, and round what a double cannot hold: 9007199254740993. So
 * the stored values are asked. If one of them would change, the column of the run becomes JSON instead, and so does that of the
 * destination: JSON keeps all digits of each value. A column of the key is not widened at all (`widerKeyFault`). A column that refers
 * to a row of another table has the type that the key of this row has. Empty lists and objects widen nothing: they have the stored type.
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
  const tables: Array<TablePlan> = []
  const isReplaced = ({ write }: TablePlan) => write === "replace" && plan.shared !== true && plan.evolve
  for (const given of plan.tables) {
    const planned = given.table.columns.some(isUnseen) ? seen(given, (yield* storedOf(given)) ?? []) : given
    const isAsked = plan.evolve && !isReplaced(planned) && hasDouble(planned)
    const stored = isAsked ? yield* storedOf(planned) : undefined
    const lossy = new Set<string>()
    for (const { column, widening } of wideningsOf(planned, stored ?? [])) {
      if (yield* changes(planned.table.name, widening)) lossy.add(column)
    }
    const own = lossy.size === 0 ? planned : withJson(planned, lossy)
    const parent = plan.tables.find(({ table }) => table.name === planned.table.parent?.table)
    const above = parent === undefined || isReplaced(parent) ? [] : ((yield* storedOf(parent)) ?? [])
    tables.push(parent === undefined ? own : referring(own, [above, parent.table.columns]))
  }
  return { ...plan, tables }
})

/** Whether the rows of a run do not show all of the type of a column. */
export const isUnseen = ({ type, unseen }: Column.Column): boolean =>
  unseen !== undefined ||
  (type._tag === "LIST" && isUnseen(type.of)) ||
  (type._tag === "STRUCT" && type.fields.some(isUnseen))

/** The same table, with the stored types where the rows of the run show none. */
const seen = (planned: TablePlan, stored: Stored): TablePlan => {
  const columns = planned.table.columns.map((column) => seenAs(column, Column.named(stored, column.name)?.type))
  return { ...planned, table: { ...planned.table, columns } }
}

const seenAs = (column: Column.Column, there: Column.ColumnType | undefined): Column.Column => {
  const { type, unseen } = column
  if (there === undefined) return column
  if (unseen === "type" || (unseen === "members" && there._tag === "STRUCT")) return { ...column, type: there }
  if (type._tag === "LIST" && there._tag === "LIST") {
    return { ...column, type: { _tag: "LIST", of: seenAs(type.of, there.of.type) } }
  }
  if (type._tag !== "STRUCT" || there._tag !== "STRUCT") return column
  const fields = type.fields.map((field) => seenAs(field, there.fields.find(({ name }) => name === field.name)?.type))
  return { ...column, type: { _tag: "STRUCT", fields } }
}

/** The same table, whose columns that refer to its parent hold what the parent has: stored, and of the run. */
const referring = (planned: TablePlan, above: ReadonlyArray<Stored>): TablePlan => {
  const on = new Map(Object.entries(planned.table.parent?.on ?? {}))
  const columns = planned.table.columns.map((column) => {
    const theirs = on.get(column.name)
    const types = theirs === undefined ? [] : above.flatMap((columns) => Column.named(columns, theirs)?.type ?? [])
    return { ...column, type: types.reduceRight((type, wider) => widen(wider, type), column.type) }
  })
  return { ...planned, table: { ...planned.table, columns } }
}

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
