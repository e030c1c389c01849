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
import { addVersions, asFirstVersions, withoutVersionsOf } from "./rowVersions.ts"

type Columns = ReadonlyArray<Column.Column>
type Rows = ReadonlyArray<Table.Row>

interface Circumstances {
  /** The stage of the table that the rows belong to. */
  readonly parent: RowStage | undefined
  readonly complete: boolean
  readonly isFirst: boolean
  /** When the run began. */
  readonly at: bigint
  /** Whether versions of keys that this run did not see are closed. */
  readonly closes: boolean
}

/** The table after the commit, and what happened to the staged rows. The arguments are not changed. */
export const changeRows = (stage: RowStage, before: RowTable | undefined, of: Circumstances) => {
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
  // In a replay, the first commit removes the rows that this run wrote before.
  const isAgain = of.isFirst && plan.again === true
  const withoutRun = (rows: Rows) => (isAgain ? rows.filter((row) => row["_run_id"] !== plan.runId) : rows)

  if (write === "replace") {
    const earlier = stored.rows.length - stage.committed
    const others = withoutRun(stored.rows.slice(0, earlier))
    const ours = new Set(remainingRows(others.filter(isOurs), stage, of.parent, of.complete))
    const left = others.filter((row) => !isOurs(row) || ours.has(row))
    if (left.length > 0 && isHistory(stored.columns) && !isHistory(table.columns)) {
      throw new Error(
        `it is a history, and ${left.length} of its versions would stay, because this run could not read everything or the table is shared; write it with scd2, or run again when everything can be read`
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
    const compared = [...fingerprint, ...absentColumns(stage, columns)]
    const prints = columns.filter(({ name }) => compared.includes(name)).map((column) => ({ column, except: [] }))
    const { rows, ...counts } = addVersions(
      isAgain ? withoutVersionsOf(ours, plan.runId, table.key, of.at) : ours,
      staged,
      {
        key: table.key,
        fingerprint: prints,
        reread: { version: versionColumn(table, columns), compared: withoutReading(table, prints) },
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
    const key = Table.keyText(row, ours)
    return !goes.has(key) && (!isComplete || stays.has(key))
  })
}
