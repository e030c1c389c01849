/**
 * The extract source: data of pages in the shape of a schema, as tables.
 *
 * A large job is split into small ones, and each is paid for once: a killed run continues those that are running. An
 * extract that has ended cannot be continued, so the checkpoint only names the jobs. Interrupting the stream cancels
 * the jobs.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { ExtractStarted, type ExtractStatus, extractOptions } from "#contract/Extract"
import { extractAnswers, readExtract } from "#contract/extractAnswers"
import type { JobAnswer } from "#contract/jobAnswers"
import { cameNow } from "#contract/jobRequests"
import * as Limits from "#contract/Limits"
import { formatOf } from "#contract/ScrapeOptions"
import { WebData } from "#contract/WebData"
import * as Checkpoint from "#engine/Checkpoint"
import * as Source from "#engine/Source"
import * as Table from "#engine/Table"
import { missingSchema } from "./jobs/askAgain.ts"
import { askJobs } from "./jobs/askJobs.ts"
import { ofPage } from "./jobs/extractedItems.ts"
import { isRow } from "./jobs/extractedRows.ts"
import { type ExtractedSource, extractedSource } from "./jobs/extractedSource.ts"
import * as JobPlan from "./jobs/JobPlan.ts"
import { defaultSplit, jobOptions, rowsOption } from "./jobs/jobOptions.ts"
import * as jobTables from "./jobs/jobTables.ts"
import { settledOf } from "./jobs/settledOf.ts"
import { toSourceError } from "./toSourceError.ts"
import { userAgentFaults } from "./userAgentFaults.ts"

const { showSources: _, ...served } = extractOptions

const Options = Schema.Struct({ ...served, ...jobOptions, ...rowsOption }).check(
  Schema.makeFilter(({ prompt, schema, scrapeOptions }) =>
    (prompt ?? "") === "" && schema == null && formatOf(scrapeOptions ?? undefined, "json") === undefined
      ? [{ path: ["prompt"], issue: "is missing: an extract needs a prompt, a schema or both" }]
      : userAgentFaults(scrapeOptions, ["scrapeOptions"])
  )
)
type Options = typeof Options.Type

const State = Schema.Struct({ jobs: Schema.Array(Schema.String) })
type State = typeof State.Type

/**
 * The source of `type: extract`: data in the shape of a JSON Schema, from pages that you name.
 *
 * @example
 * ```ts
 * import { run, sql } from "millrace"
 * import { duckdb } from "millrace/connectors/duckdb"
 * import { extract } from "millrace/connectors/webdata"
 *
 * const schema = { type: "object", properties: { name: { type: "string" }, sku: { type: "string" } } }
 * const url = "https://your.site/shop/p/hemp-hand-lantern-charcoal-1"
 * const db = duckdb.with({ path: "./lanterns.duckdb" })
 * await run({ source: extract.with({ urls: [url], schema }), sinks: { db } })
 * console.log(await sql(db, "SELECT name, sku FROM extracted")) // [{ name: "Hemp hand lantern, charcoal", sku: "NM-LA-1000" }]
 * ```
 */
export const extract = Source.makePrepared({
  type: "extract",
  description: "data in the shape of a JSON Schema from pages: one row per item, with its lists as child tables",
  options: Options,
  state: State,
  incremental: false,
  keyed: true,
  cursor: JobPlan.Cursor,
  prepare: (options, key) =>
    extractedSource({
      source: "extract",
      name: "extracted",
      schema: options.schema ?? formatOf(options.scrapeOptions ?? undefined, "json")?.schema,
      key,
      isOfPage: isPerPage(options)
    }),
  tables: (_, __, { extracted: { sources, table } }) => [table, sources, jobTables.extractJobs],
  fetch: (options, from, _, source) =>
    Stream.unwrap(
      Effect.map(source.items, () =>
        pagesFirst(options, from, (from) =>
          askJobs(
            {
              source: "extract",
              chunks: chunksOf(options),
              answers: (task, from) => extractAnswers(requestOf(options, source, task), from),
              started: (text) => {
                const started = readStarted(text)
                return started._tag === "Some" && started.value.invalidURLs !== undefined
                  ? { invalid: started.value.invalidURLs }
                  : {}
              },
              settle: (task, answer) => settle(options, source, task, answer)
            },
            from
          )
        )
      )
    ),
  decode: (options, answer, _, source) => decode(options, source, answer)
})

const isPerPage = ({ rows }: Options): boolean => rows === "per_page"

const chunksOf = (options: Options) =>
  JobPlan.split(options.urls, isPerPage(options) ? 1 : (options.split ?? defaultSplit))

/** The request to the service; a repeated one asks only for what is missing. */
const requestOf = (options: Options, { extracted }: ExtractedSource, { again, urls }: JobPlan.Task) => {
  const { retry_missing: _, rows: _rows, split: __, urls: ___, ...request } = options
  const schema = again === undefined ? options.schema : missingSchema(extracted, again)
  // What was considered is for the sheet of the job.
  return {
    ...request,
    showSources: true,
    ...(urls.length === 0 ? {} : { urls }),
    ...(schema == null ? {} : { schema })
  }
}

const settle = Effect.fnUntraced(function* (
  options: Options,
  source: ExtractedSource,
  task: JobPlan.Task,
  answer: JobAnswer
) {
  const status = yield* Effect.mapError(readExtract(answer.text), source.unreadable(answer))
  const isGone = isGoneLink(options, task, status)
  return yield* settledOf(source, options, task, {
    jobId: answer.cursor.jobId,
    given: givenOf(status),
    ...(isGone ? { failed: 0, gone: 1 } : countsOf(task, status)),
    credits: status.creditsUsed ?? 0,
    error: isGone || status.status === "completed" ? undefined : (status.error ?? `the extract is ${status.status}`),
    isCancelled: status.status === "cancelled"
  })
})

/** Whether the page of a job is a link of a wildcard that answers 404 or 410: it is gone, as in a crawl, and did not fail. */
const isGoneLink = (options: Options, { urls: [url = ""] }: JobPlan.Task, { pagesGone = [], status }: ExtractStatus) =>
  isPerPage(options) && status === "failed" && pagesGone.length > 0 && options.urls?.includes(url) !== true

const givenOf = ({ data, sources = {} }: ExtractStatus) => ({ data, sources })

/** How many pages of a job were read, and how many could not be: the service counts those of a wildcard. */
const countsOf = (task: JobPlan.Task, status: ExtractStatus) => {
  const failed = failedOf(task, status)
  return status.pagesRead === undefined || !task.urls.some(JobPlan.isWildcard)
    ? { failed }
    : {
        failed: Math.max(failed, status.pagesFailed ?? 0),
        gone: status.pagesGone?.length ?? 0,
        pages: status.pagesRead
      }
}

/** How many of a job's URLs could not be read: those that are invalid, and those that have such a warning. */
const failedOf = ({ invalid = [], urls }: JobPlan.Task, { warnings = [] }: ExtractStatus): number => {
  const warned = new Set(warnings.map((warning) => hrefOf(warning.split(": ", 1).join(""))))
  return urls.filter((url) => invalid.includes(url) || warned.has(hrefOf(url))).length
}

const hrefOf = (url: string): string => URL.parse(url.trim())?.href ?? url

const decode = Effect.fnUntraced(function* (
  options: Options,
  source: ExtractedSource,
  answer: Source.Fetched<JobPlan.Cursor>
) {
  const { alone, isLast, state, task } = answer.cursor
  const facts = Source.progress(JobPlan.factsOf(chunksOf(options), answer.cursor))
  if (answer.kind !== "ended" || task.job === undefined) return [facts]
  const status = yield* Effect.mapError(readExtract(answer.text), source.unreadable(answer))
  const rows = yield* source.elementsOf(answer, givenOf(status), status.status === "completed")
  if (alone !== undefined) return rows
  const isFirst = status.status === "completed" && task.again === undefined
  const empty = isFirst ? yield* emptyOf(source, task, givenOf(status)) : undefined
  const request = requestOf(options, source, task)
  const context = {
    jobId: task.job.jobId,
    task,
    now: answer.at,
    request,
    ...(empty === undefined ? {} : { empty })
  }
  const elements: ReadonlyArray<Source.Element<State>> = [
    ...rows,
    Table.batch(jobTables.extractJobs, [jobTables.extractJob(context, status)]),
    ...jobTables
      .jobWarnings(context, status)
      .map((message): Source.Warning => ({ _tag: "Warning", message, about: [] })),
    facts,
    ...(isLast ? [Checkpoint.make<State>({ jobs: state.jobs })] : [])
  ]
  return elements
})

/** Why a page gives no row; undefined: it gives one, or jobs are not of one page. */
const emptyOf = Effect.fnUntraced(function* (
  { extracted, items }: ExtractedSource,
  { urls: [url = ""] }: JobPlan.Task,
  given: ReturnType<typeof givenOf>
): Effect.fn.Return<string | undefined, Source.SourceError> {
  if (!extracted.isOfPage) return undefined
  const found = (yield* items)(given)
  if (found.length === 0) return `${url}: the page gives no row: nothing that the schema asks for was found on it`
  return found.some((item) => isRow(extracted, ofPage(extracted, [url], item)))
    ? undefined
    : `${url}: the page gives no row: what was found on it does not fit (see millrace rejects list)`
})

const readStarted = Schema.decodeUnknownOption(Schema.fromJsonString(ExtractStarted))

/**
 * Looks for the pages of wildcards before the first job, if each page is a job of its own.
 *
 * This happens once per run, and the result is the first answer; a resumed run takes its remaining plan from its last
 * answer.
 */
type Answers<R> = Stream.Stream<Source.Fetched<JobPlan.Cursor>, Source.SourceError, R>
type From = Source.ResumePoint<unknown, JobPlan.Cursor>

const pagesFirst = <R>(
  options: { readonly rows?: "per_job" | "per_page"; readonly urls?: ReadonlyArray<string> | null | undefined },
  from: From,
  ask: (from: From) => Answers<R>
): Answers<R | WebData> => {
  const wildcards = (options.urls ?? []).filter(JobPlan.isWildcard)
  if (options.rows !== "per_page" || wildcards.length === 0 || Option.isSome(from.after)) return ask(from)
  return Stream.unwrap(
    Effect.gen(function* () {
      const found = yield* Effect.forEach(wildcards, pagesOf)
      const plain = (options.urls ?? []).filter((url) => !JobPlan.isWildcard(url))
      const left = [...new Set([...plain, ...found.flat()])]
      if (left.length === 0) return Stream.fail(nothing(wildcards))
      const cursor: JobPlan.Cursor = {
        task: { name: "pages", urls: wildcards, tries: 0 },
        state: { ...JobPlan.begin, pages: { left, found: left.length } },
        isLast: false
      }
      const answer = yield* cameNow({ kind: "pages", text: JSON.stringify(left), cursor })
      return Stream.concat(Stream.make(answer), ask({ ...from, after: Option.some(cursor) }))
    })
  )
}

/** The pages of a wildcard, as an extract of it would read them: no more than one extract reads. */
const pagesOf = Effect.fnUntraced(function* (wildcard: string) {
  const { map } = yield* WebData
  const start = wildcard.trim().replace(/\/\*$/, "/")
  const url = /^[a-z]+:\/\//i.test(start) ? start : `https://${start}`
  const { links } = yield* Effect.mapError(
    map.map({ payload: { url, limit: Limits.maxExtractPages } }),
    toSourceError("extract")
  )
  const path = URL.parse(url)?.pathname ?? "/"
  return links.map((link) => link.url).filter((href) => URL.parse(href)?.pathname.startsWith(path) === true)
})

const nothing = (wildcards: ReadonlyArray<string>) =>
  new Source.SourceError({
    source: "extract",
    message: `no page was found for ${wildcards.join(", ")}; check that the site answers, or name its pages under urls`,
    retryable: false,
    over: true
  })
