/** The DuckDB sink: its parts, and how it is opened for a run. */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Sink from "#engine/Sink"
import * as SinkWriter from "#engine/SinkWriter"
import { begin, commit, type Session, start } from "./commit.ts"
import { differences } from "./diff.ts"
import { failure } from "./failure.ts"
import * as AttachedDatabase from "./file/AttachedDatabase.ts"
import * as PublishedCopy from "./ledger/PublishedCopy.ts"
import * as TableOwners from "./ledger/TableOwners.ts"
import { details, owners, ranOnce, runs } from "./ledger.ts"
import { Options } from "./options.ts"
import * as Place from "./Place.ts"
import { queries } from "./queries.ts"
import { rows, rowsOf } from "./read.ts"
import * as Stage from "./stage.ts"
import { losslessPlan } from "./table/losslessPlan.ts"

const open = Effect.fn("duckdb.open")(function* (
  options: Options,
  given: Sink.Plan
): Effect.fn.Return<Sink.Writer, Sink.SinkError, Scope.Scope> {
  const place = Place.of(options)
  const fault = Place.faultOf(place)
  if (fault !== undefined) return yield* failure(fault)()
  const attached = yield* AttachedDatabase.open(options.path, given.directory)
  const published = yield* publishedAt(attached, place, options, given)
  if (published !== undefined) yield* published.catchUp
  const { database } = attached
  const plan = yield* TableOwners.named(database, place, given).pipe(
    Effect.flatMap((named) => losslessPlan(database, place, named)),
    Effect.mapError(failure(`cannot read ${attached.file}`))
  )
  const session: Session = {
    attached,
    place,
    plan,
    stages: yield* Effect.forEach(plan.tables, (planned) => Stage.forTable(database, place, planned)),
    published,
    closesRemoved: options.removed === "close",
    isFirst: true,
    isOpen: false,
    isBegun: false,
    catalog: { tables: new Map(), views: new Map() },
    owners: new Map()
  }
  const resume = yield* start(session)
  yield* begin(session)
  return SinkWriter.make<Stage.Stage>({
    sink: "duckdb",
    stages: session.stages,
    resume,
    columnsBefore: ({ prepared }) => prepared.before,
    storedKeys: (_, keys) =>
      rowsOf(database, place, keys).pipe(Effect.mapError(failure(`cannot read the keys of table ${keys.name}`))),
    write: (stage, rows) => Effect.andThen(begin(session), Stage.write(database, session, stage, rows)),
    retainKeys: (stage, keys) =>
      Effect.andThen(
        begin(session),
        stage.write === "replace" || (session.closesRemoved && stage.write === "scd2")
          ? Stage.retainKeys(database, stage, keys)
          : Effect.void
      ),
    commit: (what) => commit(session, what)
  })
})

const publishedAt = (
  attached: AttachedDatabase.AttachedDatabase,
  place: Place.DatabaseLocation,
  { publish }: Options,
  { directory }: Sink.Plan
) => {
  if (publish === undefined) return Effect.succeed(undefined)
  const path = Path.resolve(directory, publish)
  return path === attached.file
    ? Effect.fail(failure(`publish and path are both ${path}: name another file for readers`)())
    : Effect.succeed(PublishedCopy.of(attached, place, path))
}

/**
 * The sink of `type: duckdb`: rows into tables of a DuckDB file. A commit is one transaction.
 *
 * @example
 * ```ts
 * import { rows, run, sql } from "millrace"
 * import { duckdb } from "millrace/connectors/duckdb"
 *
 * const db = duckdb.with({ path: "./numbers.duckdb", write: "merge" })
 * const load = (name: string) => run({ source: rows([{ id: 1, name }], { table: "numbers", key: "id" }), sinks: { db } })
 * await load("uno")
 * await load("one")
 * console.log(await sql(db, "SELECT id, name FROM numbers")) // [{ id: 1, name: "one" }]
 * ```
 */
export const duckdb = Sink.make<Options, typeof Options.Encoded, never>({
  type: "duckdb",
  description: "tables of a DuckDB file, each commit one transaction",
  options: Options,
  writes: ["append", "replace", "merge", "scd2"],
  defaultWrite: Sink.mergeWhereKeyed,
  runs,
  ranOnce,
  details,
  rows,
  owners,
  pathFault: ({ path }, directory) => Effect.sync(() => Place.fileFault(Path.resolve(directory, path))),
  differences,
  queries,
  readers: ({ path, publish, schema = "main" }, directory) => ({
    _tag: "DuckDbFile",
    file: Path.resolve(directory, publish ?? path),
    schema
  }),
  open
})
