/**
 * The monitor source: what the checks of a monitor find, as tables. `by` says how it finds out.
 *
 * Each way has its own state and cursor. A checkpoint of one way means nothing to another: a pipeline that changes its
 * way starts from the beginning, and keys merge what is already loaded.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { MonitorRequest } from "#contract/Monitor"
import { Targets } from "#contract/MonitorTarget"
import type { WebData } from "#contract/WebData"
import type { Inboxes } from "#engine/Inbox"
import * as Source from "#engine/Source"
import { patternFaults } from "./crawl/patternFaults.ts"
import * as byChecks from "./monitor/byChecks.ts"
import * as byCrawl from "./monitor/byCrawl.ts"
import * as byWebhook from "./monitor/byWebhook.ts"
import * as tables from "./monitor/monitorTables.ts"
import { userAgentFaults } from "./userAgentFaults.ts"

const { goal, schedule } = MonitorRequest.fields

const Options = Schema.Struct({
  monitor: Schema.NonEmptyString.annotate({ description: "the monitor, by id or by name" }),
  by: Schema.optionalKey(
    Schema.Literals(["checks", "webhook", "crawl"]).annotate({
      description:
        "where changes come from. checks: the checks of the service's monitor. webhook: the events that " +
        "`millrace receive` has received. crawl: each run crawls the only target itself and compares the pages; " +
        "it also loads the pages",
      default: "checks"
    })
  ),
  targets: Schema.optionalKey(
    Schema.Union([Targets]).annotate({
      description: "what the monitor watches; if there is no monitor of this name, it is created; each run checks it"
    })
  ),
  schedule: Schema.optionalKey(
    Schema.Union([schedule]).annotate({
      description: "when the service also checks by itself, for a monitor that is created here; default: almost never"
    })
  ),
  goal,
  same: Schema.optionalKey(
    Schema.Boolean.annotate({
      description: "also load rows for pages that did not change, and for pages that still cannot be read",
      default: false
    })
  ),
  inbox: Schema.optionalKey(
    Schema.NonEmptyString.annotate({
      description: "with by: webhook, the inbox that is read; default: the name of the monitor"
    })
  )
}).check(
  Schema.makeFilter((options) => {
    const misfit = byWebhook.misfitOf(options)
    return misfit === true ? byCrawl.misfitOf(options) : misfit
  }),
  Schema.makeFilter(({ targets = [] }) =>
    targets.flatMap((target, at) => {
      const of = ["targets", at]
      const own = target.type === "search" ? [] : userAgentFaults(target.scrapeOptions, [...of, "scrapeOptions"])
      if (target.type !== "crawl") return own
      const within = [...of, "crawlOptions"]
      const { crawlOptions = {} } = target
      return [
        ...own,
        ...userAgentFaults(crawlOptions?.scrapeOptions, [...within, "scrapeOptions"]),
        ...patternFaults(crawlOptions ?? {}, within)
      ]
    })
  )
)

const State = Schema.Union([byChecks.State, byWebhook.State, byCrawl.State])
const Cursor = Schema.Union([byChecks.Cursor, byWebhook.Cursor, byCrawl.Cursor])

type Answers = Stream.Stream<Source.Fetched<typeof Cursor.Type>, Source.SourceError, WebData | Inboxes>

/**
 * The source of `type: monitor`: what changed on a site.
 *
 * @example
 * ```ts
 * import { monitor } from "millrace/connectors/webdata"
 *
 * const source = monitor.with({ monitor: "prices", by: "crawl", targets: [{ type: "crawl", url: "https://your.site/shop/" }] })
 * console.log(source.tables.map(({ name }) => name)) // ["pages", "page_changes", "monitor_checks"]
 * ```
 */
export const monitor = Source.makePrepared({
  type: "monitor",
  description: "the results of the checks of a monitor: pages that changed, are new, were removed or cannot be read",
  options: Options,
  state: State,
  cursor: Cursor,
  prepare: byCrawl.prepare,
  tables: (options, _, prepared) =>
    options.by === "crawl"
      ? [byCrawl.pagesOf(prepared), tables.pageChanges, tables.monitorChecks]
      : [tables.pageChanges, tables.monitorChecks],
  fetch: (options, from, _, prepared): Answers => {
    const { directory } = from
    const after = <Own extends typeof Cursor.Type>(isOwn: (cursor: typeof Cursor.Type) => cursor is Own) =>
      Option.filter(from.after, isOwn)
    if (options.by === "webhook") {
      const start = Option.filter(from.start, byWebhook.isState)
      return byWebhook.ask(options, directory, start, after(byWebhook.isCursor))
    }
    if (options.by === "crawl") {
      const start = Option.filter(from.start, byCrawl.isState)
      return Stream.unwrap(byCrawl.ask(options, { ...from, start, after: after(byCrawl.isCursor) }, prepared))
    }
    const start = Option.filter(from.start, byChecks.isState)
    return Stream.unwrap(byChecks.ask(options, start, after(byChecks.isCursor)))
  },
  decode: (options, { cursor, ...answer }, _, prepared) =>
    byWebhook.isCursor(cursor)
      ? byWebhook.decode(options, { ...answer, cursor })
      : byCrawl.isCursor(cursor)
        ? byCrawl.decode(options, { ...answer, cursor }, prepared)
        : byChecks.decode(options, { ...answer, cursor })
})
