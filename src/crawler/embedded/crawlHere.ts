/**
 * A crawl in this process, as answers: it begins, it grows, its pages in blocks that it has written, its errors.
 *
 * The way of a page: visited -> its end in the ledger, its document with others in a block -> when the crawl has ended, and
 * it is decided which URLs are one page, the blocks are read in order, and each answer says which of their documents are
 * pages, and of which URL. The same ledger and the same blocks give the same answers, so reading goes on behind any of them.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as PartitionedSemaphore from "effect/PartitionedSemaphore"
import * as Stream from "effect/Stream"
import type { CrawlErrors, CrawlRequest, CrawlStatus } from "../../api/Crawl.ts"
import * as Limits from "../../api/Limits.ts"
import * as Settling from "../../api/Settling.ts"
import { uuid7 } from "../../api/uuid7.ts"
import {
  type Answer,
  type EmbeddedCrawl,
  EmbeddedCrawlFailed,
  type From,
  type Place
} from "../../embedded/EmbeddedCrawl.ts"
import type { PlacedPage } from "../../embedded/PlacedPage.ts"
import * as Crawler from "../crawl/Crawler.ts"
import type { CrawlPlan } from "../crawl/CrawlPlan.ts"
import { CrawlStore } from "../crawl/CrawlStore.ts"
import type { Job } from "../crawl/Job.ts"
import { JobStore } from "../crawl/JobStore.ts"
import { StartFailed } from "../crawl/PageVisit.ts"
import { type Allowed, planCrawl } from "../crawl/planCrawl.ts"
import * as Revalidation from "../crawl/Revalidation.ts"
import { unpaid } from "../crawl/Turns.ts"
import type { PoliteFetch } from "../politeness/PoliteFetch.ts"
import type { SiteRules } from "../politeness/SiteRules.ts"
import { StoreError } from "../StoreError.ts"
import type { Scraper } from "../scrape/Scraper.ts"
import * as KnownPages from "./KnownPages.ts"
import * as LedgerFile from "./LedgerFile.ts"
import { crawlStore, jobStore } from "./ledgerStores.ts"
import { type TellingWindow, windowsOf } from "./tellingWindows.ts"

/** Crawls of one process: they share its network, and take turns. */
export const make = Effect.fnUntraced(function* (allowed: Allowed) {
  const services = yield* Effect.context<PoliteFetch | Scraper | SiteRules>()
  const lanes = yield* PartitionedSemaphore.make<string>({ permits: allowed.maxConcurrency })

  const answers = Effect.fnUntraced(function* (request: CrawlRequest, from: From) {
    const planned = yield* planCrawl(request, allowed, from.settles).pipe(
      Effect.mapError(({ message }) => new EmbeddedCrawlFailed({ message, isOver: false }))
    )
    const plan = { ...planned, ...(yield* revalidating(planned, from)) }
    const file = yield* Effect.mapError(LedgerFile.open(from.segments), lost)
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
    const crawl = Crawler.run(job, plan, unpaid(Effect.void, lanes.withPermit(id))).pipe(
      Effect.provideService(CrawlStore, crawlStore(file)),
      Effect.provideService(JobStore, jobStore(file)),
      Effect.provideContext(services),
      Effect.andThen(finish(file, plan)),
      Effect.andThen(file.flush),
      Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.fail(failedBy(cause))))
    )
    const started: Answer = {
      kind: "started",
      at: file.ledger.begunAt,
      text: JSON.stringify({ success: true, id }),
      cursor: { jobId: id, read: 0, next: "pages" }
    }
    const first = after === undefined ? Stream.succeed(started) : Stream.empty
    const goesOn = after === undefined || after.next === "pages"
    const pages = Stream.concat(
      file.ledger.finishedAt === undefined ? growing(file, plan, id, crawl) : Stream.empty,
      Stream.suspend(() => (goesOn ? told(file, plan, id, from, after?.read ?? 0) : Stream.empty))
    )
    const errors = after?.next === "nothing" ? Stream.empty : Stream.fromEffect(errorsOf(file, id))
    return first.pipe(Stream.concat(pages), Stream.concat(errors))
  })

  const embedded: EmbeddedCrawl["Service"] = { answers: (request, from) => Stream.unwrap(answers(request, from)) }
  return embedded
})

/** What a crawl is told of the one before. Pages that a browser shows, or whose changes are tracked, are read each time. */
const revalidating = Effect.fnUntraced(function* ({ scrape }: CrawlPlan, { known, revalidates }: From) {
  const isLive = scrape.needsBrowser || scrape.formats.has("changeTracking") || (scrape.options.maxAge ?? 0) > 0
  if (revalidates === "nothing" || isLive) return {}
  if (known === undefined) return { isRemembered: true }
  const pages = yield* Effect.tryPromise({
    try: () => KnownPages.open(known),
    catch: (cause) => new EmbeddedCrawlFailed({ message: String(cause), isOver: false, cause })
  })
  return { isRemembered: true, revalidation: Revalidation.make(pages, revalidates) }
})

/** Everything is read that will be. */
const finish = Effect.fnUntraced(function* ({ leaveOut, ledger, take }: LedgerFile.LedgerFile, plan: CrawlPlan) {
  if (plan.isRemembered === true) leaveOut(ledger.ambiguous())
  yield* take({ _tag: "Finished", at: yield* Clock.currentTimeMillis })
})

/** Its id is on the disk before anybody is told it. */
const begun = Effect.fnUntraced(function* ({ flush, ledger, take }: LedgerFile.LedgerFile) {
  if (ledger.id !== undefined) return ledger.id
  const id = uuid7()
  yield* take({ _tag: "Begun", id, at: yield* Clock.currentTimeMillis })
  yield* flush
  return id
})

/** Runs the crawl, and tells how it grows. */
const growing = <R>(
  file: LedgerFile.LedgerFile,
  plan: CrawlPlan,
  id: string,
  crawl: Effect.Effect<void, EmbeddedCrawlFailed, R>
) =>
  Stream.unwrap(
    Effect.map(Effect.forkScoped(crawl), (running) =>
      Stream.paginate("", (counted) =>
        Effect.gen(function* () {
          const end = yield* Effect.timeoutOption(Fiber.join(running), newsMillis)
          if (Option.isSome(end)) return [[], Option.none()] as const
          const { counts, finishedAt } = file.ledger
          // What has ended is told with its pages, once it is on the disk.
          if (finishedAt !== undefined) return [[], Option.some(counted)] as const
          const now = JSON.stringify(counts)
          if (now === counted || counts.scraped === 0) return [[], Option.some(now)] as const
          const at = yield* Clock.currentTimeMillis
          const cursor: Place = { jobId: id, read: 0, next: "pages" }
          const news: Answer = { kind: "pages", at, text: textOf(statusOf(file, plan, at), []), cursor }
          return [[news], Option.some(now)] as const
        })
      )
    )
  )

/** How often a crawl that grows is told of. */
const newsMillis = 1000

/** All pages of a crawl that has ended, window by window. */
const told = (file: LedgerFile.LedgerFile, plan: CrawlPlan, id: string, { segments }: From, read: number) => {
  const windows = windowsOf(file)
  const sum = windows.reduce((all, window) => all + sizeOf(window), 0)
  const { scraped } = file.ledger.counts
  if (sum !== scraped) {
    const message = `the crawl completed ${scraped} pages, and ${sum} could be read`
    return Stream.fail(new EmbeddedCrawlFailed({ message, isOver: true }))
  }
  const ahead = windows.filter(({ first }) => first >= read)
  const answer = Effect.fnUntraced(function* (window: TellingWindow) {
    const { blocks, first, pages, unchanged } = window
    const contents: Array<Uint8Array> = []
    for (const number of blocks) {
      const block = yield* Effect.tryPromise({
        try: () => segments.blocks.read(segments.blocks.places[number] ?? 0),
        catch: (cause) => new EmbeddedCrawlFailed({ message: String(cause), isOver: false, cause })
      })
      if (block !== undefined) contents.push(block.bytes)
    }
    const at = yield* Clock.currentTimeMillis
    const read = first + sizeOf(window)
    const isLast = read === sum
    const cursor: Place = { jobId: id, read, next: isLast ? "errors" : "pages" }
    const status = { ...statusOf(file, plan, at), ...(isLast ? {} : { next: `?skip=${cursor.read}` }) }
    const one: Answer = { kind: "pages", at, text: textOf(status, pages, unchanged), cursor, blocks, contents }
    return one
  })
  return Stream.mapEffect(Stream.fromIterable(ahead), answer)
}

const sizeOf = ({ pages, unchanged }: TellingWindow): number => pages.length + unchanged.length

const errorsOf = Effect.fnUntraced(function* ({ ledger }: LedgerFile.LedgerFile, id: string) {
  const errors: CrawlErrors = {
    success: true,
    errors: ledger.failures.map(({ createdAt, ...failure }) => ({
      ...failure,
      timestamp: new Date(createdAt).toISOString()
    })),
    robotsBlocked: ledger.blocked(),
    ...(ledger.places === undefined ? {} : { spellings: Settling.pack(ledger.keptSpellings()) })
  }
  const cursor: Place = { jobId: id, read: ledger.counts.scraped, next: "nothing" }
  const answer: Answer = { kind: "errors", at: yield* Clock.currentTimeMillis, text: JSON.stringify(errors), cursor }
  return answer
})

type Head = Omit<CrawlStatus, "data">

/** Where the crawl is, as a service says it. */
const statusOf = ({ ledger }: LedgerFile.LedgerFile, { limit }: CrawlPlan, now: number): Head => {
  const { begunAt, counts, credits, finishedAt, warning } = ledger
  const { alias: aliases, blocked, failed, left, queued, scraped } = counts
  const end = finishedAt ?? now
  return {
    success: true,
    status: finishedAt === undefined ? "scraping" : "completed",
    total: scraped + (finishedAt === undefined ? Math.min(queued, Math.max(0, limit - scraped)) : 0),
    completed: scraped,
    creditsUsed: credits,
    createdAt: new Date(begunAt).toISOString(),
    ...(finishedAt === undefined ? {} : { completedAt: new Date(finishedAt).toISOString() }),
    duration: (end - begunAt) / 1000,
    expiresAt: new Date(end + Limits.retentionMillis).toISOString(),
    ...(warning === undefined ? {} : { warning }),
    ledger: { discovered: scraped + failed + blocked + left + queued, scraped, failed, blocked, left, aliases }
  }
}

const textOf = (head: Head, pages: ReadonlyArray<PlacedPage>, unchanged: ReadonlyArray<string> = []): string =>
  JSON.stringify({ ...head, data: [], pages, ...(unchanged.length === 0 ? {} : { unchanged }) })

const lost = (error: StoreError) => new EmbeddedCrawlFailed({ message: error.message, isOver: false, cause: error })

/** A start page that cannot be had, or a fault of our own, ends the crawl for good. */
const failedBy = (cause: Cause.Cause<StartFailed | StoreError>): EmbeddedCrawlFailed => {
  const error = Cause.squash(cause)
  if (error instanceof StoreError) return lost(error)
  return new EmbeddedCrawlFailed({ message: error instanceof Error ? error.message : String(error), isOver: true })
}
