/**
 * How much memory DuckDB may hold: what its settings say, a quarter of the machine's, or three quarters.
 *
 * The limit is raised for as long as some statements run. Within statements that have more already it stays as it is.
 */
import { totalmem } from "node:os"
import * as Effect from "effect/Effect"

/** 1: a quarter of the machine's memory. 2: three quarters. */
type Level = 1 | 2

/** Runs statements under a raised limit. `least`: what holds otherwise. `set`: sets the limit of the database. */
export const make = <E>(least: string, set: (memory: string) => Effect.Effect<unknown, E>) => {
  const levels = [least, partOfMachine(1 / 4), partOfMachine(3 / 4)]
  let level = 0
  return (wanted: Level) =>
    <A, E1, R>(statements: Effect.Effect<A, E1, R>): Effect.Effect<A, E1 | E, R> =>
      Effect.suspend(() => {
        const before = level
        if (wanted <= before) return statements
        return Effect.acquireUseRelease(
          Effect.andThen(
            set(levels[wanted] ?? least),
            Effect.sync(() => {
              level = wanted
            })
          ),
          () => statements,
          // Refused while the transaction itself holds more; then it stays as it is until the next time.
          () => {
            level = before
            return Effect.ignore(set(levels[before] ?? least))
          }
        )
      })
}

/** So much of what this machine, or the container, has: 256 MB at least. */
const partOfMachine = (part: number): string => {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return `${Math.max(256, Math.round((bytes * part) / 1e6))}MB`
}

/** Whether a statement failed for want of memory, in whichever of its ways DuckDB says so. */
export const isOutOfMemory = ({ message }: { readonly message: string }): boolean =>
  /Out of Memory|failed to (pin block|allocate data) of size/.test(message)
