/**
 * The page documents of one answer: as many as fit into it, in the order they were finished.
 */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Limits from "../../api/Limits.ts"

/** Documents from `skip`, at most `limit` of them and `Limits.maxChunkBytes` in all, but at least one. */
export const pageChunk = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  jobId: string,
  skip: number,
  limit: number
) {
  const sizes = yield* sql<{ bytes: number }>`
    SELECT bytes FROM crawl_page WHERE job_id = ${jobId} AND seq >= ${skip} ORDER BY seq LIMIT ${limit}`
  const fitting = fit(sizes.map((row) => Number(row.bytes)))
  const rows = yield* sql<{ document: string }>`
    SELECT document FROM crawl_page WHERE job_id = ${jobId} AND seq >= ${skip} ORDER BY seq LIMIT ${fitting}`
  return rows.map((row) => row.document)
})

/** What the rest of the answer may take. */
const headBytes = 64 * 1024

/** How many documents of these sizes, and the commas between them, one answer holds: at least one, then as many as fit. */
const fit = (sizes: ReadonlyArray<number>): number => {
  let bytes = headBytes
  const over = sizes.findIndex((size, index) => (bytes += size + 1) > Limits.maxChunkBytes && index > 0)
  return over === -1 ? sizes.length : over
}
