/**
 * The sinks of one attempt, side by side.
 *
 * A sink that fails gets no more rows. It does not stop the other sinks, nor the reading of the source: what was paid
 * for is in the journal, and the sink gets it from there later. A sink that has this run already is left alone.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as Checkpoint from "../Checkpoint.ts"
import type * as Journal from "../Journal.ts"
import type * as Pipeline from "../Pipeline.ts"
import type * as Sink from "../Sink.ts"
import * as CommittedPart from "./CommittedPart.ts"
import type * as OutputTables from "./OutputTables.ts"
import { planOf } from "./planOf.ts"
import * as SinkSession from "./SinkSession.ts"

export interface SinkSessions {
  /** Those that still take rows. */
  readonly open: () => ReadonlyArray<SinkSession.SinkSession>
  /** The sinks that could not go on, and why. */
  readonly failures: Readonly<Record<string, Sink.SinkError>>
  /** The sinks that have this run already, from an attempt before. */
  readonly have: ReadonlyArray<string>
  /** Leaves all but these alone for this attempt. */
  readonly restrict: (names: ReadonlyArray<string>) => void
  /** Says from which answer of the journal the next rows are. */
  readonly begin: (answer: number) => void
  /** Does the same with each that is open. */
  readonly each: (run: (session: SinkSession.SinkSession) => Effect.Effect<void, Sink.SinkError>) => Effect.Effect<void>
  /** Commits to each that is open, but those for which there is nothing to commit. */
  readonly commit: (
    commitOf: (session: SinkSession.SinkSession) => Sink.Commit | undefined,
    told: (
      session: SinkSession.SinkSession,
      result: Sink.CommitResult,
      /** The rows that it was of, by table. */
      rows: Readonly<Record<string, number>>
    ) => Effect.Effect<void, Journal.JournalError>
  ) => Effect.Effect<void, Journal.JournalError>
}

/** Opens the sinks of a pipeline that lack a run, or all of them where it is written again. */
export const open = Effect.fn("SinkSessions.open")(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  layout: OutputTables.OutputTables,
  state: Pick<Journal.RunState, "run_id" | "started_at" | "committed" | "sinks">,
  {
    again,
    except,
    without
  }: {
    readonly again: boolean
    readonly except: ReadonlyArray<string>
    readonly without: Readonly<Record<string, Sink.SinkError>>
  }
) {
  const contract = pipeline.table.contract ?? "evolve"
  const failures: Record<string, Sink.SinkError> = { ...without }
  const have: Array<string> = []
  const sessions: Array<SinkSession.SinkSession> = []
  for (const [name, sink] of Object.entries(pipeline.sinks)) {
    const plan = yield* planOf(pipeline, layout, { runId: state.run_id, name, sink, again })
    if (!again && state.committed.includes(name)) {
      have.push(name)
      continue
    }
    if (failures[name] !== undefined || except.includes(name) || state.sinks?.includes(name) === false) continue
    const opened = yield* Effect.result(sink.open(plan))
    if (Result.isFailure(opened)) {
      failures[name] = opened.failure
      continue
    }
    const writer = opened.success
    const isOurs = !again && Option.exists(writer.resume, ({ runId }) => runId === state.run_id)
    const part = isOurs ? CommittedPart.of(writer.resume) : undefined
    if (isOurs && part === undefined) {
      have.push(name)
      continue
    }
    const fault = contract === "freeze" ? SinkSession.frozenFault(plan, writer, layout.rejects) : undefined
    if (fault !== undefined) return yield* fault
    sessions.push(
      SinkSession.make({
        name,
        writer,
        plan,
        closesRemoved: sink.closesRemoved,
        contract,
        rejects: layout.rejects,
        startedAt: state.started_at,
        part
      })
    )
  }

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
    commit: Effect.fnUntraced(function* (commitOf, told) {
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
          yield* told(session, committed.success, rows)
        })
        // Who stops a run in the middle of a commit waits for its end, so that what is said of it is true.
        yield* Effect.uninterruptible(committing)
      }
    })
  }
  return made
})

/**
 * Where reading begins, and for which sinks: those that stand at the place of the one furthest back, which is one that
 * has nothing, or else the one whose last run is the oldest. A sink that removes what a run does not write would lose what
 * a source skips after its checkpoint: for such a sink, a source that can be read again (`rereadable`) is read whole.
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
 * What a commit says of where to go on: a run of the past does not take back what later ones have said. One that
 * is new does, whatever clocks say of when it began.
 */
export const checkpointFor = (writer: Sink.Writer, stored: Checkpoint.Stored, isPast: boolean): Checkpoint.Stored =>
  Option.getOrElse(
    Option.filter(writer.resume, ({ runId }) => isPast && runId > stored.runId),
    () => stored
  )

/** The checkpoint of the last commit of any sink. */
export const latest = (sessions: ReadonlyArray<SinkSession.SinkSession>): Option.Option<unknown> => {
  const stored = sessions.flatMap(({ writer }) => Option.toArray(writer.resume))
  const [last] = stored.toSorted((a, b) => (a.runId < b.runId ? 1 : -1))
  return CommittedPart.startOf(Option.fromUndefinedOr(last))
}
