/**
 * The sinks of one attempt, side by side.
 *
 * The law: a sink that fails gets no more and does not keep the others from going on, nor the source from being read to
 * its end: what was asked and paid for is in the journal, and the sink gets it from there. A sink that has this run
 * already is left alone.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as Checkpoint from "../Checkpoint.ts"
import type * as Journal from "../Journal.ts"
import type * as Pipeline from "../Pipeline.ts"
import type * as Sink from "../Sink.ts"
import type * as Layout from "./Layout.ts"
import * as Outlet from "./Outlet.ts"
import { planOf } from "./planOf.ts"

export interface Outlets {
  /** Those that still take rows. */
  readonly open: () => ReadonlyArray<Outlet.Outlet>
  /** The sinks that could not go on, and why. */
  readonly failures: Readonly<Record<string, Sink.SinkError>>
  /** The sinks that have this run already, from an attempt before. */
  readonly have: ReadonlyArray<string>
  /** Does the same with each that is open. */
  readonly each: (run: (outlet: Outlet.Outlet) => Effect.Effect<void, Sink.SinkError>) => Effect.Effect<void>
  /** Commits to each that is open. The receipts by name, those of failures left out. */
  readonly commit: (
    commitOf: (outlet: Outlet.Outlet) => Sink.Commit,
    told: (name: string, receipt: Sink.Receipt) => Effect.Effect<void, Journal.JournalError>
  ) => Effect.Effect<void, Journal.JournalError>
}

/** Opens the sinks of a pipeline that lack a run, or all of them where it is written again. */
export const open = Effect.fn("Outlets.open")(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  layout: Layout.Layout,
  state: Pick<Journal.RunState, "run_id" | "started_at" | "committed">,
  { again, without }: { readonly again: boolean; readonly without: Readonly<Record<string, Sink.SinkError>> }
) {
  const contract = pipeline.table.contract ?? "evolve"
  const failures: Record<string, Sink.SinkError> = { ...without }
  const have: Array<string> = []
  const outlets: Array<Outlet.Outlet> = []
  for (const [name, sink] of Object.entries(pipeline.sinks)) {
    const plan = yield* planOf(pipeline, layout, { runId: state.run_id, name, sink, again })
    if (!again && state.committed.includes(name)) {
      have.push(name)
      continue
    }
    if (failures[name] !== undefined) continue
    const opened = yield* Effect.result(sink.open(plan))
    if (Result.isFailure(opened)) {
      failures[name] = opened.failure
      continue
    }
    const writer = opened.success
    if (!again && Option.exists(writer.resume, ({ runId }) => runId === state.run_id)) {
      have.push(name)
      continue
    }
    const fault = contract === "freeze" ? Outlet.frozenFault(plan, writer, layout.rejects) : undefined
    if (fault !== undefined) return yield* fault
    outlets.push(Outlet.make({ name, writer, plan, contract, rejects: layout.rejects, startedAt: state.started_at }))
  }

  const remaining = () => outlets.filter(({ name }) => failures[name] === undefined)
  const [first] = Object.values(failures)
  if (first !== undefined && outlets.length === 0) return yield* first

  const made: Outlets = {
    open: remaining,
    failures,
    have,
    each: (run) =>
      Effect.forEach(
        remaining(),
        (outlet) =>
          Effect.catch(run(outlet), (error) =>
            Effect.sync(() => {
              failures[outlet.name] = error
            })
          ),
        { concurrency: "unbounded", discard: true }
      ),
    commit: Effect.fnUntraced(function* (commitOf, told) {
      for (const outlet of remaining()) {
        const committed = yield* Effect.result(outlet.writer.commit(commitOf(outlet)))
        if (Result.isFailure(committed)) failures[outlet.name] = committed.failure
        else yield* told(outlet.name, committed.success)
      }
    })
  }
  return made
})

/** Where reading begins: the place that all destinations agree on, else the beginning. */
export const resumeFrom = (outlets: ReadonlyArray<Outlet.Outlet>): Option.Option<unknown> => {
  const states = outlets.map(({ writer }) => Option.map(writer.resume, ({ state }) => state))
  const [first = Option.none()] = states
  return states.every((state) => JSON.stringify(state) === JSON.stringify(first)) ? first : Option.none()
}

/** What a commit says of where to go on: a run that is written again does not take back what later ones have said. */
export const checkpointFor = (writer: Sink.Writer, stored: Checkpoint.Stored): Checkpoint.Stored =>
  Option.getOrElse(
    Option.filter(writer.resume, ({ runId }) => runId > stored.runId),
    () => stored
  )
