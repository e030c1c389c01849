/**
 * A crawl in this process, as answers: that it has started, its progress, its pages in blocks on the disk, its errors.
 *
 * The path of a page: it is visited; its end is written to the ledger and its document, with others, to a block. When
 * the crawl has ended and it is decided which URLs are one page, each answer names blocks and says which of their
 * documents are pages, and of which URL. The same ledger and the same blocks give the same answers, so reading can
 * continue after any of them.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as CrawlerName from "#base/CrawlerName"
import * as FairPlaces from "#base/FairPlaces"
import type { CrawlRequest } from "#contract/Crawl"
import { type CrawlAnswer, type EmbeddedCrawl, EmbeddedCrawlFailed, type From } from "#contract/EmbeddedCrawl"
import { uuid7 } from "#contract/uuid7"
import * as Crawler from "./Crawler.ts"
import type { CrawlPlan } from "./CrawlPlan.ts"
import { CrawlStore } from "./CrawlStore.ts"
import { type Delivery, errorsOf, growing, lost, remaining } from "./embedded/deliverCrawl.ts"
import * as KnownPages from "./embedded/KnownPages.ts"
import * as LedgerFile from "./embedded/LedgerFile.ts"
import { crawlStore, jobStore } from "./embedded/ledgerStores.ts"
import type { Job } from "./Job.ts"
import { JobStore } from "./JobStore.ts"
import * as PageReader from "./PageReader.ts"
import { StartFailed } from "./PageVisit.ts"
import type { PoliteFetch } from "./PoliteFetch.ts"
import { type Allowed, planCrawl } from "./planCrawl.ts"
import * as Revalidation from "./Revalidation.ts"
import { SchemaFiller } from "./SchemaFiller.ts"
import type { Scraper } from "./Scraper.ts"
import type { SiteRules } from "./SiteRules.ts"
import { StoreError } from "./StoreError.ts"
import { unpaid } from "./Turns.ts"

/** The crawls of one process share its network and take turns. */
export const open = Effect.fnUntraced(function* (allowed: Allowed & { readonly crawler: CrawlerName.Identity }) {
  const services = yield* Effect.context<PoliteFetch | Scraper | SiteRules>()
  const { version } = yield* SchemaFiller
  const lanes = FairPlaces.create(allowed.concurrency, false)

  const answers = Effect.fnUntraced(function* (request: CrawlRequest, from: From) {
    const planned = yield* planCrawl(request, allowed, from.settles).pipe(
      Effect.mapError(({ message }) => new EmbeddedCrawlFailed({ message, isOver: false }))
    )
    const file = yield* Effect.mapError(LedgerFile.open(from.segments), lost)
    // A theme is first used where it is known what pages said without it: a change before that would be lost.
    const themes = from.known === undefined ? planned.themes : planned.learnedThemes
    const plan: CrawlPlan = {
      ...planned,
      themes,
      sample: file.ledger.sample,
      ...(yield* revalidating({ ...planned, themes }, from, version))
    }
    const { after } = from
    const id = yield* Effect.mapError(begun(file), lost)
    if (after !== undefined && after.jobId !== id) {
      const message = `crawl ${after.jobId} cannot be continued, because the journal has lost its progress; run the pipeline again`
      return yield* new EmbeddedCrawlFailed({ message, isOver: true })
    }
    const job: Job = {
      id,
      kind: "crawl",
      teamId: "local",
      url: request.url,
      request: "{}",
      status: "scraping",
      createdAt: file.ledger.begunAt,
      completedAt: null,
      error: null,
      warning: null
    }
    const crawl = Crawler.run(job, plan, unpaid(Effect.void, lanes.duringOf(id))).pipe(
      Effect.provideService(CrawlStore, crawlStore(file)),
      Effect.provideService(JobStore, jobStore(file)),
      Effect.provideService(PageReader.LongPage, PageReader.alone),
      Effect.provideService(CrawlerName.Current, allowed.crawler),
      Effect.provideContext(services),
      Effect.andThen(finish(file, plan)),
      Effect.andThen(file.flush),
      Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.fail(failedBy(cause))))
    )
    const started: CrawlAnswer = {
      kind: "started",
      at: file.ledger.begunAt,
      text: JSON.stringify({ success: true, id }),
      cursor: { jobId: id, read: 0, next: "pages" }
    }
    const first = after === undefined ? Stream.succeed(started) : Stream.empty
    const goesOn = after === undefined || after.next === "pages"
    const delivery: Delivery = { file, plan, id, from, read: after?.read ?? 0 }
    const pages = Stream.concat(
      file.ledger.finishedAt === undefined ? growing(delivery, crawl) : Stream.empty,
      Stream.suspend(() => (goesOn ? remaining(delivery) : Stream.empty))
    )
    const errors = after?.next === "nothing" ? Stream.empty : Stream.fromEffect(errorsOf(file, plan, id))
    return first.pipe(Stream.concat(pages), Stream.concat(errors))
  })

  const embedded: EmbeddedCrawl["Service"] = { answers: (request, from) => Stream.unwrap(answers(request, from)) }
  return embedded
})

/**
 * How this crawl uses the one before. If a browser renders the pages, or changes are tracked, every page is read again.
 */
const revalidating = Effect.fnUntraced(function* (
  { scrape, themes }: CrawlPlan,
  { known, revalidates }: From,
  version: number
) {
  const isLive = scrape.needsBrowser || scrape.formats.has("changeTracking") || (scrape.options.maxAge ?? 0) > 0
  if (revalidates === "nothing" || isLive) return {}
  const remembers: CrawlPlan["remembers"] = typeof revalidates === "object" ? "all" : "comparable"
  const dataRules = scrape.formats.has("json") ? version : undefined
  if (known === undefined) return { remembers, dataRules }
  const pages = yield* Effect.tryPromise({
    try: () => KnownPages.open(known),
    catch: (cause) => new EmbeddedCrawlFailed({ message: String(cause), isOver: false, cause })
  })
  return { remembers, dataRules, revalidation: Revalidation.of(pages, revalidates, themes, dataRules) }
})

/** Records that the crawl has read its last page. */
const finish = Effect.fnUntraced(function* ({ leaveOut, ledger, take }: LedgerFile.LedgerFile, plan: CrawlPlan) {
  if (plan.remembers !== undefined) leaveOut(ledger.rowless())
  yield* take({ _tag: "Finished", at: yield* Clock.currentTimeMillis })
})

/** The id is on the disk before it is reported to anyone. */
const begun = Effect.fnUntraced(function* ({ flush, ledger, take }: LedgerFile.LedgerFile) {
  if (ledger.id !== undefined) return ledger.id
  const id = uuid7()
  yield* take({ _tag: "Begun", id, at: yield* Clock.currentTimeMillis })
  yield* flush
  return id
})

/** A start page that could not be read, and a bug of ours, end the crawl for good. */
const failedBy = (cause: Cause.Cause<StartFailed | StoreError>): EmbeddedCrawlFailed => {
  const error = Cause.squash(cause)
  if (error instanceof StoreError) return lost(error)
  return new EmbeddedCrawlFailed({ message: error instanceof Error ? error.message : String(error), isOver: true })
}
