/**
 * One table of a run while it is written: its rows go into a file that readers do not see, in the final format.
 *
 * Only the buffer of the format is in memory, whatever the number of rows.
 */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import type * as Sink from "#engine/Sink"
import type * as Table from "#engine/Table"
import { widenColumns } from "#engine/widen"
import { attempt } from "./failure.ts"
import { columnsOf, type TableState } from "./folder/State.ts"
import type { Format, RowFile } from "./format/Format.ts"
import { reshaper } from "./reshaper.ts"

export interface Stage extends Sink.TablePlan {
  /** The columns of the table before this run; undefined: there was no table, or it gets those of the run. */
  readonly before: ReadonlyArray<Column.Column> | undefined
  /** The columns of the staged rows. */
  readonly columns: ReadonlyArray<Column.Column>
  readonly reshape: (rows: ReadonlyArray<Table.Row>) => ReadonlyArray<Table.Row>
  /** Begins a file for staged rows. */
  readonly begin: () => RowFile
  /** The rows that wait for the commit. */
  staged: RowFile | undefined
  /** The keys of rows that this run could not read. */
  readonly retained: Array<Table.Row>
  /** The number of rows of earlier commits of this run, which are the last rows of the table. */
  committed: number
}

export const of = (
  plan: Sink.Plan,
  planned: Sink.TablePlan,
  stored: TableState | undefined,
  files: { readonly format: Format; readonly folder: string }
): Stage => {
  const { table, write } = planned
  // In a shared table, rows of other pipelines stay, even if this pipeline replaces its own.
  const isReplaced = write === "replace" && plan.shared !== true && plan.evolve
  const before = stored === undefined || isReplaced ? undefined : columnsOf(stored)
  const columns = before === undefined ? table.columns : plan.evolve ? widenColumns(before, table.columns) : before
  const path = Path.join(files.folder, table.name)
  return {
    ...planned,
    before,
    columns,
    reshape: reshaper(table.columns, columns),
    begin: () => files.format.create(path, columns),
    staged: undefined,
    retained: [],
    committed: 0
  }
}

export const write = (stage: Stage, rows: ReadonlyArray<Table.Row>) =>
  attempt(`table ${stage.table.name}`, async () => {
    stage.staged ??= stage.begin()
    await stage.staged.add(stage.reshape(rows))
  })

/** Takes keys whose rows this run could not read. */
export const retainKeys = (stage: Stage, keys: ReadonlyArray<Table.Row>) =>
  Effect.sync(() => {
    for (const key of keys) stage.retained.push(key)
  })

/** Ends the file of staged rows. */
export const finish = (stage: Stage) =>
  attempt(`table ${stage.table.name}`, async () => {
    await stage.staged?.finish()
  })

/** Removes the staged file after a commit. */
export const clear = (stage: Stage) =>
  attempt(`table ${stage.table.name}`, async () => {
    if (stage.staged === undefined) return
    stage.committed += stage.staged.rows
    await Fs.rm(stage.staged.path, { force: true })
    stage.staged = undefined
  })
