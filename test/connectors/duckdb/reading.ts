/**
 * One DuckDB of this process for tests that only read files: each that is opened costs 15 ms. Who reads has it alone, and holds
 * no file afterwards.
 */
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Database from "#engine/Duckdb"

const spill = join(tmpdir(), `millrace-reading-${process.pid}.spill`)
const opened = Effect.runSync(
  Effect.cached(
    Database.open({ threads: 1, memory: "256MB", spill }).pipe(
      // A file may be another one at the same place in the same moment.
      Effect.tap((database) => database.run("SET enable_external_file_cache = false")),
      Scope.provide(Scope.makeUnsafe())
    )
  )
)
const turns = Semaphore.makeUnsafe(1)

export const reading = <A, E>(use: (database: Database.Database) => Effect.Effect<A, E>) =>
  turns.withPermits(1)(Effect.flatMap(opened, use))

/** The same with a DuckDB file that nobody writes, as `target`. */
export const readingFile = <A, E>(file: string, use: (database: Database.Database) => Effect.Effect<A, E>) =>
  reading((database) =>
    Effect.acquireUseRelease(
      database.run(`ATTACH ${Database.literal(file)} AS target (READ_ONLY)`),
      () => use(database),
      () => Effect.orDie(database.run("DETACH target"))
    )
  )
