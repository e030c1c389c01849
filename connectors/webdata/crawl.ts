/**
 * The crawl source: one crawl of the service, as tables.
 *
 * Guarantee: a finished crawl cannot be continued, so its checkpoint only names its job; the next run starts a new crawl.
 * A run that was killed continues its job, after the last answer that it kept; nothing is asked or paid for twice.
 * Interrupting the stream cancels the job.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import { CrawlErrors, type CrawlRequest, crawlOptions } from "#contract/Crawl"
import { type CrawlOutline, type OutlineReader, outlineReader } from "#contract/CrawlOutline"
import type { Interval, Revalidates } from "#contract/EmbeddedCrawl"
import { EmbeddedCrawl } from "#contract/EmbeddedCrawl"
import { HttpUrl } from "#contract/HttpUrl"
import * as Limits from "#contract/Limits"
import { formatNames } from "#contract/ScrapeOptions"
import { Settling } from "#contract/Settling"
import * as Checkpoint from "#engine/Checkpoint"
import type { JsonSchemaError } from "#engine/JsonSchemaValidator"
import { duration, millisOf } from "#engine/KeySchemas"
import * as Source from "#engine/Source"
import * as Table from "#engine/Table"
import { pagesTable, type ReadPage } from "./crawl/pagesTable.ts"
import { patternFaults } from "./crawl/patternFaults.ts"
import * as rows from "./crawl/rows.ts"
import { refusedStart, unreadStart } from "./crawl/startPage.ts"
import * as tables from "./crawl/tables.ts"
import {
  crawlWarnings,
  leftOut,
  orLost,
  pageWarnings,
  progress,
  refusedCauses,
  serviceFault,
  unread,
  urlOf
} from "./crawl/unreadPages.ts"
import { Cursor, embeddedAnswers, type FetchedAnswer, readAnswer, State, settlesOf } from "./embeddedCrawl.ts"
import { toSourceError } from "./toSourceError.ts"
import { userAgentFaults } from "./userAgentFaults.ts"

/**
 * The option `revalidate` of a crawl: which pages of the last run are requested again, and how.
 */
interface Bounds {
  readonly minInterval?: string
  readonly maxInterval?: string
}

const intervalOf = ({ maxInterval = "30 days", minInterval = "1 hour" }: Bounds): Interval => ({
  minMillis: millisOf(minInterval),
  maxMillis: millisOf(maxInterval)
})

const Intervals = Schema.Struct({
  minInterval: Schema.optionalKey(
    duration.annotate({
      description: "the shortest time between two requests for a page; default: 1 hour",
      examples: ["6 hours"]
    })
  ),
  maxInterval: Schema.optionalKey(
    duration.annotate({
      description: "the longest time between two requests for a page; default: 30 days",
      examples: ["7 days"]
    })
  )
}).check(
  Schema.makeFilter(
    (bounds) => {
      const { maxMillis, minMillis } = intervalOf(bounds)
      return minMillis <= maxMillis
    },
    { expected: "a minInterval that is not longer than the maxInterval" }
  )
)

const Revalidate = Schema.Union([Schema.Boolean, Schema.Literal("lastmod"), Intervals]).annotate({
  description:
    "true: a page that the last run has loaded is read again only if it has changed; this needs sinks that merge " +
    "or keep a history. lastmod: it is not even requested if the sitemap says that it has not changed. { " +
    "minInterval, maxInterval }: it is requested as often as it has changed so far; default: true"
})

const revalidatesOf = (revalidate: typeof Revalidate.Type = true): Revalidates => {
  if (typeof revalidate === "boolean") return revalidate ? "ask" : "nothing"
  return revalidate === "lastmod" ? revalidate : intervalOf(revalidate)
}

const Options = Schema.Struct({
  url: HttpUrl.annotate({ description: "where the crawl starts" }),
  ...crawlOptions,
  trapBudget: Settling.fields.trapBudget,
  revalidate: Schema.optionalKey(Revalidate)
}).check(
  Schema.makeFilter((options) => [
    ...patternFaults(options),
    ...userAgentFaults(options.scrapeOptions, ["scrapeOptions"])
  ])
)
type Options = typeof Options.Type

/**
 * The source of `type: crawl`: the pages of a website, their links and their errors, as tables.
 *
 * @see RFC 9309 (robots.txt)
 * @example
 * ```ts
 * import { run, sql } from "millrace"
 * import { duckdb } from "millrace/connectors/duckdb"
 * import { crawl } from "millrace/connectors/webdata"
 *
 * const db = duckdb.with({ path: "./site.duckdb" })
 * await run({ source: crawl.with({ url: "https://your.site", limit: 3 }), sinks: { db } })
 * console.log(await sql(db, "SELECT count(*) AS pages FROM pages")) // [{ pages: 3 }]
 * ```
 */
export const crawl = Source.makePrepared({
  type: "crawl",
  description: "pages of a website, found by following links and sitemaps",
  options: Options,
  state: State,
  incremental: false,
  remembers: true,
  cursor: Cursor,
  revalidates: ({ revalidate = true }) => revalidate !== false,
  prepare: ({ scrapeOptions }) => {
    const { reader, table } = pagesTable(scrapeOptions ?? undefined)
    return { table, reader: Effect.mapError(reader, unusable), outlines: outlineReader() }
  },
  tables: (_, __, { table }) => [table, tables.pageLinks, tables.crawlErrors, tables.crawlJobs],
  fetch: (options, from, _, { outlines, reader }) =>
    Stream.unwrap(
      Effect.gen(function* () {
        yield* reader
        const request = within(requestOf(options), from.limits)
        const here = yield* Effect.serviceOption(EmbeddedCrawl)
        const settles = settlesOf(options.trapBudget, from.start)
        if (Option.isSome(here))
          return yield* embeddedAnswers(
            here.value,
            request,
            { settles, revalidates: revalidatesOf(options.revalidate) },
            from
          )
        const { crawlAnswers } = yield* Effect.promise(() => import("#contract/crawlAnswers"))
        return crawlAnswers(request, {
          key: from.key,
          settles,
          outlines,
          ...(Option.isSome(from.after) ? { after: from.after.value } : {})
        }).pipe(Stream.mapError(toSourceError("crawl")))
      })
    ),
  decode: (options, answer, _, { outlines, reader, table }) =>
    Effect.flatMap(reader, (read) =>
      Effect.catchTag(decode(options, { outlines, read, table }, answer), "SchemaError", (cause) =>
        Effect.fail(unreadable(answer)(cause))
      )
    )
})

/** The options that the contract knows. */
const requestOf = (options: Options): CrawlRequest => Struct.omit(options, ["trapBudget", "revalidate"])

export const unusable = (cause: JsonSchemaError) =>
  new Source.SourceError({
    source: "crawl",
    message: `${cause.message}; correct the schema of the format json in scrapeOptions.formats`,
    retryable: false,
    cause
  })

/** A budget of credits becomes a limit of pages: a page costs one credit, a page with json five. */
export const within = (options: CrawlRequest, { credits, concurrency }: Source.Limits): CrawlRequest => {
  const wantsJson = formatNames(options.scrapeOptions ?? undefined).includes("json")
  const affordable = credits === undefined ? undefined : Math.max(1, Math.floor(credits / (wantsJson ? 5 : 1)))
  return {
    ...options,
    ...(affordable === undefined ? {} : { limit: Math.min(affordable, options.limit ?? Limits.defaultCrawlLimit) }),
    ...(concurrency === undefined
      ? {}
      : { maxConcurrency: Math.min(concurrency, options.maxConcurrency ?? concurrency) })
  }
}

type Elements = ReadonlyArray<Source.Element<State>>

/** What the documents of a crawl are read with. */
interface Reading {
  readonly outlines: OutlineReader
  readonly read: ReadPage
  readonly table: Table.Table
}

const decode = Effect.fnUntraced(function* (options: Options, reading: Reading, answer: FetchedAnswer) {
  const context: rows.Context = { jobId: answer.cursor.jobId, startUrl: options.url, now: answer.at }
  if (answer.kind === "pages") {
    const crawled = yield* readAnswer(reading.outlines, answer)
    yield* orLost("crawl", refusedStart(options, crawled.outline.data))
    return documentsOf(options, reading, context, answer, crawled)
  }
  if (answer.kind !== "errors") return []
  const crawlErrors = yield* readErrors(answer.text)
  yield* orLost("crawl", serviceFault(crawlErrors) ?? unreadStart(options, crawlErrors))
  const elements: Elements = [
    ...Table.batches(tables.crawlErrors, rows.crawlErrors(context, crawlErrors)),
    // Pages that failed or were forbidden may still exist.
    ...unread(crawlErrors).flatMap(({ urls, why }) => unknownKeys(urls, why)),
    ...leftOut(crawlErrors),
    Checkpoint.make<State>({
      jobId: context.jobId,
      ...(crawlErrors.spellings === undefined ? {} : { spellings: crawlErrors.spellings }),
      ...(crawlErrors.rendered === undefined ? {} : { rendered: crawlErrors.rendered }),
      ...(crawlErrors.themes === undefined ? {} : { themes: crawlErrors.themes })
    })
  ]
  return elements
})

const documentsOf = (
  options: Options,
  { read, table }: Reading,
  context: rows.Context,
  answer: FetchedAnswer,
  { bytes, documents = [], isLast, outline, unchanged = [] }: Effect.Success<ReturnType<typeof readAnswer>>
): Elements => {
  const pages: Array<rows.Page> = []
  const rejects: Array<Source.Reject> = []
  for (const [at, raw] of outline.data.entries()) {
    const page = read(raw, documents[at])
    if (page._tag === "Success") pages.push(page.success)
    else rejects.push({ _tag: "Reject", table, ...page.failure, raw, answer: alone(answer, outline, raw) })
  }
  const wantsLinks = formatNames(options.scrapeOptions ?? undefined).includes("links")
  const refused = rows.refused(pages)
  const crawlProgress = progress(outline)
  return [
    ...Table.batches(table, rows.pages(context, pages)),
    ...Table.batches(tables.crawlErrors, rows.refusals(context, refused)),
    ...refusedCauses(refused).flatMap(({ urls, why }) => unknownKeys(urls, why)),
    ...(wantsLinks ? Table.batches(tables.pageLinks, rows.pageLinks(context, pages)) : []),
    ...rejects,
    ...(unchanged.length === 0 ? [] : [{ _tag: "Unchanged" as const, table, keys: unchanged.map((url) => ({ url })) }]),
    // A page that could not be read may still exist.
    ...unknownKeys(rejects.flatMap(({ raw }) => urlOf(raw))),
    ...pageWarnings(pages),
    // The row of the job is written when it has ended.
    ...(isLast ? [Table.batch(tables.crawlJobs, [rows.crawlJob(context, requestOf(options), outline)])] : []),
    ...(isLast ? crawlWarnings(options.url, outline) : []),
    bytes === undefined
      ? crawlProgress
      : { ...crawlProgress, facts: { ...crawlProgress.facts, wire_bytes: bytes.wire, body_bytes: bytes.body } }
  ]
}

const unknownKeys = (urls: ReadonlyArray<string>, why?: string): Elements =>
  urls.length === 0
    ? []
    : [
        {
          _tag: "UnknownKeys",
          table: tables.pages,
          keys: urls.map((url) => ({ url })),
          ...(why === undefined ? {} : { why })
        }
      ]

/** The answer with this document alone. */
const alone = (answer: FetchedAnswer, outline: CrawlOutline, raw: unknown): FetchedAnswer => ({
  kind: answer.kind,
  at: answer.at,
  cursor: answer.cursor,
  text: JSON.stringify({ ...outline, status: "scraping", data: [raw] })
})

const readErrors = Schema.decodeUnknownEffect(Schema.fromJsonString(CrawlErrors))

const unreadable = (answer: FetchedAnswer) => (cause: Schema.SchemaError) =>
  new Source.SourceError({
    source: "crawl",
    message: `the service's answer (${answer.kind} of crawl ${answer.cursor.jobId}) does not match the API contract: ${cause.message}`,
    retryable: false,
    cause
  })
