/**
 * Which pages are being read, and which were as a process ended (`src/crawler/crawl/suspects.ts`), in the rows of their URLs.
 *
 * `reading` is 1 from before a page is read until it has an end, is put back, or its job is taken over. `attempts` says how
 * often it was 1 then: a page with any is a suspect.
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** Pages that are marked with one that begins. Those that did not begin are read in quarantine too, if the process ends. */
const markedAhead = 7

/** The statements of `CrawlStore`. */
export const make = (sql: SqlClient) => ({
  begin: (jobId: string, seq: number) =>
    Effect.map(
      sql<{ seq: number }>`UPDATE crawl_url SET reading = 1
        WHERE job_id = ${jobId} AND seq BETWEEN ${seq} AND ${seq + markedAhead} AND state = 'queued' RETURNING seq`,
      (rows) => rows.map((row) => row.seq)
    ),
  putBack: (jobId: string, seq: number) =>
    Effect.asVoid(sql`UPDATE crawl_url SET reading = 0 WHERE job_id = ${jobId} AND seq = ${seq}`)
})

/** Of jobs that are taken over: whether a page of a job was being read for the first time, as SQL. */
export const hadFresh = (sql: SqlClient) =>
  sql`EXISTS (SELECT 1 FROM crawl_url WHERE job_id = job.id AND reading = 1 AND state = 'queued' AND attempts = 0)`

/** What was being read as the process of these jobs ended is a suspect. */
export const suspect = (sql: SqlClient, jobIds: ReadonlyArray<string>) =>
  sql`UPDATE crawl_url SET attempts = attempts + 1, reading = 0
    WHERE ${sql.in("job_id", jobIds)} AND reading = 1 AND state = 'queued'`
