/**
 * A crawl as a stream of events: its start, its pages as they come, its end. It is cancelled when the reader stops.
 *
 * Every document that the job completed is in the stream, or the stream fails (`crawlAnswers`).
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { CrawlErrors, type CrawlRequest, CrawlStatus } from "./Crawl.ts"
import type { CrawlAnswer } from "./CrawlOutline.ts"
import { crawlAnswers } from "./crawlAnswers.ts"
import type { PageDocument } from "./PageDocument.ts"

/** An event of a crawl: it has started, it has new pages, or it has ended. */
export type CrawlEvent =
  | { readonly _tag: "Started"; readonly id: string }
  /** New documents; `status`: the status answer in which they came. */
  | {
      readonly _tag: "Pages"
      readonly id: string
      readonly documents: ReadonlyArray<PageDocument>
      readonly status: CrawlStatus
    }
  /** The job has ended and every document was read. */
  | { readonly _tag: "Ended"; readonly id: string; readonly status: CrawlStatus; readonly errors: CrawlErrors }

/**
 * A crawl as a stream of events. Interrupting the stream cancels the crawl. It fails with `CrawlFailed` if the crawl
 * does not end well or documents are missing, and with the errors of `WebData`.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import * as Stream from "effect/Stream"
 * import { crawlPages, WebData } from "millrace/client"
 * import { Embedded, ServiceConfig } from "millrace/service"
 *
 * const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
 * const titles = crawlPages({ url: "https://your.site", limit: 3 }).pipe(
 *   Stream.map((event) => (event._tag === "Pages" ? event.documents.length : 0)),
 *   Stream.runSum
 * )
 * console.log(await Effect.runPromise(Effect.provide(titles, service))) // 3
 * ```
 */
export const crawlPages = (request: CrawlRequest) =>
  Stream.suspend(() => {
    let last: CrawlStatus | undefined
    const read = Effect.fnUntraced(function* ({ cursor, kind, text }: CrawlAnswer) {
      const id = cursor.jobId
      if (kind === "started") return [{ _tag: "Started", id }] satisfies ReadonlyArray<CrawlEvent>
      if (kind === "pages") {
        last = yield* decodeStatus(text)
        if (last.data.length === 0) return []
        return [{ _tag: "Pages", id, documents: last.data, status: last }] satisfies ReadonlyArray<CrawlEvent>
      }
      const errors = yield* decodeErrors(text)
      return last === undefined
        ? []
        : ([{ _tag: "Ended", id, status: last, errors }] satisfies ReadonlyArray<CrawlEvent>)
    })
    return crawlAnswers(request).pipe(
      Stream.mapEffect((answer): Effect.Effect<ReadonlyArray<CrawlEvent>, Schema.SchemaError> => read(answer)),
      Stream.flattenIterable
    )
  })

const decodeStatus = Schema.decodeUnknownEffect(Schema.fromJsonString(CrawlStatus))
const decodeErrors = Schema.decodeUnknownEffect(Schema.fromJsonString(CrawlErrors))
