/**
 * Finding by words in Postgres: its own full text, each word ranked apart and weighed by how rare it is.
 *
 * Postgres's rank knows no rarity, so what is searched for comes with its weight. Words that it leaves out of its index are
 * in every section, for all it can say.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { GovWords, Ranked, Sought } from "./GovWords.ts"

export const postgresWords = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const phrase = (text: string) => sql`phraseto_tsquery('english', ${text})`
  const joined = (texts: ReadonlyArray<string>, between: "||" | "&&") =>
    texts.map(phrase).reduce((left, right) => sql`${left} ${sql.literal(between)} ${right}`)
  // Heading, context, body, notes; Postgres takes them from the last to the first.
  const weights = sql.literal("'{0.05, 0.2, 0.4, 1.0}'")
  const rankOf = (any: ReadonlyArray<Sought>) =>
    any
      .map(({ text, weight }) => sql`${weight}::float8 * ts_rank(${weights}, f.vector, ${phrase(text)}, 1)`)
      .reduce((left, right) => sql`${left} + ${right}`)

  const words: GovWords = {
    having: Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
      if (words.length === 0) return new Map<string, number>()
      const rows = yield* sql<{ word: string; sections: number }>`
        SELECT a.word, CASE WHEN a.stem IS NULL THEN ${everySection}::int ELSE coalesce(w.doc, 0) END AS sections
        FROM (SELECT word, (tsvector_to_array(to_tsvector('english', word)))[1] AS stem
          FROM json_array_elements_text(${JSON.stringify(words)}::json) AS word) a
        LEFT JOIN gov_word w ON w.term = a.stem`
      return new Map(rows.map(({ sections, word }) => [word, sections]))
    }),
    matching: (
      any: ReadonlyArray<Sought>,
      all: ReadonlyArray<string>,
      documents: ReadonlyArray<number> | undefined,
      limit: number
    ) => {
      const sought = all.length > 0 ? all.map((text) => ({ text, weight: 1 })) : any
      // What stands in a subquery of its own is unpacked once, and not again for each word.
      return sql<Ranked>`SELECT f.id, (${rankOf(sought)})::float8 AS rank FROM (
          SELECT s.id, s.vector || ''::tsvector AS vector FROM gov_section s
          WHERE s.vector @@ (${joined(
            sought.map(({ text }) => text),
            all.length > 0 ? "&&" : "||"
          )})
          ${documents === undefined ? sql.literal("") : sql`AND s.document_id IN ${sql.in([...documents])}`}
          OFFSET 0
        ) f ORDER BY rank DESC, f.id LIMIT ${limit}`
    },
    saidOf: (any: ReadonlyArray<Sought>, limit: number) =>
      sql<Ranked>`SELECT f.id, (${rankOf(any)})::float8 AS rank FROM (
          SELECT section_id AS id, vector || ''::tsvector AS vector FROM gov_cited
          WHERE vector @@ (${joined(
            any.map(({ text }) => text),
            "||"
          )}) OFFSET 0
        ) f ORDER BY rank DESC, f.id LIMIT ${limit}`
  }
  return words
})

/** More than any index has. */
const everySection = 1_000_000_000
