/**
 * Converts the answers of `byCrawl` to rows: of the pages, of their changes, and of the reading as a check.
 *
 * A page that was read is a row of `pages` under the URL by which it was first found, whatever its URL is now. If a
 * page failed, its key is reported, so its version is not closed.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { CrawlErrors, type CrawlRequest } from "#contract/Crawl"
import { CrawlCursor, decodeOutline } from "#contract/CrawlOutline"
import type { PageDocument } from "#contract/PageDocument"
import * as Checkpoint from "#engine/Checkpoint"
import * as Column from "#engine/Column"
import * as Source from "#engine/Source"
import * as Table from "#engine/Table"
import type { ReadPage } from "../crawl/pagesTable.ts"
import * as rows from "../crawl/rows.ts"
import { refusedStart, unreadStart } from "../crawl/startPage.ts"
import { leftOut, orLost, pageWarnings, progress, refusedCauses, serviceFault, unread } from "../crawl/unreadPages.ts"
import { Found } from "./comparePages.ts"
import { End, Job, type State } from "./endOfReading.ts"
import { fieldEvidence, instant, monitorChecks, pageChanges } from "./monitorTables.ts"

export interface Context {
  /** The name of the monitor. */
  readonly name: string
  readonly targetId: string
  /** The crawl that reads the pages. */
  readonly request: CrawlRequest
  readonly pages: Table.Table
  readonly read: ReadPage
  /** Whether unchanged pages are reported too. */
  readonly same: boolean
}

/** How far a reading has come. */
export const Cursor = Schema.Struct({
  crawl: CrawlCursor,
  job: Schema.NullOr(Job),
  /** Whether this is the end. */
  isEnd: Schema.Boolean
})
export type Cursor = typeof Cursor.Type

type FetchedChanges = Source.Fetched<Cursor>
type Elements = ReadonlyArray<Source.Element<State>>

export const crawlChanges = Effect.fnUntraced(function* (context: Context, answer: FetchedChanges) {
  if (answer.kind === "end") {
    return endElements(context, answer, yield* Effect.mapError(decodeEnd(answer.text), broken))
  }
  const { answer: said, found } = yield* Effect.mapError(decodeHeld(answer.text), broken)
  if (found === null)
    return yield* odd(`the service's answer (${answer.kind} of a crawl) does not match the API contract`)
  if (answer.kind === "errors") {
    const errors = yield* Effect.mapError(decodeErrors(said), broken)
    yield* orLost("monitor", serviceFault(errors) ?? unreadStart(context.request, errors))
    const causes = unread(errors).map(({ urls, why }) => unlearnedUrls(context, urls, why))
    return [...changes(context, answer, found), ...causes, ...leftOut(errors)]
  }
  if (answer.kind !== "pages") return []
  const outline = yield* Effect.mapError(decodeOutline(said), broken)
  yield* orLost("monitor", refusedStart(context.request, outline.data))
  const read: Array<rows.Page> = []
  const readAs: Array<Found> = []
  const rejects: Array<Source.Reject> = []
  const misread: Array<Found> = []
  const evidence: Array<Evidence | undefined> = []
  for (const [at, raw] of outline.data.entries()) {
    const page = context.read(raw)
    const own = found[at]
    if (own === undefined) return yield* fewer(found.length, outline.data.length)
    evidence.push(page._tag === "Success" ? page.success.document : undefined)
    if (page._tag === "Success") {
      read.push(page.success)
      readAs.push(own)
    } else {
      rejects.push({ _tag: "Reject", table: context.pages, ...page.failure, raw })
      misread.push(own)
    }
  }
  const { jobId } = answer.cursor.crawl
  const pages = rows.pages({ jobId, startUrl: context.request.url, now: answer.at }, read)
  const elements: Elements = [
    ...Table.batches(
      context.pages,
      pages.map((row, at) => ({ ...row, url: readAs[at]?.url, meaning: readAs[at]?.hash }))
    ),
    ...changes(context, answer, found, evidence),
    ...rejects,
    ...unknownKeys(context, misread),
    ...refusedCauses(rows.refused(read)).map(({ urls, why }) => unlearnedUrls(context, urls, why)),
    ...pageWarnings(read),
    progress(outline)
  ]
  return elements
})

const endElements = (
  context: Context,
  answer: FetchedChanges,
  { counts, found, isDoubtful, job, state, warning }: End
): Elements => [
  ...changes(context, answer, found),
  ...unknownKeys(
    context,
    found.filter(({ status }) => status === "error")
  ),
  Table.batch(monitorChecks, [
    {
      check_id: answer.cursor.crawl.jobId,
      monitor_id: context.name,
      status: "completed",
      trigger: "run",
      started_at: instant(job.createdAt),
      finished_at: instant(job.completedAt),
      pages: Object.values(counts).reduce((sum, count) => sum + count, 0),
      same: counts.same,
      changed: counts.changed,
      new: counts.new,
      removed: counts.removed,
      failed: counts.error,
      credits: job.credits,
      error: warning,
      _fetched_at: Column.timestampFromMillis(answer.at)
    }
  ]),
  ...(isDoubtful === undefined ? [] : [Source.progress({ doubtful: isDoubtful ? 1 : 0 })]),
  Checkpoint.make<State>(state)
]

type Evidence = Pick<PageDocument, "sources" | "unsupported">

/** `evidence`: that of the fields of each page, where there is one. */
const changes = (
  { same, targetId }: Context,
  { at, cursor }: FetchedChanges,
  found: ReadonlyArray<Found>,
  evidence: ReadonlyArray<Evidence | undefined> = []
): Elements =>
  Table.batches(
    pageChanges,
    found
      .map((page, index) => ({ ...page, evidence: evidence[index] ?? {} }))
      .filter(({ status }) => same || status !== "same")
      .map(({ diff, error, evidence, fields, status, statusCode, title, url }) => ({
        check_id: cursor.crawl.jobId,
        target_id: targetId,
        url,
        status,
        status_code: statusCode,
        title,
        diff: diff ?? null,
        fields: fields ?? null,
        ...fieldEvidence(fields ?? null, evidence),
        meaningful: null,
        reason: null,
        judge: null,
        error,
        flips: null,
        checked_at: Column.timestampFromMillis(at),
        _fetched_at: Column.timestampFromMillis(at),
        _source_url: url
      }))
  )

const unknownKeys = ({ pages }: Context, found: ReadonlyArray<Found>): Elements =>
  found.length === 0 ? [] : [{ _tag: "UnknownKeys", table: pages, keys: found.map(({ url }) => ({ url })) }]

const unlearnedUrls = (
  { pages }: Context,
  urls: ReadonlyArray<string>,
  why: string | undefined
): Source.Element<State> => ({
  _tag: "UnknownKeys",
  table: pages,
  keys: urls.map((url) => ({ url })),
  ...(why === undefined ? {} : { why })
})

const decodeHeld = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Struct({ found: Schema.NullOr(Schema.Array(Found)), answer: Schema.Unknown }))
)
const decodeErrors = Schema.decodeUnknownEffect(CrawlErrors)
const decodeEnd = Schema.decodeUnknownEffect(Schema.fromJsonString(End))

const broken = (cause: Schema.SchemaError) => odd(cause.message, cause)

const fewer = (found: number, documents: number) => odd(`it compares ${found} of ${documents} documents`)

const odd = (what: string, cause?: unknown) =>
  new Source.SourceError({
    source: "monitor",
    message: `an answer that was kept cannot be read: ${what}; start again with --full-refresh`,
    retryable: false,
    over: true,
    cause
  })
