/**
 * The pages of a job: the ledger of every discovered URL and its end, the page documents in the order in which they
 * were finished, and the failures. The job itself is in `JobStore`.
 *
 * Guarantee: the end of a page (its document or its failure, its end in the ledger, and its links) is written in one
 * transaction, alone or with the ends of other pages. So a killed service loses only pages that were in flight, and the
 * ledger shows which. The transaction first locks the job: if the job has ended, or another process has taken it,
 * nothing is written and the run is interrupted.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Ledger } from "#contract/Crawl"
import * as CrawlIdentity from "./CrawlIdentity.ts"
import type { Change, DiscoveredUrl, Failure, Settlement } from "./CrawlUrl.ts"
import type { StoreError } from "./StoreError.ts"

interface Chunk {
  /** Page documents as JSON text, in order. */
  readonly documents: ReadonlyArray<string>
  /** How many documents follow these. */
  readonly remaining: number
}

type ReadUrls = (jobId: string, after: number, limit: number) => Effect.Effect<ReadonlyArray<DiscoveredUrl>, StoreError>

export class CrawlStore extends Context.Service<
  CrawlStore,
  {
    /**
     * Enters URLs that come from no page, such as the start and those of sitemaps, and facts learned about other URLs.
     */
    readonly discover: (
      jobId: string,
      urls: ReadonlyArray<DiscoveredUrl>,
      changes?: ReadonlyArray<Change>
    ) => Effect.Effect<void, StoreError>
    /**
     * Enters more URLs, whichever process runs the job. `urls` gets the number of the first; false: the job has ended.
     */
    readonly append: (
      jobId: string,
      urls: (first: number) => ReadonlyArray<DiscoveredUrl>
    ) => Effect.Effect<boolean, StoreError>
    /** The job's URLs after this number, in order of discovery: a restarted service continues with them. */
    readonly urls: ReadUrls
    /** The queued URLs and those in flight, no deeper than the given depth. */
    readonly waiting: (
      jobId: string,
      after: number,
      limit: number,
      depth?: number
    ) => Effect.Effect<ReadonlyArray<DiscoveredUrl>, StoreError>
    /**
     * Marks a queued URL, and some that follow it, as being read by this process. Returns the numbers of the marked
     * URLs.
     */
    readonly begin: (jobId: string, seq: number) => Effect.Effect<ReadonlyArray<number>, StoreError>
    /** Marks it as queued again. */
    readonly putBack: (jobId: string, seq: number) => Effect.Effect<void, StoreError>
    /** Ends queued URLs that will not be read. */
    readonly drop: (jobId: string, dropped: ReadonlyArray<CrawlIdentity.Dropped>) => Effect.Effect<void, StoreError>
    /** Records failures that ended no URL of the ledger. */
    readonly fail: (jobId: string, failures: ReadonlyArray<Failure>) => Effect.Effect<void, StoreError>
    /** What decides which URLs are one page. */
    readonly identity: CrawlIdentity.CrawlIdentity
    /** Pages queued or in flight, over all jobs of a team. */
    readonly queued: (teamId: string) => Effect.Effect<number, StoreError>
    /** How many documents of a job may be read. */
    readonly count: (jobId: string) => Effect.Effect<number, StoreError>
    /** Writes several ends together; each URL ends once. */
    readonly settle: (jobId: string, settlements: ReadonlyArray<Settlement>) => Effect.Effect<void, StoreError>
    readonly ledger: (jobId: string) => Effect.Effect<
      /** `revalidated`: scraped pages without a document, because they have not changed. */
      Ledger & { readonly queued: number; readonly credits: number; readonly revalidated?: number },
      StoreError
    >
    readonly blocked: (jobId: string) => Effect.Effect<ReadonlyArray<string>, StoreError>
    readonly failures: (
      jobId: string
    ) => Effect.Effect<ReadonlyArray<Failure & { readonly createdAt: number }>, StoreError>
    /** Documents from `skip` on, at most `limit` of them and `Limits.maxChunkBytes` in all, but at least one. */
    readonly chunk: (jobId: string, skip: number, limit: number) => Effect.Effect<Chunk, StoreError>
    /** The first `count` documents were read. If nothing of the job may be kept and it has ended, they are deleted. */
    readonly wasRead: (jobId: string, count: number) => Effect.Effect<void, StoreError>
  }
>()("millrace/CrawlStore") {}

/** Hands all URLs of a job to `use`, in order of discovery, some thousand at a time. */
export const everyUrl = Effect.fnUntraced(function* (
  store: { readonly urls: ReadUrls },
  jobId: string,
  use: (some: ReadonlyArray<DiscoveredUrl>) => void
) {
  for (let after = -1; ; ) {
    const some = yield* store.urls(jobId, after, batchSize)
    use(some)
    after = some.at(-1)?.seq ?? after
    if (some.length < batchSize) return
  }
})

const batchSize = 2000
