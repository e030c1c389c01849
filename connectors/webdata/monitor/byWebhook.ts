/**
 * A monitor that reads the events of its webhook: those that `millrace receive` has put into an inbox.
 *
 * An event is read once, in the order of arrival; the checkpoint holds the inbox and its last event that was read. The
 * rows are those of checks, as far as the event has the facts: a missing fact is null, a target without a name is "",
 * and a page was checked when its event arrived. An event belongs to this monitor if it has its id or its name; if the
 * file has a name and the event has none, all events come from the one monitor that posts to this inbox.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { CheckStatus, Judgment, MonitorDiff, MonitorSnapshot, MonitorSummary, PageStatus } from "#contract/MonitorCheck"
import * as Checkpoint from "#engine/Checkpoint"
import { type Inbox, Inboxes, Stored } from "#engine/Inbox"
import * as Source from "#engine/Source"
import * as Table from "#engine/Table"
import { toSourceError } from "../toSourceError.ts"
import { changeRow, checkRow, isUnread, monitorChecks, pageChanges } from "./monitorTables.ts"

/** The source options that it uses. */
interface Options {
  readonly monitor: string
  readonly inbox?: string
}

/** The inbox, and the last event that was read; 0: none. */
export const State = Schema.Struct({ inbox: Schema.String, seq: Schema.Int })
export type State = typeof State.Type
export const isState = Schema.is(State)

export const Cursor = Schema.Struct({
  inbox: Schema.String,
  seq: Schema.Int,
  /** The last event of this run. */
  last: Schema.Int,
  /** How many events the run has read, and how many of them concern only other monitors. */
  events: Schema.Int,
  others: Schema.Int,
  /** The checks of this monitor that events reported, and how many of them could read no page. */
  checks: Schema.optionalKey(Schema.Int),
  unread: Schema.optionalKey(Schema.Int),
  /** How many events after its start are already deleted: a new destination gets only the rest. */
  forgotten: Schema.Int
})
export type Cursor = typeof Cursor.Type
export const isCursor = Schema.is(Cursor)

type FetchedEvents = Source.Fetched<Cursor>

/** The limits of one answer. */
const together = { events: 500, bytes: 16 * 1024 * 1024 }

/** How long the bodies of loaded events are kept. */
const keepMillis = 30 * 24 * 3_600_000

/** Options that do not fit a source that reads an inbox, or one that does not. */
export const misfitOf = (options: { readonly [name: string]: unknown }) => {
  const isTold = options["by"] === "webhook"
  const [odd] = (isTold ? ["targets", "schedule", "goal", "same"] : ["inbox"]).filter((name) => options[name] != null)
  if (odd === undefined) return true
  return {
    path: [odd],
    issue: isTold ? "has no effect with `by: webhook`: the service has the monitor" : "is for `by: webhook`"
  }
}

export const ask = (options: Options, directory: string, start: Option.Option<State>, after: Option.Option<Cursor>) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { open } = yield* Inboxes
      const inbox = yield* fail(open(options.inbox ?? options.monitor, directory))
      const from = Option.getOrElse(after, () => undefined) ?? (yield* begin(inbox, start))
      if (from.inbox !== inbox.identity) return yield* another(options)
      const isNew = Option.isNone(after)
      return Stream.paginate(from, (before: Cursor) =>
        Effect.map(answerAfter(options, inbox, before), (answer) => {
          // A run with nothing to read still gives an answer; a continued run has already given it.
          const given = answer.cursor.seq > before.seq || (isNew && before === from) ? [answer] : []
          const isOver = answer.cursor.seq === before.seq || answer.cursor.seq >= from.last
          return [given, isOver ? Option.none<Cursor>() : Option.some(answer.cursor)] as const
        })
      )
    })
  )

/** Where a run begins and ends: later events belong to the next run. */
const begin = Effect.fnUntraced(function* (inbox: Inbox, start: Option.Option<State>) {
  // The numbers of another inbox mean nothing here: this one is read from its beginning.
  const seq = Option.getOrElse(
    Option.map(start, (state) => (state.inbox === inbox.identity ? state.seq : 0)),
    () => 0
  )
  const now = yield* Clock.currentTimeMillis
  yield* fail(inbox.forget(seq, now - keepMillis))
  const { bodies, events: last } = yield* fail(inbox.counts)
  const forgotten = Math.max(0, last - bodies - seq)
  const cursor: Cursor = { inbox: inbox.identity, seq, last, events: 0, others: 0, forgotten }
  return cursor
})

const answerAfter = Effect.fnUntraced(function* (options: Options, inbox: Inbox, before: Cursor) {
  const events = (yield* fail(inbox.read(before.seq, together))).filter(({ seq }) => seq <= before.last)
  const others = events.filter(({ body }) => toldOf(options, body).every(({ isOwn }) => !isOwn)).length
  const ends = events.flatMap(({ body }) =>
    toldOf(options, body).flatMap(({ isOwn, item, payload }) =>
      isOwn && payload.type === "monitor.check.completed" && isEnd(item) ? [item] : []
    )
  )
  const answer: FetchedEvents = {
    kind: "events",
    at: yield* Clock.currentTimeMillis,
    text: JSON.stringify(events),
    cursor: {
      ...before,
      seq: events.at(-1)?.seq ?? before.seq,
      events: before.events + events.length,
      others: before.others + others,
      checks: (before.checks ?? 0) + ends.length,
      unread: (before.unread ?? 0) + ends.filter(isUnread).length
    }
  }
  return answer
})

const fail = Effect.mapError(toSourceError("monitor"))

const another = ({ inbox, monitor }: Options) =>
  new Source.SourceError({
    source: "monitor",
    message: `the inbox ${JSON.stringify(inbox ?? monitor)} is not the one that this run began with; start again with --full-refresh`,
    retryable: false,
    over: true
  })

/** Only the receiver writes to an inbox, and it accepts nothing else. */
const Payload = Schema.Struct({
  type: Schema.String,
  error: Schema.optionalKey(Schema.NullOr(Schema.String)),
  metadata: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))),
  data: Schema.Array(Schema.Unknown)
})
const Named = Schema.Struct({
  monitorId: Schema.optionalKey(Schema.Unknown),
  monitorName: Schema.optionalKey(Schema.Unknown)
})

const decodeEvents = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Array(Stored)))
const decodePayload = Schema.decodeUnknownOption(Schema.fromJsonString(Payload))
const isNamed = Schema.is(Named)
const isEnd = Schema.is(Schema.Struct({ status: CheckStatus, summary: MonitorSummary }))

/** Each item of an event, and whether it belongs to this monitor. */
const toldOf = ({ monitor }: Options, body: string) =>
  Option.match(decodePayload(body), {
    onNone: () => [],
    onSome: (payload) =>
      payload.data.map((item) => {
        const named = isNamed(item) ? item : {}
        const name = named.monitorName ?? payload.metadata?.["monitor"]
        const isOwn = named.monitorId === monitor || (name === undefined ? !isId(monitor) : name === monitor)
        return { payload, item, isOwn }
      })
  })

const isId = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

export const decode = Effect.fnUntraced(function* (options: Options, answer: FetchedEvents) {
  const { cursor } = answer
  const stored = yield* Effect.mapError(
    decodeEvents(answer.text),
    (cause) =>
      new Source.SourceError({
        source: "monitor",
        message: `the answer is not from an inbox: ${cause.message}`,
        retryable: false,
        cause
      })
  )
  const rows = { page_changes: new Array<Table.Row>(), monitor_checks: new Array<Table.Row>() }
  const rejects: Array<Source.Reject> = []
  for (const event of stored) {
    for (const { isOwn, item, payload } of toldOf(options, event.body)) {
      if (!isOwn) continue
      const isPage = payload.type === "monitor.page"
      const row = isPage ? pageRow(item, event.at) : endRow(item, payload.error ?? null, event.at)
      yield* Effect.match(row, {
        onSuccess: (made) => void rows[isPage ? "page_changes" : "monitor_checks"].push(made),
        onFailure: ({ message }) => {
          const alone = { ...event, body: JSON.stringify({ ...payload, data: [item] }) }
          rejects.push({
            _tag: "Reject",
            table: isPage ? pageChanges : monitorChecks,
            reason: message,
            raw: item,
            answer: { ...answer, text: JSON.stringify([alone]) }
          })
        }
      })
    }
  }
  const elements: ReadonlyArray<Source.Element<State>> = [
    ...Table.batches(pageChanges, rows.page_changes),
    ...Table.batches(monitorChecks, rows.monitor_checks),
    ...rejects,
    Source.progress({
      events: cursor.events,
      others: cursor.others,
      forgotten: cursor.forgotten,
      ...(cursor.checks === undefined || cursor.checks === 0
        ? {}
        : { checks: cursor.checks, unread: cursor.unread ?? 0 })
    }),
    Checkpoint.make<State>({ inbox: cursor.inbox, seq: cursor.seq })
  ]
  return elements
})

/**
 * Rows of the events of a monitor's webhook: of a page, and of a check that is over.
 *
 * The columns are those of checks; a fact that an event does not have is null.
 */
const optional = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** The data of a page's event. */
const Page = Schema.Struct({
  checkId: Schema.String,
  url: Schema.String,
  status: PageStatus,
  targetId: optional(Schema.String),
  statusCode: optional(Schema.Int),
  error: optional(Schema.String),
  metadata: optional(Schema.Record(Schema.String, Schema.Json)),
  judgment: optional(Judgment),
  diff: optional(MonitorDiff),
  snapshot: optional(MonitorSnapshot),
  flips: Schema.optionalKey(Schema.Int),
  createdAt: optional(Schema.String)
})

/** The data of an ended check's event. */
const Check = Schema.Struct({
  checkId: Schema.String,
  monitorId: Schema.String,
  status: CheckStatus,
  summary: MonitorSummary,
  trigger: optional(Schema.String),
  startedAt: optional(Schema.String),
  finishedAt: optional(Schema.String),
  actualCredits: optional(Schema.Int),
  error: optional(Schema.String)
})

const decodePage = Schema.decodeUnknownEffect(Page)
const decodeCheck = Schema.decodeUnknownEffect(Check)

/** `receivedAt`: when the event arrived, in milliseconds since the epoch. */
const pageRow = (item: unknown, receivedAt: number) =>
  Effect.map(decodePage(item), (page) => {
    const { checkId: id, createdAt, diff, error, judgment, metadata, snapshot, statusCode, targetId } = page
    return changeRow(
      { id },
      {
        ...page,
        targetId: targetId ?? "",
        statusCode: statusCode ?? null,
        error: error ?? null,
        metadata: metadata ?? null,
        judgment: judgment ?? null,
        diff: diff ?? null,
        snapshot: snapshot ?? null,
        createdAt: createdAt ?? null
      },
      receivedAt
    )
  })

/** `error`: the event's error, which is outside its data. */
const endRow = (item: unknown, error: string | null, receivedAt: number) =>
  Effect.map(decodeCheck(item), (check) =>
    checkRow(
      {
        ...check,
        id: check.checkId,
        trigger: check.trigger ?? null,
        startedAt: check.startedAt ?? null,
        finishedAt: check.finishedAt ?? null,
        actualCredits: check.actualCredits ?? null,
        error: check.error ?? error
      },
      receivedAt
    )
  )
