/**
 * The run under a caller's key of one pipeline: its records in the destinations, and its state in the journal.
 *
 * Guarantee: a key is done when every sink has a run of it. Only the destinations decide this, because the journal may be on
 * another machine, or pruned. If a destination cannot be read, the call fails, because its state is unknown.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Journal from "./Journal.ts"
import type * as Pipeline from "./Pipeline.ts"
import type * as Sink from "./Sink.ts"
import * as Stage from "./Stage.ts"

/** The run of a key in each sink that has one, in the order of the sinks. */
export type Records = Readonly<Record<string, Sink.RunRecord>>

export const recordsOf = Effect.fn("onceRun.recordsOf")(function* <R>(pipeline: Pipeline.Pipeline<R>, once: string) {
  const records: Record<string, Sink.RunRecord> = {}
  for (const [name, sink] of Object.entries(pipeline.sinks)) {
    const record = yield* recordOf(sink, pipeline, once)
    if (Option.isSome(record)) records[name] = record.value
  }
  const made: Records = records
  return made
})

const recordOf = <R>(sink: Sink.Destination<R>, { directory, name }: Pipeline.Pipeline<R>, once: string) =>
  sink.ranOnce === undefined
    ? Effect.map(sink.runs(directory), (runs) => lastOf(runs, { pipeline: name, once }))
    : sink.ranOnce(directory, { pipeline: name, once })

/** The last run of a key among these. */
export const lastOf = (runs: ReadonlyArray<Sink.RunRecord>, { once, pipeline }: Sink.OnceKey) =>
  Option.fromUndefinedOr(runs.findLast((run) => run.pipeline === pipeline && run.once === once))

/** Marks runs of a key as done in the journal: every sink has them, and a process died before it saved that. */
export const settle = Effect.fnUntraced(function* (pipelineJournal: Journal.Journal, once: string, records: Records) {
  for (const { state } of yield* pipelineJournal.runs) {
    if (state.once !== once || !isWaiting(state)) continue
    yield* Effect.scoped(
      Effect.gen(function* () {
        const journal = yield* pipelineJournal.open(state.run_id)
        const ended_at = yield* Clock.currentTimeMillis
        yield* journal.save({ status: "done", committed: Object.keys(records), message: null, ended_at })
        yield* (yield* Stage.Stages).remove(journal.folder)
      })
    )
  }
})

const isWaiting = ({ status }: Journal.RunState) => status === "reading" || status === "read" || status === "held"

/** The held run of a key, which someone must commit or drop. */
export const heldOf = (entries: ReadonlyArray<Journal.Entry>, once: string): Journal.RunState | undefined =>
  entries.findLast(({ state }) => state.once === once && state.status === "held")?.state

/** The run of a key that some sinks still lack. */
export const behindOf = (entries: ReadonlyArray<Journal.Entry>, once: string): Journal.RunState | undefined =>
  entries.findLast(({ state }) => state.once === once && state.status === "behind")?.state
