/**
 * A monitor that needs no monitor of the service: each run crawls the site and compares its pages with their earlier
 * versions.
 *
 * The checkpoint holds the pages and the hash of each, and is committed with their rows. An answer is the crawl's
 * answer together with the result of the comparison, so the journal gives the same result again. An attempt that
 * continues after an answer takes the earlier pages from `PageVersions`.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { saysNothing } from "#base/Removal"
import { CrawlErrors, type CrawlRequest } from "#contract/Crawl"
import { type CrawlAnswer, type OutlineReader, outlineReader } from "#contract/CrawlOutline"
import { crawlAnswers } from "#contract/crawlAnswers"
import { cameNow } from "#contract/jobRequests"
import type { Target, Targets } from "#contract/MonitorTarget"
import * as Watching from "#contract/Watching"
import type * as Column from "#engine/Column"
import * as Source from "#engine/Source"
import type * as Table from "#engine/Table"
import { jsonFormat } from "../crawl/jsonFormat.ts"
import { type PagesTable, pagesTable, type ReadPage } from "../crawl/pagesTable.ts"
import { pages } from "../crawl/tables.ts"
import { urlOf } from "../crawl/unreadPages.ts"
import { unusable, within } from "../crawl.ts"
import { toSourceError } from "../toSourceError.ts"
import { comparePages, type Known, known, knownOf, notRead } from "./comparePages.ts"
import { type Context, Cursor, crawlChanges } from "./crawlChanges.ts"
import { endOfReading, Job, State } from "./endOfReading.ts"
import * as PageVersions from "./PageVersions.ts"

/** The source options that it uses. */
interface Options {
  readonly monitor: string
  readonly targets?: typeof Targets.Type
  readonly same?: boolean
}

/** The source options that do not fit, in words. */
export const misfitOf = (
  options: Options & { readonly by?: string; readonly goal?: string | null | undefined; readonly schedule?: unknown }
) => {
  if (options.by !== "crawl") return true
  const [target, ...more] = options.targets ?? []
  if (target === undefined) return { path: ["targets"], issue: "is missing: with by: crawl it names what to crawl" }
  if (target.type !== "crawl") {
    return {
      path: ["targets", 0, "type"],
      issue: `with by: crawl a target is a crawl; leave out by to have ${target.type} watched by the service`
    }
  }
  if (more.length > 0)
    return { path: ["targets", 1], issue: "with by: crawl there is one target; write a pipeline for each" }
  if (options.goal != null) return { path: ["goal"], issue: "is judged by the service; leave out goal, or by" }
  if (options.schedule !== undefined)
    return { path: ["schedule"], issue: "belongs to the service; set schedule in the pipeline instead" }
  return true
}

export { Cursor, State }
export const isCursor = Schema.is(Cursor)
export const isState = Schema.is(State)

/** The pages of its target; undefined: no target is a crawl. */
type Prepared = WatchedPages | undefined

export const prepare = ({ targets: [target] = [] }: Options): Prepared =>
  target?.type === "crawl" ? watchedPages(target) : undefined

const oneTarget = Effect.fnUntraced(function* (prepared: Prepared) {
  if (prepared !== undefined) return prepared
  return yield* new Source.SourceError({
    source: "monitor",
    message: "with by: crawl it needs one target of type crawl: name what to crawl under targets",
    retryable: false
  })
})

export const pagesOf = (prepared: Prepared): Table.Table => prepared?.table ?? pages

const nothing: State = { pages: {}, failing: [], warning: null }

export const ask = Effect.fnUntraced(function* (
  options: Options,
  from: Source.ResumePoint<State, Cursor>,
  prepared: Prepared
) {
  const { reader, request: whole, watched } = yield* oneTarget(prepared)
  const request = within(whole, from.limits)
  const last = Option.getOrUndefined(from.after)
  if (last?.isEnd === true) return Stream.empty
  const state = Option.getOrElse(from.start, () => nothing)
  const comparing: Comparing = {
    known: knownOf(state.pages, request.ignoreQueryParameters === true),
    watched,
    outlines: outlineReader(),
    read: yield* Effect.mapError(reader, unusable),
    versions: yield* PageVersions.open({
      directory: from.directory,
      name: options.monitor,
      reading: from.key,
      known: Object.values(state.pages)
    })
  }
  let cursor = last
  const crawled = crawlAnswers(request, {
    key: from.key,
    outlines: comparing.outlines,
    ...(last === undefined ? {} : { after: last.crawl })
  }).pipe(
    Stream.mapError(toSourceError("monitor")),
    Stream.mapEffect(
      Effect.fnUntraced(function* (answer) {
        const { found, job } = yield* hold(comparing, answer)
        cursor = { crawl: answer.cursor, job: job ?? cursor?.job ?? null, isEnd: false }
        // Wraps the service's text, which is not parsed and written again.
        return { ...answer, cursor, text: `{"found":${JSON.stringify(found)},"answer":${answer.text}}` }
      })
    )
  )
  const ended = Effect.suspend(() => {
    const { crawl, job } = cursor ?? {}
    // A crawl that has ended needs no cancelling: it has answered.
    if (crawl === undefined || job == null) return Effect.succeed([])
    return Effect.map(comparing.versions.seen, (seen) => endOfReading(state, comparing.known, seen, job)).pipe(
      Effect.flatMap((end) =>
        cameNow({ kind: "end", text: JSON.stringify(end), cursor: { crawl, job, isEnd: true } satisfies Cursor })
      ),
      Effect.map((answer): ReadonlyArray<Source.Fetched<Cursor>> => [answer])
    )
  })
  return Stream.concat(crawled, Stream.flattenIterable(Stream.fromEffect(ended)))
})

export const decode = Effect.fnUntraced(function* (
  options: Options,
  answer: Source.Fetched<Cursor>,
  prepared: Prepared
) {
  const { reader, request, table, targetId } = yield* oneTarget(prepared)
  const context: Context = {
    name: options.monitor,
    targetId,
    request,
    pages: table,
    read: yield* Effect.mapError(reader, unusable),
    same: options.same === true
  }
  return yield* crawlChanges(context, answer)
})

interface Comparing {
  readonly known: Known
  readonly versions: PageVersions.Versions
  readonly watched: Watching.Watched
  readonly outlines: OutlineReader
  readonly read: ReadPage
}

/** What an answer says about its pages, after it is taken into the versions; null: it cannot be read. */
const hold = Effect.fnUntraced(function* (comparing: Comparing, { kind, text }: CrawlAnswer) {
  if (kind === "pages") {
    const read = yield* Effect.result(comparing.outlines.read(text))
    // It is kept as it is; parsing it reports the error.
    if (read._tag === "Failure") return { found: null }
    const outline = read.success
    const came = outline.data.map((raw) => {
      const page = comparing.read(raw)
      if (page._tag === "Success") return page.success.document
      return { url: urlOf(raw)[0] ?? "", reason: page.failure.reason }
    })
    const job: Job = {
      createdAt: outline.createdAt,
      completedAt: outline.completedAt ?? null,
      credits: outline.creditsUsed,
      left: outline.ledger?.left ?? 0,
      warning: outline.warning ?? null
    }
    return { found: yield* comparePages(came, comparing), job }
  }
  if (kind === "started") return { found: [] }
  const errorsRead = yield* Effect.result(readErrors(text))
  if (errorsRead._tag === "Failure") return { found: null }
  const { errors, robotsBlocked } = errorsRead.success
  const failed = errors.filter(({ code }) => !saysNothing(code))
  const blocked = robotsBlocked.filter((url) => known(comparing.known, url) !== undefined)
  const found = [
    ...failed.map(({ error, url }) => notRead(comparing.known, url, error)),
    ...blocked.map((url) => notRead(comparing.known, url, "robots.txt does not allow it"))
  ]
  const own = [...new Map(found.map((page) => [page.url, page])).values()]
  yield* comparing.versions.take(own, new Map())
  return { found: own }
})

const readErrors = Schema.decodeUnknownEffect(Schema.fromJsonString(CrawlErrors))

/**
 * The table `pages` of a watched site: that of a crawl, with the meaning of each page.
 *
 * A row is a new version if its `meaning` differs, so noise makes no version. The table is made once for a target.
 */
type CrawlTarget = Extract<Target, { readonly type: "crawl" }>

interface WatchedPages extends PagesTable {
  readonly targetId: string
  /** The crawl that reads the pages. */
  readonly request: CrawlRequest
  readonly watched: Watching.Watched
}

const watchedPages = (target: CrawlTarget): WatchedPages => {
  const request = Watching.crawlOf(target)
  const { reader, table } = pagesTable(request.scrapeOptions ?? undefined)
  const watched = Watching.watchedOf(Watching.askedOf(target))
  // The meaning follows from how the text was read, but the fields do not.
  const fields = watched.fields ? jsonFormat(request.scrapeOptions ?? undefined).columns.map(({ name }) => name) : []
  return {
    targetId: target.id ?? "crawl",
    request,
    watched,
    reader,
    table: {
      ...table,
      description: "one row per watched page, with its text, its metadata and a hash of its meaning",
      columns: table.columns.flatMap((column) => (column.name === "metadata" ? [meaning, column] : [column])),
      fingerprint: [meaning.name, ...fields],
      ...(table.reading === undefined
        ? {}
        : { reading: { ...table.reading, columns: { ...table.reading.columns, [meaning.name]: true } } })
    }
  }
}

const meaning: Column.Column = { name: "meaning", type: { _tag: "VARCHAR" }, nullable: true }
