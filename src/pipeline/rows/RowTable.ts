/**
 * A table held as rows in memory, and what a commit makes of it under each write disposition.
 *
 * A sink that can read a whole table and put another in its place needs no more. It is also the reference of what the
 * dispositions do: sinks that do it in SQL, or by files, leave the same rows.
 */
import type * as Column from "../Column.ts"
import type { Commit, TableResult } from "../Commit.ts"
import { comparedColumns, versionColumn, withoutReading } from "../comparedColumns.ts"
import * as Owner from "../Owner.ts"
import { type Plan, storedFault, type TablePlan } from "../SinkPlan.ts"
import * as Table from "../Table.ts"
import { historyColumns, isHistory, pipelineColumn, withoutHistory } from "../WriteDisposition.ts"
import { widenColumns } from "../widen.ts"
import { lastOfEach, mergeByKey, mergeByParent, type Staged } from "./mergeRows.ts"
import { exactly, reshaped, rethrown } from "./reshapeRows.ts"
import { addVersions, asFirstVersions, withoutVersionsOf } from "./rowVersions.ts"

type Columns = ReadonlyArray<Column.Column>
type Rows = ReadonlyArray<Table.Row>
/** A table as rows in memory. */
export interface RowTable {
  readonly columns: Columns
  /** In the order written. Their cells are of these columns. */
  readonly rows: Rows
}

/** One table of a run while it is written. */
export interface RowStage extends TablePlan {
  readonly plan: Plan
  /** What was there before this run, without the columns of a history. */
  readonly before: Columns | undefined
  /** What the table has in this run: settled at open, so that a commit compares and adds cells of the same types. */
  readonly columns: Columns
  /** The rows that wait for the commit. */
  staged: Array<Staged>
  /** The keys of the rows that this run could not learn. */
  retained: Array<Table.Row>
  /** The rows of earlier commits of this run, as they were handed over, and how many of them are in the table. */
  written: Array<Table.Row>
  committed: number
}

/** What a commit made of the tables of a run. */
export interface Change {
  readonly tables: ReadonlyMap<string, RowTable>
  readonly results: Readonly<Record<string, TableResult>>
}

/**
 * Why an existing table cannot be written as planned; undefined: it can.
 *
 * @example
 * ```ts
 * import { RowTable, type Sink } from "millrace"
 *
 * const why = (planned: Sink.TablePlan, stored: RowTable.RowTable) => RowTable.fault(planned, stored, true)
 * console.log(why.length) // 2
 * ```
 */
export const fault = (planned: TablePlan, stored: RowTable | undefined, evolve: boolean): string | undefined => {
  const { table, write } = planned
  if (stored === undefined || write === "replace") return undefined
  const isRepeated = () => lastOfEach(table.key, stored.rows).size < stored.rows.length
  return (
    storedFault(planned, stored.columns, evolve) ??
    (write === "scd2" && !isHistory(stored.columns) && isRepeated()
      ? `table ${table.name} of the database has several rows of one key, so it cannot become a history; keep one of each`
      : undefined)
  )
}

/**
 * One table of a run, before any row of it is written.
 *
 * @example
 * ```ts
 * import { RowTable, type Sink } from "millrace"
 *
 * const opened = (plan: Sink.Plan) => plan.tables.map((planned) => RowTable.stage(planned, undefined, plan))
 * console.log(opened.length) // 1
 * ```
 */
export const stage = (planned: TablePlan, stored: RowTable | undefined, plan: Plan): RowStage => {
  const { table, write } = planned
  // Rows of others stay in a shared table, whatever its pipelines write.
  const isReplaced = write === "replace" && plan.shared !== true
  const present = stored === undefined || isReplaced ? undefined : stored.columns
  const before = present !== undefined && write === "scd2" ? withoutHistory(present) : present
  const columns =
    before === undefined ? table.columns : plan.evolve ? widenColumns(before, table.columns, exactly) : before
  return { ...planned, plan, before, columns, staged: [], retained: [], written: [], committed: 0 }
}

/**
 * Takes the rows of a batch; `batch` is its number in the run. It throws if a cell does not fit the table.
 *
 * @example
 * ```ts
 * import { RowTable, type Table } from "millrace"
 *
 * const take = (stage: RowTable.RowStage, { rows }: Table.Batch) => RowTable.add(stage, rows, 1)
 * console.log(take.length) // 2
 * ```
 */
export const add = (stage: RowStage, rows: Rows, batch: number): void => {
  for (const row of reshaped(rows, stage.table.columns, stage.columns)) stage.staged.push({ row, batch })
}

/**
 * Changes all tables of a run. Throws where one cannot be what the commit would make of it; then nothing is changed.
 *
 * @example
 * ```ts
 * import { RowTable, type Sink } from "millrace"
 *
 * const commit = (stages: ReadonlyArray<RowTable.RowStage>, what: Sink.Commit) =>
 *   RowTable.commit(stages, new Map(), what, { isFirst: true }).results
 * console.log(commit.length) // 2
 * ```
 */
export const commit = (
  stages: ReadonlyArray<RowStage>,
  stored: ReadonlyMap<string, RowTable>,
  { complete, run }: Commit,
  { isFirst, removed = "keep" }: { readonly isFirst: boolean; readonly removed?: "keep" | "close" | undefined }
): Change => {
  const changes = stages.map((stage) => {
    const parent = stages.find(({ table }) => table.name === stage.table.parent?.table)
    const before = stored.get(stage.table.name)
    return inTable(stage, () =>
      change(stage, before, { parent, complete, isFirst, at: run.startedAt, closes: removed === "close" && complete })
    )
  })
  for (const [at, stage] of stages.entries()) {
    stage.committed += changes[at]?.result.written ?? 0
    stage.written.push(...stage.staged.map(({ row }) => row))
    stage.staged = []
  }
  return {
    tables: new Map(changes.map(({ name, table }) => [name, table])),
    results: Object.fromEntries(changes.map(({ name, result }) => [name, result]))
  }
}

interface Circumstances {
  readonly parent: RowStage | undefined
  readonly complete: boolean
  readonly isFirst: boolean
  /** When the run began. */
  readonly at: bigint
  /** Whether versions of keys that this run did not see are closed. */
  readonly closes: boolean
}

const change = (stage: RowStage, before: RowTable | undefined, of: Circumstances) => {
  const { fingerprint = [], plan, table, write } = stage
  const staged = stage.staged.map(({ row }) => row)
  const made = (columns: Columns, rows: Rows, counts: Partial<TableResult> & { readonly written: number }) => {
    const { kept = 0, unchanged = 0, written } = counts
    const superseded = staged.length - written - unchanged
    return {
      name: table.name,
      table: { columns, rows },
      result: { received: staged.length, written, unchanged, superseded, kept }
    }
  }
  const columns = write === "scd2" ? [...stage.columns, ...historyColumns] : stage.columns
  const stored = before ?? { columns, rows: [] }
  const owners = Owner.namesOf(plan.pipeline)
  const isOurs = (row: Table.Row) => plan.shared !== true || owners.includes(String(row[pipelineColumn.name]))
  // What a run left that is written again makes way, in its first commit.
  const isAgain = of.isFirst && plan.again === true
  const withoutRun = (rows: Rows) => (isAgain ? rows.filter((row) => row["_run_id"] !== plan.runId) : rows)

  if (write === "replace") {
    const earlier = stored.rows.length - stage.committed
    const others = withoutRun(stored.rows.slice(0, earlier))
    const ours = new Set(remainingRows(others.filter(isOurs), stage, of.parent, of.complete))
    const left = others.filter((row) => !isOurs(row) || ours.has(row))
    if (left.length > 0 && isHistory(stored.columns) && !isHistory(table.columns)) {
      throw new Error(
        `it is a history, and this run has no rows for ${left.length} of its versions; replace it by a run that is complete and keeps nothing, or write it with scd2`
      )
    }
    const wide = left.length === 0 ? columns : widenColumns(stored.columns, columns, exactly)
    const there = reshaped([...left, ...stored.rows.slice(earlier)], stored.columns, wide)
    return made(wide, [...there, ...reshaped(staged, columns, wide)], { written: staged.length, kept: ours.size })
  }
  const present = reshaped(stored.rows, stored.columns, columns)
  if (write === "scd2") {
    const versions = isHistory(stored.columns) ? present : asFirstVersions(present)
    const ours = versions.filter(isOurs)
    const seen = [...stage.written, ...staged, ...stage.retained].map((row) => Table.keyText(row, table.key))
    const prints = columns.filter(({ name }) => fingerprint.includes(name)).map((column) => ({ column, except: [] }))
    const { rows, ...counts } = addVersions(
      isAgain ? withoutVersionsOf(ours, plan.runId, table.key, of.at) : ours,
      staged,
      {
        key: table.key,
        fingerprint: prints,
        anew: { version: versionColumn(table, columns), compared: withoutReading(table, prints) },
        at: of.at,
        seen: of.closes ? new Set(seen) : undefined
      }
    )
    return made(columns, [...versions.filter((row) => !isOurs(row)), ...rows], counts)
  }
  const others = withoutRun(present)
  if (write === "append") return made(columns, [...others, ...staged], { written: staged.length })
  const compared = comparedColumns(table, columns)
  const { rows, ...counts } =
    table.parent === undefined
      ? mergeByKey(table.key, compared, others, staged, {
          version: versionColumn(table, columns),
          compared: withoutReading(table, compared)
        })
      : mergeByParent({ ...table, parent: table.parent }, compared, others, stage.staged, of.parent?.staged ?? [])
  return made(columns, rows, counts)
}

/**
 * What replace leaves of the rows that were there before its run.
 *
 * A row goes for a staged one of its key, the children of a row for those of the staged one, come or not. What the run neither
 * wrote nor was told to retain goes only where the run was complete; the children of a row that stays, stay.
 *
 * `others`: the rows of this pipeline that other runs wrote. `parent`: the stage of the table that it belongs to.
 */
const remainingRows = (
  others: ReadonlyArray<Table.Row>,
  stage: RowStage,
  parent: RowStage | undefined,
  isComplete: boolean
): ReadonlyArray<Table.Row> => {
  const on = parent === undefined ? undefined : stage.table.parent?.on
  // Rows without a key of their own or a parent's are taken for new ones.
  const [ours, theirs] = on === undefined ? [stage.table.key, stage.table.key] : [Object.keys(on), Object.values(on)]
  if (ours.length === 0) return isComplete ? [] : others
  const { retained, staged, written } = on === undefined || parent === undefined ? stage : parent
  const keyOf = (row: Table.Row) => Table.keyText(row, theirs)
  const goes = new Set([...staged.map(({ row }) => row), ...written].map(keyOf))
  const stays = new Set(retained.map(keyOf))
  return others.filter((row) => {
    const key = Table.keyText(row, ours)
    return !goes.has(key) && (!isComplete || stays.has(key))
  })
}

const inTable = <A>({ table }: RowStage, run: () => A): A => rethrown(`table ${table.name}`, run)
