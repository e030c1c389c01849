/**
 * How a commit changes the rows of one table under each write disposition: the rows that stay, the rows that are added,
 * and the counts.
 */
import type * as Column from "../Column.ts"
import type { TableResult } from "../Commit.ts"
import { comparedColumns, versionColumn, withoutReading } from "../comparedColumns.ts"
import * as Owner from "../Owner.ts"
import { absentColumns } from "../SinkPlan.ts"
import * as Table from "../Table.ts"
import { historyColumns, isHistory, pipelineColumn } from "../WriteDisposition.ts"
import { widenColumns } from "../widen.ts"
import { mergeByKey, mergeByParent } from "./mergeRows.ts"
import type { RowStage, RowTable } from "./RowStage.ts"
import { exactly, reshaped } from "./reshapeRows.ts"
import {
  addChildren,
  addVersions,
  asFirstVersions,
  type Parents,
  type Versions,
  withoutVersionsOf
} from "./rowVersions.ts"

type Columns = ReadonlyArray<Column.Column>
type Rows = ReadonlyArray<Table.Row>

interface Circumstances {
  /** The stage of the table that the rows belong to. */
  readonly parent: RowStage | undefined
  /** What the run did to the versions of the parent, if that is a history. */
  readonly versions?: Versions | undefined
  readonly complete: boolean
  readonly isFirst: boolean
  /** When the run began. */
  readonly at: bigint
  /** Whether versions of keys that this run did not see are closed. */
  readonly closes: boolean
}

/** What every disposition begins with. */
interface Beginning {
  readonly stage: RowStage
  readonly staged: Rows
  /** The columns of the staged rows, with those of a history. */
  readonly columns: Columns
  readonly stored: RowTable
  readonly isAgain: boolean
  readonly of: Circumstances
  readonly isOurs: (row: Table.Row) => boolean
  /** Leaves out the rows that this run wrote before: the first commit of a replay removes them. */
  readonly withoutRun: (rows: Rows) => Rows
}

/** The table after the commit, and the counts. */
interface Change extends RowTable, Partial<TableResult> {
  readonly written: number
  readonly versions?: Versions
}

/** The table after the commit, and what happened to the staged rows. The arguments are not changed. */
export const changeRows = (stage: RowStage, before: RowTable | undefined, of: Circumstances) => {
  const { plan, table, write } = stage
  const staged = stage.staged.map(({ row }) => row)
  const ownColumns = write === "scd2" ? [...stage.columns, ...historyColumns] : stage.columns
  const owners = Owner.namesOf(plan.pipeline)
  const isAgain = of.isFirst && plan.again === true
  const {
    columns,
    kept = 0,
    rows,
    unchanged = 0,
    versions,
    written
  } = changeOf[write]({
    stage,
    staged,
    columns: ownColumns,
    stored: before ?? { columns: ownColumns, rows: [] },
    isAgain,
    of,
    isOurs: (row) => plan.shared !== true || owners.includes(String(row[pipelineColumn.name])),
    withoutRun: (all) => (isAgain ? all.filter((row) => row["_run_id"] !== plan.runId) : all)
  })
  const superseded = staged.length - written - unchanged
  return {
    name: table.name,
    table: { columns, rows },
    versions,
    result: { received: staged.length, written, unchanged, superseded, kept }
  }
}

const replace = ({ columns, isOurs, of, stage, staged, stored, withoutRun }: Beginning): Change => {
  const earlier = stored.rows.length - stage.committed
  const others = withoutRun(stored.rows.slice(0, earlier))
  const ours = new Set(remainingRows(others.filter(isOurs), stage, of.parent, of.complete))
  const left = others.filter((row) => !isOurs(row) || ours.has(row))
  if (left.length > 0 && isHistory(stored.columns) && !isHistory(stage.table.columns)) {
    throw new Error(
      `it is a history, and ${left.length} of its versions would stay, because this run could not read everything or the table is shared; write it with scd2, or run again when everything can be read`
    )
  }
  const wide = left.length === 0 ? columns : widenColumns(stored.columns, columns, exactly)
  const there = reshaped([...left, ...stored.rows.slice(earlier)], stored.columns, wide)
  const rows = [...there, ...reshaped(staged, columns, wide)]
  return { columns: wide, rows, written: staged.length, kept: ours.size }
}

const scd2 = ({ columns, isAgain, isOurs, of, stage, staged, stored }: Beginning): Change => {
  const { fingerprint = [], plan, table } = stage
  const present = reshaped(stored.rows, stored.columns, columns)
  const versions = isHistory(stored.columns) ? present : asFirstVersions(present)
  const ours = versions.filter(isOurs)
  const others = versions.filter((row) => !isOurs(row))
  const parents = parentsOf(stage, of)
  if (parents !== undefined) {
    const there = isAgain ? withoutVersionsOf(ours, plan.runId, table.key, of.at, parents) : ours
    const change = addChildren(there, { key: table.key, parents, staged: stage.staged }, of.at)
    return { ...change, columns, rows: [...others, ...change.rows] }
  }
  const seen = [...stage.written, ...staged, ...stage.retained].map((row) => Table.keyText(row, table.key))
  const compared = [...fingerprint, ...absentColumns(stage, columns)]
  const prints = columns.filter(({ name }) => compared.includes(name)).map((column) => ({ column, except: [] }))
  const change = addVersions(isAgain ? withoutVersionsOf(ours, plan.runId, table.key, of.at) : ours, staged, {
    key: table.key,
    fingerprint: prints,
    reread: { version: versionColumn(table, columns), compared: withoutReading(table, prints) },
    at: of.at,
    seen: of.closes ? new Set(seen) : undefined
  })
  return { ...change, columns, rows: [...others, ...change.rows] }
}

/** The rows whose versions the rows of this table have. */
const parentsOf = ({ table }: RowStage, { parent, versions }: Circumstances): Parents | undefined => {
  if (parent === undefined || versions === undefined) return undefined
  const { key } = parent.table
  const on = new Map(Object.entries(table.parent?.on ?? {}).map(([ours, theirs]) => [theirs, ours]))
  const ours = key.map((name) => on.get(name) ?? name)
  return {
    staged: parent.staged,
    nameOf: (row) => Table.keyText(row, key),
    keyOf: (child) => Table.keyText(child, ours),
    versions
  }
}

const append = ({ columns, staged, stored, withoutRun }: Beginning): Change => {
  const others = withoutRun(reshaped(stored.rows, stored.columns, columns))
  return { columns, rows: [...others, ...staged], written: staged.length }
}

const merge = ({ columns, of, stage, staged, stored, withoutRun }: Beginning): Change => {
  const { table } = stage
  const others = withoutRun(reshaped(stored.rows, stored.columns, columns))
  const compared = comparedColumns(table, columns)
  const reread = { version: versionColumn(table, columns), compared: withoutReading(table, compared) }
  const change =
    table.parent === undefined
      ? mergeByKey(table.key, compared, others, staged, reread)
      : mergeByParent({ ...table, parent: table.parent }, compared, others, stage.staged, of.parent?.staged ?? [])
  return { ...change, columns }
}

const changeOf = { append, merge, replace, scd2 }

/**
 * The rows of earlier runs that replace keeps.
 *
 * A staged row replaces the row of its key, and its children replace the children of that row, even if it has none. Rows
 * that the run neither wrote nor retained are removed only if the run was complete. The children of a row that stays, stay.
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
  // Without a key or a parent, no stored row can be found for a staged one.
  const [ours, theirs] = on === undefined ? [stage.table.key, stage.table.key] : [Object.keys(on), Object.values(on)]
  if (ours.length === 0) return isComplete ? [] : others
  const { retained, staged, written } = on === undefined || parent === undefined ? stage : parent
  const keyOf = (row: Table.Row) => Table.keyText(row, theirs)
  const goes = new Set([...staged.map(({ row }) => row), ...written].map(keyOf))
  const stays = new Set(retained.map(keyOf))
  return others.filter((row) => {
    // No row is known to be another one without a key.
    if (Table.lacksKey(row, ours)) return !isComplete
    const key = Table.keyText(row, ours)
    return !goes.has(key) && (!isComplete || stays.has(key))
  })
}
