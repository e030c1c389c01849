/**
 * The pages of a job: the ledger of every discovered URL and its end, the page documents in the order in which they were
 * finished, and the failures. The job itself is in `JobStore`.
 *
 * The law: the end of a page is one transaction (its document or its failure, its end in the ledger, and its links),
 * alone or with the ends of other pages. So a killed service loses only pages that were in flight, and the ledger shows
 * them as such. The transaction begins at the job's row: if the job has ended, or another process has taken it, nothing
 * is written and the run is interrupted.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Ledger } from "../../api/Crawl.ts"
import * as CrawlIdentity from "../frontier/CrawlIdentity.ts"
import type { Change, DiscoveredUrl, Failure, Settlement } from "../frontier/CrawlUrl.ts"
import type { StoreError } from "../StoreError.ts"

export interface Chunk {
  /** Page documents as JSON text, in order. */
  readonly documents: ReadonlyArray<string>
  /** Documents there are after these. */
  readonly remaining: number
}

type ReadUrls = (jobId: string, after: number, limit: number) => Effect.Effect<ReadonlyArray<DiscoveredUrl>, StoreError>

export class CrawlStore extends Context.Service<
  CrawlStore,
  {
    /** Enters URLs that no page brought: the start, and those of sitemaps; and what was learned of others. */
    readonly discover: (
      jobId: string,
      urls: ReadonlyArray<DiscoveredUrl>,
      changes?: ReadonlyArray<Change>
    ) => Effect.Effect<void, StoreError>
    /** Enters more URLs, wherever the job runs, told the number of the first; false: it has ended. */
    readonly append: (
      jobId: string,
      urls: (first: number) => ReadonlyArray<DiscoveredUrl>
    ) => Effect.Effect<boolean, StoreError>
    /** The URLs a job knows, in the order discovered, after this number: what a restarted service goes on from. */
    readonly urls: ReadUrls
    /** Those of them that wait or are in flight, as near as `depth` where that is said. */
    readonly waiting: (
      jobId: string,
      after: number,
      limit: number,
      depth?: number
    ) => Effect.Effect<ReadonlyArray<DiscoveredUrl>, StoreError>
    /**
     * Marks a URL that waits as being read by this process, and some that come after it. What it gives are the numbers of those
     * that are marked.
     */
    readonly begin: (jobId: string, seq: number) => Effect.Effect<ReadonlyArray<number>, StoreError>
    /** Marks it as waiting again. */
    readonly putBack: (jobId: string, seq: number) => Effect.Effect<void, StoreError>
    /** Ends URLs that wait: they are not asked for after all. */
    readonly drop: (jobId: string, dropped: ReadonlyArray<CrawlIdentity.Dropped>) => Effect.Effect<void, StoreError>
    /** Writes failures down that no URL of the ledger ended with. */
    readonly fail: (jobId: string, failures: ReadonlyArray<Failure>) => Effect.Effect<void, StoreError>
    /** What is kept to decide which URLs are one page. */
    readonly identity: CrawlIdentity.CrawlIdentity
    /** Pages that wait or are in flight, over all jobs of a team. */
    readonly queued: (teamId: string) => Effect.Effect<number, StoreError>
    /** How many documents a job has to tell. */
    readonly count: (jobId: string) => Effect.Effect<number, StoreError>
    /** Writes ends down together, each URL's once. */
    readonly settle: (jobId: string, settlements: ReadonlyArray<Settlement>) => Effect.Effect<void, StoreError>
    readonly ledger: (jobId: string) => Effect.Effect<
      /** `revalidated`: those of the scraped that have no document, as they are as they were. */
      Ledger & { readonly queued: number; readonly credits: number; readonly revalidated?: number },
      StoreError
    >
    readonly blocked: (jobId: string) => Effect.Effect<ReadonlyArray<string>, StoreError>
    readonly failures: (
      jobId: string
    ) => Effect.Effect<ReadonlyArray<Failure & { readonly createdAt: number }>, StoreError>
    /** Documents from `skip`, at most `limit` of them and `Limits.maxChunkBytes` in all, but at least one. */
    readonly chunk: (jobId: string, skip: number, limit: number) => Effect.Effect<Chunk, StoreError>
    /** So many of the first documents were read: of a job of which nothing may be kept, and that has ended, they are forgotten. */
    readonly wasRead: (jobId: string, count: number) => Effect.Effect<void, StoreError>
  }
>()("millrace/CrawlStore") {}
