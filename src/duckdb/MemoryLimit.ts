/**
 * How much memory DuckDB may hold: what its settings say, a quarter of the machine's, or three quarters.
 *
 * The limit is raised for as long as some statements run. Within statements that have more already it stays as it is.
 * However small the rows are, DuckDB holds blocks of every column of a table in memory at once, and cannot spill them. So the
 * lowest limit grows with the columns, and does not shrink again.
 */
import { totalmem } from "node:os"
import * as Effect from "effect/Effect"
import type * as Column from "../pipeline/Column.ts"

/** 1: a quarter of the machine's memory. 2: three quarters. */
type Level = 1 | 2

export interface MemoryLimit<E> {
  /** Runs statements under a raised limit. */
  readonly raised: (wanted: Level) => <A, E1, R>(statements: Effect.Effect<A, E1, R>) => Effect.Effect<A, E1 | E, R>
  /** From now on, statements may read or write so many columns. */
  readonly makeRoom: (columns: number) => Effect.Effect<void, E>
}

/** `least`: the limit when nothing raises it, as settings write it. `set`: sets the limit of the database. */
export const make = <E>(least: string, set: (memory: string) => Effect.Effect<unknown, E>): MemoryLimit<E> => {
  const parts = [0, partOfMachine(1 / 4), partOfMachine(3 / 4)]
  let ordinary = Number.parseInt(least, 10) * (least.endsWith("GB") ? 1000 : 1)
  let level = 0
  const limit = (at: number) => `${Math.max(ordinary, parts[at] ?? 0)}MB`
  return {
    raised: (wanted) => (statements) =>
      Effect.suspend(() => {
        const before = level
        if (wanted <= before) return statements
        return Effect.acquireUseRelease(
          Effect.andThen(
            set(limit(wanted)),
            Effect.sync(() => {
              level = wanted
            })
          ),
          () => statements,
          // Refused while the transaction itself holds more; then it stays as it is until the next time.
          () => {
            level = before
            return Effect.ignore(set(limit(before)))
          }
        )
      }),
    makeRoom: (columns) =>
      Effect.suspend(() => {
        const needed = Math.min(columns, partOfMachine(3 / 4))
        if (needed <= ordinary) return Effect.void
        ordinary = needed
        return Effect.asVoid(set(limit(level)))
      })
  }
}

/** How many columns DuckDB makes of these; nested ones count too. Each needs up to 1 MB. */
export const widthOf = (columns: ReadonlyArray<Pick<Column.Column, "type">>): number =>
  columns.reduce((sum, { type }) => {
    const within = type._tag === "STRUCT" ? type.fields : type._tag === "LIST" ? [type.of] : []
    return sum + 1 + widthOf(within)
  }, 0)

/** A part of the memory of this machine, or of its container, in MB; at least 256. */
const partOfMachine = (part: number): number => {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return Math.max(256, Math.round((bytes * part) / 1e6))
}

/** Whether a statement failed for want of memory, in whichever of its ways DuckDB says so. */
export const isOutOfMemory = ({ message }: { readonly message: string }): boolean =>
  /Out of Memory|(?:failed to (?:pin block|allocate data)|could not allocate block) of size/.test(message)
