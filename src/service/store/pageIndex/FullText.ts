/**
 * The full text index of pages: FTS5 on SQLite, a tsvector on Postgres.
 *
 * Both databases find the same pages: the words come prepared (`Words`), so neither splits text by its own rules. Words of
 * two fields are never adjacent. On SQLite, the words of a page include its team, so a query of one team never scans the
 * pages of another.
 */
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Words } from "#web/PageText"
import type { Query, Term } from "#web/SearchQuery"

/** A word for the team of a page, which no text contains. */
const teamWord = (teamId: string): string => `\u2402${Buffer.from(teamId).toString("hex")}`

/** The row of FTS5 that goes with a page. */
export const row = (teamId: string, words: Words) => ({
  team: teamWord(teamId),
  title: words.title.join(" "),
  description: words.description.join(" "),
  address: words.address.join(" "),
  text: words.text.join(" ")
})

/** The words as text of a tsvector: fields are its weights A to D. */
export const vector = (words: Words): string => {
  const places = new Map<string, Array<string>>()
  let at = 0
  for (const [field, weight] of fields) {
    for (const word of words[field]) {
      at += 1
      const known = places.get(word)
      if (known === undefined) places.set(word, [`${Math.min(at, lastPlace)}${weight}`])
      else if (known.length < maxPlaces) known.push(`${Math.min(at, lastPlace)}${weight}`)
    }
    at += 2
  }
  return Array.from(places, ([word, where]) => `'${word}':${where.join(",")}`).join(" ")
}

const fields = [
  ["title", "A"],
  ["description", "B"],
  ["address", "C"],
  ["text", "D"]
] as const
/** The maximum number of places of one word in a tsvector, and the largest place. */
const maxPlaces = 250
const lastPlace = 16_383

/** The query in the syntax of FTS5. */
export const fts5 = (teamId: string, query: Query): string => {
  const row = (term: Term) => `"${term.join(" ")}"`
  const any = (terms: ReadonlyArray<Term>) => `(${terms.map(row).join(" OR ")})`
  const all = [
    `team : "${teamWord(teamId)}"`,
    ...query.phrases.map(row),
    ...query.inTitle.map((term) => `title : ${row(term)}`),
    ...query.inUrl.map((term) => `address : ${row(term)}`),
    ...(query.words.length === 0 ? [] : [any(query.words)])
  ].join(" AND ")
  return query.without.length === 0 ? all : `(${all}) NOT ${any(query.without)}`
}

/** The query as a tsquery; undefined: every page matches. */
export const tsquery = (query: Query): string | undefined => {
  const row = (term: Term, weight = "") => `(${term.map((word) => `'${word}'${weight}`).join(" <-> ")})`
  const any = (terms: ReadonlyArray<Term>) => `(${terms.map((term) => row(term)).join(" | ")})`
  const all = [
    ...query.phrases.map((term) => row(term)),
    ...query.inTitle.map((term) => row(term, ":A")),
    ...query.inUrl.map((term) => row(term, ":C")),
    ...(query.words.length === 0 ? [] : [any(query.words)]),
    ...(query.without.length === 0 ? [] : [`!${any(query.without)}`])
  ]
  return all.length === 0 ? undefined : all.join(" & ")
}

/** Whether the query has words to rank by. If not, the newest pages come first. */
const isRanked = ({ inTitle, inUrl, phrases, words }: Query): boolean =>
  words.length + phrases.length + inTitle.length + inUrl.length > 0

interface FullTextRequest {
  readonly teamId: string
  readonly query: Query
  /** Conditions on the pages, besides their words. */
  readonly where: Fragment
  /** Whether the conditions are only the team and the age. */
  readonly isFree: boolean
  readonly limit: number
}

/**
 * The matching pages, from `indexed_page` as `p`, best first. Postgres must read a whole page to rank it: if very many pages
 * match, only the newest are ranked.
 */
export const candidates = (
  sql: SqlClient.SqlClient,
  { isFree, limit, query, teamId, where }: FullTextRequest
): Fragment => {
  const newest = sql`ORDER BY p.read_at DESC, p.id DESC`
  return sql.onDialectOrElse({
    pg: () => {
      const words = tsquery(query)
      if (words === undefined) return sql`FROM indexed_page p WHERE ${where} ${newest} LIMIT ${limit}`
      const matching = sql`FROM indexed_page p WHERE ${where} AND p.words @@ ${words}::tsquery ${newest}`
      return isRanked(query)
        ? sql`FROM (SELECT * ${matching} LIMIT ${maxRanked}) p
            ORDER BY ts_rank_cd(p.words, ${words}::tsquery, 1) DESC, p.id LIMIT ${limit}`
        : sql`${matching} LIMIT ${limit}`
    },
    orElse: () => {
      const matching = sql`page_words WHERE page_words MATCH ${fts5(teamId, query)}`
      const score = sql`bm25(page_words, 0, 4, 2, 2, 1)`
      const join = sql`JOIN indexed_page p ON p.id = found.id WHERE ${where}`
      if (!isRanked(query))
        return sql`FROM (SELECT rowid AS id FROM ${matching}) found ${join} ${newest} LIMIT ${limit}`
      // Without further conditions, only the rows of the best pages are read.
      const best = isFree ? sql`ORDER BY score LIMIT ${limit + spare}` : sql``
      return sql`FROM (SELECT rowid AS id, ${score} AS score FROM ${matching} ${best}) found ${join}
        ORDER BY found.score, p.id LIMIT ${limit}`
    }
  })
}

const maxRanked = 5000
/** Room for pages that are too old, and not deleted yet. */
const spare = 100
