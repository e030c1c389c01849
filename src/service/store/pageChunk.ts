/**
 * The page documents of one answer: as many as fit, in the order in which they were finished, or in their final places.
 *
 * A document with a place is delivered with the final URLs, depth and origin of its page. The stored text ends with the two
 * URLs at which it was read (`documentText`): they are replaced in the text, without parsing megabytes of JSON.
 */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Limits from "#contract/Limits"
import * as PageDocumentBytes from "#contract/PageDocumentBytes"
import type { Result } from "#web/CrawlUrl"

/**
 * A page document as JSON text. It ends with the two URLs at which the page was read, so that they can be replaced without
 * parsing megabytes.
 */
export const documentText = (result: Result): string => {
  if (typeof result === "string") return result
  const { metadata, ...formats } = result instanceof Uint8Array ? PageDocumentBytes.decode(result) : result
  const { sourceURL, url, ...rest } = metadata
  return JSON.stringify({ ...formats, metadata: { ...rest, sourceURL, url } })
}

/** The job of the documents, and whether they are in their final places. */
interface Order {
  readonly jobId: string
  readonly isPlaced: boolean
}

/** Documents from `skip`, at most `limit` of them and `Limits.maxChunkBytes` in all, but at least one. */
export const pageChunk = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { isPlaced, jobId }: Order,
  skip: number,
  limit: number
) {
  if (isPlaced) return yield* placed(sql, jobId, skip, limit)
  // One document always fits. Callers that only want the status of a job use this limit.
  const sizes =
    limit === 1
      ? []
      : yield* sql<{ bytes: number }>`
    SELECT bytes FROM crawl_page WHERE job_id = ${jobId} AND seq >= ${skip} ORDER BY seq LIMIT ${limit}`
  const fitting = limit === 1 ? 1 : fit(sizes.map((row) => Number(row.bytes)))
  const rows = yield* sql<{ document: string }>`
    SELECT document FROM crawl_page WHERE job_id = ${jobId} AND seq >= ${skip} ORDER BY seq LIMIT ${fitting}`
  return rows.map((row) => row.document)
})

/** A document with the final URLs, depth and origin of its page. */
interface PlacedDocument {
  readonly document: string
  readonly url: string
  readonly source: string
  readonly depth: number
  readonly from: string | null
}

const placed = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, jobId: string, skip: number, limit: number) {
  const joined = sql`FROM crawl_place o
    JOIN crawl_url u ON u.job_id = o.job_id AND u.seq = o.url_seq
    JOIN crawl_page p ON p.job_id = o.job_id AND p.seq = u.page_seq`
  const sizes = yield* sql<{ bytes: number }>`SELECT p.bytes + 2 * length(u.url) + ${headOfStamp} AS bytes ${joined}
    WHERE o.job_id = ${jobId} AND o.place >= ${skip} ORDER BY o.place LIMIT ${limit}`
  const fitting = fit(sizes.map((row) => Number(row.bytes)))
  const rows = yield* sql<PlacedDocument>`SELECT p.document, coalesce(u.final_url, u.url) AS url,
      coalesce(u.source_url, u.url) AS source, u.depth, coalesce(f.final_url, f.url) AS "from" ${joined}
    LEFT JOIN crawl_url f ON f.job_id = u.job_id AND f.seq = u.discovered_from
    WHERE o.job_id = ${jobId} AND o.place >= ${skip} ORDER BY o.place LIMIT ${fitting}`
  return rows.map(stamped)
})

const stamped = ({ depth, document, from, source, url }: PlacedDocument): string => {
  const origin = from === null ? "" : `,"discoveredFrom":${JSON.stringify(from)}`
  const stamp = `,"sourceURL":${JSON.stringify(source)},"url":${JSON.stringify(url)},"depth":${depth}${origin}}}`
  return document.slice(0, document.lastIndexOf(`,"sourceURL":"`)) + stamp
}

/** The bytes of a stamp without the URLs of its page: its names, and the URL of the origin. */
const headOfStamp = 300

/** The bytes reserved for the rest of the answer. */
const headBytes = 64 * 1024

/** How many documents of these sizes fit in an answer, with commas: at least one. */
const fit = (sizes: ReadonlyArray<number>): number => {
  let bytes = headBytes
  const over = sizes.findIndex((size, index) => (bytes += size + 1) > Limits.maxChunkBytes && index > 0)
  return over === -1 ? sizes.length : over
}
