/**
 * One table of the stage: it takes rows as the source gives them, and returns rows after the steps.
 *
 * Its columns after the steps are known before the first row, because each step is first run on an empty table. An
 * impossible step is reported with its place in the file.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Column from "../Column.ts"
import * as Database from "../Duckdb.ts"
import { sameValues } from "../Duckdb.ts"
import * as Cell from "../DuckdbCell.ts"
import type * as Feed from "../DuckdbFeed.ts"
import * as RowBuffer from "../DuckdbRowBuffer.ts"
import * as Stage from "../Stage.ts"
import type * as Table from "../Table.ts"
import { broken, came, compileSteps } from "./compileSteps.ts"
import { isMoved, movedSql } from "./followParent.ts"
import { hidden, hiddenDefinitions } from "./stepSql.ts"

interface StagedTable {
  /** The table after the steps. */
  readonly table: Table.Table
  /** The table of the source. */
  readonly source: Table.Table
  /** Its steps as one query; undefined: it has none. */
  readonly sql: string | undefined
  readonly parent: StagedTable | undefined
  /** Whether its rows get new references to their parents, because a step changes the parents' columns (`followParent`). */
  readonly isMoved: boolean
  readonly feed: Feed.Feed
  readonly buffer: RowBuffer.RowBuffer
  /** The number of rows written. */
  count: number
}

/** Rows are inserted when this many wait. */
const group = { rows: 2048, bytes: 8_000_000 }

/** Makes the tables of a plan, and lists the faults of its steps. With faults, the tables cannot be used. */
export const all = Effect.fnUntraced(function* (database: Database.Database, plan: Stage.Plan) {
  const faults: Array<Stage.Fault> = []
  const doubtful = new Set<string>()
  const staged: Array<StagedTable> = []
  const [main] = plan.tables
  yield* run(database, "CREATE SCHEMA IF NOT EXISTS came")
  for (const source of plan.tables) {
    const steps = plan.steps.flatMap((step, at) => ((step.table ?? main?.name) === source.name ? [{ step, at }] : []))
    const feed = yield* database
      .feed([...source.columns, ...hiddenColumns])
      .pipe(Effect.mapError(broken(`table ${source.name}`)))
    const definitions = source.columns.map(({ name, type }) => `${Column.quote(name)} ${Column.toSql(type)}`)
    if (!plan.reopen)
      yield* run(database, `CREATE TABLE ${came(source)} (${[...definitions, hiddenDefinitions].join(", ")})`)
    const parent = staged.find(({ source: { name } }) => name === source.parent?.table)
    const { sql, table } = yield* compileSteps(database, plan, source, steps, parent, { faults, doubtful })
    const own = { isMoved: isMoved(plan, source), feed, buffer: RowBuffer.empty(), count: 0 }
    const each: StagedTable = { table, source, sql, parent, ...own }
    if (!plan.reopen) yield* run(database, `CREATE VIEW ${Column.quote(table.name)} AS ${result(each)}`)
    staged.push(each)
  }
  for (const [at, { table }] of plan.steps.entries()) {
    if (table === undefined || plan.tables.some(({ name }) => name === table)) continue
    const names = plan.tables.map(({ name }) => name).join(", ")
    faults.push({ message: `the source has no table ${table}; it has ${names}`, path: ["steps", at, "table"] })
  }
  return { staged, faults, doubtful }
})

export const write = Effect.fnUntraced(function* (
  database: Database.Database,
  staged: StagedTable,
  rows: ReadonlyArray<Stage.Staged>
) {
  for (const { row, presence } of rows) {
    staged.buffer.add({ ...row, [hidden.row]: staged.count++, [hidden.presence]: presence })
    if (staged.buffer.rows >= group.rows || staged.buffer.bytes >= group.bytes) yield* flush(database, staged)
  }
})

/** Takes the steps: replaces the view on the written rows by a table. Call it for parents before their children. */
export const finish = Effect.fnUntraced(function* (database: Database.Database, staged: StagedTable) {
  if (!isChanged(staged)) return
  const name = Column.quote(staged.table.name)
  yield* run(database, `DROP VIEW ${name}`)
  yield* database
    .retryWithMoreMemory(database.run(`CREATE TABLE ${name} AS ${result(staged)}`))
    .pipe(Effect.mapError(broken(`table ${staged.table.name}`)))
})

/** Removes the rows before the steps. Call it when all tables have taken their steps. */
export const forget = (database: Database.Database, staged: StagedTable) =>
  isChanged(staged) ? run(database, `DROP TABLE ${came(staged.source)}`) : Effect.void

/** Whether steps change the rows of a table: its own steps, or those of its parent. */
const isChanged = ({ parent, sql }: StagedTable): boolean => sql !== undefined || parent?.sql !== undefined

/** The query of the rows after the steps. Children of parents that were removed are removed too. */
const result = (staged: StagedTable): string => {
  const { parent, source, sql, table } = staged
  const own = sql ?? `SELECT * FROM ${came(source)}`
  if (parent?.sql === undefined) return own
  if (staged.isMoved) return movedSql(own, staged, parent, came(parent.source))
  const on = table.parent?.on ?? {}
  const same = sameValues(Object.values(on), "p", Object.keys(on), "c")
  const above = `SELECT 1 FROM ${Column.quote(parent.table.name)} AS p WHERE ${same}`
  return `SELECT c.* FROM (${own}\n) AS c WHERE EXISTS (${above})`
}

export const read = (
  database: Database.Database,
  { table }: StagedTable
): Stream.Stream<ReadonlyArray<Stage.Staged>, Stage.StageError> => {
  // A column whose type `Column` does not have is cast to the nearest type that it has.
  const cells = table.columns.map(
    ({ name, type }) => `${Column.quote(name)}::${Column.toSql(type)} AS ${Column.quote(name)}`
  )
  const columns = [...table.columns, ...hiddenColumns.filter(({ name }) => name === hidden.presence)]
  const typed = `SELECT ${[...cells, hidden.presence].join(", ")} FROM ${Column.quote(table.name)}`
  return database.rows(`SELECT ${columns.map(Cell.selected).join(", ")} FROM (${typed})`, columns).pipe(
    Stream.map((rows) =>
      rows.map(
        ({ [hidden.presence]: presence, ...row }): Stage.Staged => ({
          row,
          presence: presence === "gone" || presence === "failed" || presence === "unread" ? presence : "seen"
        })
      )
    ),
    Stream.mapError(broken(`cannot read the staged rows of ${table.name}`))
  )
}

/** Inserts the waiting rows. */
export const flush = Effect.fnUntraced(function* (database: Database.Database, { buffer, feed, source }: StagedTable) {
  if (buffer.rows === 0) return
  feed.load(buffer.take())
  yield* run(database, `INSERT INTO ${came(source)} FROM ${feed.call}`, `table ${source.name}`)
  feed.load([])
})

const hiddenColumns: ReadonlyArray<Column.Column> = [
  { name: hidden.row, type: { _tag: "BIGINT" }, nullable: false },
  { name: hidden.presence, type: { _tag: "VARCHAR" }, nullable: false }
]

const run = (database: Database.Database, sql: string, doing = "the stage") =>
  Effect.asVoid(Effect.mapError(database.run(sql), broken(doing)))
