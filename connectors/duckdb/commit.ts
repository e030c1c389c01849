/**
 * The transaction that a run writes in, and the commit that ends it.
 *
 * Guarantee: rows, child tables, checkpoint and the run's record become visible in one COMMIT. append and replace write rows
 * into the file in the open transaction. If all tables have merge or scd2, rows wait outside of the file, and a commit that
 * runs out of memory is rolled back and tried once more with a higher limit.
 */
import * as Effect from "effect/Effect"
import * as Database from "#engine/Duckdb"
import * as MemoryLimit from "#engine/DuckdbMemoryLimit"
import type { Remaining } from "#engine/remainingRows"
import * as Sink from "#engine/Sink"
import type { Committed } from "#engine/SinkWriter"
import { merge } from "./dispositions/merge.ts"
import * as Replace from "./dispositions/replace.ts"
import * as Scd2 from "./dispositions/scd2.ts"
import { failure } from "./failure.ts"
import type { AttachedDatabase } from "./file/AttachedDatabase.ts"
import * as Catalog from "./file/Catalog.ts"
import * as LoadTables from "./ledger/LoadTables.ts"
import type { PublishedCopy } from "./ledger/PublishedCopy.ts"
import * as RunProfiles from "./ledger/RunProfiles.ts"
import * as TableOwners from "./ledger/TableOwners.ts"
import type * as Place from "./Place.ts"
import * as Stage from "./stage.ts"
import { showCurrent } from "./table/currentView.ts"

/** The writing of one run into one file. */
export interface Session {
  readonly attached: AttachedDatabase
  readonly place: Place.DatabaseLocation
  readonly plan: Sink.Plan
  /** The stages, in the order of the plan. */
  readonly stages: ReadonlyArray<Stage.Stage>
  readonly published: PublishedCopy | undefined
  /** Whether scd2 closes versions of keys that a complete run does not have. */
  readonly closesRemoved: boolean
  /** Whether this run has not committed yet. */
  isFirst: boolean
  /** Whether a transaction is open. */
  isOpen: boolean
  /** Whether the tables are ready to take rows. */
  isBegun: boolean
  /** The catalog when the transaction began. */
  catalog: Catalog.Catalog
  /** The owner of each table and its written columns, by the name of the table in lower case. */
  owners: ReadonlyMap<string, TableOwners.Claimed>
}

/** Whether rows are written into the file before the commit, so that a transaction is open during the whole run. */
const isDirect = ({ stages }: Session): boolean => stages.some((stage) => !Stage.waits(stage))

const isAgain = ({ isFirst, plan }: Session): boolean => isFirst && plan.again === true

/** Prepares the file for a run, and returns the last checkpoint of its pipeline. */
export const start = Effect.fnUntraced(
  function* (session: Session) {
    const { attached, place, plan } = session
    const resume = yield* onceMore(
      session,
      Effect.andThen(
        openTransaction(session, isDirect(session) ? "writes" : "looks"),
        LoadTables.resume(attached.database, place, plan.pipeline)
      )
    )
    // If all rows wait for the commit, the file does not change until then, and the commit can be tried twice.
    if (!isDirect(session)) yield* rollback(session)
    return resume
  },
  (effect, { attached }) => Effect.mapError(effect, failure(`cannot begin to write ${attached.file}`))
)

/** Prepares the tables for the rows of the next commit. */
export const begin = Effect.fnUntraced(
  function* (session: Session) {
    const { attached, isFirst, plan, stages } = session
    if (session.isBegun) return
    if (isDirect(session) && !session.isOpen) yield* openTransaction(session, "writes")
    for (const stage of stages) {
      yield* Stage.begin(attached.database, stage, isFirst)
      if (isAgain(session) && stage.write === "append") yield* Stage.clear(attached.database, stage, plan.runId)
    }
    session.isBegun = true
  },
  (effect, { attached }) => Effect.mapError(effect, failure(`cannot begin to write ${attached.file}`))
)

export const commit = Effect.fn("duckdb.commit")(
  function* (session: Session, commit: Sink.Commit): Effect.fn.Return<Committed, Failure> {
    const { attached, place, published, stages } = session
    yield* begin(session)
    for (const stage of stages) yield* Stage.flush(attached.database, stage, place)
    // A second try would lose the rows that are already in the transaction, so the highest limit is used at once.
    const tables = yield* isDirect(session)
      ? attached.database.withHighestMemoryLimit(transact(session, commit))
      : onceMore(session, transact(session, commit))
    session.isFirst = session.isOpen = session.isBegun = false
    if (published !== undefined) yield* published.publish
    return { location: published?.path ?? attached.file, tables }
  },
  (effect, { attached }) => Effect.mapError(effect, failure(`cannot commit to ${attached.file}`))
)

type Failure = Database.DatabaseError | Sink.SinkError

/** The beginning of a transaction: prepares the sink's own tables, the owners, and the tables of the plan. */
const openTransaction = Effect.fnUntraced(function* (session: Session, whatFor: "looks" | "writes") {
  const { attached, isFirst, place, plan, stages } = session
  const { database, file } = attached
  yield* database.run("BEGIN")
  session.isOpen = true
  session.catalog = yield* Catalog.read(database, place)
  yield* LoadTables.prepare(database, place, session.catalog)
  yield* RunProfiles.prepare(database, place, session.catalog)
  if (isFirst) session.owners = yield* TableOwners.claim(database, session, plan, file)
  for (const stage of stages) {
    if (isFirst || stage.write === "replace")
      yield* Stage.prepare(database, stage, preparation(session, stage, whatFor === "writes"))
    if (isFirst && stage.write === "scd2") {
      const planned = stages.map(({ table }) => table.name)
      yield* showCurrent(database, session, stage.table.name, planned)
    }
  }
})

const preparation = ({ catalog, owners, place, plan }: Session, { table }: Stage.Stage, describes: boolean) => ({
  place,
  catalog,
  describes,
  evolve: plan.evolve,
  claimed: owners.get(table.name.toLowerCase())
})

const rollback = (session: Session) =>
  Effect.andThen(
    Effect.ignore(session.attached.database.run("ROLLBACK")),
    Effect.sync(() => {
      session.isOpen = false
    })
  )

/** Tries the whole transaction once more with more memory, because the first failure has aborted it. */
const onceMore = <A>(session: Session, transaction: Effect.Effect<A, Failure>): Effect.Effect<A, Failure> =>
  Effect.catchIf(transaction, MemoryLimit.isOutOfMemory, () =>
    Effect.andThen(rollback(session), session.attached.database.withHighestMemoryLimit(transaction))
  )

const transact = (session: Session, commit: Sink.Commit) =>
  Effect.ensuring(commitAll(session, commit), session.attached.database.lowerMemoryLimit)

const commitAll = Effect.fnUntraced(function* (session: Session, commit: Sink.Commit) {
  const { attached, place, plan } = session
  const { database } = attached
  if (!isDirect(session)) yield* openTransaction(session, "writes")
  const remaining = yield* replaceAll(session, commit.complete)
  const tables: Record<string, Sink.TableResult> = {}
  // Parents first: a child is merged by the rows of its parent without duplicates.
  for (const stage of Sink.parentsFirst(session.stages)) {
    const settled = yield* settle(session, stage, commit).pipe(Effect.mapError(Stage.inTable(stage)))
    tables[stage.table.name] = { received: stage.written, ...settled, kept: remaining.get(stage)?.kept ?? 0 }
  }
  yield* LoadTables.record(database, place, plan, commit, tables)
  yield* RunProfiles.record(database, place, commit)
  // COMMIT appends the last rows to the stored ones, which also needs memory.
  yield* Effect.uninterruptible(database.withRaisedMemoryLimit(database.run("COMMIT")))
  return tables
})

/** Writes the staged rows of a table, and returns the counts. */
const settle = Effect.fnUntraced(function* (session: Session, stage: Stage.Stage, { complete, run }: Sink.Commit) {
  const { attached, closesRemoved, plan, stages } = session
  const { database } = attached
  if (isAgain(session) && Stage.waits(stage)) yield* Stage.clear(database, stage, plan.runId)
  switch (stage.write) {
    case "append":
    case "replace":
      return { written: stage.rows, unchanged: 0, superseded: 0 }
    case "merge": {
      if (isIdle(stages, stage)) return { written: 0, unchanged: 0, superseded: 0 }
      const parent = stages.find(({ table }) => table.name === stage.table.parent?.table)
      return yield* merge(database, stage, parent)
    }
    case "scd2": {
      const removed = closesRemoved ? (complete ? "close" : "watch") : "keep"
      const visit = { at: run.startedAt, removed, pipeline: plan.shared === true ? plan.pipeline : undefined } as const
      if (isAgain(session)) yield* Scd2.removeVersions(database, stage, visit)
      return yield* Scd2.addVersions(database, stage, visit)
    }
  }
})

/** Whether a table and all tables of its family have no new rows. In a family, one table uses the staged rows of another. */
const isIdle = (stages: ReadonlyArray<Stage.Stage>, stage: Stage.Stage): boolean => {
  const rootOf = ({ table: { name, parent } }: Stage.Stage): string => {
    const above = parent && stages.find(({ table }) => table.name === parent.table)
    return above === undefined ? name : rootOf(above)
  }
  return stages.every((other) => other.rows === 0 || rootOf(other) !== rootOf(stage))
}

/** Replaces tables by the rows that were written beside them, and returns how many old rows stay. */
const replaceAll = Effect.fnUntraced(function* (session: Session, complete: boolean) {
  const { database } = session.attached
  const remaining = new Map<Stage.Stage, Remaining>()
  const replaced = Sink.parentsFirst(session.stages).filter(({ write }) => write === "replace")
  const replacement = (stage: Stage.Stage): Replace.Replacement => ({
    preparation: preparation(session, stage, true),
    complete,
    goesOn: !session.isFirst,
    plan: session.plan
  })
  for (const stage of replaced) {
    const parent = replaced.find(({ table }) => table.name === stage.table.parent?.table)
    const rest = parent && remaining.get(parent)
    const found = Replace.findRemaining(
      database,
      stage,
      replacement(stage),
      parent && rest && { stage: parent, remaining: rest }
    )
    const mine = yield* database.withRaisedMemoryLimit(found).pipe(Effect.mapError(Stage.inTable(stage)))
    remaining.set(stage, mine)
  }
  for (const [stage, rest] of remaining) {
    const replacing = Replace.replace(database, stage, replacement(stage), rest)
    yield* database.withRaisedMemoryLimit(replacing).pipe(Effect.mapError(Stage.inTable(stage)))
  }
  return remaining
})
