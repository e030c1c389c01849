/**
 * Finding by words in SQLite: lists of sections from FTS5, without its rank.
 *
 * For each word there are lists of the sections that have it at all, in their law, often, and in the heading. A section's rank is
 * the sum of what its lists count. A list costs a tenth of a microsecond for each section in it; bm25 would read each of them.
 */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { stem } from "#base/stem"
import type { GovWords, Ranked, Sought } from "./GovWords.ts"

/** A list of sections: where it is looked up, and what it counts. */
interface List {
  readonly table: "gov_text" | "gov_often" | "gov_saying"
  readonly match: string
  readonly weight: number
}

export const sqliteWords = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // An index of an earlier form does not have it until the next load.
  let isOftenThere = false
  const hasOften = Effect.gen(function* () {
    isOftenThere ||= yield* hasTable(sql, "gov_often")
    return isOftenThere
  })

  const idsOf = Effect.fnUntraced(function* (lists: ReadonlyArray<Omit<List, "weight">>) {
    const found: Array<ReadonlyArray<number>> = []
    for (const some of Arr.chunksOf(lists, mostLists)) {
      const asked = some.map(
        ({ table }) => `SELECT json_group_array(rowid) AS ids FROM ${table} WHERE ${table} MATCH ?`
      )
      const rows = yield* sql.unsafe<{ ids: string }>(
        asked.join(" UNION ALL "),
        some.map(({ match }) => match)
      )
      for (const { ids } of rows) found.push(parsed(ids))
    }
    return found
  })

  const scored = Effect.fnUntraced(function* (lists: ReadonlyArray<List>) {
    const found = yield* idsOf(lists)
    const scores = new Float32Array(found.reduce((most, ids) => Math.max(most, ids.at(-1) ?? 0), 0) + 1)
    for (const [at, ids] of found.entries()) {
      const weight = lists[at]?.weight ?? 0
      for (const id of ids) scores[id] = (scores[id] ?? 0) + weight
    }
    return scores
  })

  const words: GovWords = {
    having: Effect.fnUntraced(function* (words) {
      if (!Arr.isReadonlyArrayNonEmpty(words)) return new Map<string, number>()
      const stems = Arr.map(words, stem)
      const rows = yield* sql<{
        term: string
        doc: number
      }>`SELECT term, doc FROM gov_word WHERE term IN ${sql.in(stems)}`
      const sections = new Map(rows.map(({ doc, term }) => [term, doc]))
      return new Map(words.map((word, at) => [word, sections.get(stems[at] ?? "") ?? 0]))
    }),
    matching: Effect.fnUntraced(function* (any, all, { documents, hasNotes, limit }) {
      const isThere = yield* hasOften
      const sought = [...any, ...all.map((text) => ({ text, weight: 1 }))]
      const law = sought.flatMap((one) => listsOf(one, isThere, hasNotes))
      const own = yield* scored(law)
      // What is hardly in the law is looked for in notes too.
      const isRare = !hasNotes && own.reduce((some, score) => some + (score > 0 ? 1 : 0), 0) < limit
      const scores = isRare ? yield* scored(sought.flatMap((one) => listsOf(one, isThere, true))) : own
      const phrases = yield* idsOf(all.map((text) => ({ table: "gov_text", match: quoted(text) })))
      for (const phrase of phrases) keep(scores, phrase)
      const everywhere = best(scores, limit)
      if (documents.length === 0 || everywhere.length < limit) return { everywhere, there: [] }
      const [row] = yield* sql<{ ids: string }>`
        SELECT json_group_array(id) AS ids FROM gov_section WHERE document_id IN ${sql.in(documents)}`
      keep(scores, parsed(row?.ids ?? "[]"))
      return { everywhere, there: best(scores, limit) }
    }),
    saidOf: Effect.fnUntraced(function* (any, limit) {
      const lists = any.map(({ text, weight }): List => ({ table: "gov_saying", match: quoted(text), weight }))
      return best(yield* scored(lists), limit)
    })
  }
  return words
})

export const hasTable = (sql: SqlClient.SqlClient, table: string) =>
  Effect.map(
    sql.onDialectOrElse({
      orElse: () => sql`SELECT name FROM sqlite_master WHERE name = ${table}`,
      pg: () => sql`SELECT 1 AS name WHERE to_regclass(${table}) IS NOT NULL`
    }),
    (tables) => tables.length > 0
  )

/** Lists that one statement asks for. */
const mostLists = 100

/** What a word counts by where it stands; the sum is about what BM25F makes of it. */
const listsOf = ({ text, weight }: Sought, isOftenThere: boolean, hasNotes: boolean): ReadonlyArray<List> => {
  const match = quoted(text)
  return [
    { table: "gov_text", match: hasNotes ? match : `{heading context body} : ${match}`, weight: 0.65 * weight },
    { table: "gov_text", match: `heading : ${match}`, weight: 0.9 * weight },
    ...(isOftenThere && !text.includes(" ") ? [{ table: "gov_often" as const, match, weight: 0.75 * weight }] : [])
  ]
}

const quoted = (phrase: string): string => `"${phrase.replaceAll('"', '""')}"`

const parsed = (ids: string): ReadonlyArray<number> => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- SQLite's json_group_array of row ids, which are whole numbers
  return JSON.parse(ids) as ReadonlyArray<number>
}

/** Takes all others out. */
const keep = (scores: Float32Array, ids: ReadonlyArray<number>): void => {
  const before = scores.slice()
  scores.fill(0)
  for (const id of ids) scores[id] = before[id] ?? 0
}

/** The highest scores: those above a border that is found by counting, as there may be very many. */
const best = (scores: Float32Array, limit: number): ReadonlyArray<Ranked> => {
  let most = 0
  for (const score of scores) if (score > most) most = score
  if (most === 0) return []
  const counts = new Uint32Array(steps + 1)
  const stepOf = (score: number): number => Math.floor((score / most) * steps)
  for (const score of scores) if (score > 0) counts[stepOf(score)] = (counts[stepOf(score)] ?? 0) + 1
  let border = steps
  for (let some = counts[steps] ?? 0; border > 0 && some < limit; some += counts[border] ?? 0) border--
  const found: Array<Ranked> = []
  for (let id = 0; id < scores.length; id++) {
    const rank = scores[id] ?? 0
    if (rank > 0 && stepOf(rank) >= border) found.push({ id, rank })
  }
  return found.toSorted((a, b) => b.rank - a.rank || a.id - b.id).slice(0, limit)
}

const steps = 4096
