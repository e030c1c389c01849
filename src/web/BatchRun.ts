/**
 * A batch: every URL is scraped as given, several at a time.
 *
 * Each URL gives one document or one failure. Links are not followed, no URL is dropped, and robots.txt is not read,
 * because the caller named each page. URLs that are added while the batch runs are read too. A page that the site
 * refused stays queued and is tried again later (`Tries`).
 */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { uuid7 } from "#contract/uuid7"
import { CrawlStore } from "./CrawlStore.ts"
import type { DiscoveredUrl } from "./CrawlUrl.ts"
import * as suspects from "./crawl/suspects.ts"
import * as MachineFault from "./fetch/MachineFault.ts"
import { followRedirects } from "./followRedirects.ts"
import type { Job } from "./Job.ts"
import { monotonicMillis } from "./monotonicMillis.ts"
import * as PageDocuments from "./PageDocuments.ts"
import * as Patience from "./Patience.ts"
import { PoliteFetch } from "./PoliteFetch.ts"
import * as Tries from "./politeness/Tries.ts"
import type { ScrapePlan } from "./ScrapePlan.ts"
import { Scraper } from "./Scraper.ts"
import * as SiteCookies from "./SiteCookies.ts"
import type { StoreError } from "./StoreError.ts"
import type { Turns } from "./Turns.ts"

interface Plan {
  readonly concurrency: number
  readonly patience: Patience.Patience
  readonly scrape: ScrapePlan
}

/** The ledger's entries for a batch's URLs, numbered from `first`. */
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
): Effect.fn.Return<void, StoreError, CrawlStore | PoliteFetch | Scraper> {
  const store = yield* CrawlStore
  const read = yield* pageReader(job, plan)
  const settling = yield* Semaphore.make(1)
  let pages = yield* store.count(job.id)
  /** When refused URLs may be tried again, by URL number. */
  const notBefore = new Map<number, number>()
  const price = { least: PageDocuments.leastCredits(plan.scrape), of: PageDocuments.creditsOf }
  const carefully = suspects.start(store, job.id)
  let isOut = false

  const settle = Effect.fnUntraced(function* (item: DiscoveredUrl) {
    const end = yield* inTurn(carefully(item, read(item)), price).pipe(
      Effect.withSpan("page", { attributes: { "url.full": item.url } }),
      Effect.result
    )
    if (end._tag === "Failure" && end.failure._tag === "Later") {
      notBefore.set(item.seq, end.failure.at)
      return yield* store.putBack(job.id, item.seq)
    }
    if (end._tag === "Failure" && end.failure._tag === "OutOfCredits") return void (isOut = true)
    if (end._tag === "Failure" && end.failure._tag === "StoreError") return yield* end.failure
    notBefore.delete(item.seq)
    const own = { seq: item.seq, landedKey: item.key, discovered: [] }
    const write = Effect.suspend(() => {
      if (end._tag === "Failure") {
        if (end.failure._tag !== "FetchError") return Effect.void
        const { code, message } = end.failure
        const failures = [{ id: uuid7(), url: item.url, code, error: message }]
        return store.settle(job.id, [{ ...own, state: "failed", failures }])
      }
      const document = end.success
      const page = { seq: pages++, document, credits: PageDocuments.creditsOf(document) }
      return store.settle(job.id, [{ ...own, state: "scraped", failures: [], page }])
    })
    yield* Effect.uninterruptible(settling.withPermits(1)(write))
    yield* settled
  })

  for (;;) {
    // URLs that were added meanwhile are queued after these, or the next look finds them.
    const queued = yield* store.waiting(job.id, -1, together)
    if (queued.length === 0) return
    const now = yield* monotonicMillis
    const due = queued.filter(({ seq }) => (notBefore.get(seq) ?? 0) <= now)
    const first = Math.min(...queued.map(({ seq }) => notBefore.get(seq) ?? 0))
    if (due.length === 0) yield* Effect.sleep(first - now)
    yield* Effect.forEach(due, settle, { concurrency: plan.concurrency, discard: true })
    if (isOut) return
  }
})

/** Makes what reads a page of the batch: a cached copy, or a fetch with its redirects. A page that may succeed later is `Later`. */
const pageReader = Effect.fnUntraced(function* (job: Job, { patience, scrape }: Plan) {
  const polite = yield* PoliteFetch
  const scraper = yield* Scraper
  const cookies = SiteCookies.create()
  const tries = Tries.start({ patience, polite, delayMillis: 0 })
  const keeps = (scrape.options.maxAge ?? 0) > 0

  const read = Effect.fnUntraced(function* (item: DiscoveredUrl) {
    const start = new URL(item.url)
    const order = { url: item.url, scrapeId: uuid7(), teamId: job.teamId, keeps, delayMillis: 0 }
    const copy = yield* scraper.copyOf(scrape, order)
    if (copy !== undefined) return copy.document
    const jar = cookies.visit()
    const get = (hop: URL) =>
      jar.exchange(hop, PageDocuments.fetchOptions(scrape, start, hop), (options, at = hop) =>
        tries.get(at, polite.get(at, options, 0))
      )
    const landed = yield* followRedirects(start, get, () => Effect.void, jar)
    const again = Patience.isTransient(landed.fetched.status) ? yield* tries.again(item.seq, landed) : undefined
    if (again !== undefined) return yield* Effect.fail(again)
    const { document } = yield* Tries.ofReading(scraper.scrape(landed, scrape, order), scrape)
    return document
  })

  return (item: DiscoveredUrl) =>
    read(item).pipe(
      Effect.catchTag(
        "FetchError",
        Effect.fnUntraced(function* (error) {
          yield* MachineFault.raise(error)
          const again = error.retryable ? yield* tries.again(item.seq, { error }) : undefined
          return yield* Effect.fail(again ?? error)
        })
      )
    )
})

/** How many URLs are in memory at a time. */
const together = 1000
