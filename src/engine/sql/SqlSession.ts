/**
 * The writing of one run into one database, and its commits.
 *
 * Guarantee: rows, child tables, changed columns, checkpoint and the run's record become visible in one COMMIT. Until then the
 * rows wait in temporary tables, and the tables of the user do not change.
 */
import * as Effect from "effect/Effect"
import * as Column from "../Column.ts"
import { SinkError } from "../Commit.ts"
import type { Remaining } from "../remainingRows.ts"
import * as Sink from "../Sink.ts"
import type { Committed } from "../SinkWriter.ts"
import * as StoredTable from "../StoredTable.ts"
import type * as Table from "../TableShape.ts"
import { showCurrent } from "./currentView.ts"
import { createTable, fitTable, isEmpty } from "./fitTable.ts"
import type { Visit } from "./historySteps.ts"
import * as Receipts from "./Receipts.ts"
import * as RowHashes from "./RowHashes.ts"
import * as RowNotes from "./RowNotes.ts"
import { remainingSteps } from "./replaceSteps.ts"
import { linkTable, replaceByNext, replaceTable } from "./replaceTable.ts"
import { type Described, type DescribedColumn, refused, type SqlDatabase, within } from "./SqlDatabase.ts"
import * as SqlStage from "./SqlStage.ts"
import { hasRunId, type StagedTable } from "./StagedTable.ts"
import * as TablePlanner from "./TablePlanner.ts"
import * as TableRegistry from "./TableRegistry.ts"

export interface SqlSession {
  readonly database: SqlDatabase
  readonly plan: Sink.Plan
  /** The stages, in the order of the plan. */
  readonly stages: ReadonlyArray<SqlStage.SqlStage>
  /** Whether scd2 closes versions of keys that a complete run does not have. */
  readonly closesRemoved: boolean
  /** The number of rows that were written in this run. */
  written: number
  /** The number of the last commit of this pipeline, as this session knows it. */
  commitNumber: number
  /** Whether this run has not committed yet. */
  isFirst: boolean
  /** Whether its tables are ready to take rows. */
  isBegun: boolean
  /** The owner of each table and its written columns, by table in lower case. */
  claimed: ReadonlyMap<string, TableRegistry.Claimed>
}

/** Whether rows are written into the tables before the commit, so that a transaction is open during the whole run. */
const isDirect = ({ stages }: SqlSession): boolean => stages.some((stage) => stage.isDirect)

/** Prepares the tables for the rows of the next commit. */
export const begin = Effect.fnUntraced(function* (session: SqlSession): Effect.fn.Return<void, SinkError> {
  const { database, isFirst, stages } = session
  if (session.isBegun) return
  if (isDirect(session)) yield* attempt(session, openTransaction(session), true)
  for (const stage of stages) yield* SqlStage.begin(database, stage, isFirst)
  const again = againIn(session)
  for (const { current, isDirect, write } of stages) {
    if (isDirect && write === "append" && current !== undefined && again !== undefined) {
      yield* database.take(TablePlanner.clearSteps(current, again))
    }
  }
  for (const stage of stages)
    if (stage.isDirect && stage.write === "append") stage.last = yield* lastRow(session, stage)
  session.isBegun = true
})

/** The number of the last stored row, where later rows have higher ones. */
const lastRow = ({ database }: SqlSession, { current }: SqlStage.SqlStage) =>
  current?.changes === undefined
    ? Effect.succeed(-1n)
    : Effect.map(database.rows(`SELECT coalesce(max(${current.rowId}), -1) FROM ${current.target}`), (rows) =>
        BigInt(String(rows[0]?.[0]))
      )

/** The run whose earlier rows make way. */
const againIn = ({ isFirst, plan }: SqlSession): string | undefined =>
  isFirst && plan.again === true ? plan.runId : undefined

/** Runs what is in a transaction; `canRepeat`: also once more, if the port says so. */
const attempt = <A>(
  { database: { transaction } }: SqlSession,
  work: Effect.Effect<A, SinkError>,
  canRepeat: boolean
): Effect.Effect<A, SinkError> =>
  transaction.attempt?.(work, canRepeat ? Effect.andThen(Effect.ignore(transaction.rollback), work) : undefined) ?? work

/** Takes rows of a table. They are numbered over all tables, so that a row says which rows of other tables came before it. */
export const write = Effect.fnUntraced(function* (
  session: SqlSession,
  stage: SqlStage.SqlStage,
  rows: ReadonlyArray<Table.Row>
): Effect.fn.Return<void, SinkError> {
  yield* begin(session)
  const first = session.written
  session.written += rows.length
  yield* SqlStage.write(stage, rows, first)
})

export const commit = Effect.fn("sql.commit")(function* (
  session: SqlSession,
  commit: Sink.Commit
): Effect.fn.Return<Committed, SinkError> {
  const { database } = session
  yield* begin(session)
  for (const stage of session.stages) {
    yield* Effect.mapError(SqlStage.flush(stage), SqlStage.inTable(stage, database.location))
  }
  // A second attempt would lack the rows that are in the transaction already.
  const tables = yield* attempt(session, transact(session, commit), !isDirect(session)).pipe(
    Effect.onError(() => Effect.ignore(database.transaction.rollback)),
    within(database, `cannot commit to ${database.location}`)
  )
  session.isFirst = session.isBegun = false
  yield* database.transaction.committed ?? Effect.void
  return { location: database.published ?? database.location, tables }
})

/** The beginning of a transaction: the planner's own tables, the owners, and the tables of the plan. */
const openTransaction = Effect.fnUntraced(function* (session: SqlSession): Effect.fn.Return<void, SinkError> {
  const { database, plan, stages } = session
  yield* database.transaction.begin
  yield* Receipts.prepare(database)
  yield* Receipts.refuseOther(database, plan.pipeline, session.commitNumber)
  yield* TableRegistry.prepare(database)
  if (session.isFirst) session.claimed = yield* TableRegistry.claims(database, plan)
  for (const stage of stages) {
    stage.current = yield* prepare(session, stage).pipe(Effect.mapError(SqlStage.inTable(stage)))
    yield* holdKey(session, stage, "loosen").pipe(Effect.mapError(SqlStage.inTable(stage)))
  }
})

const transact = Effect.fnUntraced(function* (
  session: SqlSession,
  commit: Sink.Commit
): Effect.fn.Return<Readonly<Record<string, Sink.TableResult>>, SinkError> {
  const { database, plan, stages } = session
  if (!isDirect(session)) yield* openTransaction(session)
  const remaining = yield* replaceAll(session, commit.complete)
  const tables: Record<string, Sink.TableResult> = {}
  // Parents first: a child is merged by the rows of its parent without duplicates.
  for (const stage of Sink.parentsFirst(stages)) {
    const settled =
      stage.write === "replace" || stage.isDirect
        ? { written: stage.written, unchanged: 0, superseded: 0 }
        : yield* settle(session, stage, commit).pipe(Effect.mapError(SqlStage.inTable(stage)))
    tables[stage.table.name] = { received: stage.written, ...settled, kept: remaining.get(stage)?.kept ?? 0 }
  }
  for (const stage of stages) {
    yield* holdKey(session, stage, "hold").pipe(Effect.mapError(SqlStage.inTable(stage)))
  }
  if (session.isFirst) yield* TableRegistry.record(database, plan, session.claimed)
  const commitNumber = yield* Receipts.record(database, plan, commit, tables, yield* recordedHashes(session))
  const end = database.transaction.commit.pipe(
    Effect.mapError(lostAnswer),
    Effect.andThen(Effect.sync(() => void (session.commitNumber = commitNumber)))
  )
  yield* Effect.uninterruptible(end)
  return tables
})

/** If the connection broke before the answer, nobody here knows whether the commit was done. */
const lostAnswer = (error: SinkError): SinkError =>
  error.retryable
    ? new SinkError({
        sink: error.sink,
        message: `the answer to COMMIT was lost, so the commit may be there or not; the next run reads which, and continues after it: ${error.message}`,
        retryable: true
      })
    : error

/** What the commit records of the rows of each table. */
const recordedHashes = Effect.fnUntraced(function* (
  session: SqlSession
): Effect.fn.Return<Readonly<Record<string, unknown>>, SinkError> {
  const { database, stages } = session
  const recorded: Record<string, unknown> = {}
  const method = yield* RowHashes.methodOf(database)
  for (const stage of stages) {
    const { current, isDirect, last, table, write } = stage
    if (method === undefined || current?.changes === undefined) continue
    if (isDirect && write === "append") yield* database.take(RowNotes.appended(current, last), stage.rows.into)
    const { columns } = write === "replace" ? yield* described(database, stage) : current.changes
    recorded[table.name] = RowHashes.encode(current.changes, method, columns.filter(isOursIn(session, stage)))
  }
  return recorded
})

const isOursIn =
  (session: SqlSession, stage: Sink.TablePlan) =>
  ({ name }: { readonly name: string }): boolean =>
    claimOf(session, stage)?.columns.has(name.toLowerCase()) !== false

const claimOf = ({ claimed, database }: SqlSession, { table }: Sink.TablePlan) =>
  claimed.get(database.spelling.fold(table.name))

/** Makes the stored table ready for the rows, and says how the planner sees it. */
const prepare = Effect.fnUntraced(function* (
  session: SqlSession,
  stage: SqlStage.SqlStage
): Effect.fn.Return<StagedTable, SinkError> {
  const { database, plan } = session
  const { table, write } = stage
  const there = yield* TableRegistry.describe(database, table.name)
  if (stage.isDirect && write === "replace") {
    const next = { ...stage, table: { ...table, name: SqlStage.nextOf(table) } }
    // A table of this name is Millrace's own.
    yield* database.run(`DROP TABLE IF EXISTS ${stage.rows.into}`)
    yield* createTable(database, next)
    return stagedOf(session, stage, there ?? (yield* described(database, next)), there)
  }
  if (there === undefined) {
    yield* createTable(database, stage)
    if (write === "scd2") yield* showCurrent(database, plan, table.name)
    return stagedOf(session, stage, yield* described(database, stage), undefined)
  }
  if (database.dialect.lock !== undefined) yield* database.run(database.dialect.lock(table.name))
  if (write === "replace" && plan.evolve) return stagedOf(session, stage, there, there)
  const fitting = { evolve: plan.evolve, claimed: claimOf(session, stage), rowId: stage.rowId }
  yield* fitTable(database, stage, there.columns, fitting)
  const now = yield* described(database, stage)
  const shape = (columns: SqlStage.SqlStage["columns"]) =>
    JSON.stringify(columns.map(({ name, sql, to }) => [name, TableRegistry.plainSql(sql), Column.toSql(to)]))
  if (shape(SqlStage.writtenColumns(database.dialect, table, now.columns, false)) !== shape(stage.columns)) {
    const message = `table ${table.name} was altered while this run wrote into it: run it again`
    return yield* new SinkError({ sink: database.sink, message, retryable: true })
  }
  if (write === "scd2") yield* showCurrent(database, plan, table.name)
  return stagedOf(session, stage, now, there)
})

const described = Effect.fnUntraced(function* (
  database: SqlDatabase,
  { table }: Sink.TablePlan
): Effect.fn.Return<Described, SinkError> {
  const there = yield* TableRegistry.describe(database, table.name)
  return there ?? (yield* refused(database, `table ${table.name} is not there`))
})

const stagedOf = (
  session: SqlSession,
  stage: SqlStage.SqlStage,
  { columns }: Described,
  before: Described | undefined
): StagedTable => {
  const { database } = session
  const isOurs = isOursIn(session, stage)
  const ours = columns.filter(isOurs)
  const written = new Set(stage.columns.map(({ name }) => name.toLowerCase()))
  const history = new Set(Sink.historyColumns.map(({ name }) => name))
  return {
    table: stage.table,
    write: stage.write,
    ...(stage.fingerprint === undefined ? {} : { fingerprint: stage.fingerprint }),
    ...(stage.absent === undefined ? {} : { absent: stage.absent }),
    spelling: database.spelling,
    number: stage.number,
    ...(stage.isDirect ? { rows: stage.rows.into } : {}),
    target: database.spelling.table(stage.table.name),
    columns: stage.columns,
    stored: before === undefined ? [] : columns,
    foreign: columns.filter((column) => !isOurs(column)),
    lacking: StoredTable.notWritten(stage, ours),
    cleared: ours
      .filter(
        ({ hasDefault, name }) => !hasDefault && !written.has(name.toLowerCase()) && !history.has(name.toLowerCase())
      )
      .map(({ name }) => name),
    rowId: stage.rowId,
    ...changesOf(session, stage, ours, before)
  }
}

/** What the commit changes in a table, if its rows say their run. */
const changesOf = (
  session: SqlSession,
  stage: SqlStage.SqlStage,
  ours: ReadonlyArray<DescribedColumn>,
  before: Described | undefined
): Pick<StagedTable, "changes"> => {
  const { database, isFirst, plan } = session
  const { columns, table } = stage
  if (database.spelling.rowsHash === undefined || !hasRunId(stage)) return {}
  const claimed = claimOf(session, stage)
  const isNew = ({ name }: { readonly name: string }) =>
    claimed?.columns.has(name.toLowerCase()) === true && !claimed.before.has(name.toLowerCase())
  const lacksPipeline = Column.named(before?.columns ?? [], Sink.pipelineColumn.name) === undefined
  const getsPipeline = Column.named(table.columns, Sink.pipelineColumn.name) !== undefined && lacksPipeline
  const hashed = RowHashes.hashedOf(ours)
  const changes: RowHashes.RowChanges = {
    runId: plan.runId,
    columns: hashed,
    isUntold: hashed.some(({ hasDefault, name }) => hasDefault && Column.named(columns, name) === undefined),
    again: againIn(session) !== undefined,
    runs: new Map(),
    before:
      before === undefined
        ? "none"
        : getsPipeline || (isFirst && before.columns.some(isNew))
          ? "columns"
          : isFirst && plan.fullRefresh === true
            ? "refreshed"
            : undefined
  }
  return { changes }
}

/** Writes the staged rows of a table, and returns the counts. */
const settle = Effect.fnUntraced(function* (
  session: SqlSession,
  stage: SqlStage.SqlStage,
  { complete, run }: Sink.Commit
): Effect.fn.Return<Pick<Sink.TableResult, "written" | "unchanged" | "superseded">, SinkError> {
  const { closesRemoved, database, plan, stages } = session
  const { current } = stage
  if (current === undefined) return { written: 0, unchanged: 0, superseded: 0 }
  const parent = stages.find(({ table }) => table.name === stage.table.parent?.table)
  const again = againIn(session)
  const visit: Visit = {
    at: run.startedAt,
    removed: closesRemoved ? (complete ? "close" : "watch") : "keep",
    pipeline: plan.shared === true ? plan.pipeline : undefined
  }
  const empty = yield* isEmpty(database, current.target)
  // An index is made faster from all rows than row by row.
  if (!empty) yield* indexKey(database, stage)
  const situation = {
    received: stage.written,
    isEmpty: empty && again === undefined,
    isIdle: isIdle(stages, stage),
    parent: parent?.current,
    again,
    visit
  }
  const { counts, steps } = TablePlanner.plan(current, situation)
  const tally = yield* database.take(steps, stage.rows.into)
  if (empty) yield* indexKey(database, stage)
  return counts(tally)
})

/** Asks the port for its index of the key, if it has one of its own. */
const holdKey = ({ database }: SqlSession, stage: SqlStage.SqlStage, what: "loosen" | "hold") => {
  const { columns, current, rows, table, write } = stage
  const key = columns.filter(({ ours }) => table.key.includes(ours)).map(({ name }) => name)
  const isNew = current?.stored.length === 0
  return database.keyIndex?.[what]({ table, write, key, staged: rows.into, isNew }) ?? Effect.void
}

/** Makes the index by which a merged table or a history finds its rows: its key, or the columns that refer to the parent. */
const indexKey = Effect.fnUntraced(function* (
  { dialect, run }: SqlDatabase,
  { columns, table, write }: SqlStage.SqlStage
): Effect.fn.Return<void, SinkError> {
  if (write === "append") return
  const found = table.parent === undefined ? table.key : Object.keys(table.parent.on)
  const names = found.flatMap((key) => columns.find(({ ours }) => ours === key)?.name ?? [])
  if (names.length === 0) return
  for (const statement of dialect.keyIndex?.(table.name, names) ?? []) yield* run(statement)
})

/** Whether a table and all tables of its family have no new rows. */
const isIdle = (stages: ReadonlyArray<SqlStage.SqlStage>, stage: SqlStage.SqlStage): boolean => {
  const rootOf = ({ table: { name, parent } }: SqlStage.SqlStage): string => {
    const above = parent && stages.find(({ table }) => table.name === parent.table)
    return above === undefined ? name : rootOf(above)
  }
  return stages.every((other) => other.written === 0 || rootOf(other) !== rootOf(stage))
}

/** Replaces the rows of tables by the staged rows, and returns how many old rows stay. */
const replaceAll = Effect.fnUntraced(function* (
  session: SqlSession,
  complete: boolean
): Effect.fn.Return<ReadonlyMap<SqlStage.SqlStage, Remaining>, SinkError> {
  const { database, isFirst, plan } = session
  const remaining = new Map<SqlStage.SqlStage, Remaining>()
  const replaced = Sink.parentsFirst(session.stages).filter(({ write }) => write === "replace")
  // All are asked before one is changed.
  for (const stage of replaced) {
    const { current } = stage
    if (current === undefined) continue
    const parent = replaced.find(({ table }) => table.name === stage.table.parent?.table)
    const rest = parent && remaining.get(parent)
    const steps =
      current.stored.length === 0
        ? undefined
        : remainingSteps(current, {
            plan,
            complete,
            goesOn: !isFirst,
            owner: claimOf(session, stage)?.owner,
            hasRetained: stage.hasRetained,
            parent: parent?.current && rest && { table: parent.current, remaining: rest }
          })
    const { kept = 0, rows = 0 } = yield* database
      .take(steps ?? [], stage.rows.into)
      .pipe(Effect.mapError(SqlStage.inTable(stage)))
    remaining.set(stage, { isThere: current.stored.length > 0, rows, kept })
  }
  for (const [{ current, ...stage }, rest] of remaining) {
    if (current === undefined) continue
    if (rest.rows === 0 && current.changes !== undefined) current.changes.before = "none"
    const fitting = { evolve: plan.evolve, claimed: claimOf(session, stage), rowId: stage.rowId }
    const room = database.roomFor?.(stage.rows.into, "keys") ?? ((statements) => statements)
    yield* room(
      stage.isDirect
        ? replaceByNext(database, current, rest, { ...fitting, written: stage.written })
        : replaceTable(database, current, rest, fitting)
    ).pipe(Effect.mapError(SqlStage.inTable(stage)))
    const parent = replaced.find(({ table }) => table.name === stage.table.parent?.table)
    if (parent?.current === undefined || !plan.evolve || (remaining.get(parent)?.rows ?? 0) === 0) continue
    yield* linkTable(database, current, parent.current, fitting).pipe(Effect.mapError(SqlStage.inTable(stage)))
  }
  return remaining
})
