/**
 * Tries the rejects of one sink again: rows that fit now are loaded, and `resolved_by` of their rejects names the run.
 *
 * No request is sent, the checkpoint does not move, and a reject that still does not fit stays as it is. A row that the
 * destination rejected goes directly to it, because the steps have already run on it.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Random from "effect/Random"
import { nextStart, runId } from "./beginRun.ts"
import * as Column from "./Column.ts"
import * as Journal from "./Journal.ts"
import * as OutputTables from "./OutputTables.ts"
import * as Rejects from "./output/Rejects.ts"
import * as Pipeline from "./Pipeline.ts"
import { PlanError } from "./planOf.ts"
import * as RowChunk from "./run/RowChunk.ts"
import * as RowProcessor from "./run/RowProcessor.ts"
import * as SinkSessions from "./run/SinkSessions.ts"
import type { Element, SourceError } from "./Source.ts"
import type { SourceResponse } from "./SourceElement.ts"
import * as Stage from "./Stage.ts"
import { ownRows, sharedTable } from "./sharedTable.ts"
import * as Table from "./Table.ts"
import { validateRow } from "./validateRow.ts"
import { withSideNames } from "./withSideNames.ts"

interface Resolved {
  readonly sink: string
  readonly runId: string
  /** The number of rejects that were tried. */
  readonly tried: number
  /** The number of rejects whose rows fit now. */
  readonly resolved: number
  /** The number of their rows that the destination rejected after the steps: they are new rejects. */
  readonly rejected: number
}

export const resolveRejects = Effect.fn("resolveRejects")(function* <R>(pipeline: Pipeline.Pipeline<R>, name: string) {
  const sink = pipeline.sinks[name]
  if (sink === undefined) return yield* new PlanError({ message: `the pipeline has no sink ${name}` })
  const pipelineJournal = yield* (yield* Journal.Journals).take(
    pipeline.name,
    pipeline.directory,
    pipeline.journal.shared
  )
  const open = yield* unresolved(pipeline, name)
  const startedAt = yield* nextStart(pipeline, pipelineJournal)
  const id = runId(startedAt, yield* Random.next)
  if (open.length === 0) return { sink: name, runId: id, tried: 0, resolved: 0, rejected: 0 } satisfies Resolved

  // The pipeline with this sink alone, and without checks, which have passed when the run committed.
  const alone = { ...(yield* withSideNames(pipeline)), sinks: { [name]: sink }, checks: [] }
  const counts = yield* Effect.scoped(load(alone, pipelineJournal.folder, open, { id, startedAt }))
  yield* (yield* Stage.Stages).remove(pipelineJournal.folder)
  return { sink: name, runId: id, tried: open.length, ...counts } satisfies Resolved
}, Effect.scoped)

/** Loads the rows of rejects that fit, and records the run in `resolved_by`. */
const load = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  folder: string,
  open: ReadonlyArray<Table.Row>,
  { id, startedAt }: { readonly id: string; readonly startedAt: number }
) {
  const layout = yield* OutputTables.layOut(pipeline, { folder, pipelineFolder: folder, reopen: false })
  const state = { run_id: id, started_at: startedAt, committed: [], sinks: null }
  const sessions = yield* SinkSessions.open(pipeline, layout, state, { again: false, except: [], without: {} })
  const reading = RowProcessor.create(pipeline, layout, sessions, { runId: id, isStaged: false })
  const takeAgain = retry(pipeline, layout, sessions, reading, id)
  const resolved: Array<Table.Row> = []
  for (const row of open) {
    if (yield* takeAgain(row)) resolved.push({ ...row, resolved_by: id })
  }
  yield* RowProcessor.check(reading, { lastRows: undefined, failed: 0, now: Column.timestampFromMillis(startedAt) })
  yield* RowProcessor.load(reading, Effect.void)
  // They replace the rejects with the same ids.
  yield* sessions.each((session) => session.write(layout.rejects, RowChunk.seen(resolved)))
  yield* sessions.commit(
    (session) => ({
      // The checkpoint of the next run does not move.
      checkpoint: Option.getOrElse(session.writer.resume, () => ({ runId: id, state: null })),
      run: {
        runId: id,
        pipeline: pipeline.name,
        startedAt: Column.timestampFromMillis(startedAt),
        committedAt: Column.timestampFromMillis(startedAt),
        facts: { resolved: resolved.length },
        rows: { ...session.rows }
      },
      checks: [],
      complete: false
    }),
    () => Effect.void
  )
  const [failure] = Object.values(sessions.failures)
  if (failure !== undefined) return yield* failure
  const rejected = sessions.open().reduce((sum, session) => sum + session.rejected, 0)
  return { resolved: resolved.length, rejected }
})

/**
 * Takes a row of the table of rejects again: its answer, or its raw row. False: it still does not fit, and nothing was taken.
 */
const retry = <R>(
  pipeline: Pipeline.Pipeline<R>,
  layout: OutputTables.OutputTables,
  sessions: SinkSessions.SinkSessions,
  reading: RowProcessor.RowProcessor,
  runId: string
) => {
  /** What the source makes of the reject now. */
  const elementsOf = (reject: Table.Row): Effect.Effect<ReadonlyArray<Element<unknown>>, SourceError> => {
    const { answer, raw, table_name: name } = reject
    if (isAnswer(answer)) return pipeline.source.decode(answer)
    const original = pipeline.source.tables[layout.came.findIndex((table) => table.name === name)]
    return Effect.succeed(original === undefined ? [] : [Table.batch(original, [Rejects.rejectedRow(original, raw)])])
  }

  /** A row as the sinks get it. */
  const handAgain = Effect.fnUntraced(function* ({ raw, table_name: name }: Table.Row) {
    const table = layout.tables.find((each) => each.name === name)
    if (table === undefined) return false
    const row = { ...Rejects.rejectedRow(table, raw), [Pipeline.runIdColumn.name]: runId }
    if (validateRow(table, row) !== undefined) return false
    if (sessions.open().some((session) => session.rowError(table.name, row) !== undefined)) return false
    yield* sessions.each((session) => session.write(table, RowChunk.withPresence(table, [row])))
    return true
  })

  return Effect.fnUntraced(function* (reject: Table.Row) {
    if (reject["rejected_by"] === "destination") return yield* handAgain(reject)
    const { rejected_at: at } = reject
    const millis = typeof at === "bigint" ? Number(at / 1000n) : 0
    return yield* RowProcessor.takeIfAllFit(reading, yield* elementsOf(reject), millis)
  })
}

/** Whether a value of the table of rejects is an answer. */
const isAnswer = (u: unknown): u is SourceResponse =>
  Predicate.hasProperty(u, "kind") && Predicate.hasProperty(u, "text") && Predicate.hasProperty(u, "cursor")

/** The rejects of a sink that no run has resolved. */
const unresolved = Effect.fnUntraced(function* <R>(pipeline: Pipeline.Pipeline<R>, name: string) {
  const rows = yield* rejectsOf(pipeline, name)
  return rows.filter(({ resolved_by: by }) => by === null)
})

/** All rejects of a sink. */
export const rejectsOf = Effect.fnUntraced(function* <R>(pipeline: Pipeline.Pipeline<R>, name: string) {
  const sink = pipeline.sinks[name]
  if (sink === undefined) return yield* new PlanError({ message: `the pipeline has no sink ${name}` })
  const table = Pipeline.withRunId(Rejects.tableOf(Pipeline.named(pipeline)[0]))
  if (sink.shared !== true) return yield* sink.rows(pipeline.directory, table)
  return ownRows(pipeline, yield* sink.rows(pipeline.directory, sharedTable(table)))
})
