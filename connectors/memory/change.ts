/** What a table is after a commit, by its write disposition, and what became of the rows that were staged. */
import type * as Column from "../../src/pipeline/Column.ts"
import { comparedColumns } from "../../src/pipeline/comparedColumns.ts"
import * as Sink from "../../src/pipeline/Sink.ts"
import type * as Table from "../../src/pipeline/Table.ts"
import type * as Database from "./Database.ts"
import { evolve, reshape } from "./evolve.ts"
import { adopt, forget, remember } from "./history.ts"
import { leave } from "./leave.ts"
import { mergeByKey, mergeByParent } from "./merge.ts"
import * as Stage from "./Stage.ts"
import { isHistory } from "./storedFault.ts"

type Rows = ReadonlyArray<Table.Row>

export interface Circumstances {
  readonly commit: Sink.Commit
  /** The table as it is before this commit. */
  readonly stored: Database.Stored | undefined
  readonly parent: Stage.Stage | undefined
  /** The run whose earlier rows make way, if one does. */
  readonly forgotten: string | undefined
  /** Whether a row is of this pipeline: every one where the table is not shared. */
  readonly isOurs: (row: Table.Row) => boolean
  readonly removed: "keep" | "close" | undefined
}

export interface Change {
  readonly stored: Database.Stored
  readonly receipt: Sink.TableResult
}

/** Throws where the table cannot be what the commit would make of it. */
export const change = (stage: Stage.Stage, of: Circumstances): Change => {
  switch (stage.write) {
    case "append":
      return append(stage, of)
    case "replace":
      return replace(stage, of)
    case "merge":
      return merge(stage, of)
    case "scd2":
      return addVersions(stage, of)
  }
}

const append = (stage: Stage.Stage, { forgotten, stored }: Circumstances): Change => {
  const others = without(forgotten, Stage.present(stage, stored))
  return changed(stage, stage.columns, [...others, ...rowsOf(stage)], { written: stage.staged.length })
}

/** The new rows are the table, beside those of others that stay. The table gets as wide as these need it. */
const replace = (stage: Stage.Stage, of: Circumstances): Change => {
  const before = of.stored ?? { columns: stage.columns, rows: [] }
  const since = before.rows.length - stage.committed
  const [others, ours] = [before.rows.slice(0, since), before.rows.slice(since)]
  const { complete } = of.commit
  const left = leave(without(of.forgotten, others), stage, { complete, parent: of.parent, isOurs: of.isOurs })
  const isVersions = isHistory(before) && !isHistory({ columns: stage.table.columns, rows: [] })
  if (left.length > 0 && isVersions) {
    throw new Error(
      `it is a history, and this run has no rows for ${left.length} of its versions; replace it by a run that is complete and keeps nothing, or write it with scd2`
    )
  }
  const columns = left.length === 0 ? stage.columns : evolve(before.columns, stage.columns)
  const rows = [
    ...reshape([...left, ...ours], before.columns, columns),
    ...reshape(rowsOf(stage), stage.columns, columns)
  ]
  return changed(stage, columns, rows, { written: stage.staged.length, kept: left.filter(of.isOurs).length })
}

const merge = (stage: Stage.Stage, { forgotten, parent, stored }: Circumstances): Change => {
  const { columns, table } = stage
  const others = without(forgotten, Stage.present(stage, stored))
  const compared = comparedColumns(table, columns)
  const { rows, ...counts } =
    table.parent === undefined
      ? mergeByKey(table.key, compared, others, rowsOf(stage))
      : mergeByParent({ key: table.key, parent: table.parent }, compared, others, stage.staged, parent?.staged ?? [])
  return changed(stage, columns, rows, counts)
}

const addVersions = (stage: Stage.Stage, { stored, isOurs, ...of }: Circumstances): Change => {
  const { columns, fingerprint, table } = stage
  const { complete, run } = of.commit
  const present = Stage.present(stage, stored)
  const history = stored === undefined || isHistory(stored) ? present : adopt(present)
  const others = history.filter((row) => !isOurs(row))
  const ours = history.filter(isOurs)
  const { rows, ...counts } = remember(
    of.forgotten === undefined ? ours : forget(ours, of.forgotten, table.key, run.startedAt),
    rowsOf(stage),
    {
      key: table.key,
      fingerprint: columns.filter(({ name }) => fingerprint?.includes(name)).map((column) => ({ column, except: [] })),
      at: run.startedAt,
      seen: of.removed === "close" && complete ? stage.seen : undefined
    }
  )
  return changed(stage, Stage.kept(stage), [...others, ...rows], counts)
}

/** What was staged and is neither written nor unchanged, something later took the place of. */
const changed = (
  { staged }: Stage.Stage,
  columns: ReadonlyArray<Column.Column>,
  rows: Rows,
  {
    kept = 0,
    unchanged = 0,
    written
  }: { readonly written: number; readonly unchanged?: number; readonly kept?: number }
): Change => ({
  stored: { columns, rows },
  receipt: { received: staged.length, written, unchanged, superseded: staged.length - written - unchanged, kept }
})

const rowsOf = ({ staged }: Stage.Stage): Rows => staged.map(({ row }) => row)

const without = (runId: string | undefined, rows: Rows): Rows =>
  runId === undefined ? rows : rows.filter((row) => row["_run_id"] !== runId)
