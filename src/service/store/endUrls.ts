/**
 * Writes how URLs of a crawl have ended: all of a transaction in one statement, because each statement is a round trip, and
 * a page ends with several.
 */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Settlement } from "#web/CrawlUrl"

export const endUrls = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  jobId: string,
  settlements: ReadonlyArray<Settlement>
) {
  // Both databases name the columns of VALUES `column1`, `column2`. In Postgres, a column with only NULL is text.
  const ended = sql.literal(
    `state = ended.column2, page_key = ended.column3, alias_of = CAST(ended.column4 AS INTEGER)`
  )
  const recognised = sql.literal(`page_seq = CAST(ended.column5 AS INTEGER), final_url = ended.column6,
    canonical = ended.column7, content = ended.column8, meaning = ended.column9, template = ended.column10`)
  const own = sql`WHERE job_id = ${jobId} AND seq = CAST(ended.column1 AS INTEGER)`

  const plain = settlements.filter(({ traits }) => traits === undefined)
  const known = settlements.filter(({ traits }) => traits !== undefined)
  for (const some of Arr.chunksOf(plain, batchSize)) {
    const rows = some.map(
      ({ aliasOf = null, landedKey, seq, state }) => sql`(${seq}, ${state}, ${landedKey}, ${aliasOf})`
    )
    yield* sql`UPDATE crawl_url SET ${ended} FROM (VALUES ${sql.csv(rows)}) AS ended ${own}`
  }
  for (const some of Arr.chunksOf(known, batchSize)) {
    const rows = some.map(({ aliasOf = null, landedKey, page, seq, state, traits = {} }) => {
      const { canonical = null, content = null, landed = null, meaning = null, template = null } = traits
      return sql`(${seq}, ${state}, ${landedKey}, ${aliasOf}, ${page?.seq ?? null}, ${landed}, ${canonical}, ${content},
        ${meaning}, ${template})`
    })
    yield* sql`UPDATE crawl_url SET ${ended}, ${recognised} FROM (VALUES ${sql.csv(rows)}) AS ended ${own}`
  }
})

/** The maximum number of rows in one statement: databases limit its values. */
const batchSize = 200
