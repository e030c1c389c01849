/**
 * Makes rows of answers, and passes those that fit to every sink, through the stage if there is one.
 *
 * Every row of an answer is counted: as passed to the sinks, as a reject, or as dropped by a step.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { ColumnProfile } from "../ColumnProfile.ts"
import type * as OutputTables from "../OutputTables.ts"
import * as Rejects from "../output/Rejects.ts"
import * as PartialRowMerger from "../PartialRowMerger.ts"
import type * as Pipeline from "../Pipeline.ts"
import * as TableProfiler from "../profile/TableProfiler.ts"
import type * as Sink from "../Sink.ts"
import { type Element, SourceError } from "../Source.ts"
import type { SourceResponse } from "../SourceElement.ts"
import type * as Stage from "../Stage.ts"
import * as Table from "../Table.ts"
import { rowValidator } from "../validateRow.ts"
import * as Remarks from "./Remarks.ts"
import * as RowChunk from "./RowChunk.ts"
import * as RowValidator from "./RowValidator.ts"
import type * as SinkSessions from "./SinkSessions.ts"
import type * as Wholeness from "./Wholeness.ts"

export interface RowProcessor {
  /** Rows so far, by table: first as they were read, then as they were loaded. */
  readonly rows: Readonly<Record<string, number>>
  /** The last counts of the source. */
  readonly facts: Readonly<Record<string, number>>
  /** The rows of the main table as the source gave them. */
  readonly counts: Wholeness.Counts
  /** The rows of the main table after the steps, without failed ones. */
  readonly passed: () => number
  /** What the source has reported beside its rows. */
  readonly remarks: Remarks.Remarks
  readonly rejects: () => number
  /** Why rows of the source did not fit. */
  readonly reasons: Rejects.Reasons
  /** The profiles of the columns of the rows that the sinks got. */
  readonly profiles: () => ReadonlyArray<ColumnProfile>
  /** Whether there are unread rows whose keys are not known, so that nobody knows which stored rows are gone. */
  readonly isBlind: () => boolean
  readonly take: (
    answer: SourceResponse
  ) => Effect.Effect<void, SourceError | Sink.SinkError | Stage.StageError | RowValidator.ContractError>
  /** The last checkpoint; none: there is none, or rows came after it. */
  readonly position: () => Option.Option<unknown>
  /** Ends reading: passes on the rows that arrived in parts, and returns the state of the last checkpoint. */
  readonly end: Effect.Effect<unknown, SourceError | Stage.StageError>
  /** Takes the steps, and runs the checks that look at rows. */
  readonly check: (facts: Stage.Facts) => Effect.Effect<ReadonlyArray<Sink.CheckRecord>, Stage.StageError>
  /** Takes elements only if every row of them fits. False: nothing was taken. */
  readonly takeIfAllFit: (
    elements: ReadonlyArray<Element<unknown>>,
    /** When their answer arrived, in milliseconds since the epoch. */
    millis: number
  ) => Effect.Effect<boolean, SourceError | Sink.SinkError | Stage.StageError | RowValidator.ContractError>
  /** Passes the staged rows to the sinks; `afterChunk` runs after every chunk. */
  readonly load: (afterChunk: Effect.Effect<void>) => Effect.Effect<void, Stage.StageError | Sink.SinkError>
}

export const create = <R>(
  pipeline: Pipeline.Pipeline<R>,
  layout: OutputTables.OutputTables,
  sessions: SinkSessions.SinkSessions,
  /** `isStaged`: the rows are already in the stage, from an earlier attempt. */
  of: { readonly runId: string; readonly isStaged: boolean }
): RowProcessor => {
  const { came, main, rejects, stage } = layout
  const rows: Record<string, number> = Object.fromEntries(layout.tables.map(({ name }) => [name, 0]))
  const profilers = new Map(
    layout.tables.filter((table) => table !== rejects).map((table) => [table.name, TableProfiler.of(table)])
  )
  const validator = RowValidator.of(came, pipeline.table.contract ?? "evolve")
  const named = new Map(pipeline.source.tables.map((table, at) => [table.name, came[at]]))
  const merger = PartialRowMerger.of(came)
  const counts = { seen: 0, gone: 0, failed: 0, unread: 0, rejected: 0, revalidated: 0 }
  const remarks = Remarks.empty()
  const reasons = Rejects.reasons()
  let passed = 0
  const checkKey = rowValidator({ ...main, columns: main.columns.filter(({ name }) => main.key.includes(name)) })
  let [isBlind, hasKept] = [false, false]
  let checkpoint: Option.Option<unknown> = Option.none()
  let isAtCheckpoint = false

  const split: Record<string, number> = {}
  const hand = Effect.fnUntraced(function* (table: string, chunk: RowChunk.RowChunk) {
    const nesting = layout.nestings.get(table)
    if (nesting === undefined) return
    if (table === main.name) passed += RowChunk.written(chunk).length
    const from = { runId: of.runId, ordinal: split[table] ?? 0 }
    split[table] = from.ordinal + chunk.rows.length
    let own = 0
    for (const batch of nesting.split(chunk.rows, from)) {
      rows[batch.table.name] = (rows[batch.table.name] ?? 0) + batch.rows.length
      // The rows of the table itself are in the same order, with their presences. Rows of child tables are always "seen".
      const isOwn = batch.table.name === nesting.tables[0].name
      const presences = isOwn ? chunk.presences?.slice(own, own + batch.rows.length) : undefined
      if (isOwn) own += batch.rows.length
      const some: RowChunk.RowChunk = { rows: batch.rows, presences }
      profilers.get(batch.table.name)?.take(RowChunk.written(some))
      yield* sessions.each((session) => session.write(batch.table, some))
    }
  })

  const turnAway = Effect.fnUntraced(function* (some: ReadonlyArray<Rejects.Rejected>) {
    if (some.length === 0) return
    reasons.take(some)
    counts.rejected += some.filter(({ table }) => table === came[0].name).length
    rows[rejects.name] = (rows[rejects.name] ?? 0) + some.length
    const chunk = RowChunk.seen(Rejects.rowsOf(some, "source"))
    yield* sessions.each((session) => session.write(rejects, chunk))
  })

  /** Gives the sinks the keys of rows that may exist and are not written, so that they are not removed. */
  const keep = Effect.fnUntraced(function* (some: ReadonlyArray<Table.Row>) {
    const { keyNames } = layout
    const keys = (keyNames === undefined ? [] : some).map((row) =>
      Object.fromEntries((keyNames ?? []).map(([own, name]) => [name, row[own]]))
    )
    const isWhole = (key: Table.Row) => Object.values(key).every((value) => value !== null && value !== undefined)
    const known = keys.filter((key) => isWhole(key) && checkKey(key) === undefined)
    if (known.length < some.length) isBlind = true
    hasKept ||= some.length > 0
    if (known.length > 0) yield* sessions.each((session) => session.retainKeys(main.name, known))
  })

  const pass = Effect.fnUntraced(function* (table: Table.Table, fit: RowChunk.RowChunk) {
    if (table === came[0]) {
      const tally = RowChunk.count(fit)
      counts.seen += tally.seen
      counts.gone += tally.gone
      counts.failed += tally.failed
      counts.unread += tally.unread
    }
    if (stage === undefined) return yield* hand(table.name, fit)
    rows[table.name] = (rows[table.name] ?? 0) + fit.rows.length
    if (!of.isStaged) yield* stage.write(table.name, RowChunk.toStaged(fit))
  })

  const takeElement = Effect.fnUntraced(function* (element: Element<unknown>, at: number) {
    if (element._tag === "Progress" || element._tag === "Warning") return remarks.take(element)
    isAtCheckpoint = element._tag === "Checkpoint"
    if (element._tag === "Checkpoint") checkpoint = Option.some(element.state)
    else if (element._tag === "UnknownKeys") {
      remarks.take(element)
      yield* keep(element.keys)
    } else if (element._tag === "Unchanged") {
      counts.revalidated += element.keys.length
      yield* keep(element.keys)
    } else if (element._tag === "Reject") {
      yield* turnAway([yield* validator.reject(element, at)])
      if (named.get(element.table.name) === came[0]) yield* keep([Rejects.rejectedRow(came[0], element.raw)])
    } else {
      const table = named.get(element.table.name)
      if (table === undefined) return yield* undeclared(pipeline.source.type, element.table.name)
      const taken = yield* validator.take(table, element.rows, at)
      yield* turnAway(taken.rejected)
      // A rejected row exists, so its stored row must stay.
      if (table === came[0] && taken.rejected.length > 0)
        yield* keep(taken.rejected.map(({ raw }) => Rejects.rejectedRow(table, raw)))
      if (merger.holds(table)) rows[table.name] = merger.take(table, RowChunk.toStaged(taken.fit))
      else yield* pass(table, taken.fit)
    }
  })

  /** Passes on the rows that arrived in parts. */
  const passHeld = Effect.gen(function* () {
    const held = merger.release()
    for (const [{ name }] of held) rows[name] = 0
    for (const [table, some] of held) yield* pass(table, RowChunk.fromStaged(some))
  })

  return {
    rows,
    get facts() {
      return remarks.facts
    },
    remarks,
    reasons,
    counts,
    passed: () => passed,
    position: () => (isAtCheckpoint ? checkpoint : Option.none()),
    rejects: () => rows[rejects.name] ?? 0,
    profiles: () => [...profilers.values()].flatMap((profiler) => profiler.profiles()),
    isBlind: () => isBlind || (hasKept && pipeline.source.rekeys?.() === true),
    take: Effect.fnUntraced(function* (answer) {
      for (const element of yield* pipeline.source.decode(answer)) yield* takeElement(element, answer.at)
    }),
    takeIfAllFit: Effect.fnUntraced(function* (elements, millis) {
      const fit: Array<readonly [Table.Table, RowChunk.RowChunk]> = []
      for (const element of elements) {
        if (element._tag === "Reject") return false
        const table = element._tag === "Batch" ? named.get(element.table.name) : undefined
        if (element._tag !== "Batch" || table === undefined) continue
        const taken = yield* validator.take(table, element.rows, millis)
        if (taken.fit.rows.length < element.rows.length) return false
        fit.push([table, taken.fit])
      }
      for (const [table, some] of fit) yield* pass(table, some)
      return fit.length > 0
    }),
    end: Effect.gen(function* () {
      if (Option.isNone(checkpoint)) return yield* withoutCheckpoint(pipeline.source.type)
      yield* passHeld
      return checkpoint.value
    }),
    check: Effect.fnUntraced(function* (compared) {
      if (stage === undefined) return []
      const after = yield* stage.finish
      for (const [name, count] of Object.entries(after)) rows[name] = count
      passed = Math.min(counts.seen + counts.gone, after[came[0].name] ?? 0)
      return yield* stage.check(compared)
    }),
    load: Effect.fnUntraced(function* (afterChunk) {
      if (stage === undefined) return
      passed = 0
      for (const { name } of layout.tables) if (name !== rejects.name) rows[name] = 0
      for (const { name } of stage.tables) {
        yield* Stream.runForEach(stage.rows(name), (some) =>
          Effect.andThen(hand(name, RowChunk.fromStaged(some)), afterChunk)
        )
      }
    })
  }
}

const undeclared = (source: string, table: string) =>
  new SourceError({
    source,
    message: `it emits rows of "${table}", which is not one of its tables: this is a bug in the source`,
    retryable: false
  })

const withoutCheckpoint = (source: string) =>
  new SourceError({
    source,
    message: "it ended without a checkpoint, so there is nothing to commit: this is a bug in the source",
    retryable: false
  })
