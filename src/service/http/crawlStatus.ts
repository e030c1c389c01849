/**
 * The status answer of a crawl or batch as JSON text, and how many documents it holds (specification, Crawl job; paging rules).
 *
 * A status answer (no `skip`) of a job that is not completed always has `next`, as specified. A read with `skip` that
 * reaches the end of an ended job has none, so a client that follows `next` until it is absent stops. `next` is absolute,
 * with the scheme and host of the request.
 *
 * Documents are stored as JSON text and travel as that text: they are not parsed to be written again.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Limits from "#contract/Limits"
import { CrawlStore } from "#web/CrawlStore"
import type { Job, Kind } from "#web/Job"

interface Query {
  readonly skip: number | undefined
  readonly limit: number | undefined
  /** The scheme and host that the caller used: "http://127.0.0.1:3002". */
  readonly origin: string
}

export const crawlStatus = Effect.fn("crawlStatus")(function* (job: Job, query: Query) {
  const store = yield* CrawlStore
  const { skip = 0, limit = Limits.defaultPageSize } = query
  const ledger = yield* store.ledger(job.id)
  const { documents, remaining } = yield* store.chunk(job.id, skip, limit)
  const now = yield* Clock.currentTimeMillis
  const isGone = job.isSealed === true && documents.length === 0 && skip < ledger.scraped && job.status !== "scraping"
  const warnings = [...(job.warning === null ? [] : [job.warning]), ...(isGone ? [gone] : [])]
  if (job.isSealed === true) yield* store.wasRead(job.id, skip + documents.length)

  const ended = job.status !== "scraping"
  const isStatusRead = query.skip === undefined
  const goesOn = remaining > 0 || (ended ? isStatusRead && job.status !== "completed" : true)
  const { queued, credits, ...ends } = ledger
  const head = {
    success: job.status !== "failed",
    status: job.status,
    total: ended
      ? ledger.scraped
      : ledger.scraped + Math.min(queued, Math.max(0, requestedLimit(job) - ledger.scraped)),
    completed: ledger.scraped,
    creditsUsed: credits,
    createdAt: new Date(job.createdAt).toISOString(),
    ...(job.completedAt === null ? {} : { completedAt: new Date(job.completedAt).toISOString() }),
    duration: ((job.completedAt ?? now) - job.createdAt) / 1000,
    expiresAt: new Date((job.completedAt ?? now) + Limits.retentionMillis).toISOString(),
    ...(goesOn ? { next: nextUrl(job, query, skip + documents.length) } : {}),
    ...(job.error === null ? {} : { error: job.error }),
    ...(warnings.length === 0 ? {} : { warning: warnings.join("; ") }),
    ledger: ends
  }
  return { text: answerOf(JSON.stringify(head), documents), documents: documents.length }
})

const gone = "these documents were read before, or were lost when their process ended (zero data retention)"

/** Joins all parts at once: concatenated strings of megabytes are copied once more when they are first read. */
const answerOf = (head: string, documents: ReadonlyArray<string>): string => {
  const parts = [head.slice(0, -1), `,"data":[`]
  for (const [at, document] of documents.entries()) parts.push(at === 0 ? "" : ",", document)
  return [...parts, "]}"].join("")
}

const nextUrl = (job: Job, query: Query, skip: number): string => {
  const limit = query.limit === undefined ? "" : `&limit=${query.limit}`
  return `${query.origin}${paths[job.kind]}/${job.id}?skip=${skip}${limit}`
}

const paths: Partial<Record<Kind, string>> = { crawl: "/v2/crawl", batch: "/v2/batch/scrape" }

const requestedLimit = (job: Job): number => {
  if (job.kind === "batch") return Number.POSITIVE_INFINITY
  const request: unknown = JSON.parse(job.request)
  const limit = typeof request === "object" && request !== null && "limit" in request ? request.limit : undefined
  return typeof limit === "number" ? limit : Limits.defaultCrawlLimit
}
