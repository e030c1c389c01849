/**
 * A crawl in this process, as answers of the source, and where a reading of any crawl continues.
 *
 * If the program provides `EmbeddedCrawl`, it crawls; otherwise a service is asked.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Segment from "#base/Segment"
import type { CrawlRequest } from "#contract/Crawl"
import { CrawlCursor, isLastChunk, Outline, type OutlineReader } from "#contract/CrawlOutline"
import type { EmbeddedCrawl, EmbeddedCrawlFailed, From } from "#contract/EmbeddedCrawl"
import { documentsOf, PlacedPage } from "#contract/PlacedPage"
import { Settling } from "#contract/Settling"
import type { RunSegments } from "#engine/Journal"
import * as Source from "#engine/Source"

/**
 * `spellings`: the packed URLs of pages that may have other spellings; a later crawl keeps them. `rendered`: whether a browser
 * has shown pages. `themes`: the packed themes of hosts, by which a later crawl reads their pages.
 */
export const State = Schema.Struct({
  jobId: Schema.String,
  spellings: Schema.optionalKey(Schema.String),
  rendered: Schema.optionalKey(Schema.Literal(true)),
  themes: Schema.optionalKey(Schema.String)
})
export type State = typeof State.Type

/** `embedded`: the crawl ran in this process, and no service knows it. */
export const Cursor = Schema.Struct({ ...CrawlCursor.fields, embedded: Schema.optionalKey(Schema.Literal(true)) })
export type Cursor = typeof Cursor.Type

export type FetchedAnswer = Source.Fetched<Cursor>
type ResumePoint = Source.ResumePoint<State, Cursor>

export const settlesOf = (trapBudget: number | undefined, start: Option.Option<State>): Settling => ({
  ...(trapBudget === undefined ? {} : { trapBudget }),
  ...Option.match(start, {
    onNone: () => ({}),
    // A checkpoint of an earlier version names only its crawl.
    onSome: ({ jobId: after, rendered, spellings, themes }) => ({
      ...(spellings === undefined ? { after } : { spellings }),
      ...(rendered === undefined ? {} : { rendered }),
      ...(themes === undefined ? {} : { themes })
    })
  })
})

/**
 * Whether a crawl in this process can be read. A reading that a service began continues there; so does one after a
 * checkpoint that names only its crawl, as earlier versions wrote it: the service knows the rest.
 */
export const crawlsHere = (
  { type }: { readonly type: string },
  { after, start }: Source.ResumePoint<unknown, unknown>
): boolean =>
  type === "crawl" &&
  Option.match(after, {
    onNone: () => Option.isNone(start) || Predicate.hasProperty(start.value, "spellings"),
    onSome: (cursor) => Predicate.hasProperty(cursor, "embedded")
  })

export const embeddedAnswers = Effect.fnUntraced(function* (
  { answers }: EmbeddedCrawl["Service"],
  request: CrawlRequest,
  { revalidates, settles }: Pick<From, "revalidates" | "settles">,
  { after, commitsWhileReading = false, revalidation, segments }: ResumePoint
) {
  const from: From = {
    after: Option.getOrUndefined(after),
    settles,
    revalidates: revalidation === undefined ? "nothing" : revalidates,
    known: revalidation?.known,
    deliversEarly: commitsWhileReading,
    segments: segments === undefined ? memorySegments() : yield* segments
  }
  return answers(request, from).pipe(
    Stream.map((answer): FetchedAnswer => ({ ...answer, cursor: { ...answer.cursor, embedded: true } })),
    Stream.mapError(toSourceError)
  )
})

const memorySegments = (): RunSegments => ({
  blocks: Segment.memory(),
  progress: Segment.memory(),
  known: Segment.memory()
})

const toSourceError = (cause: EmbeddedCrawlFailed): Source.SourceError =>
  new Source.SourceError({
    source: "crawl",
    message: cause.message,
    retryable: false,
    ...(cause.isOver ? { over: true } : {}),
    cause
  })

/**
 * What an answer says. `documents`: those in its blocks, which are not validated because the crawler of this process
 * made them.
 */
export const readAnswer = Effect.fnUntraced(function* (
  outlines: OutlineReader,
  { blocks, contents = [], text }: FetchedAnswer
) {
  if (blocks === undefined) {
    const outline = yield* outlines.read(text)
    return { outline, isLast: isLastChunk(outline) }
  }
  const { bytes, pages, unchanged, ...outline } = yield* readPlaced(text)
  const documents = documentsOf(pages, contents)
  const isLast = outline.status !== "scraping" && outline.next == null
  return { outline: { ...outline, data: documents }, isLast, documents, unchanged, bytes }
})

const readPlaced = Schema.decodeUnknownEffect(
  Schema.fromJsonString(
    Schema.Struct({
      ...Outline.fields,
      pages: Schema.Array(PlacedPage),
      unchanged: Schema.optionalKey(Schema.Array(Schema.String)),
      bytes: Schema.optionalKey(Schema.Struct({ wire: Schema.Int, body: Schema.Int }))
    })
  )
)
