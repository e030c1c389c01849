/**
 * Makes the file of a table after a commit, from the file before and the staged file.
 *
 * It does only the necessary work: a staged file that is the whole table becomes its file, the file of an unchanged table gets
 * a hard link, and rows that are joined unchanged are copied as bytes. Rows are read only if some of them are removed or their
 * columns change.
 */
import * as Fs from "node:fs/promises"
import type * as Column from "#engine/Column"
import type * as Table from "#engine/Table"
import { linkColumns, widenColumns } from "#engine/widen"
import { columnsOf, type TableState } from "../folder/State.ts"
import { type FileKind, type Format, isSame, type RowFile } from "../format/Format.ts"
import { formatOf } from "../format/formatOf.ts"
import { areSame, reshaper } from "../reshaper.ts"
import type { Stage } from "../stage.ts"
import type { remaining } from "./remaining.ts"

interface Made {
  readonly columns: ReadonlyArray<Column.Column>
  readonly rows: number
  /** The number of rows of other runs of this pipeline that replace kept. */
  readonly kept: number
}

/** The table before the commit: its state, and the path of its file. */
export interface Before {
  readonly state: TableState
  readonly file: string
}

export const write = async (
  stage: Stage,
  before: Before | undefined,
  left: Awaited<ReturnType<typeof remaining>>,
  to: {
    readonly path: string
    readonly kind: FileKind
    readonly format: Format
    /** The columns that the parent has now. */
    readonly above: ReadonlyArray<Column.Column>
  }
): Promise<Made> => {
  const own = linkColumns(stage.columns, stage.table.parent, to.above)
  const { staged } = stage
  const stagedRows = staged?.rows ?? 0
  const head = (before?.state.rows ?? 0) - stage.committed
  const isUnread = left.rows === "all" || head === 0
  if (before === undefined || (stage.committed === 0 && (left.rows === "none" || before.state.rows === 0))) {
    if (staged !== undefined && areSame(own, stage.columns)) await Fs.rename(staged.path, to.path)
    else {
      const file = to.format.create(to.path, own)
      if (staged !== undefined) await addStaged(file, staged, stage.columns, own, to.format)
      await file.finish()
    }
    return { columns: own, rows: stagedRows, kept: 0 }
  }
  await refuseDamaged(before)
  const stored = columnsOf(before.state)
  const mayBeNew = stage.write === "replace" && stage.committed === 0 && !areSame(stored, own)
  // Without a row of theirs, the older columns go too.
  if (mayBeNew && !(await hasRemaining(before, left))) return write(stage, before, { ...left, rows: "none" }, to)
  const joined =
    isUnread && isSame(before.state.kind, to.kind) && areSame(stored, stage.columns) && areSame(stored, own)
  if (joined && stagedRows === 0) {
    await linked(before.file, to.path)
    return { columns: stage.columns, rows: before.state.rows, kept: head }
  }
  const columns = stage.write === "replace" ? widenColumns(stored, own) : own
  const file = to.format.create(to.path, columns)
  let keptRows = head
  if (joined) await file.take(before.file, before.state.rows)
  else keptRows = await addRemaining(file, before, left, head, reshaper(stored, columns))
  if (staged !== undefined) await addStaged(file, staged, stage.columns, columns, to.format)
  await file.finish()
  return { columns, rows: file.rows, kept: keptRows }
}

/** Refuses a file whose size has changed: its damage would be copied into the new file and not be noticed. */
const refuseDamaged = async ({ file, state }: Before): Promise<void> => {
  const bytes = await Fs.stat(file).then(
    ({ size }) => size,
    () => undefined
  )
  if (bytes === state.bytes) return
  const what = bytes === undefined ? "is gone" : `has ${bytes} bytes, and ${state.bytes} were written`
  throw new Error(
    `${file} ${what}: put it back from a backup, or move the folder of all tables away, and the next run makes a new one`
  )
}

/** The rows of a file, from row `from` on. */
export async function* rowsFrom({ file, state }: Before, from: number): AsyncGenerator<ReadonlyArray<Table.Row>> {
  const format = await formatOf(state.kind)
  let at = 0
  for await (const rows of format.read(file, columnsOf(state))) {
    if (at + rows.length > from) yield rows.slice(Math.max(0, from - at))
    at += rows.length
  }
}

/** Makes a hard link to a file that never changes, or a copy if the file system has no hard links. */
export const linked = async (from: string, to: string): Promise<void> => {
  try {
    await Fs.link(from, to)
  } catch {
    await Fs.copyFile(from, to, Fs.constants.COPYFILE_FICLONE)
  }
}

const hasRemaining = async (
  before: Before,
  { rows: stays }: Awaited<ReturnType<typeof remaining>>
): Promise<boolean> => {
  if (typeof stays === "string") return stays === "all" && before.state.rows > 0
  for await (const rows of rowsFrom(before, 0)) if (rows.some(stays)) return true
  return false
}

const addRemaining = async (
  file: RowFile,
  before: Before,
  { isOurs, rows: stays }: Awaited<ReturnType<typeof remaining>>,
  head: number,
  reshape: (rows: ReadonlyArray<Table.Row>) => ReadonlyArray<Table.Row>
): Promise<number> => {
  let keptRows = 0
  let at = 0
  for await (const rows of rowsFrom(before, 0)) {
    const left: Array<Table.Row> = []
    for (const row of rows) {
      const isOld = at++ < head
      if (isOld && (stays === "none" || (stays !== "all" && !stays(row)))) continue
      if (isOld && isOurs(row)) keptRows++
      left.push(row)
    }
    await file.add(reshape(left))
  }
  return keptRows
}

const addStaged = async (
  file: RowFile,
  staged: RowFile,
  from: ReadonlyArray<Column.Column>,
  to: ReadonlyArray<Column.Column>,
  format: Format
): Promise<void> => {
  if (areSame(from, to)) return file.take(staged.path, staged.rows)
  const reshape = reshaper(from, to)
  for await (const rows of format.read(staged.path, from)) await file.add(reshape(rows))
}
