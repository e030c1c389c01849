/**
 * One table of a run while it is written: where its rows go before the commit, and what the commit has left to do.
 *
 * append writes into the table itself, and replace into a new one beside it, inside the open transaction: nobody sees it,
 * and rows are written once. merge and scd2 have to know all staged keys before they change a row, so their rows wait in
 * a temporary table, which spills. Its columns have the types of the table's own, so that a commit compares and copies
 * without a cast.
 */
import * as Effect from "effect/Effect"
import type * as Database from "../../src/duckdb/Database.ts"
import type * as DuplicateKeys from "../../src/duckdb/DuplicateKeys.ts"
import type * as Feed from "../../src/duckdb/Feed.ts"
import * as RowBuffer from "../../src/duckdb/RowBuffer.ts"
import * as Column from "../../src/pipeline/Column.ts"
import type * as Sink from "../../src/pipeline/Sink.ts"
import type * as Table from "../../src/pipeline/Table.ts"
import { failure } from "./failure.ts"
import * as Place from "./file/Place.ts"
import { nextOf, type Preparation, type Prepared, prepareTable } from "./table/prepareTable.ts"

export interface Stage extends Sink.TablePlan {
  /** The table in the database, as SQL writes it. */
  readonly target: string
  readonly buffer: RowBuffer.RowBuffer
  readonly feed: Feed.Feed
  /** What the table is in this run, from its first transaction on. */
  prepared: Prepared
  /** Rows of this commit that are in the table or in its temporary table. */
  rows: number
  /** Rows of this commit that were written, also those that still wait here. */
  written: number
  /** For each batch of its parent's rows: the number of the first of them, and how many of ours were written before. */
  parentBatchOffsets: Array<{ readonly from: number; readonly before: number }>
  /** The bytes of the 2048 rows in a row that weigh most: DuckDB reads so many at once. */
  heaviestVector: number
  /** The bytes of the rows since the last 2048 were full. */
  lastVector: number
  /** Whether any key was retained in this run. */
  hasRetained: boolean
}

/** How many rows wait before a statement is worth its cost. Larger groups are not faster, and hold more memory. */
const group = { rows: 2048, bytes: 8_000_000 }

/** Where rows of any table wait, DuckDB reads and writes so many at once. */
const vector = 2048

export const make = Effect.fnUntraced(function* (
  database: Database.Database,
  place: Place.Place,
  planned: Sink.TablePlan
): Effect.fn.Return<Stage, Sink.SinkError> {
  const feed = yield* database.feed(planned.table.columns).pipe(Effect.mapError(failure(`table ${planned.table.name}`)))
  const unprepared: Prepared = { before: undefined, lacking: [], written: [] }
  return {
    ...planned,
    target: Place.named(place, planned.table.name),
    buffer: RowBuffer.make(),
    feed,
    prepared: unprepared,
    rows: 0,
    written: 0,
    parentBatchOffsets: [],
    heaviestVector: 0,
    lastVector: 0,
    hasRetained: false
  }
})

/** Prepares the table, at the start of a transaction. Only the first one changes the columns of one that is there. */
export const prepare = Effect.fnUntraced(
  function* (database: Database.Database, stage: Stage, preparation: Preparation) {
    const { before } = stage.prepared
    const now = yield* prepareTable(database, stage, preparation)
    stage.prepared = { ...now, before: before ?? now.before }
  },
  (effect, _database, stage) => Effect.mapError(effect, inTable(stage))
)

/** Makes the place where the rows of a commit wait, and where the keys that the run retains do. */
export const begin = Effect.fnUntraced(
  function* (database: Database.Database, stage: Stage, first: boolean) {
    stage.rows = 0
    stage.written = 0
    stage.parentBatchOffsets = []
    stage.heaviestVector = 0
    stage.lastVector = 0
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

/** Whether so few of its rows fill what DuckDB may hold of them at once that it needs more. */
export const isHeavy = ({ heaviestVector, lastVector }: Stage): boolean =>
  Math.max(heaviestVector, lastVector) > 16_000_000

/** Takes rows, and hands them to DuckDB where enough of them wait. `stages`: those of the whole run. */
export const write = Effect.fnUntraced(function* (
  database: Database.Database,
  { place, stages }: { readonly place: Place.Place; readonly stages: ReadonlyArray<Stage> },
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
  stage.lastVector += buffer.bytes - before
  stage.written += 1
  if (stage.written % vector === 0) {
    stage.heaviestVector = Math.max(stage.heaviestVector, stage.lastVector)
    stage.lastVector = 0
  }
}

/** Hands what waits to DuckDB. */
export const flush = Effect.fnUntraced(
  function* (database: Database.Database, stage: Stage, place: Place.Place) {
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

/** Takes keys whose rows this run could not learn. */
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

/** Removes what an earlier commit of this very run left. A history takes more than that. */
export const clear = Effect.fnUntraced(function* (database: Database.Database, stage: Stage, runId: string) {
  if (!hasRunId(stage)) return
  yield* database.run(`DELETE FROM ${stage.target} WHERE _run_id = $1`, [runId])
})

/** Whether its rows say by which run they are. */
export const hasRunId = ({ prepared }: Stage): boolean => prepared.written.some(({ name }) => name === "_run_id")

/** Where rows of a table wait. Not under its own name, which a view of the database would then mean. */
export const staged = (table: string): string => temporary(`${table} staged`)

/** A temporary table beside the staged rows of a stage. */
export const scratch = ({ table }: Stage, what: string): string => temporary(`${table.name} ${what}`)

const temporary = (name: string): string => `temp.main.${Column.quote(name)}`

/** The keys of which the run learned nothing. */
export const retained = (stage: Stage): string => scratch(stage, "retained")

/** Its rows as they wait. Rows of an open transaction are numbered in their order, from a number of DuckDB's own choice. */
export const asStaged = ({ table, parentBatchOffsets }: Stage): DuplicateKeys.Staged => {
  const rows = staged(table.name)
  return { table, rows, parentBatchOffsets, number: (of) => `${of}.rowid - (SELECT min(rowid) FROM ${rows})` }
}

/** The columns that rows are written into. */
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
