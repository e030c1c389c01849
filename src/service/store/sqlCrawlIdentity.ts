/**
 * The data of a crawl's ledger that decides which URLs are the same page. The decision is written in one transaction: after
 * it, the documents of the job are in their final places.
 */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import { withoutNul } from "#base/withoutNul"
import type { CrawlIdentity, Decision, Ended } from "#web/CrawlIdentity"
import type { Change } from "#web/CrawlUrl"
import * as StorePort from "./StorePort.ts"

export const over = (sql: SqlClient.SqlClient): CrawlIdentity => {
  const columns = sql.literal(`seq, url, state, depth, discovered_from AS "from", alias_of AS "aliasOf",
    final_url AS landed, canonical, content, meaning, template, page_seq AS page`)
  /** Sorts URLs by their bytes, whatever the locale of the database. */
  const byBytes = sql.onDialectOrElse({ pg: () => sql.literal(`COLLATE "C"`), orElse: () => sql.literal("") })

  const place: StorePort.OverSql<CrawlIdentity>["place"] = Effect.fnUntraced(function* (jobId, decisions, failed) {
    const merged = decisions.reduce((sum, decision) => sum + decision.merged.length, 0)
    const updated = yield* sql`UPDATE job SET holds = 2, scraped = scraped - ${merged}, alias = alias + ${merged}
      WHERE id = ${jobId} AND holds = 1 RETURNING id`
    if (updated.length === 0) return
    for (const decision of decisions) yield* decide(sql, jobId, decision)
    for (const [was, is] of failed) {
      yield* sql`UPDATE crawl_error SET url = ${is} WHERE job_id = ${jobId} AND url = ${was}`
    }
    yield* sql`INSERT INTO crawl_place (job_id, place, url_seq)
      SELECT job_id, row_number() OVER (ORDER BY coalesce(final_url, url) ${byBytes}, seq) - 1, seq
      FROM crawl_url WHERE job_id = ${jobId} AND state = 'scraped' AND page_seq IS NOT NULL`
  }, sql.withTransaction)

  return StorePort.fromSql<CrawlIdentity>({
    hold: (jobId) => Effect.asVoid(sql`UPDATE job SET holds = 1 WHERE id = ${jobId} AND holds = 0`),
    hasRoutes: (jobId) =>
      Effect.map(sql`SELECT id FROM job WHERE id = ${jobId} AND routes = 1`, (rows) => rows.length > 0),
    keepRoutes: (jobId) => Effect.asVoid(sql`UPDATE job SET routes = 1 WHERE id = ${jobId}`),
    spellingsOfWaiting: (jobId) => sql`SELECT s.seq, u.url, s.url AS other FROM crawl_spelling s
      JOIN crawl_url u ON u.job_id = s.job_id AND u.seq = s.seq
      WHERE s.job_id = ${jobId} AND u.state = 'queued' ORDER BY s.seq`,
    respell: Effect.fnUntraced(function* (jobId, seq, url) {
      yield* sql`INSERT INTO crawl_spelling (job_id, seq, url) SELECT job_id, seq, url FROM crawl_url
        WHERE job_id = ${jobId} AND seq = ${seq} ON CONFLICT DO NOTHING`
      yield* sql`UPDATE crawl_url SET url = ${url} WHERE job_id = ${jobId} AND seq = ${seq}`
    }, sql.withTransaction),
    ended: (jobId, after, limit) => sql<Ended>`SELECT ${columns} FROM crawl_url
      WHERE job_id = ${jobId} AND seq > ${after} AND state IN ('scraped', 'alias') ORDER BY seq LIMIT ${limit}`,
    traits: (jobId, depth, after, limit) => sql<Ended>`SELECT ${columns} FROM crawl_url
      WHERE job_id = ${jobId} AND seq > ${after} AND depth = ${depth} AND state = 'scraped'
        AND (meaning IS NOT NULL OR template IS NOT NULL) ORDER BY seq LIMIT ${limit}`,
    some: Effect.fnUntraced(function* (jobId, seqs) {
      const endedUrls: Array<Ended> = []
      for (const part of Arr.chunksOf(seqs, batchSize)) {
        endedUrls.push(
          ...(yield* sql<Ended>`SELECT ${columns} FROM crawl_url WHERE job_id = ${jobId} AND ${sql.in("seq", part)}`)
        )
      }
      return endedUrls
    }),
    spellings: (jobId, seq) =>
      Effect.map(
        sql<{ url: string }>`SELECT url FROM crawl_spelling WHERE job_id = ${jobId} AND seq = ${seq} ORDER BY url`,
        (rows) => rows.map(({ url }) => url)
      ),
    document: (jobId, page) =>
      Effect.map(
        sql<{ document: string }>`SELECT document FROM crawl_page WHERE job_id = ${jobId} AND seq = ${page}`,
        ([row]): unknown => (row === undefined ? undefined : JSON.parse(row.document))
      ),
    keptSpellings: (jobId) => keptSpellings(sql, jobId),
    indexFiles: (teamId, jobId) =>
      Effect.map(
        sql<{ url: string }>`SELECT u.url FROM crawl_url u JOIN job j ON j.id = u.job_id
          WHERE j.id = ${jobId} AND j.team_id = ${teamId} AND u.state = 'scraped' AND u.url LIKE '%/index.%'
          ORDER BY u.seq LIMIT ${maxSpellings}`,
        (rows) => rows.map(({ url }) => url)
      ),
    place
  })
}

const decide = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  jobId: string,
  { depth, from, merged, seq, source, url }: Decision
) {
  yield* sql`UPDATE crawl_url SET final_url = ${url}, source_url = ${source}, depth = ${depth},
    discovered_from = ${from} WHERE job_id = ${jobId} AND seq = ${seq}`
  for (const some of Arr.chunksOf(merged, batchSize)) {
    yield* sql`UPDATE crawl_url SET state = 'alias', alias_of = ${seq}
      WHERE job_id = ${jobId} AND ${sql.in("seq", some)}`
    yield* sql`UPDATE crawl_url SET discovered_from = ${seq}
      WHERE job_id = ${jobId} AND ${sql.in("discovered_from", some)}`
  }
})

const keptSpellings = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, jobId: string) {
  const placed = yield* sql`SELECT id FROM job WHERE id = ${jobId} AND holds = 2`
  if (placed.length === 0) return undefined
  const rows = yield* sql<{ url: string }>`SELECT coalesce(u.final_url, u.url) AS url FROM crawl_url u
    WHERE u.job_id = ${jobId} AND u.state = 'scraped' AND (
      u.final_url <> u.url
      OR u.seq IN (SELECT s.seq FROM crawl_spelling s WHERE s.job_id = ${jobId})
      OR u.seq IN (SELECT a.alias_of FROM crawl_url a WHERE a.job_id = ${jobId} AND a.alias_of IS NOT NULL))
    ORDER BY u.seq LIMIT ${maxSpellings}`
  const index = yield* sql<{ url: string }>`SELECT coalesce(final_url, url) AS url FROM crawl_url
    WHERE job_id = ${jobId} AND state = 'scraped' AND url LIKE '%/index.%' ORDER BY seq LIMIT ${maxSpellings}`
  return [...rows, ...index].map(({ url }) => url)
})

/** The maximum number of spellings that a later crawl gets. */
const maxSpellings = 5000

/** The maximum number of values in one statement: databases limit them. */
const batchSize = 200

/**
 * Writes changes of URLs between their discovery and their turn. The URLs must have been inserted before.
 */
export const learnUrls = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  jobId: string,
  changes: ReadonlyArray<Change>
) {
  for (const change of changes) {
    const own = sql`WHERE job_id = ${jobId} AND seq = ${change.seq}`
    if (change._tag === "From") yield* sql`UPDATE crawl_url SET discovered_from = ${change.from} ${own}`
    else if (change._tag === "Spelling") {
      yield* sql`INSERT INTO crawl_spelling (job_id, seq, url) VALUES (${jobId}, ${change.seq}, ${withoutNul(change.url)})
        ON CONFLICT DO NOTHING`
    } else {
      const { depth, kind, url } = change
      if (url !== undefined) {
        yield* sql`INSERT INTO crawl_spelling (job_id, seq, url) SELECT job_id, seq, url FROM crawl_url ${own}
          ON CONFLICT DO NOTHING`
      }
      yield* sql`UPDATE crawl_url SET depth = ${depth}, kind = ${kind}, discovered_from = NULL,
        url = coalesce(${url ?? null}, url) ${own}`
    }
  }
})
