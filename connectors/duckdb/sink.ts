/** The DuckDB sink: the planner, with the dialect of DuckDB, rows by columns, memory as a statement needs it, and a copy for readers. */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Database from "#engine/Duckdb"
import * as MemoryLimit from "#engine/DuckdbMemoryLimit"
import type * as Sink from "#engine/Sink"
import type { SqlPort, Transaction } from "#engine/SqlPort"
import { portSink } from "#engine/sqlSink"
import { dialectIn } from "./dialect.ts"
import { differences } from "./diff.ts"
import { asSinkError, failed, failure, within } from "./failure.ts"
import * as AttachedDatabase from "./file/AttachedDatabase.ts"
import * as PublishedCopy from "./file/PublishedCopy.ts"
import { openToRead, readersFile } from "./file/ReadersDatabase.ts"
import { Options } from "./options.ts"
import * as Place from "./Place.ts"
import { queries } from "./queries.ts"
import * as Staging from "./staging.ts"

const open = Effect.fnUntraced(function* (
  options: Options,
  { directory }: Sink.Plan
): Effect.fn.Return<SqlPort, Sink.SinkError, Scope.Scope> {
  const place = yield* placeOf(options)
  const attached = yield* AttachedDatabase.open(options.path, directory)
  const published = yield* publishedAt(attached, place, options, directory)
  if (published !== undefined) yield* published.catchUp
  const { database, file } = attached
  const stagings = Staging.of(database)
  return {
    ...(yield* portOf(database, place, file)),
    ...(published === undefined ? {} : { published: published.path }),
    staging: stagings.open,
    isDirect: true,
    roomFor: stagings.roomFor,
    transaction: {
      ...transactionOf(database, place, stagings),
      ...(published === undefined ? {} : { committed: published.publish })
    }
  } satisfies SqlPort
})

/** Opens it for reading: the published copy, if there is one. */
const look = Effect.fnUntraced(function* (
  options: Options,
  directory: string,
  isLatest: boolean = false
): Effect.fn.Return<SqlPort | undefined, Sink.SinkError, Scope.Scope> {
  const place = yield* placeOf(options)
  const file = readersFile(isLatest ? { path: options.path } : options, directory)
  if (file === undefined) return undefined
  const database = yield* openToRead(file, { threads: 1, memory: "128MB" })
  return yield* portOf(database, place, file, failure(`cannot read ${file}`))
})

const placeOf = (options: Options) => {
  const place = Place.of(options)
  const fault = Place.faultOf(place)
  return fault === undefined ? Effect.succeed(place) : Effect.fail(failure(fault)())
}

const publishedAt = (
  attached: AttachedDatabase.AttachedDatabase,
  place: Place.DatabaseLocation,
  { publish }: Options,
  directory: string
) => {
  if (publish === undefined) return Effect.succeed(undefined)
  const path = Path.resolve(directory, publish)
  return path === attached.file
    ? Effect.fail(failure(`publish and path are both ${path}: name another file for readers`)())
    : Effect.succeed(PublishedCopy.of(attached, place, path))
}

const portOf = (
  database: Database.Database,
  place: Place.DatabaseLocation,
  file: string,
  error: (error: Database.DatabaseError) => Sink.SinkError = failed
): Effect.Effect<SqlPort> =>
  // The driver is there, as the database is open.
  Effect.map(
    Effect.promise(() => import("@duckdb/node-api")),
    (driver): SqlPort => ({
      dialect: dialectIn(place, driver),
      location: file,
      run: (sql) => Effect.mapError(database.run(sql), error),
      rows: (sql) => Effect.mapError(database.values(sql), error),
      within
    })
  )

const transactionOf = (
  database: Database.Database,
  place: Place.DatabaseLocation,
  { clear }: Staging.Stagings
): Transaction => {
  const run = (sql: string) => Effect.asVoid(Effect.mapError(database.run(sql), failed))
  const isMain = place.schema.toLowerCase() === "main"
  const withMost = <A>(work: Effect.Effect<A, Sink.SinkError>) =>
    Effect.mapError(database.withHighestMemoryLimit(work), asSinkError)
  return {
    begin: run(isMain ? "BEGIN" : `BEGIN;\nCREATE SCHEMA IF NOT EXISTS ${Place.schemaOf(place)}`),
    // COMMIT appends the last rows to the stored ones, which also needs memory.
    commit: Effect.mapError(database.withRaisedMemoryLimit(run("COMMIT")), asSinkError).pipe(
      Effect.andThen(Effect.sync(clear))
    ),
    rollback: run("ROLLBACK"),
    // A failure has aborted the transaction. What cannot be done again gets the most memory at once.
    attempt: (work, again) =>
      (again === undefined
        ? withMost(work)
        : Effect.catchIf(work, MemoryLimit.isOutOfMemory, () => withMost(again))
      ).pipe(Effect.ensuring(database.lowerMemoryLimit))
  }
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
export const duckdb = portSink<Options, typeof Options.Encoded>({
  type: "duckdb",
  description: "tables of a DuckDB file, each commit one transaction",
  options: Options,
  open,
  look,
  differences,
  queries,
  pathFault: ({ path }, directory) => Effect.sync(() => Place.fileFault(Path.resolve(directory, path))),
  readers: ({ path, publish, schema = "main" }, directory) => ({
    _tag: "DuckDbFile",
    file: Path.resolve(directory, publish ?? path),
    schema
  })
})
