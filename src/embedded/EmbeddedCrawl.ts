/**
 * A crawl in this process: what the crawl source asks where it is there, in place of a service.
 *
 * Nothing goes over HTTP or through a database. The crawl keeps its pages in blocks of the run and its ledger beside them,
 * so that a run that was killed goes on: no page is asked for again but those that were in flight. Its answers name the
 * blocks, and `pagesOf` says what they hold.
 */
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { CrawlRequest } from "../api/Crawl.ts"
import type { Settling } from "../api/Settling.ts"
import type { Segment } from "../segments/Segment.ts"

/** Where to go on from. */
export interface Place {
  readonly jobId: string
  /** Documents told, those of the answer included. */
  readonly read: number
  readonly next: "pages" | "errors" | "nothing"
}

export interface Answer {
  readonly kind: "started" | "pages" | "errors"
  /** Milliseconds since the epoch. */
  readonly at: number
  /** As a service would answer, but for the documents, which are in the blocks. */
  readonly text: string
  readonly cursor: Place
  readonly blocks?: ReadonlyArray<number>
  readonly contents?: ReadonlyArray<Uint8Array>
}

/**
 * What is not asked for again: what the site says is as it was (ask), what its sitemap says is (lastmod), or pages whose time has
 * not come (an interval for each page); or nothing.
 */
export type Revalidates = "ask" | "lastmod" | Interval | "nothing"

/** How long it is, at least and at most, until a page is asked for again. */
export interface Interval {
  readonly minMillis: number
  readonly maxMillis: number
}

export interface From {
  /** The answer to go on behind; undefined: the beginning. */
  readonly after: Place | undefined
  readonly settles: Settling
  /** Where the pages, the ledger, and what the next crawl may be told are kept. */
  readonly segments: { readonly blocks: Segment; readonly progress: Segment; readonly known: Segment }
  /** What the last crawl left in `segments.known`, where its pages are loaded. */
  readonly known?: Segment | undefined
  readonly revalidates: Revalidates
  /** Whether pages are told while the crawl goes on, those that no page that is still to come can be one with. */
  readonly deliversEarly?: boolean
}

export class EmbeddedCrawl extends Context.Service<
  EmbeddedCrawl,
  {
    /** Crawls while it is read; interrupting it stops the crawl. */
    readonly answers: (request: CrawlRequest, from: From) => Stream.Stream<Answer, EmbeddedCrawlFailed>
  }
>()("millrace/embedded/EmbeddedCrawl") {}

/** A crawl that cannot go on. `isOver`: whatever happens; only a new one helps. */
export class EmbeddedCrawlFailed extends Schema.TaggedError<EmbeddedCrawlFailed>()("EmbeddedCrawlFailed", {
  message: Schema.String,
  isOver: Schema.Boolean,
  cause: Schema.optionalKey(Schema.Defect())
}) {}
