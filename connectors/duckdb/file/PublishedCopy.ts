/**
 * The published copy of a database: a snapshot of the last commit, for readers that must never wait for a writer.
 *
 * It is never changed, and a run opens it only to find out how new it is. A newer snapshot replaces it by one rename, so a
 * reader opens the old or the new one completely, and can keep it open as long as it needs. If a process dies between a commit
 * and its publication, the next run publishes it.
 */

import { execFile } from "node:child_process"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import * as Durable from "#base/Durable"
import { systemReason } from "#base/systemReason"
import * as Database from "#engine/Duckdb"
import type * as Sink from "#engine/Sink"
import { failure } from "../failure.ts"
import * as Place from "../Place.ts"
import type * as AttachedDatabase from "./AttachedDatabase.ts"

interface PublishedCopy {
  readonly path: string
  /** Publishes the last commit. No transaction may be open. */
  readonly publish: Effect.Effect<void, Sink.SinkError>
  /** Publishes the last commit if it is not published yet. */
  readonly catchUp: Effect.Effect<void, Sink.SinkError>
}

export const of = (
  { database, file }: AttachedDatabase.AttachedDatabase,
  place: Place.DatabaseLocation,
  path: string
): PublishedCopy => {
  const unpublished = failure(`${file} has the rows, and its copy ${path} could not be made; the next run makes it`)
  const publish = Effect.gen(function* () {
    // Writes the log into the file, because only the file is copied.
    yield* database.run("CHECKPOINT target").pipe(Effect.mapError(unpublished))
    yield* Effect.tryPromise({
      try: () => snapshot(file, path),
      catch: (error) => unpublished(new Error(reasonOf(error), { cause: error }))
    })
  })

  /** Whether the copy has all commits; false if it cannot be read, or is open for writing. */
  const isCurrent = Effect.fnUntraced(
    function* (committed: number) {
      yield* database.run(`ATTACH ${Database.literal(path)} AS published (READ_ONLY)`)
      const published = yield* loads(database, { ...place, catalog: "published" })
      yield* database.run("DETACH published")
      return published === committed
    },
    Effect.orElseSucceed(() => false)
  )

  const catchUp = Effect.gen(function* () {
    const committed = yield* loads(database, place).pipe(Effect.mapError(failure(`cannot read ${file}`)))
    if (committed > 0 && !(yield* isCurrent(committed))) yield* publish
  })
  return { path, publish, catchUp }
}

/** The number of table loads of all commits in a place: it grows with each commit. */
const loads = Effect.fnUntraced(function* (database: Database.Database, place: Place.DatabaseLocation) {
  const name = "_millrace_loads"
  const isThere = yield* Place.has(database, place, name)
  const [n = 0] = isThere ? yield* Database.numbers(database, `SELECT count(*) FROM ${Place.named(place, name)}`) : []
  return n
})

/**
 * Another process makes the copy: DuckDB's lock on the file belongs to this process, and would be released as soon as this
 * process closed any other handle of the file.
 */
const snapshot = async (file: string, path: string): Promise<void> => {
  const next = `${path}.next`
  await Fs.mkdir(Path.dirname(path), { recursive: true })
  await promisify(execFile)(process.execPath, [copier, file, next])
  await Durable.rename(next, path)
}

/** What the copier said, or the system where it was asked here. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && "stderr" in error && typeof error.stderr === "string" && error.stderr !== ""
    ? error.stderr
    : systemReason(error)

const copier = fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "./copy.ts" : "./copy.js", import.meta.url))
