/**
 * A table as rows in memory, and how a commit changes it under each write disposition.
 *
 * A sink that can read a whole table and replace it needs nothing else. It is also the reference for the dispositions: sinks
 * that implement them in SQL or with files leave the same rows.
 */
import * as Effect from "effect/Effect"
import * as ColumnRegistry from "./ColumnRegistry.ts"
import type { Commit, TableResult } from "./Commit.ts"
import * as LosslessPlan from "./LosslessPlan.ts"
import { changeRows } from "./rows/changeRows.ts"
import { AmbiguousKey, lastOfEach } from "./rows/mergeRows.ts"
import type { RowStage, RowTable } from "./rows/RowStage.ts"
import { exactly, reshaped, rethrown } from "./rows/reshapeRows.ts"
import { type Plan, parentsFirst, storedFault, type TablePlan, widerKeyFault } from "./SinkPlan.ts"
import { narrowKey } from "./StoredTable.ts"
import type * as Table from "./Table.ts"
import { isHistory, withoutHistory } from "./WriteDisposition.ts"
import { linkColumns, widenColumns } from "./widen.ts"

export type { RowStage, RowTable } from "./rows/RowStage.ts"

/** The result of a commit. */
export interface Change {
  /** Each table of the run after the commit, by name. Store all of them at once. */
  readonly tables: ReadonlyMap<string, RowTable>
  /** What happened to the rows of each table, by name. */
  readonly results: Readonly<Record<string, TableResult>>
}

/**
 * The plan as these tables take it: with the names that their columns have for the names of the rows, and with JSON for columns
 * that would change a stored number where they are widened. Open the sink with this plan.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Schema from "effect/Schema"
 * import { RowTable, type Sink, Table } from "millrace"
 *
 * const of = (n: Schema.Top) => Table.make({ name: "t", description: "t", schema: Schema.Struct({ n }) })
 * const stored = new Map([["t", { columns: of(Schema.BigInt).columns, rows: [{ n: 2n ** 53n + 1n }] }]])
 * const tables = [{ table: of(Schema.Finite), write: "append" as const }]
 * const plan: Sink.Plan = { pipeline: "p", runId: "run-1", directory: ".", evolve: true, tables }
 * console.log(Effect.runSync(RowTable.planFor(stored, plan)).tables[0]?.table.columns[0]?.type._tag) // "JSON"
 * ```
 */
export const planFor = (stored: ReadonlyMap<string, RowTable>, plan: Plan): Effect.Effect<Plan> =>
  LosslessPlan.of(
    ColumnRegistry.withLists(
      ColumnRegistry.named(plan, (table) => ColumnRegistry.ofTable(stored.get(table))),
      [...stored].map(([name, table]) => ({ ...table, name, registry: ColumnRegistry.ofTable(table) }))
    ),
    ({ table }) => Effect.succeed(stored.get(table.name)?.columns),
    (table, widening) => Effect.succeed(LosslessPlan.changesAny(stored.get(table)?.rows ?? [], widening))
  )

/**
 * Why an existing table cannot be written as planned; undefined: it can.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { RowTable, Table } from "millrace"
 *
 * const table = Table.make({ name: "t", description: "t", key: ["id"], schema: Schema.Struct({ id: Schema.Int }) })
 * const twice: RowTable.RowTable = { columns: table.columns, rows: [{ id: 1 }, { id: 1 }] }
 * console.log(RowTable.fault({ table, write: "merge" }, twice, true)) // undefined
 * console.log(RowTable.fault({ table, write: "scd2" }, twice, true)?.split(", ")[0]) // "table t of the database has several rows of one key"
 * ```
 */
export const fault = (planned: TablePlan, stored: RowTable | undefined, evolve: boolean): string | undefined => {
  const { table, write } = planned
  if (stored === undefined || (write === "replace" && evolve)) return undefined
  const isRepeated = () => lastOfEach(table.key, stored.rows).size < stored.rows.length
  return (
    storedFault(planned, stored.columns, evolve) ??
    (evolve ? widerKeyFault(planned, stored.columns) : undefined) ??
    (write === "scd2" && !isHistory(stored.columns) && isRepeated()
      ? `table ${table.name} of the database has several rows of one key, so it cannot become a history; keep one of each`
      : undefined)
  )
}

/**
 * Makes the stage of one table of a run, before any row is written.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { RowTable, Table } from "millrace"
 *
 * const table = Table.make({ name: "t", description: "t", schema: Schema.Struct({ id: Schema.Int, new: Schema.Int }) })
 * const planned = { table, write: "append" as const }
 * const plan = { pipeline: "p", runId: "run-1", directory: ".", evolve: true, tables: [planned] }
 * const stored: RowTable.RowTable = { columns: table.columns.slice(0, 1), rows: [{ id: 1 }] }
 * const { before, columns } = RowTable.stage(planned, stored, plan)
 * console.log(before?.map(({ name }) => name), columns.map(({ name }) => name)) // ["id"] ["id", "new"]
 * ```
 */
export const stage = (planned: TablePlan, stored: RowTable | undefined, plan: Plan): RowStage => {
  const { table, write } = planned
  // In a shared table, rows of other pipelines stay, even if this pipeline replaces its own.
  const isReplaced = write === "replace" && plan.shared !== true && plan.evolve
  const present = stored === undefined || isReplaced ? undefined : stored.columns
  const before = present !== undefined && write === "scd2" ? withoutHistory(present) : present
  const columns =
    before === undefined ? table.columns : plan.evolve ? widenColumns(before, table.columns, exactly) : before
  return { ...planned, plan, before, columns, staged: [], retained: [], written: [], committed: 0 }
}

/**
 * Adds the rows of a batch to the stage; `batch` is its number in the run. It throws if a cell does not fit the table.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { RowTable, Table } from "millrace"
 *
 * const table = Table.make({ name: "t", description: "t", schema: Schema.Struct({ id: Schema.Int }) })
 * const planned = { table, write: "append" as const }
 * const plan = { pipeline: "p", runId: "run-1", directory: ".", evolve: true, tables: [planned] }
 * const stage = RowTable.stage(planned, undefined, plan)
 * RowTable.add(stage, [{ id: 1 }, { id: 2 }], 1)
 * console.log(stage.staged.length) // 2
 * ```
 */
export const add = (stage: RowStage, rows: ReadonlyArray<Table.Row>, batch: number): void => {
  for (const row of reshaped(rows, stage.table.columns, stage.columns)) stage.staged.push({ row, batch })
}

/**
 * Commits the staged rows of all tables of a run. If a table cannot be changed as planned, it throws and changes nothing.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { RowTable, type Sink, Table } from "millrace"
 *
 * const schema = Schema.Struct({ id: Schema.Int, name: Schema.String })
 * const planned = { table: Table.make({ name: "t", description: "t", key: ["id"], schema }), write: "merge" as const }
 * const plan: Sink.Plan = { pipeline: "p", runId: "run-1", directory: ".", evolve: true, tables: [planned] }
 * const stored: RowTable.RowTable = { columns: planned.table.columns, rows: [{ id: 1, name: "uno" }] }
 * const stage = RowTable.stage(planned, stored, plan)
 * RowTable.add(stage, [{ id: 1, name: "one" }], 1)
 * const run = { runId: "run-1", pipeline: "p", startedAt: 0n, committedAt: 0n, facts: {}, rows: {} }
 * const what = { checkpoint: { runId: "run-1", state: null }, run, checks: [], complete: true }
 * const { tables } = RowTable.commit([stage], new Map([["t", stored]]), what, { isFirst: true })
 * console.log(tables.get("t")?.rows) // [{ id: 1, name: "one" }]
 * ```
 */
export const commit = (
  stages: ReadonlyArray<RowStage>,
  stored: ReadonlyMap<string, RowTable>,
  { complete, run }: Commit,
  { isFirst, removed = "keep" }: { readonly isFirst: boolean; readonly removed?: "keep" | "close" | undefined }
): Change => {
  const changesByTable = new Map<string, TableChange>()
  for (const stage of parentsFirst(stages)) {
    const parent = stages.find(({ table }) => table.name === stage.table.parent?.table)
    const before = stored.get(stage.table.name)
    const change = inTable(stage, () =>
      changeRows(stage, before, {
        parent,
        versions: parent && changesByTable.get(parent.table.name)?.versions,
        complete,
        isFirst,
        at: run.startedAt,
        closes: removed === "close" && complete
      })
    )
    changesByTable.set(stage.table.name, linked(stage, change, parent && changesByTable.get(parent.table.name)))
  }
  const changes = stages.flatMap(({ table }) => changesByTable.get(table.name) ?? [])
  for (const [at, stage] of stages.entries()) {
    stage.committed += changes[at]?.result.written ?? 0
    for (const { row } of stage.staged) stage.written.push(row)
    stage.staged = []
  }
  return {
    tables: new Map(
      changes.map(({ name, table }, at) => {
        const [stage, before] = [stages[at], ColumnRegistry.ofTable(stored.get(name))]
        const registry = stage === undefined ? before : ColumnRegistry.after(stage, before, stage.plan)
        return [name, { ...table, registry }]
      })
    ),
    results: Object.fromEntries(changes.map(({ name, result }) => [name, result]))
  }
}

type TableChange = ReturnType<typeof changeRows>

/** A replaced table refers to its parent by columns that hold what the parent's columns hold, also those of old rows that stayed. */
const linked = ({ plan, table: { parent }, write }: RowStage, change: TableChange, above: TableChange | undefined) => {
  if (above === undefined || write !== "replace" || !plan.evolve) return change
  const columns = linkColumns(change.table.columns, parent, above.table.columns)
  if (columns.every(({ type }, at) => type === change.table.columns[at]?.type)) return change
  return { ...change, table: { columns, rows: reshaped(change.table.rows, change.table.columns, columns) } }
}

const inTable = <A>({ table }: RowStage, run: () => A): A => {
  try {
    return run()
  } catch (cause) {
    if (cause instanceof AmbiguousKey) throw new Error(narrowKey(table), { cause })
    return rethrown(
      () => `table ${table.name}`,
      () => {
        throw cause
      }
    )
  }
}
