/**
 * What the answers of a crawl say of the crawl, and where reading them goes on: known without asking a service.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { CrawlStatus } from "../api/Crawl.ts"

export const CrawlCursor = Schema.Struct({
  jobId: Schema.String,
  /** Documents read, those of the answer included. */
  read: Schema.Int,
  /** What to ask next. */
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

/** What reading on needs of a status answer: its documents are counted, not looked at. */
export const Outline = Schema.Struct({ ...CrawlStatus.fields, data: Schema.Array(Schema.Unknown) })
export type CrawlOutline = typeof Outline.Type
export const decodeOutline = Schema.decodeUnknownEffect(Outline)
const parseOutline = Schema.decodeUnknownEffect(Schema.fromJsonString(Outline))

/** Reads what status answers say. Who asks and understands them with the same reader has each parsed once: they are long. */
export interface OutlineReader {
  /** Reads an answer that somebody may ask for next. */
  readonly ahead: (text: string) => Effect.Effect<CrawlOutline, Schema.SchemaError>
  readonly read: (text: string) => Effect.Effect<CrawlOutline, Schema.SchemaError>
}

export const outlineReader = (): OutlineReader => {
  /** What the last answer says, until somebody asks. */
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
