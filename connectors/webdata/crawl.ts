/**
 * The crawl source: one crawl of the service, as tables.
 *
 * The law: a finished crawl has nothing to go on from, so its checkpoint only says which job it was; the next run
 * starts a new crawl. Interrupting the stream cancels the job.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { type CrawlRequest, type CrawlStatus, crawlOptions } from "../../src/api/Crawl.ts"
import { HttpUrl } from "../../src/api/HttpUrl.ts"
import * as Limits from "../../src/api/Limits.ts"
import { formatNames } from "../../src/api/ScrapeOptions.ts"
import { type CrawlEvent, crawlPages } from "../../src/client/crawlPages.ts"
import * as Checkpoint from "../../src/pipeline/Checkpoint.ts"
import * as Source from "../../src/pipeline/Source.ts"
import * as Table from "../../src/pipeline/Table.ts"
import * as rows from "./rows.ts"
import * as tables from "./tables.ts"
import { toSourceError } from "./toSourceError.ts"

const Options = Schema.Struct({
  url: HttpUrl.annotate({ description: "where the crawl starts" }),
  ...crawlOptions
})

const State = Schema.Struct({ jobId: Schema.String })

export const crawl = Source.make({
  type: "crawl",
  description: "pages of a website, found by following links and sitemaps",
  options: Options,
  state: State,
  tables: () => [tables.pages, tables.pageLinks, tables.crawlErrors, tables.crawlJobs],
  read: (asked, _start, limits) => {
    const options = within(asked, limits)
    const wantsLinks = formatNames(options.scrapeOptions ?? undefined).includes("links")
    return crawlPages(options).pipe(
      Stream.mapEffect((event) =>
        Effect.map(Clock.currentTimeMillis, (now) => elements(options, event, now, wantsLinks))
      ),
      Stream.flattenIterable,
      Stream.mapError(toSourceError("crawl"))
    )
  }
})

type State = typeof State.Type

/** A page costs a credit, so a budget of credits is a limit of pages. */
const within = (options: CrawlRequest, { credits, concurrency }: Source.Limits): CrawlRequest => ({
  ...options,
  ...(credits === undefined ? {} : { limit: Math.min(credits, options.limit ?? Limits.defaultCrawlLimit) }),
  ...(concurrency === undefined ? {} : { maxConcurrency: Math.min(concurrency, options.maxConcurrency ?? concurrency) })
})

const elements = (
  request: CrawlRequest,
  event: CrawlEvent,
  now: number,
  wantsLinks: boolean
): ReadonlyArray<Source.Element<State>> => {
  const context = { jobId: event.id, startUrl: request.url, now }
  const batch = (table: Table.Table, some: ReadonlyArray<Table.Row>) =>
    some.length === 0 ? [] : [Table.batch(table, some)]
  switch (event._tag) {
    case "Started":
      return []
    case "Pages":
      return [
        ...batch(tables.pages, rows.pages(context, event.documents)),
        ...(wantsLinks ? batch(tables.pageLinks, rows.pageLinks(context, event.documents)) : []),
        Source.progress(facts(event.status))
      ]
    case "Ended":
      return [
        ...batch(tables.crawlErrors, rows.crawlErrors(context, event.errors)),
        Table.batch(tables.crawlJobs, [rows.crawlJob(context, request, event.status)]),
        Source.progress(facts(event.status)),
        Checkpoint.make<State>({ jobId: event.id })
      ]
  }
}

/** What a run shows and keeps of a crawl. A service that keeps no ledger gives fewer. */
const facts = (status: CrawlStatus): Readonly<Record<string, number>> => {
  const { discovered, failed, blocked, left } = status.ledger ?? {}
  return {
    total: status.total,
    completed: status.completed,
    credits: status.creditsUsed,
    ...(discovered === undefined ? {} : { discovered }),
    ...(failed === undefined ? {} : { failed }),
    ...(blocked === undefined ? {} : { blocked }),
    ...(left === undefined ? {} : { left })
  }
}
