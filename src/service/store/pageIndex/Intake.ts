/**
 * Adds pages to the index, some at a time: the documents of crawls, batches and scrapes.
 *
 * The progress of a job is written in the transaction of its pages, so no page is missed or indexed twice; of two states of
 * a page the later one stays. One process at a time indexes pages.
 */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import * as PageText from "#web/PageText"
import * as FullText from "./FullText.ts"

interface Pending {
  readonly id: string
  readonly team_id: string
  readonly created_at: number
  readonly done: number
  readonly scraped: number
}

/** A document of a job or a scrape; `document` null: too long to be indexed. */
interface Row {
  readonly seq: number
  readonly id: string
  readonly team_id: string
  readonly document: string | null
  readonly kept_at: number
}

export const over = (sql: SqlClient, keeps: (teamId: string) => boolean) => {
  const alone = sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock(${lock})`),
    orElse: () => Effect.void
  })
  const fitting = sql`CASE WHEN bytes < ${maxBytes} THEN document END AS document`

  const ofJob = Effect.fnUntraced(function* (job: Pending) {
    const rows = keeps(job.team_id)
      ? yield* sql<Row>`SELECT seq, ${fitting} FROM crawl_page
          WHERE job_id = ${job.id} AND seq >= ${job.done} ORDER BY seq LIMIT ${together}`
      : []
    for (const { document } of rows)
      if (document !== null) yield* keep(sql, job.team_id, document, Number(job.created_at))
    // Fewer rows than the limit: these were the last.
    const nextSeq = rows.length < together ? Number(job.scraped) : Number(rows.at(-1)?.seq ?? 0) + 1
    yield* sql`INSERT INTO indexed_job (job_id, done) VALUES (${job.id}, ${Math.max(nextSeq, 0)})
      ON CONFLICT (job_id) DO UPDATE SET done = excluded.done`
  })

  const ofScrapes = Effect.fnUntraced(function* (rows: ReadonlyArray<Row>) {
    for (const { document, kept_at, team_id } of rows) {
      if (document !== null && keeps(team_id)) yield* keep(sql, team_id, document, Number(kept_at))
    }
    const ids = rows.map(({ id }) => id)
    if (Arr.isArrayNonEmpty(ids)) yield* sql`UPDATE scrape_result SET indexed = 1 WHERE ${sql.in("id", ids)}`
  })

  /** Indexes some pages that meet these conditions. Returns false if there were none. */
  const some = Effect.fnUntraced(function* (jobs: Fragment, scrapes: Fragment) {
    yield* alone
    const rows = yield* sql<Row>`SELECT id, team_id, kept_at, ${fitting} FROM scrape_result
      WHERE indexed = 0 ${scrapes} ORDER BY id LIMIT ${together}`
    if (rows.length > 0) return yield* Effect.as(ofScrapes(rows), true)
    const [job] = yield* sql<Pending>`SELECT job.id, job.team_id, job.created_at, job.scraped,
        coalesce(indexed_job.done, 0) AS done
      FROM job LEFT JOIN indexed_job ON indexed_job.job_id = job.id
      WHERE job.kind IN ('crawl', 'batch') AND job.sealed = 0 AND job.scraped > coalesce(indexed_job.done, 0) ${jobs}
      ORDER BY job.created_at DESC, job.id DESC LIMIT 1`
    return job === undefined ? false : yield* Effect.as(ofJob(job), true)
  }, sql.withTransaction)

  return { some, forget: (before: number) => sql.withTransaction(forget(sql, before)) }
}

/** Stores a page, unless the index has a later state of it. */
const keep = Effect.fnUntraced(function* (sql: SqlClient, teamId: string, json: string, readAt: number) {
  const page = PageText.ofDocument(json, readAt)
  if (page === undefined) return
  const fields = {
    team_id: teamId,
    page_key: page.key,
    url: page.url,
    host: page.host,
    file_type: page.fileType,
    title: page.title,
    description: page.description,
    text: page.text,
    bytes: Buffer.byteLength(page.text),
    published_at: page.publishedAt,
    read_at: page.readAt
  }
  const vector = sql.onDialectOrElse({ pg: () => FullText.vector(page.words), orElse: () => undefined })
  const rows = yield* sql<{ id: number }>`
    INSERT INTO indexed_page ${sql.insert(vector === undefined ? fields : { ...fields, words: vector })}
    ON CONFLICT (team_id, page_key) DO UPDATE SET
      url = excluded.url, host = excluded.host, file_type = excluded.file_type, title = excluded.title,
      description = excluded.description, text = excluded.text, bytes = excluded.bytes,
      published_at = excluded.published_at, read_at = excluded.read_at
      ${vector === undefined ? sql`` : sql`, words = excluded.words`}
    WHERE excluded.read_at >= indexed_page.read_at RETURNING id`
  const [row] = rows
  if (row === undefined || vector !== undefined) return
  yield* sql`INSERT OR REPLACE INTO page_words ${sql.insert({ rowid: row.id, ...FullText.row(teamId, page.words) })}`
})

/** Deletes pages that were read before this time, and the oldest tenth if the index is full. */
const forget = Effect.fnUntraced(function* (sql: SqlClient, before: number) {
  yield* sql`DELETE FROM indexed_job WHERE job_id NOT IN (SELECT id FROM job)`
  const [size] = yield* sql<{ bytes: number | null }>`SELECT sum(bytes) AS bytes FROM indexed_page`
  const isFull = Number(size?.bytes ?? 0) > maxBytesInAll
  const [oldest] = isFull
    ? yield* sql<{ read_at: number }>`SELECT read_at FROM indexed_page ORDER BY read_at
        LIMIT 1 OFFSET (SELECT count(*) / 10 FROM indexed_page)`
    : []
  const old = sql`read_at < ${Math.max(before, Number(oldest?.read_at ?? 0))}`
  yield* sql.onDialectOrElse({
    pg: () => Effect.void,
    orElse: () => Effect.asVoid(sql`DELETE FROM page_words WHERE rowid IN (SELECT id FROM indexed_page WHERE ${old})`)
  })
  yield* sql`DELETE FROM indexed_page WHERE ${old}`
})

/** The number of pages in one transaction: few, because others wait for it. */
const together = 10
/** The maximum size of one document as JSON, and of the text of all pages. */
const maxBytes = 4 * 1024 * 1024
const maxBytesInAll = 2 * 1024 * 1024 * 1024
/** The number of the advisory lock. */
const lock = 7_231_001
