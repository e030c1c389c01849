/**
 * Makes rows of answers, and passes those that fit to every sink, through the stage if there is one.
 *
 * Its state goes on with each answer (`take`), until all are read (`end`); then staged rows take the steps (`check`) and go to
 * the sinks (`load`). Every row of an answer is counted: as passed to the sinks, as a reject, or as dropped by a step.
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
import { type Element, type Reader, SourceError } from "../Source.ts"
import type { SourceResponse } from "../SourceElement.ts"
import type * as Stage from "../Stage.ts"
import * as Table from "../Table.ts"
import { type RowError, rowValidator } from "../validateRow.ts"
import * as Remarks from "./Remarks.ts"
import * as RowChunk from "./RowChunk.ts"
import * as RowValidator from "./RowValidator.ts"
import type * as SinkSessions from "./SinkSessions.ts"
import type * as Wholeness from "./Wholeness.ts"

export interface RowProcessor {
  readonly source: Pick<Reader<never>, "type" | "tables" | "decode" | "rekeys">
  readonly layout: OutputTables.OutputTables
  readonly sessions: SinkSessions.SinkSessions
  readonly runId: string
  /** Whether the rows are already in the stage, from an earlier attempt. */
  readonly isStaged: boolean
  /** Rows so far, by table: first as they were read, then as they were loaded. */
  readonly rows: Record<string, number>
  /** The rows of the main table as the source gave them. */
  readonly counts: Record<keyof Wholeness.Counts, number>
  /** The rows of the main table after the steps, without failed ones. */
  passed: number
  /** What the source has reported beside its rows. */
  readonly remarks: Remarks.Remarks
  /** Why rows of the source did not fit. */
  readonly reasons: Rejects.ReasonCounter
  readonly validator: RowValidator.RowValidator
  /** What is wrong with the key of a row of the main table. */
  readonly keyFault: (row: Table.Row) => RowError | undefined
  readonly merger: PartialRowMerger.PartialRowMerger
  /** The profile of the columns of each table that the sinks get. */
  readonly profilers: ReadonlyMap<string, TableProfiler.TableProfiler>
  /** The rows that each table has had, before its nested tables are split off. */
  readonly ordinals: Record<string, number>
  /** What came last that matters for a commit, and the state of the last checkpoint. */
  isAtCheckpoint: boolean
  checkpoint: Option.Option<unknown>
  /** Whether rows may exist that were not written, and whether a key of one of them is not known. */
  hasRetained: boolean
  lacksKeys: boolean
}

export const create = <R>(
  { source, table }: Pipeline.Pipeline<R>,
  layout: OutputTables.OutputTables,
  sessions: SinkSessions.SinkSessions,
  { isStaged, runId }: Pick<RowProcessor, "runId" | "isStaged">
): RowProcessor => ({
  runId,
  isStaged,
  source,
  layout,
  sessions,
  rows: Object.fromEntries(layout.tables.map(({ name }) => [name, 0])),
  counts: { seen: 0, gone: 0, failed: 0, unread: 0, rejected: 0, revalidated: 0 },
  passed: 0,
  remarks: Remarks.empty(),
  reasons: Rejects.reasons(),
  validator: RowValidator.of(layout.came, table.contract ?? "evolve"),
  keyFault: rowValidator({
    ...layout.main,
    columns: layout.main.columns.filter(({ name }) => layout.main.key.includes(name))
  }),
  merger: PartialRowMerger.of(layout.came),
  profilers: new Map(
    layout.tables.filter((each) => each !== layout.rejects).map((each) => [each.name, TableProfiler.of(each)])
  ),
  ordinals: {},
  isAtCheckpoint: false,
  checkpoint: Option.none(),
  hasRetained: false,
  lacksKeys: false
})

export const rejected = ({ layout, rows }: RowProcessor): number => rows[layout.rejects.name] ?? 0

/** The profiles of the columns of the rows that the sinks got. */
export const profiles = ({ profilers }: RowProcessor): ReadonlyArray<ColumnProfile> =>
  [...profilers.values()].flatMap((profiler) => profiler.profiles())

/** Whether there are unread rows whose keys are not known, so that nobody knows which stored rows are gone. */
export const isBlind = ({ hasRetained, lacksKeys, source }: RowProcessor): boolean =>
  lacksKeys || (hasRetained && source.rekeys?.() === true)

/** The last checkpoint; none: there is none, or rows came after it. */
export const position = ({ checkpoint, isAtCheckpoint }: RowProcessor): Option.Option<unknown> =>
  isAtCheckpoint ? checkpoint : Option.none()

export const take = Effect.fnUntraced(function* (
  processor: RowProcessor,
  answer: SourceResponse
): Effect.fn.Return<void, SourceError | Sink.SinkError | Stage.StageError | RowValidator.ContractError> {
  for (const element of yield* processor.source.decode(answer)) yield* takeElement(processor, element, answer.at)
})

/** Takes elements only if every row of them fits. False: nothing was taken. */
export const takeIfAllFit = Effect.fnUntraced(function* (
  processor: RowProcessor,
  elements: ReadonlyArray<Element<unknown>>,
  /** When their answer arrived, in milliseconds since the epoch. */
  millis: number
): Effect.fn.Return<boolean, SourceError | Sink.SinkError | Stage.StageError | RowValidator.ContractError> {
  const fit: Array<readonly [Table.Table, RowChunk.RowChunk]> = []
  for (const element of elements) {
    if (element._tag === "Reject") return false
    const table = element._tag === "Batch" ? tableNamed(processor, element.table.name) : undefined
    if (element._tag !== "Batch" || table === undefined) continue
    const taken = yield* processor.validator.take(table, element.rows, millis)
    if (taken.fit.rows.length < element.rows.length) return false
    fit.push([table, taken.fit])
  }
  for (const [table, some] of fit) yield* pass(processor, table, some)
  return fit.length > 0
})

/** Ends reading: passes on the rows that arrived in parts, and returns the state of the last checkpoint. */
export const end = Effect.fnUntraced(function* (
  processor: RowProcessor
): Effect.fn.Return<unknown, SourceError | Sink.SinkError | Stage.StageError> {
  const { checkpoint, merger, rows, source } = processor
  if (Option.isNone(checkpoint)) return yield* withoutCheckpoint(source.type)
  const mergedRows = merger.release()
  for (const [{ name }] of mergedRows) rows[name] = 0
  for (const [table, some] of mergedRows) yield* pass(processor, table, RowChunk.fromStaged(some))
  return checkpoint.value
})

/** Takes the steps, and runs the checks that look at rows. */
export const check = Effect.fnUntraced(function* (
  processor: RowProcessor,
  facts: Stage.Facts
): Effect.fn.Return<ReadonlyArray<Sink.CheckRecord>, Stage.StageError> {
  const { counts, layout, rows } = processor
  if (layout.stage === undefined) return []
  const after = yield* layout.stage.finish
  for (const [name, count] of Object.entries(after)) rows[name] = count
  processor.passed = Math.min(counts.seen + counts.gone, after[layout.came[0].name] ?? 0)
  return yield* layout.stage.check(facts)
})

/** Passes the staged rows to the sinks; `afterChunk` runs after every chunk. */
export const load = Effect.fnUntraced(function* (
  processor: RowProcessor,
  afterChunk: Effect.Effect<void>
): Effect.fn.Return<void, Stage.StageError | Sink.SinkError> {
  const { layout, rows } = processor
  const { stage } = layout
  if (stage === undefined) return
  processor.passed = 0
  for (const { name } of layout.tables) if (name !== layout.rejects.name) rows[name] = 0
  for (const { name } of stage.tables) {
    yield* Stream.runForEach(stage.rows(name), (some) =>
      Effect.andThen(hand(processor, name, RowChunk.fromStaged(some)), afterChunk)
    )
  }
})

const takeElement = Effect.fnUntraced(function* (
  processor: RowProcessor,
  element: Element<unknown>,
  at: number
): Effect.fn.Return<void, SourceError | Sink.SinkError | Stage.StageError | RowValidator.ContractError> {
  const { counts, layout, remarks, validator } = processor
  if (element._tag === "Progress" || element._tag === "Warning") return remarks.take(element)
  processor.isAtCheckpoint = element._tag === "Checkpoint"
  switch (element._tag) {
    case "Checkpoint":
      processor.checkpoint = Option.some(element.state)
      return
    case "UnknownKeys":
      remarks.take(element)
      return yield* retain(processor, element.keys)
    case "Unchanged":
      counts.revalidated += element.keys.length
      return yield* retain(processor, element.keys)
    case "Reject": {
      const [main] = layout.came
      yield* turnAway(processor, [yield* validator.reject(element, at)])
      if (tableNamed(processor, element.table.name) !== main) return
      return yield* retain(processor, [Rejects.rejectedRow(main, element.raw)])
    }
    case "Batch":
      return yield* takeBatch(processor, element, at)
  }
})

const takeBatch = Effect.fnUntraced(function* (
  processor: RowProcessor,
  batch: Extract<Element<unknown>, { readonly _tag: "Batch" }>,
  at: number
): Effect.fn.Return<void, SourceError | Sink.SinkError | Stage.StageError | RowValidator.ContractError> {
  const { layout, merger, rows, source, validator } = processor
  const table = tableNamed(processor, batch.table.name)
  if (table === undefined) return yield* undeclared(source.type, batch.table.name)
  const { fit, rejected } = yield* validator.take(table, batch.rows, at)
  yield* turnAway(processor, rejected)
  // A rejected row exists, so its stored row must stay.
  if (table === layout.came[0] && rejected.length > 0) {
    yield* retain(
      processor,
      rejected.map(({ raw }) => Rejects.rejectedRow(table, raw))
    )
  }
  if (merger.holds(table)) rows[table.name] = merger.take(table, RowChunk.toStaged(fit))
  else yield* pass(processor, table, fit)
})

/** The table of the user for a table of the source. */
const tableNamed = ({ layout, source }: RowProcessor, name: string): Table.Table | undefined =>
  layout.came[source.tables.findIndex((table) => table.name === name)]

const turnAway = Effect.fnUntraced(function* (
  { counts, layout, reasons, rows, sessions }: RowProcessor,
  some: ReadonlyArray<Rejects.Rejected>
): Effect.fn.Return<void, Sink.SinkError> {
  if (some.length === 0) return
  reasons.take(some)
  counts.rejected += some.filter(({ table }) => table === layout.came[0].name).length
  rows[layout.rejects.name] = (rows[layout.rejects.name] ?? 0) + some.length
  const chunk = RowChunk.seen(Rejects.rowsOf(some, "source"))
  yield* sessions.each((session) => session.write(layout.rejects, chunk))
})

/** Gives the sinks the keys of rows that may exist and are not written, so that they are not removed. */
const retain = Effect.fnUntraced(function* (
  processor: RowProcessor,
  some: ReadonlyArray<Table.Row>
): Effect.fn.Return<void, Sink.SinkError> {
  const { keyFault, layout, sessions } = processor
  const { keyNames, main } = layout
  const keys = (keyNames === undefined ? [] : some).map((row) =>
    Object.fromEntries((keyNames ?? []).map(([own, name]) => [name, row[own]]))
  )
  const isWhole = (key: Table.Row) => Object.values(key).every((value) => value !== null && value !== undefined)
  const known = keys.filter((key) => isWhole(key) && keyFault(key) === undefined)
  if (known.length < some.length) processor.lacksKeys = true
  processor.hasRetained ||= some.length > 0
  if (known.length > 0) yield* sessions.each((session) => session.retainKeys(main.name, known))
})

/** Passes rows that fit to the stage, or to the sinks if there is none. */
const pass = Effect.fnUntraced(function* (
  processor: RowProcessor,
  table: Table.Table,
  fit: RowChunk.RowChunk
): Effect.fn.Return<void, Stage.StageError | Sink.SinkError> {
  const { counts, isStaged, layout, rows } = processor
  if (table === layout.came[0]) {
    const tally = RowChunk.count(fit)
    counts.seen += tally.seen
    counts.gone += tally.gone
    counts.failed += tally.failed
    counts.unread += tally.unread
  }
  if (layout.stage === undefined) return yield* hand(processor, table.name, fit)
  rows[table.name] = (rows[table.name] ?? 0) + fit.rows.length
  if (!isStaged) yield* layout.stage.write(table.name, RowChunk.toStaged(fit))
})

/** Passes rows to the sinks, those of nested tables apart. */
const hand = Effect.fnUntraced(function* (
  processor: RowProcessor,
  table: string,
  chunk: RowChunk.RowChunk
): Effect.fn.Return<void, Sink.SinkError> {
  const { layout, ordinals, profilers, rows, runId, sessions } = processor
  const nesting = layout.nestings.get(table)
  if (nesting === undefined) return
  if (table === layout.main.name) processor.passed += RowChunk.written(chunk).length
  const from = { runId, ordinal: ordinals[table] ?? 0 }
  ordinals[table] = from.ordinal + chunk.rows.length
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
