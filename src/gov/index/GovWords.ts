/**
 * Finding by words, which each database does in its own way: SQLite's FTS5 with bm25, Postgres's full text.
 *
 * A word is matched by its stem, as the database makes it. The marks are characters that no text contains, and the
 * database sets them, so what is shown as found is what was found.
 */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** A word as the index has it: its stem, and how many sections have it. */
export interface Term {
  readonly word: string
  readonly stem: string
  readonly sections: number
}

export interface Ranked {
  readonly id: number
  /** Higher is better; comparable within one answer only. */
  readonly rank: number
}

export interface GovWords {
  readonly terms: (words: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Term>, SqlError>
  /** Sections that have any of the phrases, and all of the required ones. */
  readonly matching: (
    any: ReadonlyArray<string>,
    all: ReadonlyArray<string>,
    /** Of these documents only. */
    documents: ReadonlyArray<number> | undefined,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Ranked>, SqlError>
  /** Their texts, with what was found between marks. */
  readonly marked: (
    ids: ReadonlyArray<number>,
    any: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyMap<number, string>, SqlError>
}

export const markStart = "\u0001"
export const markEnd = "\u0002"

/** Texts as they are, without marks. */
export const plainTexts = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, ids: ReadonlyArray<number>) {
  const rows = yield* sql<{ id: number; text: string }>`
    SELECT id, body AS text FROM gov_section WHERE id IN ${sql.in([...ids])}`
  return new Map(rows.map(({ id, text }) => [id, text]))
})
