/**
 * One table of a run while it is written: rows wait by partition, become row groups, and row groups become files.
 *
 * The law: memory holds a group of rows for each partition and no more than `waiting` bytes over all of them, whatever
 * a row weighs and however many files there will be. Values are compressed once, by DuckDB.
 */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Database from "../../src/duckdb/Database.ts"
import type * as Feed from "../../src/duckdb/Feed.ts"
import * as RowBuffer from "../../src/duckdb/RowBuffer.ts"
import * as Column from "../../src/pipeline/Column.ts"
import type * as Sink from "../../src/pipeline/Sink.ts"
import type * as Table from "../../src/pipeline/Table.ts"
import { failure } from "./failure.ts"
import * as GrowingFile from "./GrowingFile.ts"
import type * as Manifest from "./Manifest.ts"
import type { Options } from "./Options.ts"
import * as Partition from "./Partition.ts"

export interface Stage extends Sink.TablePlan {
  readonly feed: Feed.Feed
  readonly partition: ReadonlyArray<Column.Column>
  readonly parts: Map<string, Part>
}

/** The rows of one partition. */
interface Part {
  readonly partitions: ReadonlyArray<Partition.Partition>
  readonly buffer: RowBuffer.RowBuffer
  file: GrowingFile.GrowingFile | undefined
}

/** What all tables of a writer share. */
export interface Workshop {
  readonly database: Database.Database
  readonly folder: string
  /** What bytes pass through on their way from file to file. */
  readonly buffer: Uint8Array
  readonly options: Options
  /** Takes a finished local file to the store, under this name. */
  readonly ship: (localFile: string, file: Manifest.DataFile, table: Table.Table) => Effect.Effect<void, Sink.SinkError>
  /** A name that no file has had. */
  readonly nextName: () => string
}

/** A group of rows, and what may wait over all partitions of a table. Larger ones are no faster and hold more memory. */
const group = { rows: 20_480, bytes: 8_000_000 }
const waiting = 4 * group.bytes
const rotate = 128 * 1024 * 1024

export const make = Effect.fnUntraced(function* (workshop: Workshop, planned: Sink.TablePlan) {
  const feed = yield* workshop.database
    .feed(planned.table.columns)
    .pipe(Effect.mapError(failure(`table ${planned.table.name}`)))
  const partition = Partition.columnsOf(planned.table, workshop.options.partition ?? [])
  const stage: Stage = { ...planned, feed, partition, parts: new Map() }
  return stage
})

/** Routes rows to their partitions, and turns into groups what has waited enough. */
export const write = Effect.fnUntraced(function* (
  workshop: Workshop,
  stage: Stage,
  rows: ReadonlyArray<Table.Row>
): Effect.fn.Return<void, Sink.SinkError> {
  for (const row of rows) {
    const part = partOf(stage, row)
    part.buffer.add(row)
    if (part.buffer.rows >= (workshop.options.row_group ?? group.rows) || part.buffer.bytes >= group.bytes) {
      yield* flush(workshop, stage, part)
    }
  }
  while (stage.parts.size > 1 && waitingBytes(stage) > waiting) {
    yield* flush(
      workshop,
      stage,
      [...stage.parts.values()].reduce((a, b) => (a.buffer.bytes >= b.buffer.bytes ? a : b))
    )
  }
})

/** Ends every file. */
export const finish = Effect.fnUntraced(function* (
  workshop: Workshop,
  stage: Stage
): Effect.fn.Return<void, Sink.SinkError> {
  for (const part of stage.parts.values()) {
    yield* flush(workshop, stage, part)
    yield* close(workshop, stage, part)
  }
  stage.parts.clear()
})

const partOf = (stage: Stage, row: Table.Row): Part => {
  const partitions = Partition.partitionsOf(stage.partition, row)
  const folder = Partition.folderOf(partitions)
  const known = stage.parts.get(folder)
  if (known !== undefined) return known
  const part: Part = { partitions, buffer: RowBuffer.make(), file: undefined }
  stage.parts.set(folder, part)
  return part
}

const waitingBytes = (stage: Stage): number => {
  let bytes = 0
  for (const part of stage.parts.values()) bytes += part.buffer.bytes
  return bytes
}

/** Makes a row group of what waits and appends it to the file of the partition. */
const flush = Effect.fnUntraced(function* (workshop: Workshop, stage: Stage, part: Part) {
  if (part.buffer.rows === 0) return
  const fragment = Path.join(workshop.folder, "fragment.parquet")
  const { options, database } = workshop
  const codec = options.compression ?? "zstd"
  stage.feed.load(part.buffer.take())
  yield* database
    .run(
      `COPY (FROM ${stage.feed.call}) TO ${Database.literal(fragment)} (FORMAT parquet, COMPRESSION ${codec}
        ${codec === "zstd" ? `, COMPRESSION_LEVEL ${options.level ?? 1}` : ""}, ROW_GROUP_SIZE ${options.row_group ?? group.rows})`
    )
    .pipe(Effect.mapError(failure(`table ${stage.table.name}`)))
  const file = (part.file ??= GrowingFile.make(Path.join(workshop.folder, workshop.nextName()), workshop.buffer))
  yield* local(`cannot write ${file.path}`, () => file.append(fragment))
  if (file.bytes >= (options.rotate ?? rotate)) yield* close(workshop, stage, part)
})

/** Finishes the file of a partition, reads it back for what the manifest says of it, and ships it. */
const close = Effect.fnUntraced(function* (workshop: Workshop, { table }: Stage, part: Part) {
  if (part.file === undefined) return
  const { path, ...finished } = yield* local(`cannot write ${part.file.path}`, part.file.finish)
  part.file = undefined
  const { min, max, rows } = yield* inspect(workshop.database, path, table)
  if (rows !== finished.rows) {
    return yield* failure(`${path} should hold ${finished.rows} rows of ${table.name} and holds ${rows}`)()
  }
  const folder = Partition.folderOf(part.partitions)
  const partition = Object.fromEntries(part.partitions.map(({ column, value }) => [column, value]))
  const name = `${table.name}/${folder}${Path.basename(path)}`
  yield* workshop.ship(path, { path: name, ...finished, partition, min, max }, table)
})

/** Counts the rows of a file, and takes the least and greatest of its key columns. */
const inspect = Effect.fnUntraced(function* (database: Database.Database, path: string, { key, name }: Table.Table) {
  const columns = key.flatMap((column) => ["min", "max"].map((edge) => ({ edge, column })))
  const select = columns.map(({ edge, column }) => `${edge}(${Column.quote(column)})::VARCHAR`)
  const [row = {}] = yield* database
    .query(
      `SELECT ${["count(*)", ...select].join(", ")} FROM read_parquet(${Database.literal(path)}, hive_partitioning = false)`,
      [
        { name: "rows", type: { _tag: "BIGINT" }, nullable: false },
        ...columns.map(({ edge, column }) => ({
          name: `${edge} ${column}`,
          type: { _tag: "VARCHAR" as const },
          nullable: true
        }))
      ]
    )
    .pipe(Effect.mapError(failure(`cannot read back ${path}, a file of table ${name}`)))
  const edges = (edge: string) =>
    Object.fromEntries(
      key.map((column) => {
        const value = row[`${edge} ${column}`]
        return [column, typeof value === "string" ? value : null] as const
      })
    )
  return { rows: Number(row["rows"]), min: edges("min"), max: edges("max") }
})

/** File calls cannot be stopped half-way, so an interruption waits for them. */
const local = <A>(doing: string, run: () => Promise<A>) =>
  Effect.uninterruptible(Effect.tryPromise({ try: run, catch: failure(doing) }))
