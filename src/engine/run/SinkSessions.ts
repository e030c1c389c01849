/**
 * The sinks of one attempt, side by side.
 *
 * A sink that fails gets no more rows. It stops neither the other sinks nor the reading of the source: the answers are in
 * the journal, and the sink gets the run from there later. A sink that already has this run is not opened.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as Checkpoint from "../Checkpoint.ts"
import * as ColumnRegistry from "../ColumnRegistry.ts"
import type * as Journal from "../Journal.ts"
import type * as OutputTables from "../OutputTables.ts"
import type * as Pipeline from "../Pipeline.ts"
import { planOf } from "../planOf.ts"
import type * as Sink from "../Sink.ts"
import * as CommittedPart from "./CommittedPart.ts"
import * as SinkSession from "./SinkSession.ts"

export interface SinkSessions {
  /** The sinks that still take rows. */
  readonly open: () => ReadonlyArray<SinkSession.SinkSession>
  /** The sinks that failed, with their errors. */
  readonly failures: Readonly<Record<string, Sink.SinkError>>
  /** The names of the sinks that already have this run from an earlier attempt. */
  readonly have: ReadonlyArray<string>
  /** Uses only these sinks in this attempt. */
  readonly restrict: (names: ReadonlyArray<string>) => void
  /** Sets the number of the answer of the next rows. */
  readonly begin: (answer: number) => void
  /** Runs an effect for each open sink. */
  readonly each: (run: (session: SinkSession.SinkSession) => Effect.Effect<void, Sink.SinkError>) => Effect.Effect<void>
  /** Commits to each open sink for which `commitOf` returns a commit; `afterCommit` runs after each. */
  readonly commit: (
    commitOf: (session: SinkSession.SinkSession) => Sink.Commit | undefined,
    afterCommit: (
      session: SinkSession.SinkSession,
      result: Sink.CommitResult,
      /** The rows that were committed, by table. */
      rows: Readonly<Record<string, number>>
    ) => Effect.Effect<void, Journal.JournalError>
  ) => Effect.Effect<void, Journal.JournalError>
}

/** Which sinks an attempt opens. */
interface Choice {
  readonly again: boolean
  readonly fullRefresh?: boolean
  readonly except: ReadonlyArray<string>
  readonly without: Readonly<Record<string, Sink.SinkError>>
}

type State = Pick<Journal.RunState, "run_id" | "started_at" | "committed" | "sinks">

/** Opens the sinks of a pipeline that lack a run; with `again`, all of them. */
export const open = Effect.fn("SinkSessions.open")(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  layout: OutputTables.OutputTables,
  state: State,
  options: Choice
) {
  const { failures, have, sessions } = yield* openEach(pipeline, layout, state, options)
  let only: ReadonlyArray<string> | undefined
  const remaining = () =>
    sessions.filter(({ name }) => failures[name] === undefined && (only === undefined || only.includes(name)))
  const [first] = Object.values(failures)
  if (first !== undefined && sessions.length === 0) return yield* first

  const made: SinkSessions = {
    open: remaining,
    failures,
    have,
    restrict: (names) => {
      only = names
    },
    begin: (answer) => {
      for (const session of remaining()) session.begin(answer)
    },
    each: (run) =>
      Effect.forEach(
        remaining(),
        (session) =>
          Effect.catch(run(session), (error) =>
            Effect.sync(() => {
              failures[session.name] = error
            })
          ),
        { concurrency: "unbounded", discard: true }
      ),
    commit: Effect.fnUntraced(function* (commitOf, afterCommit) {
      for (const session of remaining()) {
        const commit = commitOf(session)
        if (commit === undefined) continue
        const committing = Effect.gen(function* () {
          const committed = yield* Effect.result(session.writer.commit(commit))
          if (Result.isFailure(committed)) {
            failures[session.name] = committed.failure
            return
          }
          const rows = session.uncommitted
          session.committed()
          yield* afterCommit(session, committed.success, rows)
        })
        // An interruption waits for the end of the commit, so that the report of what was committed is true.
        yield* Effect.uninterruptible(committing)
      }
    })
  }
  return made
})

const openEach = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  layout: OutputTables.OutputTables,
  state: State,
  { again, except, fullRefresh = false, without }: Choice
) {
  const contract = pipeline.table.contract ?? "evolve"
  const failures: Record<string, Sink.SinkError> = { ...without }
  const have: Array<string> = []
  const sessions: Array<SinkSession.SinkSession> = []
  for (const [name, sink] of Object.entries(pipeline.sinks)) {
    const plan = yield* planOf(pipeline, layout, {
      runId: state.run_id,
      name,
      sink,
      again,
      fullRefresh: fullRefresh && !again
    })
    if (!again && state.committed.includes(name)) {
      have.push(name)
      continue
    }
    if (failures[name] !== undefined || except.includes(name) || state.sinks?.includes(name) === false) continue
    const open = yield* Effect.result(sink.open(plan))
    if (Result.isFailure(open)) {
      failures[name] = open.failure
      continue
    }
    const writer = ColumnRegistry.underNames(plan, open.success)
    const isOurs = !again && Option.exists(writer.resume, ({ runId }) => runId === state.run_id)
    const part = isOurs ? CommittedPart.of(writer.resume) : undefined
    if (isOurs && part === undefined) {
      have.push(name)
      continue
    }
    const fault = contract === "freeze" ? SinkSession.frozenFault(plan, writer, layout.rejects) : undefined
    if (fault !== undefined) return yield* fault
    sessions.push(
      SinkSession.of({
        name,
        writer,
        plan,
        closesRemoved: sink.closesRemoved,
        contract,
        isKeyless: layout.isKeyless,
        rejects: layout.rejects,
        startedAt: state.started_at,
        part
      })
    )
  }
  return { failures, have, sessions }
})

/**
 * The checkpoint at which reading begins, and the sinks that have it: that of a sink without a run, otherwise that of the
 * sink whose last run is the oldest. A sink that removes rows which a run does not write would lose the rows that a source
 * skips after its checkpoint. So for such a sink, a `rereadable` source is read from the beginning.
 */
export const furthestBack = (
  sessions: ReadonlyArray<SinkSession.SinkSession>,
  { rereadable = false }: { readonly rereadable?: boolean }
): { readonly start: Option.Option<unknown>; readonly names: ReadonlyArray<string> } => {
  const placed = sessions
    .map(({ isRemoving, name, writer }) => {
      const resume = rereadable && isRemoving ? Option.none<Checkpoint.Stored>() : writer.resume
      const runId = Option.match(resume, { onNone: () => "", onSome: ({ runId }) => runId })
      return { name, runId, start: CommittedPart.startOf(resume) }
    })
    .toSorted((a, b) => (a.runId < b.runId ? -1 : 1))
  const start = placed[0]?.start ?? Option.none()
  const there = JSON.stringify(Option.toArray(start))
  const names = placed.filter((place) => JSON.stringify(Option.toArray(place.start)) === there).map(({ name }) => name)
  return { start, names }
}

/**
 * The checkpoint of a commit. A replay, or a run that is caught up, keeps the checkpoint of a later run (`isPast`). A new run
 * sets its own, even if its id is smaller because the clock was wrong.
 */
export const checkpointFor = (writer: Sink.Writer, stored: Checkpoint.Stored, isPast: boolean): Checkpoint.Stored =>
  Option.getOrElse(
    Option.filter(writer.resume, ({ runId }) => isPast && runId > stored.runId),
    () => stored
  )

/** The checkpoint of the newest run that any sink has. */
export const latest = (sessions: ReadonlyArray<SinkSession.SinkSession>): Option.Option<unknown> => {
  const stored = sessions.flatMap(({ writer }) => Option.toArray(writer.resume))
  const [last] = stored.toSorted((a, b) => (a.runId < b.runId ? 1 : -1))
  return CommittedPart.startOf(Option.fromUndefinedOr(last))
}
