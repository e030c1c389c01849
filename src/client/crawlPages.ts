/**
 * A crawl as a stream: started, read as it grows, read to its end, cancelled when the reader goes away.
 *
 * The law (specification, GET /v2/crawl/{id}, paging): documents are read from `skip`, chunk by chunk, until the job has
 * ended and a chunk is empty or has no `next`. What was read is counted against what the job says it completed: a
 * difference is an error, never a shorter table.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { CrawlErrors, CrawlRequest, CrawlStatus } from "../api/Crawl.ts"
import { Conflict } from "../api/Errors.ts"
import { idempotencyReused } from "../api/idempotencyHeader.ts"
import type { PageDocument } from "../api/PageDocument.ts"
import { WebData } from "./WebData.ts"

export type CrawlEvent =
  | { readonly _tag: "Started"; readonly id: string }
  /** Documents that were not there before; `status` is the job's as it was with them. */
  | {
      readonly _tag: "Pages"
      readonly id: string
      readonly documents: ReadonlyArray<PageDocument>
      readonly status: CrawlStatus
    }
  /** The job has ended and every document was read. */
  | { readonly _tag: "Ended"; readonly id: string; readonly status: CrawlStatus; readonly errors: CrawlErrors }

/** A crawl that did not end well. */
export class CrawlFailed extends Schema.TaggedError<CrawlFailed>()("CrawlFailed", {
  id: Schema.String,
  message: Schema.String
}) {}

/** How long to wait where a service answers at once though nothing is new. Ours holds the request instead. */
const pollInterval = "1 second"

/** Documents of one read, at most; and how long to let them gather where the last read was not full. */
const pageSize = 500
const gatherTime = "200 millis"

/** Whoever interrupts must not wait longer for a service that does not answer; the job then ends by itself. */
const cancelTimeout = "10 seconds"

export const crawlPages = (request: CrawlRequest) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { crawl } = yield* WebData
      let ended = false
      const { id } = yield* Effect.acquireRelease(startOnce(crawl.start({ payload: request })), ({ id }) =>
        ended ? Effect.void : Effect.ignore(Effect.timeout(crawl.cancel({ params: { id } }), cancelTimeout))
      )

      const read = Effect.fnUntraced(function* ({ skip, wait }: Place) {
        if (wait !== undefined) yield* Effect.sleep(wait)
        const status = yield* crawl.status({ params: { id }, query: { skip, limit: pageSize } })
        const documents = status.data
        const hasEnded = status.status !== "scraping"
        if (hasEnded && (documents.length === 0 || status.next == null)) {
          ended = true
          const events = documents.length === 0 ? [] : [pages(id, status)]
          const end = yield* endOf(id, status, skip + documents.length)
          return [[...events, end], Option.none<Place>()] as const
        }
        const events: ReadonlyArray<CrawlEvent> = documents.length === 0 ? [] : [pages(id, status)]
        const next: Place = { skip: skip + documents.length, wait: hasEnded ? undefined : waitAfter(documents.length) }
        return [events, Option.some(next)] as const
      })

      const endOf = Effect.fnUntraced(function* (id: string, status: CrawlStatus, seen: number) {
        if (status.status === "failed")
          return yield* new CrawlFailed({ id, message: status.error ?? "the crawl failed" })
        if (status.status === "cancelled") return yield* new CrawlFailed({ id, message: "the crawl was cancelled" })
        if (seen !== status.completed) {
          const message = `the service says it completed ${status.completed} pages, and ${seen} could be read`
          return yield* new CrawlFailed({ id, message })
        }
        const errors = yield* crawl.errors({ params: { id } })
        const event: CrawlEvent = { _tag: "Ended", id, status, errors }
        return event
      })

      const started: CrawlEvent = { _tag: "Started", id }
      return Stream.concat(Stream.succeed(started), Stream.paginate(first, read))
    })
  )

/** Where to read on, and how long to wait before. */
interface Place {
  readonly skip: number
  readonly wait: typeof pollInterval | typeof gatherTime | undefined
}
const first: Place = { skip: 0, wait: undefined }

const waitAfter = (documents: number): Place["wait"] =>
  documents === 0 ? pollInterval : documents < pageSize ? gatherTime : undefined

/** A start whose answer was lost and that was sent again has started the job all the same: the refusal names it. */
const startOnce = <E, R>(start: Effect.Effect<{ readonly id: string }, E, R>) =>
  Effect.catchIf(
    start,
    (error) => error instanceof Conflict && error.code === idempotencyReused,
    (error) => {
      const id = error instanceof Conflict ? error.details?.[0]?.message : undefined
      return id === undefined ? Effect.fail(error) : Effect.succeed({ id })
    }
  )

const pages = (id: string, status: CrawlStatus): CrawlEvent => ({ _tag: "Pages", id, documents: status.data, status })
