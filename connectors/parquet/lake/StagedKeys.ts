/**
 * The keys of the rows that wait for a commit: which rows they are, in the order written, and where in its file each waits.
 *
 * Only keys are kept here, in a temporary table that spills to disk; the rows are in their files. It is made with the first
 * key: a table without rows needs no SQL, except with scd2.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import { numberColumn } from "#engine/CommitQueries"
import type * as Database from "#engine/Duckdb"
import type * as Feed from "#engine/DuckdbFeed"
import type * as Sink from "#engine/Sink"
import type * as Table from "#engine/Table"
import { projection } from "../format/fileSql.ts"
import { place, placeOf } from "./place.ts"

export interface StagedKeys {
  readonly table: Table.Table
  /** The key columns of a row, of its parent, and for its children: as the table will have them. */
  readonly columns: ReadonlyArray<Column.Column>
  /** Their names in the rows of the run. */
  readonly given: ReadonlyArray<string>
  /** The SQL that casts the run's values to these columns. */
  readonly select: string
  readonly feed: Effect.Effect<Feed.Feed, Database.DatabaseError>
  /** Whether the table of keys was made. */
  isMade: boolean
}

export const forTable = Effect.fnUntraced(function* (
  database: Database.Database,
  plan: Sink.Plan,
  { table, write }: Sink.TablePlan,
  after: ReadonlyArray<Column.Column>,
  /** The table of the keys that a history saw or could not fetch, in all commits of the run. */
  seen: string
) {
  const referenced = plan.tables.flatMap((other) =>
    other.table.parent?.table === table.name ? Object.values(other.table.parent.on) : []
  )
  const names = [...new Set([...table.key, ...Object.keys(table.parent?.on ?? {}), ...referenced])]
  const columns = names.flatMap((name) => Column.named(after, name) ?? [])
  const given = names.flatMap((name) => Column.named(table.columns, name) ?? [])
  const keys: StagedKeys = {
    table,
    columns,
    given: given.map(({ name }) => name),
    select: projection(given, columns).join(", "),
    feed: yield* Effect.cached(database.feed([...given, ...places])),
    isMade: false
  }
  if (write !== "scd2") return keys
  yield* ensure(database, keys)
  const own = table.key.flatMap((name) => Column.named(after, name) ?? [])
  yield* database.run(`CREATE OR REPLACE TEMP TABLE ${seen} (${definitions(own)})`)
  return keys
})

/** Makes the table of the keys, if there is none yet. */
export const ensure = (database: Database.Database, keys: StagedKeys): Effect.Effect<void, Database.DatabaseError> =>
  keys.isMade ? Effect.void : clear(database, keys)

/** Makes the table without rows: it has those of one commit. */
export const clear = Effect.fnUntraced(function* (database: Database.Database, keys: StagedKeys) {
  const columns = definitions([...keys.columns, ...places])
  yield* database.run(`CREATE OR REPLACE TEMP TABLE ${tableOf(keys.table)} (${columns})`)
  keys.isMade = true
})

/** Adds keys without rows: they count as seen. */
export const retain = Effect.fnUntraced(function* (
  database: Database.Database,
  { table, select, feed: made }: StagedKeys,
  seen: string,
  rows: ReadonlyArray<Table.Row>
) {
  const feed = yield* made
  const key = table.key.map(Column.quote).join(", ")
  feed.load(rows)
  yield* database.run(`INSERT INTO ${seen} SELECT ${key} FROM (SELECT ${select} FROM ${feed.call})`)
  feed.load([])
})

/** The part of a row that is kept until its group is written: its keys, and its number among the rows of the run. */
export const keysOf = (keys: StagedKeys, row: Table.Row, number: number): Table.Row => {
  const cells: Record<string, unknown> = { [numberColumn]: number }
  for (const name of keys.given) cells[name] = row[name]
  return cells
}

/** Stores the keys of a row group, in its order. The file has so many rows before this group. */
export const record = Effect.fnUntraced(function* (
  database: Database.Database,
  keys: StagedKeys,
  rows: ReadonlyArray<Table.Row>,
  file: { readonly number: number; readonly rows: number }
) {
  const { select, table } = keys
  yield* ensure(database, keys)
  const feed = yield* keys.feed
  feed.load(rows.map((row, at) => ({ ...row, [place]: placeOf(file.number, file.rows + at) })))
  yield* database.run(`INSERT INTO ${tableOf(table)} SELECT ${select}, ${numberColumn}, ${place} FROM ${feed.call}`)
  feed.load([])
})

/** The table of the keys of a commit. */
export const tableOf = ({ name }: Table.Table): string => `temp.main.${Column.quote(`${name} keys`)}`
const places: ReadonlyArray<Column.Column> = [numberColumn, place].map((name) => ({
  name,
  type: { _tag: "BIGINT" },
  nullable: false
}))

/** Column definitions for CREATE TABLE. */
export const definitions = (columns: ReadonlyArray<Column.Column>): string =>
  columns.map(({ name, type }) => `${Column.quote(name)} ${Column.toSql(type)}`).join(", ")
