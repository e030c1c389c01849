/**
 * The answers of a crawl in this process: its progress, its pages, its errors.
 *
 * Guarantee: the same ledger and the same blocks give the same answers, so reading can continue after any of them.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { CrawlErrors, CrawlStatus } from "#contract/Crawl"
import { type CrawlAnswer, type CrawlPlace, EmbeddedCrawlFailed, type From } from "#contract/EmbeddedCrawl"
import * as Limits from "#contract/Limits"
import type { PlacedPage } from "#contract/PlacedPage"
import * as Settling from "#contract/Settling"
import * as Theme from "#page/Theme"
import type { CrawlPlan } from "../CrawlPlan.ts"
import type { StoreError } from "../StoreError.ts"
import { type DeliveryWindow, earlyWindows, endOf, windowsOf } from "./deliveryWindows.ts"
import * as EarlyPages from "./EarlyPages.ts"
import type * as LedgerFile from "./LedgerFile.ts"

/** A crawl whose answers are being delivered. */
export interface Delivery {
  readonly file: LedgerFile.LedgerFile
  readonly plan: CrawlPlan
  readonly id: string
  readonly from: From
  /** How many pages were delivered so far. */
  read: number
}

/** Runs the crawl and reports its progress; with `deliversEarly`, also delivers pages before it ends. */
export const growing = <R>(delivery: Delivery, crawl: Effect.Effect<void, EmbeddedCrawlFailed, R>) =>
  Stream.unwrap(
    Effect.map(Effect.forkScoped(crawl), (running) => {
      const { file, from, plan } = delivery
      const early = from.deliversEarly === true ? EarlyPages.of(file, plan.settling?.spellings ?? []) : undefined
      let deliveredAt = 0
      return Stream.paginate("", (counted) =>
        Effect.gen(function* () {
          const end = yield* Effect.timeoutOption(Fiber.join(running), newsMillis)
          if (Option.isSome(end)) return [[], Option.none()] as const
          const { counts, finishedAt } = file.ledger
          // The end is reported with the last pages, once it is on the disk.
          if (finishedAt !== undefined) return [[], Option.some(counted)] as const
          const now = JSON.stringify(counts)
          if (now === counted || counts.scraped === 0) return [[], Option.some(now)] as const
          const at = yield* Clock.currentTimeMillis
          const next = early?.next()
          if (next !== undefined && (next.isFull || at - deliveredAt >= earlyMillis)) {
            deliveredAt = at
            yield* keepDelivered(file, next)
          }
          const answers = yield* Effect.forEach(ahead(earlyWindows(file), delivery.read), (window) =>
            answerOf(delivery, window, false)
          )
          if (answers.length > 0) return [answers, Option.some(now)] as const
          const cursor: CrawlPlace = { jobId: delivery.id, read: delivery.read, next: "pages" }
          const news: CrawlAnswer = { kind: "pages", at, text: textOf(file, statusOf(file, plan, at), []), cursor }
          return [[news], Option.some(now)] as const
        })
      )
    })
  )

/** How often a growing crawl reports, and how long pages that could be delivered early wait for more. */
const newsMillis = 1000
const earlyMillis = 2000

/** The group is on the disk before it is delivered, so that a continued run delivers the same one. */
const keepDelivered = ({ flush, take }: LedgerFile.LedgerFile, { before, seqs }: EarlyPages.Next) =>
  Effect.mapError(Effect.andThen(take({ _tag: "Told", seqs, before }), flush), lost)

/** The windows that were not delivered yet. */
const ahead = (windows: ReadonlyArray<DeliveryWindow>, read: number): ReadonlyArray<DeliveryWindow> =>
  windows.filter(({ count, first }) => first >= read && count > 0)

/** The pages of an ended crawl that were not delivered yet, window by window. */
export const remaining = (delivery: Delivery) => {
  const windows = windowsOf(delivery.file)
  const sum = endOf(windows)
  const { scraped } = delivery.file.ledger.counts
  if (sum !== scraped) {
    const message = `the crawl completed ${scraped} pages, and ${sum} could be read`
    return Stream.fail(new EmbeddedCrawlFailed({ message, isOver: true }))
  }
  const last = windows.at(-1)
  // The last window says that it is the last, even if it has no pages.
  const remainingWindows = last === undefined ? [] : [...ahead(windows.slice(0, -1), delivery.read), last]
  return Stream.mapEffect(Stream.fromIterable(remainingWindows), (window) =>
    answerOf(delivery, window, window === last)
  )
}

const answerOf = Effect.fnUntraced(function* (delivery: Delivery, window: DeliveryWindow, isLast: boolean) {
  const { file, from, id, plan } = delivery
  const { blocks, pages, unchanged } = window.contents()
  const contents: Array<Uint8Array> = []
  for (const number of blocks) {
    const block = yield* Effect.tryPromise({
      try: () => from.segments.blocks.read(from.segments.blocks.places[number] ?? 0),
      catch: (cause) => new EmbeddedCrawlFailed({ message: String(cause), isOver: false, cause })
    })
    if (block !== undefined) contents.push(block.bytes)
  }
  const at = yield* Clock.currentTimeMillis
  const cursor: CrawlPlace = { jobId: id, read: window.first + window.count, next: isLast ? "errors" : "pages" }
  delivery.read = cursor.read
  const status = { ...statusOf(file, plan, at), ...(isLast ? {} : { next: `?skip=${cursor.read}` }) }
  const one: CrawlAnswer = { kind: "pages", at, text: textOf(file, status, pages, unchanged), cursor, blocks, contents }
  return one
})

export const errorsOf = Effect.fnUntraced(function* (
  { ledger }: LedgerFile.LedgerFile,
  { learnedThemes = new Map(), settling, themes = new Map() }: CrawlPlan,
  id: string
) {
  const errors: CrawlErrors = {
    success: true,
    errors: ledger.failures.map(({ createdAt, ...failure }) => ({
      ...failure,
      timestamp: new Date(createdAt).toISOString()
    })),
    robotsBlocked: ledger.blocked(),
    ...(ledger.places === undefined ? {} : { spellings: Settling.pack(ledger.keptSpellings()) }),
    ...(ledger.isRendered || settling?.isRendered === true ? { rendered: true } : {}),
    ...(settling === undefined ? {} : { themes: Theme.pack(ledger.sample.themes(learnedThemes, themes)) })
  }
  const cursor: CrawlPlace = { jobId: id, read: ledger.counts.scraped, next: "nothing" }
  const answer: CrawlAnswer = {
    kind: "errors",
    at: yield* Clock.currentTimeMillis,
    text: JSON.stringify(errors),
    cursor
  }
  return answer
})

type Head = Omit<CrawlStatus, "data">

/** The status of the crawl, as a service reports it. */
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

/**
 * The status and what a service does not report: where the pages are, which have not changed, and the bytes received.
 */
const textOf = (
  { ledger: { bytes } }: LedgerFile.LedgerFile,
  head: Head,
  pages: ReadonlyArray<PlacedPage>,
  unchanged: ReadonlyArray<string> = []
): string => JSON.stringify({ ...head, data: [], pages, bytes, ...(unchanged.length === 0 ? {} : { unchanged }) })

export const lost = (error: StoreError) =>
  new EmbeddedCrawlFailed({ message: error.message, isOver: false, cause: error })
