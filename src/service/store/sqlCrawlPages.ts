/**
 * The page documents of a job as they are delivered: in the order in which they were finished, or in their final places.
 * They are held back until it is decided which URLs are the same page. With zero data retention they are deleted after they
 * were read.
 */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { pageChunk } from "./pageChunk.ts"

/** `ledger`: the counts of a job. */
export const over = (
  sql: SqlClient.SqlClient,
  ledger: (jobId: string) => Effect.Effect<{ readonly scraped: number }, SqlError>
) => {
  /** Whether documents are held back, in their final places, or sealed. */
  const holding = Effect.fnUntraced(function* (jobId: string) {
    const [job] = yield* sql<{
      holds: number
      status: string
      sealed: number
    }>`SELECT holds, status, sealed FROM job WHERE id = ${jobId}`
    const isSealed = job?.sealed === 1
    return { isHeld: job?.holds === 1 && job.status === "scraping", isPlaced: job?.holds === 2, isSealed }
  })

  const firstFrom = (jobId: string, skip: number) =>
    Effect.map(
      sql<{ seq: number | null }>`SELECT min(seq) AS seq FROM crawl_page WHERE job_id = ${jobId} AND seq >= ${skip}`,
      ([row]) => (row?.seq == null ? undefined : Number(row.seq))
    )

  const chunk = Effect.fnUntraced(function* (jobId: string, skip: number, limit: number) {
    const { isHeld, isPlaced, isSealed } = yield* holding(jobId)
    // Documents of a sealed job that were read are deleted: later documents must not be returned in their place.
    if (isSealed && (yield* firstFrom(jobId, skip)) !== skip) return { documents: [], remaining: 0 }
    const documents = isHeld ? [] : yield* pageChunk(sql, { jobId, isPlaced }, skip, limit)
    // Counted after the documents are read, so that a page that ends in between is counted.
    const remaining = Math.max(0, (yield* ledger(jobId)).scraped - skip - documents.length)
    return { documents, remaining }
  })

  return {
    chunk,
    count: (jobId: string) =>
      Effect.flatMap(holding(jobId), ({ isHeld }) =>
        isHeld ? Effect.succeed(0) : Effect.map(ledger(jobId), ({ scraped }) => scraped)
      ),
    wasRead: (jobId: string, count: number) =>
      Effect.asVoid(sql`DELETE FROM crawl_page WHERE job_id = ${jobId} AND seq < ${count}
        AND EXISTS (SELECT 1 FROM job WHERE id = ${jobId} AND sealed = 1 AND status <> 'scraping')
        AND NOT EXISTS (SELECT 1 FROM webhook_delivery d WHERE d.job_id = ${jobId}
          AND d.page_seq = crawl_page.seq AND d.state = 'pending')`)
  }
}
