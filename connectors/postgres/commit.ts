/**
 * The commit of a run: one transaction, which begins when all rows are staged.
 *
 * Guarantee: rows, child tables, changed columns, checkpoint and the run's record become visible in one COMMIT. Until then the
 * tables do not change, and readers are not blocked; they wait only while columns are added or widened.
 */
import * as Effect from "effect/Effect"
import type { Remaining } from "#engine/remainingRows"
import * as Sink from "#engine/Sink"
import type { Committed } from "#engine/SinkWriter"
import { merge } from "./dispositions/merge.ts"
import * as Replace from "./dispositions/replace.ts"
import * as Scd2 from "./dispositions/scd2.ts"
import { failure, ServerError } from "./failure.ts"
import { holdKey } from "./keyIndex.ts"
import * as LoadTables from "./ledger/LoadTables.ts"
import * as RunProfiles from "./ledger/RunProfiles.ts"
import * as TableOwners from "./ledger/TableOwners.ts"
import type * as Place from "./Place.ts"
import type { Connection } from "./server/Connection.ts"
import * as WriterLock from "./server/WriterLock.ts"
import * as Stage from "./stage.ts"
import { functions } from "./table/cast.ts"
import { prepareTable } from "./table/prepareTable.ts"

/** The writing of one run into one schema. */
export interface Session {
  readonly connection: Connection
  readonly place: Place.DatabaseLocation
  readonly plan: Sink.Plan
  /** The stages, in the order of the plan. */
  readonly stages: ReadonlyArray<Stage.Stage>
  /** Whether scd2 closes versions of keys that a complete run does not have. */
  readonly closesRemoved: boolean
  /** The session of the server: another session would have neither the lock nor the staged rows. */
  readonly taken: WriterLock.Session
  /** Whether this run has not committed yet. */
  isFirst: boolean
  /** Whether its tables are ready to take rows. */
  isBegun: boolean
  /** The owner of each table. */
  owners: ReadonlyMap<string, TableOwners.Claimed>
}

type Failure = ServerError | Sink.SinkError

/** Prepares the tables for the rows of the next commit. */
export const begin = Effect.fnUntraced(
  function* (session: Session) {
    if (session.isBegun) return
    for (const stage of session.stages) yield* Stage.begin(session.connection, stage, session.isFirst)
    session.isBegun = true
  },
  (effect, { place }) => Effect.mapError(effect, failure(`cannot begin to write ${place.location}`))
)

export const commit = Effect.fn("postgres.commit")(
  function* (session: Session, commit: Sink.Commit): Effect.fn.Return<Committed, Failure> {
    const { connection, place, stages } = session
    yield* begin(session)
    for (const stage of stages) yield* Stage.flush(connection, stage)
    const tables = yield* transact(session, commit)
    session.isFirst = session.isBegun = false
    return { location: place.location, tables }
  },
  (effect, { place }) => Effect.mapError(effect, failure(`cannot commit to ${place.location}`))
)

const transact = Effect.fnUntraced(function* (
  session: Session,
  commit: Sink.Commit
): Effect.fn.Return<Readonly<Record<string, Sink.TableResult>>, Failure> {
  const { connection, place, plan, stages } = session
  yield* connection.run("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
  yield* WriterLock.checkSession(connection, session.taken)
  yield* LoadTables.prepare(connection, place)
  if (session.isFirst) session.owners = yield* TableOwners.claim(connection, place, plan)
  for (const made of session.isFirst ? functions : []) yield* connection.run(made)
  for (const stage of stages) {
    const prepared = prepareTable(connection, stage, stage.shape.columns, preparation(session, stage))
    stage.prepared = yield* prepared.pipe(Effect.mapError(Stage.inTable(stage)))
    yield* holdKey(connection, place, stage).pipe(Effect.mapError(Stage.inTable(stage)))
  }
  const replaced = yield* replaceAll(session, commit.complete)
  const tables: Record<string, Sink.TableResult> = {}
  // Parents first: a child is merged by the rows of its parent without duplicates.
  for (const stage of Sink.parentsFirst(stages)) {
    const settled = yield* settle(session, stage, commit).pipe(Effect.mapError(Stage.inTable(stage)))
    tables[stage.table.name] = { received: stage.written, ...settled, kept: replaced.get(stage)?.kept ?? 0 }
  }
  yield* LoadTables.record(connection, place, plan, commit, tables)
  yield* RunProfiles.record(connection, place, commit)
  yield* connection.commit.pipe(Effect.mapError(lostAnswer))
  return tables
})

/** The error of a commit. If the connection broke before the answer, nobody here knows whether the commit was done. */
const lostAnswer = (error: ServerError): Failure =>
  error.retryable
    ? failure(
        "the answer to COMMIT was lost, so the commit may be there or not; the next run reads which, and continues after it"
      )(error)
    : error

const preparation = ({ owners, place, plan }: Session, { table }: Stage.Stage) => ({
  place,
  evolve: plan.evolve,
  claimed: owners.get(table.name),
  planned: plan.tables.map((planned) => planned.table.name)
})

const isAgain = ({ isFirst, plan }: Session): boolean => isFirst && plan.again === true

/** Writes the staged rows of a table, and returns the counts. */
const settle = Effect.fnUntraced(function* (session: Session, stage: Stage.Stage, { complete, run }: Sink.Commit) {
  const { closesRemoved, connection, plan, stages } = session
  if (isAgain(session) && stage.write !== "replace") yield* Stage.clear(connection, stage, plan.runId)
  switch (stage.write) {
    case "append": {
      const columns = Stage.columnList(stage)
      const insert = `INSERT INTO ${stage.target} (${columns}) SELECT ${columns} FROM ${Stage.staged(stage)}`
      return { written: yield* connection.run(insert), unchanged: 0, superseded: 0 }
    }
    case "replace":
      return { written: stage.written, unchanged: 0, superseded: 0 }
    case "merge": {
      const parent = stages.find(({ table }) => table.name === stage.table.parent?.table)
      return yield* merge(connection, session.place, stage, parent)
    }
    case "scd2": {
      const removed = closesRemoved ? (complete ? "close" : "watch") : "keep"
      const visit = { at: run.startedAt, removed, pipeline: plan.shared === true ? plan.pipeline : undefined } as const
      if (isAgain(session)) yield* Scd2.removeVersions(connection, stage, visit)
      return yield* Scd2.addVersions(connection, stage, visit)
    }
  }
})

/** Replaces the rows of tables by the staged rows, and returns how many old rows stay. */
const replaceAll = Effect.fnUntraced(function* (session: Session, complete: boolean) {
  const { connection, isFirst, plan } = session
  const remaining = new Map<Stage.Stage, Remaining>()
  const replaced = Sink.parentsFirst(session.stages).filter(({ write }) => write === "replace")
  const replacement = (stage: Stage.Stage): Replace.Replacement => ({
    preparation: preparation(session, stage),
    complete,
    goesOn: !isFirst,
    plan
  })
  for (const stage of replaced) {
    const parent = replaced.find(({ table }) => table.name === stage.table.parent?.table)
    const rest = parent && remaining.get(parent)
    const mine = yield* Replace.findRemaining(
      connection,
      stage,
      replacement(stage),
      parent && rest && { stage: parent, remaining: rest }
    ).pipe(Effect.mapError(Stage.inTable(stage)))
    remaining.set(stage, mine)
  }
  for (const [stage, rest] of remaining) {
    yield* Replace.replace(connection, stage, replacement(stage), rest).pipe(Effect.mapError(Stage.inTable(stage)))
  }
  return remaining
})
