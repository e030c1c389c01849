/**
 * The keys of the rows that wait for a commit: which rows they are, in the order written, and in which file each waits.
 *
 * Only keys are kept here, in a temporary table that spills to disk; the rows are in their files. It is made with the first
 * key: a table without rows needs no SQL, except with scd2.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import type * as Database from "#engine/Duckdb"
import type * as Feed from "#engine/DuckdbFeed"
import * as DuplicateKeys from "#engine/DuplicateKeys"
import * as Sink from "#engine/Sink"
import type * as Table from "#engine/Table"
import { projection } from "../format/fileSql.ts"

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
  /** Rows of this commit that were written, also those whose keys wait for their group. */
  written: number
  /** For each batch of the parent's rows: the number of its first row, and how many rows of this table came before it. */
  parentBatchOffsets: Array<{ readonly from: number; readonly before: number }>
}

export const forTable = Effect.fnUntraced(function* (
  database: Database.Database,
  plan: Sink.Plan,
  { table, write }: Sink.TablePlan,
  after: ReadonlyArray<Column.Column>
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
    isMade: false,
    written: 0,
    parentBatchOffsets: []
  }
  if (write !== "scd2") return keys
  yield* ensure(database, keys)
  const own = table.key.flatMap((name) => Column.named(after, name) ?? [])
  yield* database.run(`CREATE OR REPLACE TEMP TABLE ${seenOf(table)} (${definitions(own)})`)
  return keys
})

/** Makes the table of the keys, if there is none yet. */
const ensure = (database: Database.Database, keys: StagedKeys): Effect.Effect<void, Database.DatabaseError> =>
  keys.isMade ? Effect.void : create(database, keys)

const create = Effect.fnUntraced(function* (database: Database.Database, keys: StagedKeys) {
  const columns = definitions([...keys.columns, ...places])
  yield* database.run(`CREATE OR REPLACE TEMP TABLE ${tableOf(keys.table)} (${columns})`)
  keys.isMade = true
})

/** Adds keys without rows: they count as seen. */
export const retain = Effect.fnUntraced(function* (
  database: Database.Database,
  { table, select, feed: made }: StagedKeys,
  rows: ReadonlyArray<Table.Row>
) {
  const feed = yield* made
  feed.load(rows)
  yield* database.run(`INSERT INTO ${seenOf(table)} SELECT ${keyOf(table)} FROM (SELECT ${select} FROM ${feed.call})`)
  feed.load([])
})

/** Drops all keys, after a commit. */
export const clear = Effect.fnUntraced(function* (database: Database.Database, keys: StagedKeys) {
  keys.written = 0
  keys.parentBatchOffsets = []
  if (keys.isMade) yield* create(database, keys)
})

/** The part of a row that is kept until its group is written: its keys, and its number in the commit. */
export const keysOf = (keys: StagedKeys, row: Table.Row, number: number): Table.Row => {
  const cells: Record<string, unknown> = { [seq]: number }
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
  feed.load(rows.map((row, at) => ({ ...row, [fileNumber]: file.number, [rowNumber]: file.rows + at })))
  const all = places.map(({ name }) => name).join(", ")
  yield* database.run(`INSERT INTO ${tableOf(table)} SELECT ${select}, ${all} FROM ${feed.call}`)
  feed.load([])
})

/** Whether no table of these got a row, so that a merge of them changes nothing. */
export const areIdle = (
  stages: ReadonlyArray<{ readonly write: Sink.WriteDisposition; readonly keys: StagedKeys | undefined }>
) => stages.every(({ keys, write }) => keys === undefined || (write === "merge" && keys.written === 0))

/** Keeps only the keys of rows that count: parents before their children. */
export const settleAll = (database: Database.Database, all: ReadonlyArray<StagedKeys>) => {
  const settle = (keys: StagedKeys) => {
    const parent = all.find(({ table }) => table.name === keys.table.parent?.table)
    return DuplicateKeys.dropDuplicates(database, asStaged(keys), parent && asStaged(parent))
  }
  const made = Effect.forEach(all, (keys) => ensure(database, keys), { discard: true })
  const settled = Effect.forEach(Sink.parentsFirst(all), settle, { discard: true })
  return Effect.andThen(made, database.withRaisedMemoryLimit(settled))
}

/** How many rows count, by the number of their file. */
export const counts = (database: Database.Database, { table }: StagedKeys) =>
  Effect.map(
    database.query(`SELECT ${fileNumber}, count(*) FROM ${tableOf(table)} GROUP BY ALL`, [
      { name: "file", type: { _tag: "BIGINT" }, nullable: false },
      { name: "rows", type: { _tag: "BIGINT" }, nullable: false }
    ]),
    (rows) => new Map(rows.map((row) => [Number(row["file"]), Number(row["rows"])]))
  )

/** A query of the rows of a file that count. */
export const rowsOf = ({ table }: StagedKeys, file: number): string =>
  `SELECT ${rowNumber} AS row FROM ${tableOf(table)} WHERE ${fileNumber} = ${file}`

/** The table of the keys that a run saw or could not fetch, in all its commits: a history closes the others. */
export const seenOf = ({ name }: Table.Table): string => `temp.main.${Column.quote(`${name} seen`)}`
/** The table of the keys of a commit. */
export const tableOf = ({ name }: Table.Table): string => `temp.main.${Column.quote(`${name} keys`)}`
/** Its columns for the number of the row in the commit, and for its file and row number there. */
export const [seq, fileNumber, rowNumber] = ["_millrace_seq", "_millrace_file", "_millrace_row"] as const
const places: ReadonlyArray<Column.Column> = [seq, fileNumber, rowNumber].map((name) => ({
  name,
  type: { _tag: "BIGINT" },
  nullable: false
}))

const asStaged = ({ table, parentBatchOffsets }: StagedKeys): DuplicateKeys.Staged => ({
  table,
  rows: tableOf(table),
  parentBatchOffsets,
  number: (of) => `${of}.${seq}`
})

/** Column definitions for CREATE TABLE. */
export const definitions = (columns: ReadonlyArray<Column.Column>): string =>
  columns.map(({ name, type }) => `${Column.quote(name)} ${Column.toSql(type)}`).join(", ")

export const keyOf = (table: Table.Table): string => table.key.map(Column.quote).join(", ")
