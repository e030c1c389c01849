/**
 * One table of a run while it is written: rows wait by partition, become row groups, and row groups become files.
 *
 * Memory holds a group of rows for each partition and no more than `waiting` bytes over all of them, whatever
 * a row weighs and however many files there will be. Values are compressed once, by DuckDB. Files of append and replace
 * are shipped as they end; those of merge and scd2 are held here until the commit knows which of their rows count.
 */

import * as Effect from "effect/Effect"
import type * as Feed from "../../src/duckdb/Feed.ts"
import * as RowBuffer from "../../src/duckdb/RowBuffer.ts"
import * as Column from "../../src/pipeline/Column.ts"
import * as Sink from "../../src/pipeline/Sink.ts"
import type * as Table from "../../src/pipeline/Table.ts"
import { failure } from "./failure.ts"
import { projection } from "./format/fileSql.ts"
import type * as GrowingFile from "./format/GrowingFile.ts"
import * as LakeSession from "./lake/LakeSession.ts"
import type * as Manifest from "./lake/Manifest.ts"
import * as Partition from "./lake/Partition.ts"
import * as RetainedKeys from "./table/RetainedKeys.ts"
import * as StagedKeys from "./table/StagedKeys.ts"

export interface Stage extends Sink.TablePlan {
  /** The columns that the table will have. */
  readonly columns: ReadonlyArray<Column.Column>
  /** The columns whose edges its manifest keeps. */
  readonly edges: ReadonlyArray<string>
  readonly partition: ReadonlyArray<Column.Column>
  readonly feed: Feed.Feed
  /** The keys of what was written, where rows replace others. */
  readonly keys: StagedKeys.StagedKeys | undefined
  readonly parts: Map<string, Part>
  /** The keys whose rows a replacing run could not learn. */
  readonly retained: RetainedKeys.RetainedKeys
  /** Rows of this commit that were handed over. */
  received: number
  /** Files of this commit that are in the store. */
  fresh: Array<Manifest.DataFile>
  /** Files of earlier commits of this run that are in the table. */
  ours: ReadonlyArray<Manifest.DataFile>
  /** Files of this commit that wait here, by the number that their keys know them by. */
  readonly held: Map<number, LakeSession.LocalFile>
}

/** The rows of one partition. */
interface Part {
  readonly partitions: ReadonlyArray<Partition.Partition>
  readonly buffer: RowBuffer.RowBuffer
  /** Which of the rows of this commit the waiting ones are, where keys are kept. */
  numbers: Array<number>
  open: { readonly number: number; readonly file: GrowingFile.GrowingFile; rows: number } | undefined
}

/** A group of rows, and what may wait over all partitions of a table. Larger ones are no faster and hold more memory. */
const groupBytes = 8_000_000
const waiting = 4 * groupBytes

export const make = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  plan: Sink.Plan,
  planned: Sink.TablePlan,
  columns: ReadonlyArray<Column.Column>
): Effect.fn.Return<Stage, Sink.SinkError> {
  const { table, write } = planned
  const inTable = Effect.mapError(failure(`table ${table.name}`))
  const edges = [
    ...table.key,
    ...Object.keys(table.parent?.on ?? {}),
    "_run_id",
    ...(plan.shared === true ? [Sink.pipelineColumn.name] : []),
    ...(write === "scd2" ? ["valid_to", "is_current"] : [])
  ]
  return {
    ...planned,
    columns,
    edges: [...new Set(edges)].filter((name) => columns.some((column) => column.name === name)),
    partition: Partition.columnsOf(table, session.options.partition ?? []),
    feed: yield* session.database.feed(table.columns).pipe(inTable),
    keys:
      write === "merge" || write === "scd2"
        ? yield* StagedKeys.make(session.database, plan, planned, columns).pipe(inTable)
        : undefined,
    retained: RetainedKeys.make(table),
    parts: new Map(),
    received: 0,
    fresh: [],
    ours: [],
    held: new Map()
  }
})

/** Routes rows to their partitions, and turns into groups what has waited enough. `stages`: those of the whole run. */
export const write = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  stages: ReadonlyArray<Stage>,
  stage: Stage,
  rows: ReadonlyArray<Table.Row>
): Effect.fn.Return<void, Sink.SinkError> {
  const { keys } = stage
  for (const child of stages) {
    if (child.keys !== undefined && child.table.parent?.table === stage.table.name) {
      child.keys.parentBatchOffsets.push({ from: keys?.written ?? 0, before: child.keys.written })
    }
  }
  stage.received += rows.length
  for (const row of rows) {
    const part = partOf(stage, row)
    part.buffer.add(row)
    if (keys !== undefined) part.numbers.push(keys.written++)
    if (part.buffer.rows >= (session.options.row_group ?? LakeSession.groupRows) || part.buffer.bytes >= groupBytes) {
      yield* flush(session, stage, part)
    }
  }
  while (stage.parts.size > 1 && waitingBytes(stage) > waiting) {
    yield* flush(
      session,
      stage,
      [...stage.parts.values()].reduce((a, b) => (a.buffer.bytes >= b.buffer.bytes ? a : b))
    )
  }
})

/** Takes keys whose rows could not be learned. Only a history and replace ask for them. */
export const retainKeys = Effect.fnUntraced(function* (
  { database }: LakeSession.LakeSession,
  stage: Stage,
  rows: ReadonlyArray<Table.Row>
): Effect.fn.Return<void, Sink.SinkError> {
  const inTable = Effect.mapError(failure(`table ${stage.table.name}`))
  if (stage.write === "replace") yield* RetainedKeys.add(database, stage.retained, rows).pipe(inTable)
  if (stage.write === "scd2" && stage.keys !== undefined) {
    yield* StagedKeys.retain(database, stage.keys, rows).pipe(inTable)
  }
})

/** Forgets what is committed. */
export const clear = Effect.fnUntraced(function* (session: LakeSession.LakeSession, stage: Stage) {
  stage.received = 0
  stage.fresh = []
  stage.held.clear()
  if (stage.keys !== undefined) {
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

/** What the manifest says of a file of this table that has these columns. */
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

const partOf = (stage: Stage, row: Table.Row): Part => {
  const partitions = Partition.partitionsOf(stage.partition, row)
  const folder = Partition.folderOf(partitions)
  const known = stage.parts.get(folder)
  if (known !== undefined) return known
  const part: Part = { partitions, buffer: RowBuffer.make(), numbers: [], open: undefined }
  stage.parts.set(folder, part)
  return part
}

const waitingBytes = (stage: Stage): number => {
  let bytes = 0
  for (const part of stage.parts.values()) bytes += part.buffer.bytes
  return bytes
}

/** Makes a row group of what waits and appends it to the file of the partition. */
const flush = Effect.fnUntraced(function* (session: LakeSession.LakeSession, stage: Stage, part: Part) {
  if (part.buffer.rows === 0) return
  const { table, feed, keys } = stage
  const rows = part.buffer.take()
  part.open ??= { file: LakeSession.newFile(session, table.name), number: session.names, rows: 0 }
  const { file } = part.open
  feed.load(rows)
  const select = projection(table.columns, stagedColumns(stage)).join(", ")
  const bytes = yield* LakeSession.append(session, file, `SELECT ${select} FROM ${feed.call}`).pipe(
    Effect.mapError(failure(`table ${table.name}`))
  )
  feed.load([])
  if (keys !== undefined) {
    yield* StagedKeys.record(session.database, keys, rows, part.numbers, part.open).pipe(
      Effect.mapError(failure(`table ${table.name}`))
    )
    part.numbers = []
  }
  part.open.rows += rows.length
  if (bytes >= (session.options.rotate ?? LakeSession.rotate)) yield* close(session, stage, part)
})

/** What a staged file has; when a version is valid is known at the commit. */
const stagedColumns = ({ write, columns }: Stage): ReadonlyArray<Column.Column> =>
  write === "scd2" ? columns.filter(({ name }) => Column.named(Sink.historyColumns, name) === undefined) : columns

/** Finishes the file of a partition, and ships or holds it. */
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
