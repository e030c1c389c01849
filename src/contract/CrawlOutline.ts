/**
 * The outline of a crawl's answers (state, counts, `next`), and the cursor at which reading continues. It sends no requests.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { CrawlStatus } from "./Crawl.ts"

export const CrawlCursor = Schema.Struct({
  jobId: Schema.String,
  /** The number of documents read, including those of this answer. */
  read: Schema.Int,
  /** What to request next. */
  next: Schema.Literals(["pages", "errors", "nothing"])
})
export type CrawlCursor = typeof CrawlCursor.Type

export interface CrawlAnswer {
  readonly kind: "started" | "pages" | "errors"
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly text: string
  readonly cursor: CrawlCursor
}

/** The part of a status answer that the next read needs: its documents are counted, not decoded. */
export const Outline = Schema.Struct({ ...CrawlStatus.fields, data: Schema.Array(Schema.Unknown) })
export type CrawlOutline = typeof Outline.Type
export const decodeOutline = Schema.decodeUnknownEffect(Outline)
const parseOutline = Schema.decodeUnknownEffect(Schema.fromJsonString(Outline))

/** Decodes status answers. If the requester and the decoder of answers share a reader, each long answer is parsed only once. */
export interface OutlineReader {
  /** Decodes an answer, and keeps it for the next `read`. */
  readonly ahead: (text: string) => Effect.Effect<CrawlOutline, Schema.SchemaError>
  readonly read: (text: string) => Effect.Effect<CrawlOutline, Schema.SchemaError>
}

export const outlineReader = (): OutlineReader => {
  /** The last answer, until it is read. */
  let last: { readonly text: string; readonly outline: CrawlOutline } | undefined
  return {
    ahead: (text) =>
      Effect.tap(parseOutline(text), (outline) =>
        Effect.sync(() => {
          last = { text, outline }
        })
      ),
    read: (text) =>
      Effect.suspend(() => {
        if (last?.text !== text) return parseOutline(text)
        const { outline } = last
        last = undefined
        return Effect.succeed(outline)
      })
  }
}

/** Whether a job has ended and this is the last chunk of its documents. */
export const isLastChunk = ({ data, next, status }: CrawlOutline): boolean =>
  status !== "scraping" && (data.length === 0 || next == null)
