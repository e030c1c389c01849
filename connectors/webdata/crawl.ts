/**
 * The crawl source: one crawl of the service, as tables.
 *
 * The law: a finished crawl has nothing to go on from, so its checkpoint only says which job it was; the next run
 * starts a new crawl. A run that was killed goes on with its job, behind the last answer that it kept; nothing is asked
 * or paid for twice. Interrupting the stream cancels the job.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { CrawlErrors, type CrawlRequest, crawlOptions } from "../../src/api/Crawl.ts"
import { HttpUrl } from "../../src/api/HttpUrl.ts"
import * as Limits from "../../src/api/Limits.ts"
import { PageDocument } from "../../src/api/PageDocument.ts"
import { formatNames } from "../../src/api/ScrapeOptions.ts"
import {
  CrawlCursor,
  type CrawlOutline,
  crawlAnswers,
  isLastChunk,
  readOutline
} from "../../src/client/crawlAnswers.ts"
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
type Options = typeof Options.Type

const State = Schema.Struct({ jobId: Schema.String })
type State = typeof State.Type

export const crawl = Source.make({
  type: "crawl",
  description: "pages of a website, found by following links and sitemaps",
  options: Options,
  state: State,
  cursor: CrawlCursor,
  tables: () => [tables.pages, tables.pageLinks, tables.crawlErrors, tables.crawlJobs],
  ask: (options, { after, key, limits }) =>
    crawlAnswers(within(options, limits), { key, ...(Option.isSome(after) ? { after: after.value } : {}) }).pipe(
      Stream.mapError(toSourceError("crawl"))
    ),
  parse: (options, answer) => Effect.mapError(parse(options, answer), unreadable(answer))
})

/** A page costs a credit, so a budget of credits is a limit of pages. */
const within = (options: CrawlRequest, { credits, concurrency }: Source.Limits): CrawlRequest => ({
  ...options,
  ...(credits === undefined ? {} : { limit: Math.min(credits, options.limit ?? Limits.defaultCrawlLimit) }),
  ...(concurrency === undefined ? {} : { maxConcurrency: Math.min(concurrency, options.maxConcurrency ?? concurrency) })
})

type Elements = ReadonlyArray<Source.Element<State>>

const parse = Effect.fnUntraced(function* (options: Options, answer: Source.Asked<CrawlCursor>) {
  const context: rows.Context = { jobId: answer.cursor.jobId, startUrl: options.url, now: answer.at }
  if (answer.kind === "pages") return pagesOf(options, context, answer, yield* readOutline(answer.text))
  if (answer.kind !== "errors") return []
  const errors = yield* readErrors(answer.text)
  const elements: Elements = [
    ...batch(tables.crawlErrors, rows.crawlErrors(context, errors)),
    // A page that failed or is forbidden now may well be there.
    ...unlearned([...errors.errors.map(({ url }) => url), ...errors.robotsBlocked]),
    Checkpoint.make<State>({ jobId: context.jobId })
  ]
  return elements
})

const pagesOf = (
  options: Options,
  context: rows.Context,
  answer: Source.Asked<CrawlCursor>,
  outline: CrawlOutline
): Elements => {
  const documents: Array<PageDocument> = []
  const rejects: Array<Source.Reject> = []
  for (const raw of outline.data) {
    const document = readDocument(raw)
    if (document._tag === "Success") documents.push(document.success)
    else rejects.push(rejectOf(answer, outline, raw, document.failure.message))
  }
  const wantsLinks = formatNames(options.scrapeOptions ?? undefined).includes("links")
  return [
    ...batch(tables.pages, rows.pages(context, documents)),
    ...(wantsLinks ? batch(tables.pageLinks, rows.pageLinks(context, documents)) : []),
    ...rejects,
    // The job's own row is written when it has ended.
    ...(isLastChunk(outline) ? [Table.batch(tables.crawlJobs, [rows.crawlJob(context, options, outline)])] : []),
    Source.progress(facts(outline))
  ]
}

const batch = (table: Table.Table, some: ReadonlyArray<Table.Row>): Elements =>
  some.length === 0 ? [] : [Table.batch(table, some)]

const unlearned = (urls: ReadonlyArray<string>): Elements =>
  urls.length === 0 ? [] : [{ _tag: "Unlearned", table: tables.pages, keys: urls.map((url) => ({ url })) }]

/** A document that is none of the contract, with an answer that says it alone. */
const rejectOf = (
  answer: Source.Asked<CrawlCursor>,
  outline: CrawlOutline,
  raw: unknown,
  reason: string
): Source.Reject => ({
  _tag: "Reject",
  table: tables.pages,
  reason,
  raw,
  answer: { ...answer, text: JSON.stringify({ ...outline, status: "scraping", data: [raw] }) }
})

const readDocument = Schema.decodeUnknownResult(PageDocument)
const readErrors = Schema.decodeUnknownEffect(Schema.fromJsonString(CrawlErrors))

const unreadable = (answer: Source.Asked<CrawlCursor>) => (cause: Schema.SchemaError) =>
  new Source.SourceError({
    source: "crawl",
    message: `the service's answer (${answer.kind} of crawl ${answer.cursor.jobId}) is none of its contract: ${cause.message}`,
    retryable: false,
    cause
  })

/** What a run shows and keeps of a crawl. A service that keeps no ledger gives fewer. */
const facts = (status: CrawlOutline): Readonly<Record<string, number>> => {
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
