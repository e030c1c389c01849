/**
 * Marks in the rows of URLs which pages are being read, and which were being read when a process ended
 * (`src/web/crawl/suspects.ts`).
 *
 * `reading` is 1 from before a page is read until it ends, is put back, or its job is taken over. `attempts` counts how
 * often it was 1 at a takeover: a page with attempts is a suspect.
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** How many following pages are marked with a page that starts. If the process ends, all marked ones are read in quarantine. */
const markedAhead = 7

/** Statements of `CrawlStore`. */
export const over = (sql: SqlClient) => ({
  begin: (jobId: string, seq: number) =>
    Effect.map(
      sql<{ seq: number }>`UPDATE crawl_url SET reading = 1
        WHERE job_id = ${jobId} AND seq BETWEEN ${seq} AND ${seq + markedAhead} AND state = 'queued' RETURNING seq`,
      (rows) => rows.map((row) => row.seq)
    ),
  putBack: (jobId: string, seq: number) =>
    Effect.asVoid(sql`UPDATE crawl_url SET reading = 0 WHERE job_id = ${jobId} AND seq = ${seq}`)
})

/** SQL condition on a job that is taken over: whether one of its pages was being read for the first time. */
export const hadFresh = (sql: SqlClient) =>
  sql`EXISTS (SELECT 1 FROM crawl_url WHERE job_id = job.id AND reading = 1 AND state = 'queued' AND attempts = 0)`

/** Makes the pages suspects that were being read when the process of these jobs ended. */
export const suspect = (sql: SqlClient, jobIds: ReadonlyArray<string>) =>
  sql`UPDATE crawl_url SET attempts = attempts + 1, reading = 0
    WHERE ${sql.in("job_id", jobIds)} AND reading = 1 AND state = 'queued'`
