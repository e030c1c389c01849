/**
 * Finding by words in SQLite: FTS5, ranked by bm25.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { GovWords, Ranked, Sought } from "./GovWords.ts"

export const sqliteWords = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The tokenizer of the index tells stems through a table of its own, which is not part of the file.
  yield* sql.unsafe(
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.gov_asked USING fts5(word, tokenize='porter unicode61 remove_diacritics 2')"
  )
  yield* sql.unsafe("CREATE VIRTUAL TABLE IF NOT EXISTS temp.gov_stem USING fts5vocab('temp', 'gov_asked', 'instance')")

  const quoted = (phrase: string): string => `"${phrase.replaceAll('"', '""')}"`
  const expression = (any: ReadonlyArray<Sought>, all: ReadonlyArray<string>): string =>
    all.length > 0 ? all.map(quoted).join(" AND ") : any.map(({ text }) => quoted(text)).join(" OR ")
  // Heading, context, body, notes.
  const rank = sql.literal("bm25(gov_text, 6, 2, 1, 0.2)")

  const words: GovWords = {
    having: Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
      if (words.length === 0) return new Map<string, number>()
      yield* sql`DELETE FROM temp.gov_asked`
      for (const [at, word] of words.entries())
        yield* sql`INSERT INTO temp.gov_asked (rowid, word) VALUES (${at}, ${word})`
      const rows = yield* sql<{ doc: number; sections: number | null }>`
        SELECT s.doc, w.doc AS sections FROM temp.gov_stem s LEFT JOIN gov_word w ON w.term = s.term
        WHERE s.offset = 0 ORDER BY s.doc`
      return new Map(rows.map(({ doc, sections }) => [words[doc] ?? "", sections ?? 0]))
    }, sql.withTransaction),
    matching: (
      any: ReadonlyArray<Sought>,
      all: ReadonlyArray<string>,
      documents: ReadonlyArray<number> | undefined,
      limit: number
    ) =>
      documents === undefined
        ? sql<Ranked>`SELECT rowid AS id, -${rank} AS rank FROM gov_text
            WHERE gov_text MATCH ${expression(any, all)} ORDER BY ${rank} LIMIT ${limit}`
        : sql<Ranked>`SELECT gov_text.rowid AS id, -${rank} AS rank FROM gov_text
            JOIN gov_section s ON s.id = gov_text.rowid
            WHERE gov_text MATCH ${expression(any, all)} AND s.document_id IN ${sql.in([...documents])}
            ORDER BY rank DESC LIMIT ${limit}`,
    saidOf: (any: ReadonlyArray<Sought>, limit: number) =>
      sql<Ranked>`SELECT rowid AS id, -bm25(gov_saying) AS rank FROM gov_saying
        WHERE gov_saying MATCH ${expression(any, [])} ORDER BY bm25(gov_saying) LIMIT ${limit}`
  }
  return words
})
