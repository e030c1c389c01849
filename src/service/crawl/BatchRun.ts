/**
 * A batch: every URL scraped as given, several at a time.
 *
 * The law: each URL gives one document or one failure; none is followed, none is dropped, and robots.txt is not asked,
 * because the caller named each page. URLs that are added while it runs are taken too.
 */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { SqlError } from "effect/sql/SqlError"
import type { ScrapePlan } from "../scrape/ScrapePlan.ts"
import { Scraper } from "../scrape/Scraper.ts"
import { CrawlStore } from "../store/CrawlStore.ts"
import type { DiscoveredUrl } from "../store/CrawlUrl.ts"
import type { Job } from "../store/Job.ts"
import { uuid7 } from "../uuid7.ts"
import type { Turns } from "./Crawler.ts"
import { followRedirects } from "./followRedirects.ts"
import * as PageDocuments from "./PageDocuments.ts"
import { PoliteFetch } from "./PoliteFetch.ts"

export interface Plan {
  readonly concurrency: number
  readonly scrape: ScrapePlan
}

/** The ledger's rows of a batch's URLs, numbered from `first`. */
export const seeds = (urls: ReadonlyArray<string>, first: number): ReadonlyArray<DiscoveredUrl> =>
  urls.map((url, index) => ({
    seq: first + index,
    key: `${first + index}`,
    url,
    depth: 0,
    kind: "start",
    state: "queued"
  }))

export const run = Effect.fn("BatchRun.run")(function* (
  job: Job,
  plan: Plan,
  { settled, inTurn }: Turns
): Effect.fn.Return<void, SqlError, CrawlStore | PoliteFetch | Scraper> {
  const store = yield* CrawlStore
  const polite = yield* PoliteFetch
  const scraper = yield* Scraper
  const settling = yield* Semaphore.make(1)
  let pages = yield* store.count(job.id)

  const scrape = Effect.fnUntraced(function* (item: DiscoveredUrl) {
    const start = new URL(item.url)
    const keeps = (plan.scrape.options.maxAge ?? 0) > 0
    const asked = { url: item.url, scrapeId: uuid7(), teamId: job.teamId, keeps, delayMillis: 0 }
    const kept = yield* scraper.kept(plan.scrape, asked)
    if (kept !== undefined) return kept.document
    const get = (hop: URL) => polite.get(hop, PageDocuments.fetchOptions(plan.scrape, start, hop), 0)
    const landed = yield* followRedirects(start, get, () => Effect.void)
    const { document } = yield* scraper.scrape(landed, plan.scrape, asked)
    return document
  })

  const settle = Effect.fnUntraced(function* (item: DiscoveredUrl) {
    const end = yield* Effect.result(inTurn(scrape(item)))
    const own = { seq: item.seq, landedKey: item.key, discovered: [] }
    const write = Effect.suspend(() => {
      if (end._tag === "Failure") {
        const { code, message } = end.failure
        const failures = [{ id: uuid7(), url: item.url, code, error: message }]
        return store.settle(job.id, [{ ...own, state: "failed", failures }])
      }
      const document = JSON.stringify(end.success)
      const page = {
        seq: pages++,
        document,
        bytes: Buffer.byteLength(document),
        credits: PageDocuments.creditsOf(end.success)
      }
      return store.settle(job.id, [{ ...own, state: "scraped", failures: [], page }])
    })
    yield* Effect.uninterruptible(settling.withPermits(1)(write))
    yield* settled
  })

  for (;;) {
    // Those that were added meanwhile come after, or are found by the next look.
    const queued = yield* store.waiting(job.id, -1, together)
    if (queued.length === 0) return
    yield* Effect.forEach(queued, settle, { concurrency: plan.concurrency, discard: true })
  }
})

/** How many URLs are in memory at a time. */
const together = 1000
