/**
 * Writes the ends of visits to the ledger of a crawl, and counts the pages.
 *
 * Guarantee: URLs and documents are numbered in the order in which they are written, by one fiber at a time. Ends that come
 * together are written together.
 */
import * as Effect from "effect/Effect"
import type * as Semaphore from "effect/Semaphore"
import type { CrawlStore } from "../CrawlStore.ts"
import type { DiscoveredUrl, Settlement } from "../CrawlUrl.ts"
import type * as Frontier from "../frontier/Frontier.ts"
import type { Line } from "../frontier/Line.ts"
import type { Job } from "../Job.ts"
import { monotonicMillis } from "../monotonicMillis.ts"
import type { StartFailed, Visit } from "../PageVisit.ts"
import type { Later } from "../politeness/Tries.ts"
import type { StoreError } from "../StoreError.ts"
import * as Together from "../Together.ts"
import { notAPage } from "../visitedPages.ts"
import type { NamedFiles } from "./NamedFiles.ts"
import type { Ended } from "./Settlements.ts"

interface Crawl {
  readonly job: Job
  readonly store: CrawlStore["Service"]
  readonly frontier: Frontier.Frontier
  readonly line: Line
  readonly named: NamedFiles
  readonly writing: Semaphore.Semaphore
  /** The pages that the crawl has so far, and how many of them have a document. */
  readonly counts: { readonly scraped: number; readonly documents: number }
  readonly settlementOf: (ended: Ended, pages: number) => Settlement
  readonly enqueue: (urls: ReadonlyArray<DiscoveredUrl>) => Effect.Effect<void>
  /** Visits a page, and reads it also where it has not changed. */
  readonly visitWhole: (item: DiscoveredUrl) => Effect.Effect<Visit | Later, StartFailed>
}

export type LedgerWriter = ReturnType<typeof create>

export const create = ({
  counts,
  enqueue,
  frontier,
  job,
  line,
  named,
  settlementOf,
  store,
  visitWhole,
  writing
}: Crawl) => {
  let { documents, scraped } = counts

  const write = Effect.fnUntraced(function* (ends: ReadonlyArray<Ended>) {
    let pages = documents
    const settlements = ends.map((ended) => settlementOf(ended, ended.end.document === undefined ? pages : pages++))
    const scrapedNow = ends.filter(({ end, isAgain }) => end.state === "scraped" && isAgain !== true).length
    const waiting = settlements.flatMap(({ discovered }) => discovered).filter(({ state }) => state === "queued")
    yield* store.settle(job.id, settlements)
    scraped += scrapedNow
    documents = pages
    named.enter(waiting)
    yield* enqueue(waiting)
  })

  return {
    /** How many pages were read or found unchanged. */
    scraped: () => scraped,

    /** Writes the end of a visit. */
    settle: Together.grouped((ends: ReadonlyArray<Ended>, close) =>
      writing.withPermits(1)(
        Effect.suspend(() => {
          close()
          return write(ends)
        })
      )
    ),

    /**
     * Reads an unchanged page whose text decides which URLs are one page, or whose row gets another URL. It is used between two
     * levels or at the end, when nobody else writes.
     */
    readWhole: Effect.fnUntraced(function* (seq: number): Effect.fn.Return<void, StartFailed | StoreError> {
      for (const item of yield* store.urls(job.id, seq - 1, 1)) {
        let end = yield* Effect.interruptible(visitWhole(item))
        while (end._tag === "Later") {
          yield* Effect.interruptible(Effect.sleep(Math.max(0, end.at - (yield* monotonicMillis))))
          end = yield* Effect.interruptible(visitWhole(item))
        }
        yield* write([{ item, end, isAgain: true }])
      }
    }),

    /** Ends the queued URLs that are files, between two levels. */
    leaveFiles: Effect.gen(function* (): Effect.gen.Return<void, StoreError> {
      const files = yield* named.files
      if (files.length === 0) return
      line.leave(files.map(({ item }) => item.seq))
      for (const { item } of files) frontier.begin(item.seq)
      yield* write(files.map(({ file, item }) => ({ item, end: notAPage(file) })))
    })
  }
}
