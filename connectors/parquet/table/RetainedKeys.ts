/**
 * The keys of rows that a replacing run could not learn: their stored rows stay.
 *
 * The law: they are kept over all commits of the run, in a temporary table that spills.
 */
import * as Effect from "effect/Effect"
import type * as Database from "../../../src/duckdb/Database.ts"
import type * as Feed from "../../../src/duckdb/Feed.ts"
import * as Column from "../../../src/pipeline/Column.ts"
import type * as Table from "../../../src/pipeline/Table.ts"
import { definitions } from "./StagedKeys.ts"

export interface Kept {
  readonly table: Table.Table
  readonly columns: ReadonlyArray<Column.Column>
  feed: Feed.Feed | undefined
}

export const make = (table: Table.Table): Kept => ({
  table,
  columns: table.key.flatMap((name) => Column.named(table.columns, name) ?? []),
  feed: undefined
})

export const add = Effect.fnUntraced(function* (
  database: Database.Database,
  kept: Kept,
  rows: ReadonlyArray<Table.Row>
) {
  if (rows.length === 0 || kept.columns.length === 0) return
  if (kept.feed === undefined) {
    kept.feed = yield* database.feed(kept.columns)
    yield* database.run(`CREATE OR REPLACE TEMP TABLE ${tableOf(kept)} (${definitions(kept.columns)})`)
  }
  kept.feed.load(rows)
  yield* database.run(`INSERT INTO ${tableOf(kept)} FROM ${kept.feed.call}`)
  kept.feed.load([])
})

/** Whether there is any. */
export const isAny = ({ feed }: Kept): boolean => feed !== undefined

export const tableOf = ({ table }: Kept): string => `temp.main.${Column.quote(`${table.name} kept`)}`
