/**
 * Finding by words, which each database does in its own way: lists of SQLite's FTS5, Postgres's full text.
 *
 * They only say which sections may answer; how well a section answers, `Relevance` says, and so alike on both. A word is
 * matched by its stem, as the database makes it.
 */
import type * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"

/** What is searched for: a word, or several that follow each other. */
export interface Sought {
  readonly text: string
  readonly weight: number
}

export interface Ranked {
  readonly id: number
  /** Higher is better; comparable within one answer only. */
  readonly rank: number
}

export interface Matching {
  readonly everywhere: ReadonlyArray<Ranked>
  /** Of the documents that were named. */
  readonly there: ReadonlyArray<Ranked>
}

export interface GovWords {
  /** How many sections contain each of these words. A word that the database ignores counts as in all sections. */
  readonly having: (words: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, number>, SqlError>
  /**
   * Sections that contain any of `any` and all required ones: at most `limit` of all, and if there are that many, at most `limit`
   * of `documents` too. `hasNotes`: notes are searched like law. Those with the rarest words come first.
   */
  readonly matching: (
    any: ReadonlyArray<Sought>,
    all: ReadonlyArray<string>,
    where: { readonly documents: ReadonlyArray<number>; readonly limit: number; readonly hasNotes: boolean }
  ) => Effect.Effect<Matching, SqlError>
  /** Sections that others cite in sentences with any of these words. */
  readonly saidOf: (any: ReadonlyArray<Sought>, limit: number) => Effect.Effect<ReadonlyArray<Ranked>, SqlError>
}
