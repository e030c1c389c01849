/**
 * Finding by words in Postgres: its own full text, with the heading before the context before the text.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { type GovWords, markEnd, markStart, plainTexts, type Ranked } from "./GovWords.ts"

export const postgresWords = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const phrases = (texts: ReadonlyArray<string>, between: "||" | "&&") =>
    texts
      .map((text) => sql`phraseto_tsquery('english', ${text})`)
      .reduce((left, right) => sql`${left} ${sql.literal(between)} ${right}`)
  const expression = (any: ReadonlyArray<string>, all: ReadonlyArray<string>) =>
    all.length > 0 ? phrases(all, "&&") : phrases(any, "||")
  // Heading, context, body, notes; Postgres takes them from the last to the first.
  const weights = sql.literal("'{0.05, 0.2, 0.4, 1.0}'")

  const words: GovWords = {
    terms: Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
      if (words.length === 0) return []
      const rows = yield* sql<{ word: string; stem: string | null; sections: number | null }>`
        SELECT a.word, (tsvector_to_array(to_tsvector('english', a.word)))[1] AS stem, w.doc AS sections
        FROM json_array_elements_text(${JSON.stringify(words)}::json) WITH ORDINALITY AS a(word, at)
        LEFT JOIN gov_word w ON w.term = (tsvector_to_array(to_tsvector('english', a.word)))[1] ORDER BY a.at`
      return rows.map(({ sections, stem, word }) => ({ word, stem: stem ?? word, sections: sections ?? 0 }))
    }),
    matching: (
      any: ReadonlyArray<string>,
      all: ReadonlyArray<string>,
      documents: ReadonlyArray<number> | undefined,
      limit: number
    ) =>
      sql<Ranked>`SELECT s.id, ts_rank(${weights}, s.vector, q.words, 1)::float8 AS rank
        FROM gov_section s, (SELECT ${expression(any, all)} AS words) q
        WHERE s.vector @@ q.words ${documents === undefined ? sql.literal("") : sql`AND s.document_id IN ${sql.in([...documents])}`}
        ORDER BY rank DESC, s.id LIMIT ${limit}`,
    marked: Effect.fnUntraced(function* (ids: ReadonlyArray<number>, any: ReadonlyArray<string>) {
      if (ids.length === 0) return new Map<number, string>()
      if (any.length === 0) return yield* plainTexts(sql, ids)
      const options = `StartSel=${markStart}, StopSel=${markEnd}, HighlightAll=true`
      const rows = yield* sql<{ id: number; text: string }>`
        SELECT id, ts_headline('english', body, ${expression(any, [])}, ${options}) AS text
        FROM gov_section WHERE id IN ${sql.in([...ids])}`
      return new Map(rows.map(({ id, text }) => [id, text]))
    })
  }
  return words
})
