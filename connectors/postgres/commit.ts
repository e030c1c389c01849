/**
 * The commit of a run: one transaction, which begins when all rows wait.
 *
 * The law: rows, child tables, changed columns, checkpoint and the run's record become visible in one COMMIT. Until then the
 * tables are as they were, and readers go on; they wait only while columns change, or are widened.
 */
import * as Effect from "effect/Effect"
import type { Remaining } from "../../src/pipeline/remainingRows.ts"
import * as Sink from "../../src/pipeline/Sink.ts"
import type { Committed } from "../../src/pipeline/SinkWriter.ts"
import { merge } from "./dispositions/merge.ts"
import * as Replace from "./dispositions/replace.ts"
import * as Scd2 from "./dispositions/scd2.ts"
import { failure, ServerError } from "./failure.ts"
import * as LoadTables from "./ledger/LoadTables.ts"
import * as RunProfiles from "./ledger/RunProfiles.ts"
import * as TableOwners from "./ledger/TableOwners.ts"
import type { Connection } from "./server/Connection.ts"
import type * as Place from "./server/Place.ts"
import * as WriterLock from "./server/WriterLock.ts"
import * as Stage from "./stage.ts"
import { holdKey } from "./table/keyIndex.ts"
import { prepareTable } from "./table/prepareTable.ts"

/** A run of one pipeline in one schema. */
export interface Session {
  readonly connection: Connection
  readonly place: Place.Place
  readonly plan: Sink.Plan
  /** In the order of the plan. */
  readonly stages: ReadonlyArray<Stage.Stage>
  /** Whether versions of keys that a complete run does not have are closed. */
  readonly closesRemoved: boolean
  /** The server's session: another one would have neither our lock nor our rows. */
  readonly taken: WriterLock.Session
  /** Whether this run has committed nothing yet. */
  isFirst: boolean
  /** Whether its tables take rows. */
  isBegun: boolean
  /** The pipeline of each table. */
  owners: ReadonlyMap<string, string>
}

type Failure = ServerError | Sink.SinkError

/** Begins to take the rows of the next commit. */
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
  for (const stage of stages) {
    const prepared = prepareTable(connection, stage, stage.shape.columns, preparation(session, stage))
    stage.prepared = yield* prepared.pipe(Effect.mapError(Stage.inTable(stage)))
    yield* holdKey(connection, place, stage).pipe(Effect.mapError(Stage.inTable(stage)))
  }
  const replaced = yield* replaceAll(session, commit.complete)
  const tables: Record<string, Sink.TableResult> = {}
  // A child is merged by the keys that its parent's rows are known by once their duplicates are gone.
  for (const stage of Sink.parentsFirst(stages)) {
    const settled = yield* settle(session, stage, commit).pipe(Effect.mapError(Stage.inTable(stage)))
    tables[stage.table.name] = { received: stage.written, ...settled, kept: replaced.get(stage)?.kept ?? 0 }
  }
  yield* LoadTables.record(connection, place, plan, commit, tables)
  yield* RunProfiles.record(connection, place, commit)
  yield* Effect.uninterruptible(connection.run("COMMIT")).pipe(Effect.mapError(lostAnswer))
  return tables
})

/** Where the connection breaks before the answer, only the database knows whether it has committed. */
const lostAnswer = (error: ServerError): Failure =>
  error.retryable
    ? failure(
        "the answer to COMMIT was lost, so the commit may be there or not; the next run reads which, and continues after it"
      )(error)
    : error

const preparation = ({ owners, place, plan }: Session, { table }: Stage.Stage) => ({
  place,
  evolve: plan.evolve,
  owner: owners.get(table.name),
  planned: plan.tables.map((planned) => planned.table.name)
})

const isAgain = ({ isFirst, plan }: Session): boolean => isFirst && plan.again === true

/** What becomes of the staged rows of a table. */
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
      return yield* merge(connection, stage, parent)
    }
    case "scd2": {
      const removed = closesRemoved ? (complete ? "close" : "watch") : "keep"
      const visit = { at: run.startedAt, removed, pipeline: plan.shared === true ? plan.pipeline : undefined } as const
      if (isAgain(session)) yield* Scd2.removeVersions(connection, stage, visit)
      return yield* Scd2.addVersions(connection, stage, visit)
    }
  }
})

/** Makes the rows of each replaced table those that wait; the answer is what is left of the old ones. */
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
