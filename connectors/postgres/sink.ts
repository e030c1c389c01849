/** The Postgres sink: its parts, and how it is opened for a run. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Sink from "#engine/Sink"
import * as SinkWriter from "#engine/SinkWriter"
import { begin, commit, type Session } from "./commit.ts"
import { differences } from "./diff.ts"
import { failure } from "./failure.ts"
import * as LoadTables from "./ledger/LoadTables.ts"
import * as TableOwners from "./ledger/TableOwners.ts"
import { details, owners, ranOnce, runs } from "./ledger.ts"
import { Options } from "./options.ts"
import * as Place from "./Place.ts"
import { queries } from "./queries.ts"
import { rows, rowsOf } from "./read.ts"
import * as Connection from "./server/Connection.ts"
import * as privileges from "./server/privileges.ts"
import * as WriterLock from "./server/WriterLock.ts"
import * as Stage from "./stage.ts"
import { losslessPlan } from "./table/losslessPlan.ts"

const open = Effect.fn("postgres.open")(function* (
  options: Options,
  given: Sink.Plan
): Effect.fn.Return<Sink.Writer, Sink.SinkError, Scope.Scope> {
  const place = Place.of(options)
  const fault = Place.faultOf(place)
  if (fault !== undefined) return yield* failure(fault)()
  const within = Effect.mapError(failure(`cannot write ${place.location}`))
  const connection = yield* within(Connection.open(place))
  yield* within(WriterLock.checkServer(connection, place))
  yield* within(privileges.check(connection, place, given))
  const taken = yield* within(WriterLock.takeSession(connection, place))
  yield* within(WriterLock.acquire(connection, place))
  const resume = yield* within(LoadTables.resume(connection, place, given.pipeline))
  const named = yield* within(TableOwners.named(connection, place, given))
  const plan = yield* within(losslessPlan(connection, place, named))
  const session: Session = {
    connection,
    place,
    plan,
    stages: yield* Effect.forEach(plan.tables, (planned, number) =>
      Stage.of(connection, place, planned, { evolve: plan.evolve, scratch: `${taken.token}_${number}` })
    ),
    closesRemoved: options.removed === "close",
    taken,
    isFirst: true,
    isBegun: false,
    owners: new Map()
  }
  yield* begin(session)
  return SinkWriter.make<Stage.Stage>({
    sink: "postgres",
    stages: session.stages,
    resume,
    columnsBefore: ({ shape }) => shape.before,
    // By this connection: another one would wait for the locks of this transaction.
    storedKeys: (_, keys) =>
      rowsOf(connection, place, keys).pipe(Effect.mapError(failure(`cannot read the keys of table ${keys.name}`))),
    rowError: (stage, row) => stage.rowError(row),
    write: (stage, rows) => Effect.andThen(begin(session), Stage.write(connection, session.stages, stage, rows)),
    retainKeys: (stage, keys) =>
      Effect.andThen(
        begin(session),
        stage.write === "replace" || (session.closesRemoved && stage.write === "scd2")
          ? Stage.retainKeys(connection, stage, keys)
          : Effect.void
      ),
    commit: (what) => commit(session, what)
  })
})

/**
 * The sink of `type: postgres`: rows into tables of a Postgres database, by COPY. A commit is one transaction.
 *
 * @example
 * ```ts
 * import * as Redacted from "effect/Redacted"
 * import { rows, run } from "millrace"
 * import { postgres } from "millrace/connectors/postgres"
 *
 * const url = Redacted.make("postgres://localhost/warehouse")
 * await run({ source: rows([{ id: 1 }], { table: "numbers" }), sinks: { db: postgres.with({ url, schema: "web" }) } })
 * ```
 */
export const postgres = Sink.make<Options, typeof Options.Encoded, never>({
  type: "postgres",
  description: "tables of a Postgres database, each commit one transaction",
  options: Options,
  writes: ["append", "replace", "merge", "scd2"],
  defaultWrite: Sink.mergeWhereKeyed,
  runs,
  ranOnce,
  details,
  rows,
  owners,
  differences,
  queries,
  readers: ({ schema = "public", url }) => ({ _tag: "Postgres", url: Place.withoutPassword(url), schema }),
  open
})
