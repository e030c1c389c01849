/**
 * A monitor whose checks are read from the service.
 *
 * Every check is read once, in the order in which they began, and only when it is over; the checkpoint names the check
 * after which the next run continues. If the file names the targets, the monitor is created if it does not exist, and
 * each run starts a check first: a service that lives only as long as the run needs this. A check that could read no
 * page is reported like the others but counts as not read: a run with only such checks fails. A page that cannot be
 * read has a row in the first check that fails, and none in later ones while it stays so; the counts of each check
 * include it.
 */
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { cameNow } from "#contract/jobRequests"
import { MonitorRequest } from "#contract/Monitor"
import { MonitorCheckDetail, type MonitorPage } from "#contract/MonitorCheck"
import { Targets } from "#contract/MonitorTarget"
import { checkAnswer, checksAfter, findMonitor, makeMonitor, runCheck } from "#contract/monitorAnswers"
import * as Checkpoint from "#engine/Checkpoint"
import * as Source from "#engine/Source"
import * as Table from "#engine/Table"
import { toSourceError } from "../toSourceError.ts"
import { changeRow, checkRow, isUnread, monitorChecks, pageChanges } from "./monitorTables.ts"

/** The source options that it uses. */
interface Options {
  readonly monitor: string
  readonly targets?: typeof Targets.Type
  readonly schedule?: MonitorRequest["schedule"]
  readonly goal?: MonitorRequest["goal"]
  readonly same?: boolean
}

/** The last check that was completely read ("" for none), and the pages that it could not read. */
export const State = Schema.Struct({ after: Schema.String, failing: Schema.optionalKey(Schema.Array(Schema.String)) })
export type State = typeof State.Type

export const isState = Schema.is(State)

export const Cursor = Schema.Struct({
  monitor: Schema.String,
  /** The last check that was completely read before this answer. */
  after: Schema.String,
  /** The check that is being read; absent: none yet. */
  check: Schema.optionalKey(Schema.String),
  /** How many of its pages were read, this answer included. */
  read: Schema.Int,
  isWhole: Schema.Boolean,
  /** How many checks of this run were completely read, and how many of them could read no page. */
  checks: Schema.optionalKey(Schema.Int),
  unread: Schema.optionalKey(Schema.Int),
  /** Pages that the check before could not read, and those that this one could not, so far. */
  before: Schema.optionalKey(Schema.Array(Schema.String)),
  failing: Schema.optionalKey(Schema.Array(Schema.String))
})
export type Cursor = typeof Cursor.Type
export const isCursor = Schema.is(Cursor)

type FetchedChecks = Source.Fetched<Cursor>

export const ask = Effect.fnUntraced(function* (
  options: Options,
  start: Option.Option<State>,
  after: Option.Option<Cursor>
) {
  const fail = Effect.mapError(toSourceError("monitor"))
  const last = Option.getOrUndefined(after)
  const begin = last === undefined ? yield* begun(options, start) : undefined
  const cursor = last ?? begin?.cursor
  if (cursor === undefined) return Stream.empty
  const read = cursor.isWhole ? (cursor.check ?? cursor.after) : cursor.after
  const checks = yield* fail(checksAfter(cursor.monitor, read))
  const counts = { checks: cursor.checks ?? 0, unread: cursor.unread ?? 0 }
  // After a complete check, its unreadable pages become those of the check before.
  let [before, failing] = cursor.isWhole ? [cursor.failing ?? [], []] : [cursor.before ?? [], cursor.failing ?? []]
  const pages = (checkId: string, last: string, from: number) =>
    Stream.paginate(from, (skip: number) =>
      fail(checkAnswer(cursor.monitor, checkId, skip)).pipe(
        Effect.flatMap((came) => Effect.map(detailOf(came.text), (detail) => ({ came, detail }))),
        Effect.map(({ came, detail }) => {
          const read = skip + detail.data.pages.length
          const isWhole = detail.next === undefined
          failing = [...failing, ...detail.data.pages.filter(isError).map(failureOf)]
          const errors = { before, failing }
          if (isWhole) [before, failing] = [failing, []]
          if (isWhole) counts.checks++
          if (isWhole && isUnread(detail.data)) counts.unread++
          const answer: FetchedChecks = {
            ...came,
            cursor: { monitor: cursor.monitor, after: last, check: checkId, read, isWhole, ...counts, ...errors }
          }
          return [[answer], isWhole ? Option.none<number>() : Option.some(read)] as const
        })
      )
    )
  const checkPages = Stream.fromIterable(checks.map(({ id }, at) => ({ id, before: checks[at - 1]?.id ?? read }))).pipe(
    Stream.flatMap(({ before, id }) => pages(id, before, id === cursor.check ? cursor.read : 0))
  )
  return begin === undefined ? checkPages : Stream.concat(Stream.make(begin), checkPages)
})

/** Finds or creates the monitor, and starts a check if the file says what it watches. */
const begun = Effect.fnUntraced(function* (options: Options, start: Option.Option<State>) {
  const fail = Effect.mapError(toSourceError("monitor"))
  const known = yield* fail(findMonitor(options.monitor))
  const own =
    known ?? (options.targets === undefined ? undefined : yield* fail(makeMonitor(requestOf(options, options.targets))))
  if (own === undefined) return yield* noMonitor(options.monitor)
  if (options.targets !== undefined) yield* fail(runCheck(own))
  const { after, failing = [] } = Option.getOrElse(start, (): State => ({ after: "" }))
  const answer: FetchedChecks = yield* cameNow({
    kind: "monitor",
    text: JSON.stringify({ id: own.id, name: own.name }),
    cursor: { monitor: own.id, after, read: 0, isWhole: true, failing }
  })
  return answer
})

const isError = ({ status }: Pick<MonitorPage, "status">): boolean => status === "error"

/** A page that cannot be read, with its status: another status is another failure. */
const failureOf = ({ statusCode, targetId, url }: Pick<MonitorPage, "statusCode" | "targetId" | "url">): string =>
  createHash("sha256")
    .update(JSON.stringify([targetId, url, statusCode]))
    .digest("base64url")
    .slice(0, 16)

const requestOf = ({ goal, monitor, schedule }: Options, targets: typeof Targets.Type): MonitorRequest => ({
  name: monitor,
  schedule: schedule ?? onceAYear,
  targets,
  ...(goal == null ? {} : { goal })
})

/**
 * Each run starts a check itself. With a schedule, an embedded service would begin checks in the runs of other
 * pipelines.
 */
const onceAYear = { cron: "0 0 1 1 *" }

const noMonitor = (name: string) =>
  new Source.SourceError({
    source: "monitor",
    message: `the service has no monitor ${JSON.stringify(name)}; name its targets under targets to create it`,
    retryable: false
  })

const Detail = Schema.Struct({ data: MonitorCheckDetail, next: Schema.optionalKey(Schema.String) })
const decodeDetail = Schema.decodeUnknownEffect(Schema.fromJsonString(Detail))

const detailOf = (text: string) =>
  Effect.mapError(
    decodeDetail(text),
    (cause) =>
      new Source.SourceError({
        source: "monitor",
        message: `the service's answer does not match the API contract: ${cause.message}`,
        retryable: false,
        cause
      })
  )

export const decode = Effect.fnUntraced(function* (options: Options, { at, cursor, kind, text }: FetchedChecks) {
  if (kind === "monitor") return [Checkpoint.make<State>({ after: cursor.after, failing: cursor.failing ?? [] })]
  const { data: check } = yield* detailOf(text)
  const known = new Set(cursor.before)
  const reported = check.pages.filter(
    (page) => options.same === true || (page.status !== "same" && !(isError(page) && known.has(failureOf(page))))
  )
  const rows = reported.map((page) => changeRow(check, page, at))
  const { totalPages } = check.summary
  const isNothing = cursor.isWhole && isUnread(check)
  const { checks = 0, unread = 0 } = cursor
  const elements: ReadonlyArray<Source.Element<State>> = [
    ...Table.batches(pageChanges, rows),
    Source.progress({
      discovered: totalPages,
      read: isNothing ? 0 : cursor.read,
      failed: isNothing ? totalPages : 0,
      ...(cursor.isWhole ? { checks, unread } : {})
    }),
    ...(cursor.isWhole
      ? [
          Table.batch(monitorChecks, [checkRow(check, at)]),
          ...Source.warnings(check.targetResults.map(({ error, targetId, warning }) => [targetId, error ?? warning])),
          Checkpoint.make<State>({ after: check.id, failing: cursor.failing ?? [] })
        ]
      : [])
  ]
  return elements
})
