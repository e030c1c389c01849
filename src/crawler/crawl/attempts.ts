/**
 * How often a page is begun that ends the process which reads it: by its memory, or because it holds the process for longer
 * than its lease.
 *
 * The law: a page is marked before it is read, so a process that goes on with a job knows what was in flight when the one
 * before ended. Such a page is read once more, alone, so that nobody else is blamed; a page that has ended two processes
 * fails, and the job goes on. A process that was taken for ended, and lives, takes back what the page was blamed for.
 */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { FetchError } from "../fetch/FetchError.ts"
import type { DiscoveredUrl } from "../frontier/CrawlUrl.ts"
import type { StoreError } from "../StoreError.ts"
import type { CrawlStore } from "./CrawlStore.ts"

/** Processes that one page may end. */
const most = 2

/** `workers`: how many pages of the job are read at a time. */
export const make = (store: Pick<CrawlStore["Service"], "begin">, jobId: string, workers: number) => {
  const lanes = Semaphore.makeUnsafe(workers)
  return <A, E, R, B, E2>(
    { attempts = 0, seq, url }: DiscoveredUrl,
    read: Effect.Effect<A, E, R>,
    failed: (error: FetchError) => Effect.Effect<B, E2>
  ): Effect.Effect<A | B, E | E2 | StoreError, R> =>
    attempts >= most
      ? failed(new FetchError({ url, code, message, retryable: false }))
      : lanes.withPermits(attempts === 0 ? 1 : workers)(Effect.andThen(store.begin(jobId, seq, attempts > 0), read))
}

const code = "SCRAPE_PAGE_ENDED_PROCESS"
const message = `${most} processes of the service ended while they read the page: it is not read again`
