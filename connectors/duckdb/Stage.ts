/**
 * One table of a run while it is written: where its rows go before the commit, and what the commit has left to do.
 *
 * append and replace write into the table itself, inside the open transaction: nobody sees it, and rows are written
 * once. merge has to know all staged keys before it deletes, so its rows wait in a temporary table, which spills.
 */
import * as Effect from "effect/Effect"
import type * as Database from "../../src/duckdb/Database.ts"
import type * as Feed from "../../src/duckdb/Feed.ts"
import * as RowBuffer from "../../src/duckdb/RowBuffer.ts"
import * as Column from "../../src/pipeline/Column.ts"
import type * as Sink from "../../src/pipeline/Sink.ts"
import type * as Table from "../../src/pipeline/Table.ts"
import { failure } from "./failure.ts"

export interface Stage extends Sink.TablePlan {
  readonly buffer: RowBuffer.RowBuffer
  readonly feed: Feed.Feed
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
  return { ...planned, buffer: RowBuffer.make(), feed, rows: 0, written: 0, marks: [] }
})

/** Readies the table, at the start of a transaction. A replaced table is emptied by the first one only. */
export const begin = Effect.fnUntraced(
  function* (database: Database.Database, stage: Stage, first: boolean) {
    stage.rows = 0
    stage.written = 0
    stage.marks = []
    const columns = stage.table.columns.map(definition).join(", ")
    if (stage.write === "replace" && first) {
      yield* database.run(`CREATE OR REPLACE TABLE ${target(stage.table)} (${columns})`)
    } else {
      yield* database.run(`CREATE TABLE IF NOT EXISTS ${target(stage.table)} (${columns})`)
      yield* evolve(database, stage)
    }
    if (stage.write === "merge") {
      yield* database.run(`CREATE OR REPLACE TEMP TABLE ${staged(stage.table.name)} (${columns})`)
    }
  },
  (effect, _database, stage) => Effect.mapError(effect, inTable(stage))
)

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
    const into = stage.write === "merge" ? staged(stage.table.name) : target(stage.table)
    stage.rows += yield* database.run(`INSERT INTO ${into} (${names(stage.table)}) FROM ${stage.feed.call}`)
  },
  (effect, _database, stage) => Effect.mapError(effect, inTable(stage))
)

/** Adds the columns that the table lacks; refuses the ones it has with another type. */
const evolve = Effect.fnUntraced(function* (database: Database.Database, { table, feed }: Stage) {
  const present = yield* describe(database, target(table))
  const wanted = yield* describe(database, feed.call)
  for (const column of table.columns) {
    const [has, wants] = [present.get(column.name.toLowerCase()), wanted.get(column.name.toLowerCase())]
    if (has === undefined) yield* database.run(`ALTER TABLE ${target(table)} ADD COLUMN ${definition(column)}`)
    else if (has !== wants) {
      return yield* failure(
        `column ${column.name} of table ${table.name} is ${has} in the database and ${wants} in this run; ` +
          `rename one, or alter the column`
      )()
    }
  }
})

const describe = (database: Database.Database, from: string) =>
  Effect.map(
    database.query(`SELECT column_name, column_type FROM (DESCRIBE FROM ${from})`, described),
    (rows) => new Map(rows.map((row) => [String(row["column_name"]).toLowerCase(), String(row["column_type"])]))
  )

const described: ReadonlyArray<Column.Column> = [
  { name: "column_name", type: { _tag: "VARCHAR" }, nullable: false },
  { name: "column_type", type: { _tag: "VARCHAR" }, nullable: false }
]

export const target = (table: Table.Table): string => `target.main.${Column.quote(table.name)}`
export const staged = (table: string): string => `temp.main.${Column.quote(table)}`
export const names = (table: Table.Table): string => table.columns.map(({ name }) => Column.quote(name)).join(", ")

const definition = ({ name, type }: Column.Column): string => `${Column.quote(name)} ${Column.toSql(type)}`

const inTable = (stage: Stage) => (error: Database.DatabaseError | Sink.SinkError) =>
  error._tag === "SinkError" ? error : failure(`table ${stage.table.name}`)(error)
