/**
 * One table of the stage: rows come in as its source has them, and leave as its steps make them.
 *
 * Its columns after the steps are known before the first row: DuckDB is asked what each step makes of an empty table. An
 * impossible step is reported with its place in the file.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Column from "../pipeline/Column.ts"
import * as Stage from "../pipeline/Stage.ts"
import * as Step from "../pipeline/Step.ts"
import type * as Table from "../pipeline/Table.ts"
import * as Cell from "./Cell.ts"
import * as Database from "./Database.ts"
import { describe, type Present } from "./describe.ts"
import type * as Feed from "./Feed.ts"
import * as RowBuffer from "./RowBuffer.ts"
import { sameValues } from "./sameValues.ts"
import { hidden, hiddenDefinitions, stepSql } from "./stepSql.ts"
import { names, tryStep } from "./tryStep.ts"

export interface StagedTable {
  /** As the steps leave it. */
  readonly table: Table.Table
  /** As the source has it. */
  readonly source: Table.Table
  /** Its steps in one query; undefined where it has none. */
  readonly sql: string | undefined
  readonly parent: StagedTable | undefined
  readonly feed: Feed.Feed
  readonly buffer: RowBuffer.RowBuffer
  /** Rows that came. */
  count: number
}

/** What waits before it is worth a statement. */
const group = { rows: 2048, bytes: 8_000_000 }

/** The tables of a plan, ready to be written, and what is wrong with its steps: nothing, or there is no going on. */
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
    const { sql, table } = yield* compile(database, plan, source, steps, parent, { faults, doubtful })
    const each: StagedTable = { table, source, sql, parent, feed, buffer: RowBuffer.make(), count: 0 }
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
    staged.buffer.add({ ...row, [hidden.row]: staged.count++, [hidden.standing]: presence })
    if (staged.buffer.rows >= group.rows || staged.buffer.bytes >= group.bytes) yield* flush(database, staged)
  }
})

/** Takes the steps: what was a view on the rows as they came is a table now. Parents come before their children. */
export const finish = Effect.fnUntraced(function* (database: Database.Database, staged: StagedTable) {
  if (!isChanged(staged)) return
  const name = Column.quote(staged.table.name)
  yield* run(database, `DROP VIEW ${name}`)
  yield* database
    .retryWithMoreMemory(database.run(`CREATE TABLE ${name} AS ${result(staged)}`))
    .pipe(Effect.mapError(broken(`table ${staged.table.name}`)))
  yield* run(database, `DROP TABLE ${came(staged.source)}`)
})

/** Whether a table is another than the one that came. */
const isChanged = ({ parent, sql }: StagedTable): boolean => sql !== undefined || parent?.sql !== undefined

/** The rows after the steps. Those whose parent did not come through its own have nothing to belong to. */
const result = ({ parent, source, sql, table }: StagedTable): string => {
  const own = sql ?? `SELECT * FROM ${came(source)}`
  if (parent?.sql === undefined) return own
  const on = table.parent?.on ?? {}
  const same = sameValues(Object.values(on), "p", Object.keys(on), "c")
  const above = `SELECT 1 FROM ${Column.quote(parent.table.name)} AS p WHERE ${same}`
  return `SELECT c.* FROM (${own}\n) AS c WHERE EXISTS (${above})`
}

export const read = (
  database: Database.Database,
  { table }: StagedTable
): Stream.Stream<ReadonlyArray<Stage.Staged>, Stage.StageError> => {
  // A column of a type that is none of ours becomes the nearest that is.
  const cells = table.columns.map(
    ({ name, type }) => `${Column.quote(name)}::${Column.toSql(type)} AS ${Column.quote(name)}`
  )
  const columns = [...table.columns, ...hiddenColumns.filter(({ name }) => name === hidden.standing)]
  const typed = `SELECT ${[...cells, hidden.standing].join(", ")} FROM ${Column.quote(table.name)}`
  return database.rows(`SELECT ${columns.map(Cell.selected).join(", ")} FROM (${typed})`, columns).pipe(
    Stream.map((rows) =>
      rows.map(
        ({ [hidden.standing]: standing, ...row }): Stage.Staged => ({
          row,
          presence: standing === "gone" || standing === "failed" ? standing : "seen"
        })
      )
    ),
    Stream.mapError(broken(`cannot read the staged rows of ${table.name}`))
  )
}

/** Hands what waits to DuckDB. */
export const flush = Effect.fnUntraced(function* (database: Database.Database, { buffer, feed, source }: StagedTable) {
  if (buffer.rows === 0) return
  feed.load(buffer.take())
  yield* run(database, `INSERT INTO ${came(source)} FROM ${feed.call}`, `table ${source.name}`)
  feed.load([])
})

interface Placed {
  readonly step: Step.Step
  /** Its number in the file. */
  readonly at: number
}

/** What is wrong with the steps so far, and the names that may be there once it is put right. */
interface Found {
  readonly faults: Array<Stage.Fault>
  readonly doubtful: Set<string>
}

/** The steps as one query, and the table that they make. */
const compile = Effect.fnUntraced(function* (
  database: Database.Database,
  plan: Stage.Plan,
  source: Table.Table,
  steps: ReadonlyArray<Placed>,
  parent: StagedTable | undefined,
  found: Found
) {
  let from = came(source)
  let columns: ReadonlyArray<string> = source.columns.map(({ name }) => name)
  let [key, on] = [source.key, source.parent?.on ?? {}]
  const chain: Array<string> = []
  for (const { at, step } of steps) {
    const before = columns
    let possible: Step.Step | undefined = step
    if (!plan.reopen) {
      const tried = yield* tryStep(step, {
        from,
        columns,
        path: ["steps", at],
        describe: (query) =>
          Effect.map(columnsOf(database, joined([...chain, query, "described"])), (described) =>
            described.map(({ name }) => name)
          )
      })
      // What speaks of a name in doubt is not complained about a second time.
      if (!names(JSON.stringify(step), found.doubtful)) found.faults.push(...tried.faults)
      for (const name of tried.doubtful) found.doubtful.add(name)
      possible = tried.step
      columns = tried.columns
    }
    if (possible === undefined) continue
    const { rename } = possible
    const renamed = (name: string) => rename?.[name] ?? name
    key = key.map(renamed)
    on = Object.fromEntries(Object.entries(on).map(([ours, theirs]) => [renamed(ours), theirs]))
    chain.push(stepSql(possible, from, before), `s${at}`)
    from = `s${at}`
  }
  const made = chain.length === 0 ? undefined : joined(chain)
  // A stage that is opened again has its tables as the steps left them.
  const whole = plan.reopen ? `SELECT * FROM ${Column.quote(source.name)}` : (made ?? `SELECT * FROM ${came(source)}`)
  const described = yield* Effect.mapError(columnsOf(database, whole), broken(`table ${source.name}`))
  const table: Table.Table = {
    ...source,
    key: source === plan.tables[0] && plan.key !== undefined ? plan.key : key,
    columns: described.map((column) => columnOf(column, source, changedBy(steps))),
    ...(source.parent === undefined
      ? {}
      : { parent: { table: source.parent.table, on: parentColumns(on, parent, plan) } })
  }
  const lost = [...table.key, ...Object.keys(table.parent?.on ?? {})].find(
    (name) => !table.columns.some((column) => column.name === name)
  )
  if (lost !== undefined && steps.length > 0) {
    const message = `the steps remove ${lost}, which is in the key of ${table.name}; keep it, or name another key`
    if (!found.doubtful.has(lost)) found.faults.push({ message, path: ["steps", steps.at(-1)?.at ?? 0] })
    // So that the tables and checks after it can be tried.
    return { table: source, sql: undefined }
  }
  return { table, sql: made }
})

/** Which columns of ours hold which of the parent's, by the names that both have after their steps. */
const parentColumns = (
  on: Readonly<Record<string, string>>,
  parent: StagedTable | undefined,
  plan: Stage.Plan
): Readonly<Record<string, string>> => {
  if (parent === undefined) return on
  const renames = plan.steps.filter(({ table }) => (table ?? plan.tables[0]?.name) === parent.source.name)
  const follow = (name: string) => renames.reduce((now, { rename }) => rename?.[now] ?? now, name)
  return Object.fromEntries(Object.entries(on).map(([ours, theirs]) => [ours, follow(theirs)]))
}

/** Queries and the names of their results, in turn, as one query. */
const joined = (chain: ReadonlyArray<string>): string => {
  const parts: Array<string> = []
  for (let at = 0; at + 1 < chain.length; at += 2) parts.push(`${chain[at + 1]} AS NOT MATERIALIZED (${chain[at]}\n)`)
  return `WITH ${parts.join(", ")} SELECT * FROM ${chain.at(-1)}`
}

/** The columns of a query, without our own. */
const columnsOf = (database: Database.Database, query: string) =>
  Effect.map(describe(database, `(${query}\n)`), (present) =>
    present.filter(({ name }) => name !== hidden.row && name !== hidden.standing)
  )

/** The columns that steps give other values, which may be null whatever the source promises. */
const changedBy = (steps: ReadonlyArray<Placed>): ReadonlySet<string> =>
  new Set(
    steps
      .flatMap(({ step: { derive, mask, rename } }) => [
        ...Object.keys(derive ?? {}),
        ...Object.keys(mask ?? {}),
        ...Object.values(rename ?? {})
      ])
      .map((name) => name.toLowerCase())
  )

const columnOf = (
  { name, sql, type: known }: Present,
  source: Table.Table,
  changed: ReadonlySet<string>
): Column.Column => {
  const before = source.columns.find((column) => column.name === name)
  const type = known ?? nearest(sql)
  const isSame =
    before !== undefined && Column.toSql(before.type) === Column.toSql(type) && !changed.has(name.toLowerCase())
  return { name, type, nullable: isSame ? before.nullable : true }
}

/** The type that holds values of one that is none of ours. */
const nearest = (sql: string): Column.ColumnType => {
  if (/^U?(HUGE|BIG|SMALL|TINY)?INT(EGER)?$/.test(sql))
    return { _tag: sql.includes("HUGE") || sql === "UBIGINT" ? "DOUBLE" : "BIGINT" }
  if (sql.startsWith("TIMESTAMP")) return { _tag: "TIMESTAMP" }
  if (/^(MAP|UNION|STRUCT)\(|\[\d*\]$/.test(sql)) return { _tag: "JSON" }
  return { _tag: "VARCHAR" }
}

const hiddenColumns: ReadonlyArray<Column.Column> = [
  { name: hidden.row, type: { _tag: "BIGINT" }, nullable: false },
  { name: hidden.standing, type: { _tag: "VARCHAR" }, nullable: false }
]

/** Where rows are as they came. */
const came = (table: Table.Table): string => `came.${Column.quote(table.name)}`

const run = (database: Database.Database, sql: string, doing = "the stage") =>
  Effect.asVoid(Effect.mapError(database.run(sql), broken(doing)))

const broken =
  (doing: string) =>
  (cause: Database.DatabaseError): Stage.StageError =>
    new Stage.StageError({ message: `${doing}: ${cause.message}`, path: [], cause })
