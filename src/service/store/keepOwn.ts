/**
 * What a process finds out, after each sign, of the rows that it owns.
 *
 * What runs here and is not its own any more was ended or taken elsewhere. What is its own and does not run here, two looks in
 * a row, was lost while the process lives: the database was away as a run wrote, or as a row was entered or taken. It is let
 * go, so that this process or another takes it up. One look is not enough: what was just entered may be about to run.
 */
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"

export interface Rows {
  /** Those that are this process's and under way. */
  readonly own: Effect.Effect<ReadonlyArray<string>, SqlError>
  /** Makes nobody the owner of those that still are this process's. */
  readonly letGo: (ids: ReadonlyArray<string>) => Effect.Effect<unknown, SqlError>
}

/** Told what runs here, it gives what of that is not this process's any more. */
export const make = ({ letGo, own }: Rows) => {
  let idle: ReadonlySet<string> = new Set()
  return Effect.fnUntraced(function* (running: ReadonlyArray<string>) {
    const held = new Set(yield* own)
    const isRunning = new Set(running)
    const notRunning = Array.from(held).filter((id) => !isRunning.has(id))
    const lost = notRunning.filter((id) => idle.has(id))
    idle = new Set(notRunning)
    if (lost.length > 0) yield* letGo(lost)
    return running.filter((id) => !held.has(id))
  })
}
