/**
 * One table of a run while it is written: where its rows go before the commit, and what the commit has left to do.
 *
 * append and replace write into the table itself, inside the open transaction: nobody sees it, and rows are written
 * once. merge and scd2 have to know all staged keys before they change a row, so their rows wait in a temporary table,
 * which spills. Its columns have the types of the table's own, so that a commit compares and copies without a cast.
 */
import * as Effect from "effect/Effect"
import type * as Database from "../../src/duckdb/Database.ts"
import type * as Doubles from "../../src/duckdb/Doubles.ts"
import type * as Feed from "../../src/duckdb/Feed.ts"
import * as RowBuffer from "../../src/duckdb/RowBuffer.ts"
import * as Column from "../../src/pipeline/Column.ts"
import type * as Sink from "../../src/pipeline/Sink.ts"
import type * as Table from "../../src/pipeline/Table.ts"
import { type Ready, ready, target } from "./evolve.ts"
import { failure } from "./failure.ts"

export { target } from "./evolve.ts"

export interface Stage extends Sink.TablePlan {
  readonly buffer: RowBuffer.RowBuffer
  readonly feed: Feed.Feed
  /** What the table is in this run, from its first transaction on. */
  ready: Ready
  /** Rows of this commit that are in the table or in its temporary table. */
  rows: number
  /** Rows of this commit that were written, also those that still wait here. */
  written: number
  /** For each batch of its parent's rows: the number of the first of them, and how many of ours were written before. */
  marks: Array<{ readonly from: number; readonly before: number }>
}

/** What waits before it is worth a statement. Larger groups are no faster and only hold more memory. */
const group = { rows: 2048, bytes: 8_000_000 }

export const make = Effect.fnUntraced(function* (
  database: Database.Database,
  planned: Sink.TablePlan
): Effect.fn.Return<Stage, Sink.SinkError> {
  const feed = yield* database.feed(planned.table.columns).pipe(Effect.mapError(failure(`table ${planned.table.name}`)))
  const unready: Ready = { before: undefined, written: [] }
  return { ...planned, buffer: RowBuffer.make(), feed, ready: unready, rows: 0, written: 0, marks: [] }
})

/** Readies the table, at the start of a transaction. Only the first one changes its columns, or empties it. */
export const begin = Effect.fnUntraced(
  function* (database: Database.Database, stage: Stage, plan: Sink.Plan, first: boolean) {
    stage.rows = 0
    stage.written = 0
    stage.marks = []
    if (first) stage.ready = yield* ready(database, stage, plan.evolve)
    if (waits(stage)) {
      const columns = stage.ready.written.map(({ name, sql }) => `${Column.quote(name)} ${sql}`).join(", ")
      yield* database.run(`CREATE OR REPLACE TEMP TABLE ${staged(stage.table.name)} (${columns})`)
    }
  },
  (effect, _database, stage) => Effect.mapError(effect, inTable(stage))
)

/** Whether its rows wait in a temporary table. */
export const waits = ({ write }: Stage): boolean => write === "merge" || write === "scd2"

/** Takes a row; true when it is time to flush. */
export const add = (stage: Stage, row: Table.Row): boolean => {
  const { buffer } = stage
  stage.written += 1
  buffer.add(row)
  return buffer.rows >= group.rows || buffer.bytes >= group.bytes
}

/** Hands what waits to DuckDB. */
export const flush = Effect.fnUntraced(
  function* (database: Database.Database, stage: Stage) {
    if (stage.buffer.rows === 0) return
    stage.feed.load(stage.buffer.take())
    const into = waits(stage) ? staged(stage.table.name) : target(stage.table)
    const values = stage.ready.written.map(({ value }) => value).join(", ")
    stage.rows += yield* database.run(`INSERT INTO ${into} (${names(stage)}) SELECT ${values} FROM ${stage.feed.call}`)
  },
  (effect, _database, stage) => Effect.mapError(effect, inTable(stage))
)

/** Removes what an earlier commit of this very run left. A history takes more than that. */
export const clear = Effect.fnUntraced(function* (database: Database.Database, { table, ready }: Stage, runId: string) {
  if (!ready.written.some(({ name }) => name === "_run_id")) return
  yield* database.run(`DELETE FROM ${target(table)} WHERE _run_id = $1`, [runId])
})

export const staged = (table: string): string => `temp.main.${Column.quote(table)}`

/** Its rows as they wait. Rows of an open transaction are numbered in their order, from a number of DuckDB's own choice. */
export const doubled = ({ table, marks }: Stage): Doubles.Staged => {
  const rows = staged(table.name)
  return { table, rows, marks, number: (of) => `${of}.rowid - (SELECT min(rowid) FROM ${rows})` }
}

/** The columns that rows are written into. */
export const names = ({ ready }: Stage, of?: string): string =>
  ready.written.map(({ name }) => `${of === undefined ? "" : `${of}.`}${Column.quote(name)}`).join(", ")

export const inTable = (stage: Stage) => (error: Database.DatabaseError | Sink.SinkError) =>
  error._tag === "SinkError" ? error : failure(`table ${stage.table.name}`)(error)
