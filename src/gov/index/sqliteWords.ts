/**
 * Finding by words in SQLite: FTS5, ranked by bm25 with the heading before the context before the text.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { type GovWords, markEnd, markStart, plainTexts, type Ranked } from "./GovWords.ts"

export const sqliteWords = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The tokenizer of the index tells stems through a table of its own, which is no part of the file.
  yield* sql.unsafe(
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.gov_asked USING fts5(word, tokenize='porter unicode61 remove_diacritics 2')"
  )
  yield* sql.unsafe("CREATE VIRTUAL TABLE IF NOT EXISTS temp.gov_stem USING fts5vocab('temp', 'gov_asked', 'instance')")

  const quoted = (phrase: string): string => `"${phrase.replaceAll('"', '""')}"`
  const expression = (any: ReadonlyArray<string>, all: ReadonlyArray<string>): string =>
    [...all.map(quoted), ...(any.length === 0 || all.length > 0 ? [] : [`(${any.map(quoted).join(" OR ")})`])].join(
      " AND "
    )

  const words: GovWords = {
    terms: Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
      if (words.length === 0) return []
      yield* sql`DELETE FROM temp.gov_asked`
      for (const [at, word] of words.entries())
        yield* sql`INSERT INTO temp.gov_asked (rowid, word) VALUES (${at}, ${word})`
      const rows = yield* sql<{ doc: number; term: string; sections: number | null }>`
        SELECT s.doc, s.term, w.doc AS sections FROM temp.gov_stem s LEFT JOIN gov_word w ON w.term = s.term
        WHERE s.offset = 0 ORDER BY s.doc`
      return rows.map(({ doc, sections, term }) => ({ word: words[doc] ?? "", stem: term, sections: sections ?? 0 }))
    }, sql.withTransaction),
    matching: (
      any: ReadonlyArray<string>,
      all: ReadonlyArray<string>,
      documents: ReadonlyArray<number> | undefined,
      limit: number
    ) =>
      documents === undefined
        ? sql<Ranked>`SELECT rowid AS id, -bm25(gov_text, 6, 2, 1, 0.2) AS rank FROM gov_text
            WHERE gov_text MATCH ${expression(any, all)} ORDER BY bm25(gov_text, 6, 2, 1, 0.2) LIMIT ${limit}`
        : sql<Ranked>`SELECT gov_text.rowid AS id, -bm25(gov_text, 6, 2, 1, 0.2) AS rank FROM gov_text
            JOIN gov_section s ON s.id = gov_text.rowid
            WHERE gov_text MATCH ${expression(any, all)} AND s.document_id IN ${sql.in([...documents])}
            ORDER BY rank DESC LIMIT ${limit}`,
    marked: Effect.fnUntraced(function* (ids: ReadonlyArray<number>, any: ReadonlyArray<string>) {
      if (ids.length === 0) return new Map<number, string>()
      if (any.length === 0) return yield* plainTexts(sql, ids)
      const rows = yield* sql<{ id: number; text: string }>`
        SELECT rowid AS id, highlight(gov_text, 2, ${markStart}, ${markEnd}) AS text FROM gov_text
        WHERE gov_text MATCH ${expression(any, [])} AND rowid IN ${sql.in([...ids])}`
      const found = new Map(rows.map(({ id, text }) => [id, text]))
      const missing = ids.filter((id) => !found.has(id))
      return missing.length === 0 ? found : new Map([...found, ...(yield* plainTexts(sql, missing))])
    })
  }
  return words
})
