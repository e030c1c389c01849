/**
 * A crawl in this process: the port that the crawl source uses there in place of a service.
 *
 * It uses no HTTP and no database. The crawl keeps its pages in blocks of the run, and its ledger beside them, so a
 * killed run continues and asks again only for the pages that were in flight. Its answers name blocks, and `pagesOf`
 * reads them.
 */
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { Segment } from "#base/Segment"
import type { CrawlRequest } from "./Crawl.ts"
import type { Settling } from "./Settling.ts"

/** Where reading continues. */
export interface CrawlPlace {
  readonly jobId: string
  /** Pages delivered so far, those of this answer included. */
  readonly read: number
  readonly next: "pages" | "errors" | "nothing"
}

export interface CrawlAnswer {
  readonly kind: "started" | "pages" | "errors"
  /** Milliseconds since the epoch. */
  readonly at: number
  /** As a service would answer, without the documents, which are in the blocks. */
  readonly text: string
  readonly cursor: CrawlPlace
  readonly blocks?: ReadonlyArray<number>
  readonly contents?: ReadonlyArray<Uint8Array>
}

/**
 * Which pages are not asked for in full: those that the site reports as unchanged ("ask"), those that its sitemap lists
 * as unchanged ("lastmod"), those whose interval has not passed, or none.
 */
export type Revalidates = "ask" | "lastmod" | Interval | "nothing"

/** The minimum and maximum time until a page is asked for again. */
export interface Interval {
  readonly minMillis: number
  readonly maxMillis: number
}

export interface From {
  /** The last answer that was read; undefined: the crawl begins. */
  readonly after: CrawlPlace | undefined
  readonly settles: Settling
  /** Where the pages, the ledger, and the facts for the next crawl are kept. */
  readonly segments: { readonly blocks: Segment; readonly progress: Segment; readonly known: Segment }
  /** `segments.known` of the last crawl, if its pages are loaded. */
  readonly known?: Segment | undefined
  readonly revalidates: Revalidates
  /**
   * Whether a page is delivered before the crawl ends, if no page that is still to come can turn out to be the same
   * page.
   */
  readonly deliversEarly?: boolean
}

export class EmbeddedCrawl extends Context.Service<
  EmbeddedCrawl,
  {
    /** The crawl runs while this is read. Interrupting it stops the crawl. */
    readonly answers: (request: CrawlRequest, from: From) => Stream.Stream<CrawlAnswer, EmbeddedCrawlFailed>
  }
>()("millrace/embedded/EmbeddedCrawl") {}

/** A crawl that cannot continue. `isOver`: another attempt fails too, only a new crawl helps. */
export class EmbeddedCrawlFailed extends Schema.TaggedError<EmbeddedCrawlFailed>()("EmbeddedCrawlFailed", {
  message: Schema.String,
  isOver: Schema.Boolean,
  cause: Schema.optionalKey(Schema.Defect())
}) {}
