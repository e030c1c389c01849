/**
 * The stores that a crawl needs, over the ledger of one job in this process. Nobody else writes to it.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Struct from "effect/Struct"
import type { PageDocument } from "#contract/PageDocument"
import * as PageDocumentBytes from "#contract/PageDocumentBytes"
import type { CrawlIdentity } from "../CrawlIdentity.ts"
import type { CrawlStore } from "../CrawlStore.ts"
import type { Settlement } from "../CrawlUrl.ts"
import type { JobStore } from "../JobStore.ts"
import type { LedgerFile } from "./LedgerFile.ts"
import type { End, LedgerRecord } from "./LedgerRecord.ts"

export const crawlStore = (file: LedgerFile): CrawlStore["Service"] => {
  const { ledger, take } = file

  const settle = Effect.fnUntraced(function* (_jobId: string, settlements: ReadonlyArray<Settlement>) {
    const at = yield* Clock.currentTimeMillis
    const ends = settlements.map(({ page, ...end }): End => {
      const own = Struct.omit(end, ["also", "known"])
      return page === undefined ? own : { ...own, page: Struct.omit(page, ["document"]) }
    })
    yield* take(
      { _tag: "Settled", ends, at },
      settlements.flatMap(({ page }) => (page === undefined ? [] : [bytesOf(page)])),
      settlements.flatMap(({ known }) => known ?? [])
    )
    for (const { also } of settlements) if (also !== undefined) yield* also
  })

  /** Whether documents may be read: not before it is decided which URLs are one page. */
  const isDecided = () => !ledger.isHeld || ledger.places !== undefined

  const ledgerOf = () => {
    const revalidated = ledger.unchanged().length
    const { alias: aliases, blocked, failed, left, queued, scraped } = ledger.counts
    const discovered = scraped + failed + blocked + left + queued
    return {
      discovered,
      scraped,
      failed,
      blocked,
      left,
      queued,
      aliases,
      credits: ledger.credits,
      ...(revalidated === 0 ? {} : { revalidated })
    }
  }

  return {
    discover: (_, urls, changes = []) =>
      urls.length === 0 && changes.length === 0 ? Effect.void : take({ _tag: "Discovered", urls, changes }),
    append: (_, urls) =>
      Effect.suspend(() => {
        return Effect.as(take({ _tag: "Discovered", urls: urls(ledger.urls.length), changes: [] }), true)
      }),
    urls: (_, after, limit) => Effect.sync(() => ledger.urls.some(after, limit, () => true)),
    waiting: (_, after, limit, most = Number.POSITIVE_INFINITY) =>
      Effect.sync(() => ledger.urls.some(after, limit, (state, depth) => state === "queued" && depth <= most)),
    drop: (_, dropped) => (dropped.length === 0 ? Effect.void : take({ _tag: "Dropped", dropped })),
    fail: (_, failures) =>
      failures.length === 0
        ? Effect.void
        : Effect.flatMap(Clock.currentTimeMillis, (at) => take({ _tag: "Failed", failures, at })),
    identity: identityOf(file),
    queued: () => Effect.sync(() => ledger.counts.queued),
    count: () => Effect.sync(() => (isDecided() ? ledger.counts.scraped : 0)),
    settle,
    ledger: () => Effect.sync(ledgerOf),
    blocked: () => Effect.sync(() => ledger.blocked()),
    failures: () => Effect.sync(() => [...ledger.failures]),
    chunk: (_, skip, limit) =>
      Effect.gen(function* () {
        const { scraped } = ledger.counts
        const orderedSeqs = ledger.places === undefined ? undefined : ledger.inOrder(ledger.places)
        const pages = orderedSeqs?.map((seq) => ledger.urls.page(seq)) ?? Array.from({ length: scraped }, (_, n) => n)
        const documents: Array<string> = []
        const some = isDecided() ? pages.slice(skip, skip + limit) : []
        for (const page of some) documents.push(JSON.stringify(yield* file.document(page)))
        return { documents, remaining: Math.max(0, scraped - skip - documents.length) }
      }),
    wasRead: () => Effect.void,
    // The process that killed a run starts it again itself.
    begin: () => Effect.succeed([]),
    putBack: () => Effect.void
  }
}

const identityOf = ({ document, ledger, take }: LedgerFile): CrawlIdentity => ({
  hold: () => Effect.sync(() => void (ledger.isHeld = true)),
  hasRoutes: () => Effect.sync(() => ledger.hasRoutes),
  keepRoutes: () => take(routes),
  spellingsOfWaiting: () => Effect.sync(() => ledger.spellingsOfWaiting()),
  respell: (_, seq, url) => take({ _tag: "Respelled", seq, url }),
  ended: (_, after, limit) =>
    Effect.sync(() => ledger.urls.ended(after, limit, (seq) => ledger.urls.state(seq) !== "failed")),
  traits: (_, depth, after, limit) =>
    Effect.sync(() => {
      const { urls } = ledger
      const isDone = (seq: number) => urls.depth(seq) === depth && urls.state(seq) === "scraped"
      return urls.ended(after, limit, (seq) => isDone(seq) && (urls.hasTemplate(seq) || urls.hasMeaning(seq)))
    }),
  some: (_, seqs) => Effect.sync(() => seqs.flatMap((seq) => ledger.urls.endedOf(seq) ?? [])),
  spellings: (_, seq) => Effect.sync(() => ledger.urls.spellings(seq)),
  document: (_, page) => document(page),
  keptSpellings: () => Effect.sync(() => (ledger.places === undefined ? undefined : ledger.keptSpellings())),
  isDelivered: (seq) => ledger.isDelivered(seq),
  // Earlier crawls are not in this ledger.
  indexFiles: () => Effect.succeed([]),
  place: (_, decisions, failed) =>
    Effect.suspend(() => (ledger.places === undefined ? take({ _tag: "Placed", decisions, failed }) : Effect.void))
})

/** A crawl needs the job only to add warnings; the rest is for services. */
export const jobStore = ({ take }: LedgerFile): JobStore["Service"] => ({
  create: () => Effect.void,
  get: () => Effect.succeedNone,
  active: () => Effect.succeed([]),
  finish: () => Effect.succeed(false),
  result: () => Effect.succeed(Option.none()),
  warn: (_, warning) => take({ _tag: "Warned", warning }),
  askToStop: () => Effect.succeed("ended"),
  isAskedToStop: () => Effect.succeed(false),
  expire: () => Effect.void
})

const routes: LedgerRecord = { _tag: "Routes" }

/** The bytes of a page document. */
const bytesOf = ({ document }: NonNullable<Settlement["page"]>): Uint8Array => {
  if (document instanceof Uint8Array) return document
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a crawl keeps as JSON is a document
  return PageDocumentBytes.encode(typeof document === "string" ? (JSON.parse(document) as PageDocument) : document)
}
