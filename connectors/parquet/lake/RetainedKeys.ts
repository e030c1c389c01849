/**
 * The keys of rows that a replacing run could not fetch: their stored rows stay.
 *
 * They are kept for all commits of the run, in a temporary table that spills to disk.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import type * as Database from "#engine/Duckdb"
import type * as Feed from "#engine/DuckdbFeed"
import type * as Table from "#engine/Table"
import { definitions } from "./StagedKeys.ts"

export interface RetainedKeys {
  readonly table: Table.Table
  readonly columns: ReadonlyArray<Column.Column>
  feed: Feed.Feed | undefined
}

export const empty = (table: Table.Table): RetainedKeys => ({
  table,
  columns: table.key.flatMap((name) => Column.named(table.columns, name) ?? []),
  feed: undefined
})

export const add = Effect.fnUntraced(function* (
  database: Database.Database,
  retained: RetainedKeys,
  rows: ReadonlyArray<Table.Row>
) {
  if (rows.length === 0 || retained.columns.length === 0) return
  if (retained.feed === undefined) {
    retained.feed = yield* database.feed(retained.columns)
    yield* database.run(`CREATE OR REPLACE TEMP TABLE ${tableOf(retained)} (${definitions(retained.columns)})`)
  }
  retained.feed.load(rows)
  yield* database.run(`INSERT INTO ${tableOf(retained)} FROM ${retained.feed.call}`)
  retained.feed.load([])
})

/** Whether there is any. */
export const isAny = ({ feed }: RetainedKeys): boolean => feed !== undefined

export const tableOf = ({ table }: RetainedKeys): string => `temp.main.${Column.quote(`${table.name} retained`)}`
