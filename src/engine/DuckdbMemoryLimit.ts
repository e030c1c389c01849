/**
 * The memory limit of DuckDB: that of its settings, a quarter of the machine's memory, or three quarters.
 *
 * The limit is raised while some statements run, unless it is already as high. However small the rows are, DuckDB keeps
 * blocks of every column of a table in memory at once and cannot spill them. So the ordinary limit grows with the number of
 * columns, and does not shrink again.
 */
import { totalmem } from "node:os"
import * as Effect from "effect/Effect"
import type * as Column from "./Column.ts"

/** 1: a quarter of the machine's memory. 2: three quarters. */
type Level = 1 | 2

interface MemoryLimit<E> {
  /** Runs statements under a raised limit. */
  readonly raised: (wanted: Level) => <A, E1, R>(statements: Effect.Effect<A, E1, R>) => Effect.Effect<A, E1 | E, R>
  /** Raises the limit to a quarter of the machine's memory until it is lowered, and not for some statements only. */
  readonly raiseMemoryLimit: Effect.Effect<void, E>
  readonly lowerMemoryLimit: Effect.Effect<void>
  /** Raises the ordinary limit for statements that read or write this many columns. */
  readonly makeRoom: (columns: number) => Effect.Effect<void, E>
}

/** `least`: the ordinary limit, such as "256MB". `set`: sets the limit of the database. */
export const of = <E>(least: string, set: (memory: string) => Effect.Effect<unknown, E>): MemoryLimit<E> => {
  const parts = [0, partOfMachine(1 / 4), partOfMachine(3 / 4)]
  let ordinary = Number.parseInt(least, 10) * (least.endsWith("GB") ? 1000 : 1)
  let level = 0
  let isHeld = false
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
          // DuckDB refuses this while the transaction holds more; the limit then stays until the next change.
          () => {
            level = before
            return Effect.ignore(set(limit(before)))
          }
        )
      }),
    raiseMemoryLimit: Effect.suspend(() => {
      if (level > 0) return Effect.void
      return Effect.map(set(limit(1)), () => {
        level = 1
        isHeld = true
      })
    }),
    lowerMemoryLimit: Effect.suspend(() => {
      if (!isHeld) return Effect.void
      isHeld = false
      level = 0
      return Effect.ignore(set(limit(0)))
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

/** Whether so many bytes of rows fit twice into the first raised limit: as they are read, and as DuckDB writes them. */
export const fits = (bytes: number): boolean => 2 * bytes <= partOfMachine(1 / 4) * 1e6

/** The number of these columns with nested ones. DuckDB needs up to 1 MB for each. */
export const widthOf = (columns: ReadonlyArray<Pick<Column.Column, "type">>): number =>
  columns.reduce((sum, { type }) => {
    const within = type._tag === "STRUCT" ? type.fields : type._tag === "LIST" ? [type.of] : []
    return sum + 1 + widthOf(within)
  }, 0)

/** A part of the memory of this machine or container, in MB; at least 256. */
const partOfMachine = (part: number): number => {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return Math.max(256, Math.round((bytes * part) / 1e6))
}

/** Whether a statement failed because DuckDB's memory was not enough. */
export const isOutOfMemory = ({ message }: { readonly message: string }): boolean =>
  /Out of Memory|(?:failed to (?:pin block|allocate data)|could not allocate block) of size/.test(message)
