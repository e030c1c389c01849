/**
 * The database file, open for one writer, attached as `target`.
 *
 * Guarantee: a file has one writer. DuckDB locks it against other processes, but not against this one (and a POSIX lock
 * is released when any handle of its process closes), so files that are open here are also kept in a set.
 */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Database from "#engine/Duckdb"
import type * as Sink from "#engine/Sink"
import { busy, failure } from "../failure.ts"
import { notOurs } from "../Place.ts"

export interface AttachedDatabase {
  readonly file: string
  readonly database: Database.Database
}

export const open = Effect.fnUntraced(function* (
  path: string,
  directory: string
): Effect.fn.Return<AttachedDatabase, Sink.SinkError, Scope.Scope> {
  const file = yield* locate(Path.resolve(directory, path))
  yield* claim(file)
  const spill = `${file}.spill`
  // Until the file is attached, the folder may belong to another process that has it open.
  let attached = false
  yield* Effect.addFinalizer(() => (attached ? Effect.promise(() => sweep(spill)) : Effect.void))
  // One thread and little memory: with two threads the same rows cost half as much again, and rows that wait for their
  // commit spill.
  const database = yield* Database.open({ threads: 1, memory: "96MB", spill }).pipe(
    Effect.mapError(failure(`cannot start DuckDB for ${file}`))
  )
  // A log of many rewritten rows, which a killed writer left, needs more memory than the rows of a run.
  yield* database
    .withRaisedMemoryLimit(database.run(`ATTACH ${Database.literal(file)} AS target (ROW_GROUP_SIZE ${rowGroupSize})`))
    .pipe(Effect.mapError(refusal(file)))
  attached = true
  // Files that are there now were left by a killed writer, or are what this database has spilled of the log.
  const own = yield* database.values("SELECT path FROM duckdb_temporary_files()").pipe(Effect.mapError(refusal(file)))
  if (own.length === 0) yield* Effect.promise(() => sweep(spill))
  yield* Effect.addFinalizer(() => detach(database))
  return { file, database }
})

/** Rows stay in memory until their row group is full: about 40 MB of pages, and 500 MB with DuckDB's default. */
const rowGroupSize = 10_240

/** The real path of the file. Its folder is created if it is missing. */
const locate = (file: string) =>
  Effect.tryPromise({
    try: async () => {
      await Fs.mkdir(Path.dirname(file), { recursive: true })
      const named = Path.join(await Fs.realpath(Path.dirname(file)), Path.basename(file))
      return Fs.realpath(named).catch(() => named)
    },
    catch: failure(`cannot make the folder of ${file}`)
  })

const claim = (file: string) =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      if (claimed.has(file)) return Effect.fail(busy(`${file} is open in another run; wait until it ends`))
      claimed.add(file)
      return Effect.void
    }),
    () => Effect.sync(() => claimed.delete(file))
  )

const claimed = new Set<string>()

/**
 * Rolls back what was not committed, and writes the log into the file. The log of many rewritten rows needs more memory
 * than their commit, as DuckDB cannot spill what it writes. Errors lose nothing: a rollback fails if no transaction is open, and a log
 * that was not written is read at the next open.
 */
const detach = (database: Database.Database) =>
  Effect.all(
    [
      database.run("ROLLBACK"),
      database.withRaisedMemoryLimit(database.run("CHECKPOINT target")),
      database.run("DETACH target")
    ],
    {
      mode: "result",
      discard: true
    }
  )

const sweep = (folder: string) => Fs.rm(folder, { recursive: true, force: true })

/** Why a file cannot be attached. */
export const refusal = (file: string) => (error: Database.DatabaseError) => {
  if (error.message.includes("Could not set lock")) {
    const pid = /PID (\d+)/.exec(error.message)?.[1]
    return busy(
      `${file} is open in another process${pid === undefined ? "" : ` (${pid})`}; close it there and run again`
    )
  }
  const [, version, newest] =
    /version number (\d+), but we can only read versions between \d+ and (\d+)/.exec(error.message) ?? []
  if (version !== undefined && Number(version) > Number(newest)) {
    return failure(
      `${file} has storage version ${version}: a newer DuckDB (2.0 or later) has written it, and Millrace reads up to ${newest}; ` +
        "write a file of Millrace's own and read its copy with the newer DuckDB (publish: FILE), or let the newer DuckDB write an older version: ATTACH ... (STORAGE_VERSION 'v1.5.0')"
    )()
  }
  return error.message.includes("not a valid DuckDB database")
    ? failure(notOurs(file))()
    : failure(`cannot open ${file}`)(error)
}
