/**
 * Records in the journal that a run was interrupted, and reports in which state it is left.
 *
 * If the source was not read to its end, the run is over, and the source cancels its job. If it was read to its end, the
 * next run loads it from the journal.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Journal from "../Journal.ts"
import * as Stage from "../Stage.ts"

/** The state in which an interrupted run is left. */
export interface Stopped {
  /** The id of the run. */
  readonly runId: string
  /** The status of the run now. */
  readonly status: Journal.RunStatus
  /** The sinks that have committed it. */
  readonly committed: ReadonlyArray<string>
  /** The sinks that have not committed it. */
  readonly missing: ReadonlyArray<string>
  /** How many parts of it were committed while it read its source. They stay. */
  readonly parts: number
}

/** Records the interruption. An error of the journal is ignored, because it must not prevent the interruption. */
export const stopRun = (
  pipeline: Sinks,
  journal: Journal.RunJournal,
  tell: (stopped: Stopped) => Effect.Effect<void> = () => Effect.void
): Effect.Effect<void, never, Stage.Stages> => Effect.ignore(stop(pipeline, journal, tell))

interface Sinks {
  readonly sinks: Readonly<Record<string, unknown>>
}

const stop = Effect.fnUntraced(function* (
  { sinks }: Sinks,
  journal: Journal.RunJournal,
  tell: (stopped: Stopped) => Effect.Effect<void>
) {
  const { committed, run_id: runId, sinks: only } = journal.state
  const missing = Object.keys(sinks).filter((name) => !committed.includes(name) && only?.includes(name) !== false)
  const ended_at = yield* Clock.currentTimeMillis
  const change = changeOf(journal.state, missing, ended_at)
  if (change !== undefined) yield* journal.save(change)
  const { status } = journal.state
  if (status === "stopped") yield* (yield* Stage.Stages).remove(journal.folder)
  yield* tell({ runId, status, committed, missing, parts: journal.state.parts ?? 0 })
})

/** The change of the state; undefined: the run is held or over, and stays so. */
const changeOf = (
  { committed, parts = 0, status }: Journal.RunState,
  missing: ReadonlyArray<string>,
  ended_at: number
): Partial<Journal.RunState> | undefined => {
  if (status === "reading") {
    const has = parts === 0 ? "nothing was committed" : `what it had committed until then stays (parts: ${parts})`
    return { status: "stopped", ended_at, message: `stopped while it read its source; ${has}` }
  }
  if (status !== "read") return undefined
  if (committed.length === 0) return { message: "stopped before the commit; nothing was committed" }
  return missing.length === 0
    ? { status: "done", ended_at, message: null }
    : { message: `stopped between two commits; committed: ${committed.join(", ")}` }
}
