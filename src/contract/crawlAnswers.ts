/**
 * A crawl as the answers of the service, in the order in which they came: started, its pages as it grows, its errors at
 * the end. It is cancelled when the reader stops.
 *
 * Guarantee (specification, GET /v2/crawl/{id}, paging): documents are read from `skip`, chunk by chunk, until the job has
 * ended and a chunk is empty or has no `next`. An answer is passed on before it is interpreted, so the caller can store
 * it whatever is in it. The number of documents is compared with the number that the job completed, and a difference is
 * an error. Reading can continue after any answer, in another process too.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Api } from "./Api.ts"
import type { CrawlRequest } from "./Crawl.ts"
import {
  type CrawlAnswer,
  type CrawlCursor,
  type CrawlOutline,
  isLastChunk,
  type OutlineReader,
  outlineReader
} from "./CrawlOutline.ts"
import { IdempotencyKey, Settles } from "./client/jobHeaders.ts"
import { cameNow, giveUp, startedJob, textOf } from "./jobRequests.ts"
import type { Settling } from "./Settling.ts"
import { WebData } from "./WebData.ts"

/**
 * A crawl that failed, with the id of its job. The message says why.
 *
 * @example
 * ```ts
 * import { CrawlFailed } from "millrace/client"
 *
 * const failed = new CrawlFailed({ id: "job-1", message: "the crawl was cancelled; start it again" })
 * console.log(failed._tag) // "CrawlFailed"
 * ```
 */
export class CrawlFailed extends Schema.TaggedError<CrawlFailed>()("CrawlFailed", {
  /** The id of the job. */
  id: Schema.String,
  message: Schema.String
}) {}

interface CrawlFrom {
  /** The answer to continue after; no job is started then. */
  readonly after?: CrawlCursor
  /** The same key never starts a second job. */
  readonly key?: string
  /** How the crawl settles, if the service supports it: its documents come after its end, one for each page. */
  readonly settles?: Settling
  /** The reader with which the caller decodes the answers, so that none is parsed twice. */
  readonly outlines?: OutlineReader
}

/** The wait if a service answers at once without news, in milliseconds. Ours holds the request instead. */
const pollInterval = 1000

/**
 * The maximum number of documents in one read; and the waits after reads that were not full, in milliseconds. They grow, so
 * that a small crawl is not delayed.
 */
const pageSize = 500
const gatherTimes = [20, 40, 80, 160, 200] as const

export const crawlAnswers = (request: CrawlRequest, from: CrawlFrom = {}) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { crawl } = yield* WebData
      const { after, outlines = outlineReader() } = from
      let isOver = after !== undefined && after.next !== "pages"
      let reads = 0
      const started = yield* Effect.acquireRelease(
        after === undefined ? Effect.map(start(request, from), Option.some) : Effect.succeedNone,
        (answer) => {
          const id = Option.match(answer, { onNone: () => after?.jobId, onSome: ({ cursor }) => cursor.jobId })
          if (isOver || id === undefined) return Effect.void
          return giveUp(crawl.cancel({ params: { id } }))
        }
      )

      // If the service cannot be reached, its job continues, and reading may continue after the last answer.
      const keepingJob = <A, E>(asking: Effect.Effect<A, E>) =>
        Effect.tapError(asking, () =>
          Effect.sync(() => {
            isOver = true
          })
        )

      let counted = ""
      const askPages = Effect.fnUntraced(function* (before: CrawlCursor) {
        const { jobId, read } = before
        const askedAt = yield* Clock.currentTimeMillis
        const response = yield* crawl.status({
          params: { id: jobId },
          query: { skip: read, limit: pageSize },
          responseMode: "response-only"
        })
        const text = yield* textOf(response, decodeStatus)
        const outline = yield* Effect.result(outlines.ahead(text))
        if (outline._tag === "Failure") {
          const answer = yield* cameNow({ kind: "pages" as const, text, cursor: before })
          return step([answer], { cursor: before, check: Effect.fail(outline.failure) })
        }
        const { data, status } = outline.success
        const isLast = isLastChunk(outline.success)
        const cursor: CrawlCursor = { jobId, read: read + data.length, next: isLast ? "errors" : "pages" }
        isOver = isLast
        // Answers without news are not passed on.
        const counts = countsOf(outline.success)
        const isNews = data.length > 0 || isLast || (counts !== counted && outline.success.completed > 0)
        counted = counts
        const news = isNews ? [yield* cameNow({ kind: "pages" as const, text, cursor })] : []
        if (isLast) return step(news, { cursor, check: endedWell(cursor, outline.success) })
        if (status !== "scraping") return step(news, { cursor })
        const heldMillis = (yield* Clock.currentTimeMillis) - askedAt
        return step(news, { cursor, wait: waitAfter(data.length, reads++, heldMillis) })
      })

      const askErrors = Effect.fnUntraced(function* (before: CrawlCursor) {
        const response = yield* crawl.errors({ params: { id: before.jobId }, responseMode: "response-only" })
        const text = yield* textOf(response, decodeErrors)
        return step([
          yield* cameNow({
            kind: "errors" as const,
            text,
            cursor: { ...before, next: "nothing" as const }
          })
        ])
      })

      const ask = Effect.fnUntraced(function* ({ check, cursor, wait }: NextRead) {
        if (check !== undefined) yield* check
        if (wait !== undefined) yield* Effect.sleep(wait)
        return yield* cursor.next === "pages" ? askPages(cursor) : askErrors(cursor)
      }, keepingJob)

      const cursor = Option.match(started, { onNone: () => after, onSome: (answer) => answer.cursor })
      const rest = cursor === undefined || cursor.next === "nothing" ? Stream.empty : Stream.paginate({ cursor }, ask)
      return Stream.concat(Stream.fromIterable(Option.toArray(started)), rest)
    })
  )

/** Where reading continues, how long to wait before, and what must hold first. */
interface NextRead {
  readonly cursor: CrawlCursor
  /** In milliseconds. */
  readonly wait?: number | undefined
  readonly check?: Effect.Effect<void, CrawlFailed | Schema.SchemaError>
}

const step = (answers: ReadonlyArray<CrawlAnswer>, next?: NextRead) => [answers, Option.fromUndefinedOr(next)] as const

/** The counts of a status answer: progress of a crawl that has not delivered a document yet. */
const countsOf = ({ completed, ledger, total }: CrawlOutline): string => JSON.stringify([completed, total, ledger])

/** `reads`: the number of earlier reads; `heldMillis`: how long the service took, in milliseconds. */
const waitAfter = (documents: number, reads: number, heldMillis: number): NextRead["wait"] => {
  if (documents === 0) return Math.max(0, pollInterval - heldMillis)
  return documents < pageSize ? gatherTimes[Math.min(reads, gatherTimes.length - 1)] : undefined
}

const start = Effect.fnUntraced(function* (request: CrawlRequest, { key, settles }: CrawlFrom) {
  const { crawl } = yield* WebData
  const response = yield* crawl
    .start({ payload: request, responseMode: "response-only" })
    .pipe(
      Effect.provideService(IdempotencyKey, key),
      Effect.provideService(Settles, settles === undefined ? undefined : JSON.stringify(settles))
    )
  const { id, text } = yield* startedJob(response, decodeStart)
  const cursor: CrawlCursor = { jobId: id, read: 0, next: "pages" }
  return yield* cameNow({ kind: "started" as const, text, cursor })
})

const decodeStart = HttpApiClient.decodeResponse(Api, { group: "crawl", endpoint: "start" })
const decodeStatus = HttpApiClient.decodeResponse(Api, { group: "crawl", endpoint: "status" })
const decodeErrors = HttpApiClient.decodeResponse(Api, { group: "crawl", endpoint: "errors" })

const endedWell = ({ jobId: id, read }: CrawlCursor, { completed, error, status }: CrawlOutline) => {
  if (status === "failed") return Effect.fail(new CrawlFailed({ id, message: error ?? "the crawl failed" }))
  if (status === "cancelled") return Effect.fail(new CrawlFailed({ id, message: "the crawl was cancelled" }))
  if (read === completed) return Effect.void
  const message = `the service completed ${completed} pages, but only ${read} could be read: start the crawl again`
  return Effect.fail(new CrawlFailed({ id, message }))
}
