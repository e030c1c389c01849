/**
 * One table of a run while it is written: rows become row groups of their partition, and row groups become files.
 *
 * Memory holds one group of rows for each partition, and at most `waiting` bytes of all of them, for any size of rows and
 * any number of files. A value is written and compressed once. Files of append and replace are put into the store when they
 * are full; those of merge and scd2 stay local until the commit knows which of their rows count.
 */

import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import { seenOf } from "#engine/CommitQueries"
import { cellConverter } from "#engine/convertCell"
import type * as GrowingFile from "#engine/GrowingParquetFile"
import * as Sink from "#engine/Sink"
import type * as Table from "#engine/Table"
import { failure } from "./failure.ts"
import * as LakeSession from "./lake/LakeSession.ts"
import * as RetainedKeys from "./lake/RetainedKeys.ts"
import * as RowGroup from "./lake/RowGroup.ts"
import * as StagedKeys from "./lake/StagedKeys.ts"
import type * as Manifest from "./manifest/Manifest.ts"
import * as Partition from "./manifest/Partition.ts"

export interface Stage extends Sink.TablePlan {
  /** The number of the table in its plan. */
  readonly number: number
  /** The columns that the table will have. */
  readonly columns: ReadonlyArray<Column.Column>
  /** The columns whose least and greatest values the manifest keeps. */
  readonly edges: ReadonlyArray<string>
  readonly partition: ReadonlyArray<Column.Column>
  readonly newGroup: () => RowGroup.RowGroup
  /** The keys of the written rows, if rows replace others. */
  readonly keys: StagedKeys.StagedKeys | undefined
  readonly parts: Map<string, Part>
  /** The keys of rows that a replacing run could not fetch. */
  readonly retained: RetainedKeys.RetainedKeys
  /** Rows of this commit that the stage received. */
  received: number
  /** Files of this commit that are in the store. */
  fresh: Array<Manifest.DataFile>
  /** Files of earlier commits of this run that are in the table. */
  ours: ReadonlyArray<Manifest.DataFile>
  /** Local files of this commit, by the file number in the table of keys. */
  readonly held: Map<number, LakeSession.LocalFile>
}

/** The rows of one partition. */
interface Part {
  readonly partitions: ReadonlyArray<Partition.Partition>
  readonly group: RowGroup.RowGroup
  /** The keys of the waiting rows, where keys are kept. */
  keys: Array<Table.Row>
  open: { readonly number: number; readonly file: GrowingFile.GrowingFile; rows: number } | undefined
}

/**
 * The size of a group of rows, and of the waiting rows of all partitions of a table, in bytes. Larger ones are not faster
 * and need more memory.
 */
const groupBytes = 8_000_000
const waiting = 4 * groupBytes

export const of = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  plan: Sink.Plan,
  planned: Sink.TablePlan,
  columns: ReadonlyArray<Column.Column>
): Effect.fn.Return<Stage, Sink.SinkError> {
  const { table, write } = planned
  const number = plan.tables.findIndex((other) => other.table.name === table.name)
  const inTable = Effect.mapError(failure(`table ${table.name}`))
  const edges = [
    ...table.key,
    ...Object.keys(table.parent?.on ?? {}),
    "_run_id",
    ...(plan.shared === true ? [Sink.pipelineColumn.name] : []),
    ...(write === "scd2" ? ["valid_to", "is_current"] : [])
  ]
  const partition = Partition.columnsOf(table, session.options.partition ?? [])
  const staged = stagedColumns({ write, columns }).filter(({ name }) => Column.named(partition, name) === undefined)
  return {
    ...planned,
    number,
    columns,
    edges: [...new Set(edges)].filter((name) => columns.some((column) => column.name === name)),
    partition,
    newGroup: yield* RowGroup.starter(session, table.columns, staged).pipe(inTable),
    keys:
      write === "merge" || write === "scd2"
        ? yield* StagedKeys.forTable(session.database, plan, planned, columns, seenOf(number)).pipe(inTable)
        : undefined,
    retained: RetainedKeys.empty(table),
    parts: new Map(),
    received: 0,
    fresh: [],
    ours: [],
    held: new Map()
  }
})

/** Adds rows to their partitions, and writes full groups. */
export const write = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  stage: Stage,
  rows: ReadonlyArray<Table.Row>
): Effect.fn.Return<void, Sink.SinkError> {
  const { keys } = stage
  const first = session.written
  session.written += rows.length
  stage.received += rows.length
  for (const share of Partition.route(stage.partition, rows)) {
    const part = partOf(stage, share)
    if (keys !== undefined) {
      share.rows.forEach((row, at) => part.keys.push(StagedKeys.keysOf(keys, row, first + (share.places?.[at] ?? at))))
    }
    yield* add(session, stage, part, share.rows)
  }
  while (stage.parts.size > 1 && waitingBytes(stage) > waiting) {
    yield* flush(
      session,
      stage,
      [...stage.parts.values()].reduce((a, b) => (a.group.bytes >= b.group.bytes ? a : b))
    )
  }
})

/** Adds rows to the group of a partition. Checks every `atOnce` rows whether the group is full. */
const add = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  stage: Stage,
  part: Part,
  rows: ReadonlyArray<Table.Row>
) {
  const { group } = part
  const most = session.options.row_group ?? LakeSession.groupRows
  for (let at = 0; at < rows.length; ) {
    const to = Math.min(rows.length, at + atOnce, at + most - group.rows)
    yield* Effect.try({
      try: () => group.add(rows.slice(at, to)),
      catch: failure(`table ${stage.table.name}`)
    })
    at = to
    if (group.rows >= most || group.bytes >= groupBytes) yield* flush(session, stage, part)
  }
})

/** How many rows are added before the size of the group is checked again. */
const atOnce = 32

/**
 * Takes keys whose rows could not be learned. Only a history and replace ask for them. A key that the table cannot hold is skipped: it
 * has no stored row.
 */
export const retainKeys = Effect.fnUntraced(function* (
  { database }: LakeSession.LakeSession,
  stage: Stage,
  given: ReadonlyArray<Table.Row>
): Effect.fn.Return<void, Sink.SinkError> {
  const inTable = Effect.mapError(failure(`table ${stage.table.name}`))
  const cells = stage.table.key.flatMap((name) => {
    const [from, to] = [Column.named(stage.table.columns, name)?.type, Column.named(stage.columns, name)?.type]
    return from === undefined || to === undefined ? [] : [[name, cellConverter(from, to)] as const]
  })
  const isHeld = (row: Table.Row): boolean => {
    try {
      for (const [name, convert] of cells) convert(row[name])
      return true
    } catch {
      return false
    }
  }
  const rows = given.filter(isHeld)
  if (stage.write === "replace") yield* RetainedKeys.add(database, stage.retained, rows).pipe(inTable)
  if (stage.write === "scd2" && stage.keys !== undefined) {
    yield* StagedKeys.retain(database, stage.keys, seenOf(stage.number), rows).pipe(inTable)
  }
})

/** Removes the staged file after a commit. */
export const clear = Effect.fnUntraced(function* (session: LakeSession.LakeSession, stage: Stage) {
  stage.received = 0
  stage.fresh = []
  stage.held.clear()
  if (stage.keys?.isMade === true) {
    yield* StagedKeys.clear(session.database, stage.keys).pipe(Effect.mapError(failure(`table ${stage.table.name}`)))
  }
})

/** Ends every file. */
export const finish = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  stage: Stage
): Effect.fn.Return<void, Sink.SinkError> {
  for (const part of stage.parts.values()) {
    yield* flush(session, stage, part)
    yield* close(session, stage, part)
  }
  stage.parts.clear()
})

/** The manifest's facts about a file of this table that has these columns. */
export const belonging = (
  stage: Pick<Stage, "table" | "edges">,
  columns: ReadonlyArray<Column.Column>,
  partition: Manifest.DataFile["partition"],
  runId?: string
): LakeSession.Belonging => ({
  table: stage.table.name,
  edges: stage.edges.filter((name) => columns.some((column) => column.name === name)),
  partition,
  ...(runId === undefined ? {} : { runId })
})

const partOf = (stage: Stage, { folder, partitions }: Partition.Share): Part => {
  const known = stage.parts.get(folder)
  if (known !== undefined) return known
  const part: Part = { partitions, group: stage.newGroup(), keys: [], open: undefined }
  stage.parts.set(folder, part)
  return part
}

const waitingBytes = (stage: Stage): number => {
  let bytes = 0
  for (const part of stage.parts.values()) bytes += part.group.bytes
  return bytes
}

/** Appends the waiting rows to the file of the partition, as a row group. */
const flush = Effect.fnUntraced(function* (session: LakeSession.LakeSession, stage: Stage, part: Part) {
  const { rows } = part.group
  if (rows === 0) return
  part.open ??= { file: LakeSession.newFile(session, stage.table.name), number: session.names, rows: 0 }
  const { file } = part.open
  const inTable = Effect.mapError(failure(`table ${stage.table.name}`))
  yield* part.group.flush(file).pipe(inTable)
  if (stage.keys !== undefined) {
    yield* StagedKeys.record(session.database, stage.keys, part.keys.splice(0, rows), part.open).pipe(inTable)
  }
  part.open.rows += rows
  if (file.bytes >= (session.options.rotate ?? LakeSession.rotate)) yield* close(session, stage, part)
})

/** The columns of a staged file: without those of the history, which are known at the commit. */
const stagedColumns = ({ write, columns }: Pick<Stage, "write" | "columns">): ReadonlyArray<Column.Column> =>
  write === "scd2" ? columns.filter(({ name }) => Column.named(Sink.historyColumns, name) === undefined) : columns

/** Finishes the file of a partition, and puts it into the store or holds it. */
const close = Effect.fnUntraced(function* (session: LakeSession.LakeSession, stage: Stage, part: Part) {
  if (part.open === undefined) return
  const { number, file } = part.open
  part.open = undefined
  const partition = Object.fromEntries(part.partitions.map(({ column, value }) => [column, value]))
  const what = belonging(stage, stagedColumns(stage), partition, session.runId)
  const local = yield* LakeSession.finish(session, file, what)
  if (stage.keys === undefined) stage.fresh.push(yield* LakeSession.ship(session, local))
  else stage.held.set(number, local)
})
