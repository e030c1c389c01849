/**
 * Compares the rows that a process owns with the work that it runs, after each sign.
 *
 * Work that runs here without an owned row was ended or taken by another process. A row that is owned and does not run
 * here, at two checks in a row, has lost its run: the database could not be reached when the run wrote, or when the row was
 * entered or taken. The row is released, so that this process or another takes it again. One check is not enough, because
 * work that was just entered may not run yet.
 */
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"

interface Rows {
  /** The unfinished rows of this process. */
  readonly own: Effect.Effect<ReadonlyArray<string>, SqlError>
  /** Removes this process as the owner of these rows. */
  readonly release: (ids: ReadonlyArray<string>) => Effect.Effect<unknown, SqlError>
}

/** Makes a check. It takes the ids that run here, and returns those that this process no longer owns. */
export const of = ({ release, own }: Rows) => {
  let idle: ReadonlySet<string> = new Set()
  return Effect.fnUntraced(function* (running: ReadonlyArray<string>) {
    const ownIds = new Set(yield* own)
    const isRunning = new Set(running)
    const notRunning = Array.from(ownIds).filter((id) => !isRunning.has(id))
    const lost = notRunning.filter((id) => idle.has(id))
    idle = new Set(notRunning)
    if (lost.length > 0) yield* release(lost)
    return running.filter((id) => !ownIds.has(id))
  })
}
