/**
 * One table of a run while it is written.
 *
 * append writes into the table itself, and replace into a new table beside it, in the open transaction: readers do not see
 * them, and rows are written once. merge and scd2 must know all staged keys before they change a row, so their rows wait in a
 * temporary table, which spills to disk. Its columns have the types of the stored table, so that a commit needs no casts.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import type * as Database from "#engine/Duckdb"
import type * as Feed from "#engine/DuckdbFeed"
import * as MemoryLimit from "#engine/DuckdbMemoryLimit"
import * as RowBuffer from "#engine/DuckdbRowBuffer"
import type * as DuplicateKeys from "#engine/DuplicateKeys"
import type * as Sink from "#engine/Sink"
import type * as Table from "#engine/Table"
import { failure } from "./failure.ts"
import * as Place from "./Place.ts"
import { nextOf, type Preparation, type Prepared, prepareTable } from "./table/prepareTable.ts"

export interface Stage extends Sink.TablePlan {
  /** The SQL name of the table in the database. */
  readonly target: string
  readonly buffer: RowBuffer.RowBuffer
  readonly feed: Feed.Feed
  /** The prepared table, from the first transaction of the run on. */
  prepared: Prepared
  /** The number of rows of this commit in the table or in its temporary table. */
  rows: number
  /** The number of rows of this commit, with those that still wait in the buffer. */
  written: number
  /** For each batch of parent rows: the number of its first row, and how many rows of this table were written before it. */
  parentBatchOffsets: Array<{ readonly from: number; readonly before: number }>
  /** The greatest size in bytes of 2048 rows in sequence, which DuckDB reads at once. */
  heaviestVector: number
  /** The bytes of the rows since the last complete sequence of 2048, and of all rows of this commit. */
  lastVector: number
  bytes: number
  /** Whether any key was retained in this run. */
  hasRetained: boolean
}

/** Rows are inserted when this many wait. Larger groups are not faster, and need more memory. */
const group = { rows: 2048, bytes: 8_000_000 }

/** DuckDB reads and writes this many rows at once. */
const vector = 2048

export const forTable = Effect.fnUntraced(function* (
  database: Database.Database,
  place: Place.DatabaseLocation,
  planned: Sink.TablePlan
): Effect.fn.Return<Stage, Sink.SinkError> {
  const feed = yield* database.feed(planned.table.columns).pipe(Effect.mapError(failure(`table ${planned.table.name}`)))
  const unprepared: Prepared = { before: undefined, lacking: [], foreign: [], written: [] }
  return {
    ...planned,
    target: Place.named(place, planned.table.name),
    buffer: RowBuffer.empty(),
    feed,
    prepared: unprepared,
    rows: 0,
    written: 0,
    parentBatchOffsets: [],
    heaviestVector: 0,
    lastVector: 0,
    bytes: 0,
    hasRetained: false
  }
})

/** Prepares the table at the start of a transaction. Only the first transaction of a run changes the columns. */
export const prepare = Effect.fnUntraced(
  function* (database: Database.Database, stage: Stage, preparation: Preparation) {
    const { before } = stage.prepared
    const now = yield* prepareTable(database, stage, preparation)
    stage.prepared = { ...now, before: before ?? now.before }
  },
  (effect, _database, stage) => Effect.mapError(effect, inTable(stage))
)

/** Makes the temporary tables for the rows of a commit, and for the retained keys of the run. */
export const begin = Effect.fnUntraced(
  function* (database: Database.Database, stage: Stage, first: boolean) {
    stage.rows = 0
    stage.written = 0
    stage.parentBatchOffsets = []
    stage.heaviestVector = 0
    stage.lastVector = 0
    stage.bytes = 0
    const columnsOf = (names?: ReadonlyArray<string>) =>
      stage.prepared.written
        .filter(({ ours }) => names === undefined || names.includes(ours))
        .map(({ name, sql }) => `${Column.quote(name)} ${sql}`)
        .join(", ")
    if (waits(stage)) {
      yield* database.run(`CREATE OR REPLACE TEMP TABLE ${staged(stage.table.name)} (${columnsOf()})`)
    }
    if (first && stage.write !== "append" && stage.table.key.length > 0) {
      yield* database.run(`CREATE OR REPLACE TEMP TABLE ${retained(stage)} (${columnsOf(stage.table.key)})`)
    }
  },
  (effect, _database, stage) => Effect.mapError(effect, inTable(stage))
)

/** Whether its rows wait in a temporary table. */
export const waits = ({ write }: Sink.TablePlan): boolean => write === "merge" || write === "scd2"

/** Whether the rows that DuckDB reads at once are so large that it needs more memory. */
export const isHeavy = ({ heaviestVector, lastVector }: Stage): boolean =>
  Math.max(heaviestVector, lastVector) > 16_000_000

/** Whether all rows of this commit fit in memory. */
export const isSmall = ({ bytes }: Stage): boolean => MemoryLimit.fits(bytes)

/** Takes rows, and inserts them when enough of them wait. `stages`: all stages of the run. */
export const write = Effect.fnUntraced(function* (
  database: Database.Database,
  { place, stages }: { readonly place: Place.DatabaseLocation; readonly stages: ReadonlyArray<Stage> },
  stage: Stage,
  rows: ReadonlyArray<Table.Row>
) {
  for (const child of stages) {
    if (child.write === "merge" && child.table.parent?.table === stage.table.name) {
      child.parentBatchOffsets.push({ from: stage.written, before: child.written })
    }
  }
  for (const row of rows) {
    add(stage, row)
    if (stage.buffer.rows >= group.rows || stage.buffer.bytes >= group.bytes) yield* flush(database, stage, place)
  }
})

const add = (stage: Stage, row: Table.Row): void => {
  const { buffer } = stage
  const before = buffer.bytes
  buffer.add(row)
  const size = buffer.bytes - before
  stage.lastVector += size
  stage.bytes += size
  stage.written += 1
  if (stage.written % vector === 0) {
    stage.heaviestVector = Math.max(stage.heaviestVector, stage.lastVector)
    stage.lastVector = 0
  }
}

/** Inserts the waiting rows. */
export const flush = Effect.fnUntraced(
  function* (database: Database.Database, stage: Stage, place: Place.DatabaseLocation) {
    if (stage.buffer.rows === 0) return
    stage.feed.load(stage.buffer.take())
    const into = waits(stage)
      ? staged(stage.table.name)
      : stage.write === "replace"
        ? Place.named(place, nextOf(stage.table))
        : stage.target
    const values = stage.prepared.written.map(({ value }) => value).join(", ")
    stage.rows += yield* database.run(
      `INSERT INTO ${into} (${columnList(stage)}) SELECT ${values} FROM ${stage.feed.call}`
    )
  },
  (effect, _database, stage) => Effect.mapError(effect, inTable(stage))
)

/** Takes keys whose rows this run could not read. */
export const retainKeys = Effect.fnUntraced(
  function* (database: Database.Database, stage: Stage, keys: ReadonlyArray<Table.Row>) {
    if (keys.length === 0 || stage.table.key.length === 0) return
    stage.feed.load(keys)
    const columns = stage.prepared.written.filter(({ ours }) => stage.table.key.includes(ours))
    const named = columns.map(({ name }) => Column.quote(name)).join(", ")
    const values = columns.map(({ value }) => value).join(", ")
    yield* database.run(`INSERT INTO ${retained(stage)} (${named}) SELECT ${values} FROM ${stage.feed.call}`)
    stage.hasRetained = true
  },
  (effect, _database, stage) => Effect.mapError(effect, inTable(stage))
)

/** Removes the rows that an earlier commit of the same run left. For a history, `removeVersions` does more. */
export const clear = Effect.fnUntraced(function* (database: Database.Database, stage: Stage, runId: string) {
  if (!hasRunId(stage)) return
  yield* database.run(`DELETE FROM ${stage.target} WHERE _run_id = $1`, [runId])
})

/** Whether its rows have `_run_id`. */
export const hasRunId = ({ prepared }: Stage): boolean => prepared.written.some(({ name }) => name === "_run_id")

/** The temporary table of the staged rows. It has another name than the table, because a view may use the table's name. */
export const staged = (table: string): string => temporary(`${table} staged`)

/** The name of another temporary table of a stage. */
export const scratch = ({ table }: Stage, what: string): string => temporary(`${table.name} ${what}`)

const temporary = (name: string): string => `temp.main.${Column.quote(name)}`

/** The temporary table of the retained keys. */
export const retained = (stage: Stage): string => scratch(stage, "retained")

/** Its staged rows. DuckDB numbers the rows of an open transaction in order, but not from 0. */
export const asStaged = ({ table, parentBatchOffsets }: Stage): DuplicateKeys.Staged => {
  const rows = staged(table.name)
  return { table, rows, parentBatchOffsets, number: (of) => `${of}.rowid - (SELECT min(rowid) FROM ${rows})` }
}

/** The list of the columns that the run writes. */
export const columnList = ({ prepared }: Stage, alias?: string): string =>
  prepared.written.map(({ name }) => `${alias === undefined ? "" : `${alias}.`}${Column.quote(name)}`).join(", ")

export const inTable = (stage: Stage) => (error: Database.DatabaseError | Sink.SinkError) => {
  if (error._tag === "SinkError") return error
  const column = /NOT NULL constraint failed: .*\.(.*)$/.exec(error.message)?.[1]
  return column === undefined
    ? failure(`table ${stage.table.name}`)(error)
    : failure(
        `table ${stage.table.name}: a row has no ${column}, which is NOT NULL in the database; fill it, or alter the column`
      )()
}
