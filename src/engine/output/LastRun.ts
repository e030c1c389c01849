/**
 * The last successful run of a pipeline, from its destinations: the next run is compared with it.
 *
 * A run that only loaded rejects again has read nothing from its source and does not count. A run with other options of the
 * source, such as another limit, does not say what this run should find (`isSame` is false).
 */
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Journal from "../Journal.ts"
import * as Pipeline from "../Pipeline.ts"
import * as Sink from "../Sink.ts"

export interface LastRun {
  readonly runId: string
  readonly facts: Readonly<Record<string, number>>
  /** Rows by table; of the main table, the rows after the steps. */
  readonly rows: Readonly<Record<string, number>>
  /** Whether its source had the same options as this run's. */
  readonly isSame: boolean
}

/**
 * The last successful run in the first destination that has one. `before`: a replay is compared with a run before it, and
 * not with runs that came later.
 */
export const read = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  current: { readonly runId: string; readonly before: boolean }
) {
  for (const sink of Object.values(pipeline.sinks)) {
    const last = yield* findLast(
      pipeline,
      sink,
      ({ facts, runId }) =>
        facts["resolved"] === undefined &&
        !Sink.isUnfinished({ facts }) &&
        (current.before ? runId < current.runId : runId !== current.runId)
    )
    if (last === undefined) continue
    const { dropped = 0, gone = 0, loaded, revalidated = 0 } = last.facts
    const made: LastRun = {
      runId: last.runId,
      facts: last.facts,
      // A history does not get rows that are gone, so the rows after the steps are counted instead of its rows.
      rows:
        loaded === undefined
          ? last.rows
          : { ...last.rows, [Pipeline.named(pipeline)[0].name]: loaded + revalidated + gone - dropped },
      isSame: (last.facts["options"] ?? printOf(pipeline)) === printOf(pipeline)
    }
    return made
  }
  return undefined
})

/**
 * What destinations do not have any more, in words: the journal says that they had a run, and it and all after it are gone. A file
 * was put back from a backup, or lost.
 */
export const goneFrom = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  journaled: ReadonlyArray<Journal.Entry>
) {
  const found: Array<string> = []
  for (const [name, sink] of Object.entries(pipeline.sinks)) {
    const lastRunId = journaled.map(({ state }) => state).findLast(({ committed }) => committed.includes(name))?.run_id
    const newest = lastRunId === undefined ? undefined : yield* Effect.option(newestIn(pipeline, sink))
    if (lastRunId === undefined || newest === undefined || Option.isNone(newest)) continue
    if (newest.value.some(({ runId }) => runId >= lastRunId)) continue
    found.push(
      `sink ${name} does not have run ${lastRunId} any more: it was put back from a backup, or is lost; \`millrace replay ${lastRunId}\` loads the run again`
    )
  }
  return found
})

/** When the newest run of this pipeline in its destinations began: milliseconds since the epoch; 0: there is none. */
export const latestStart = Effect.fnUntraced(function* <R>(pipeline: Pipeline.Pipeline<R>) {
  const starts = yield* Effect.forEach(Object.values(pipeline.sinks), (sink) =>
    Effect.map(newestOf(pipeline, sink), (runs) => runs.map(({ startedAt }) => Number(startedAt / 1000n)))
  )
  return starts.flat().reduce((latest, start) => Math.max(latest, start), 0)
})

/** The last run of this pipeline in a destination for which `isIt` is true. The newest runs are searched first. */
export const findLast = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  sink: Sink.Destination<R>,
  isIt: (run: Sink.RunRecord) => boolean
) {
  const newest = yield* newestOf(pipeline, sink)
  const found = newest.findLast(isIt)
  if (found !== undefined || newest.length < mostNewest || sink.newestRuns === undefined) return found
  return (yield* recordsOf(pipeline, sink.runs(pipeline.directory))).findLast(isIt)
})

const newestOf = <R>(pipeline: Pipeline.Pipeline<R>, sink: Sink.Destination<R>) =>
  recordsOf(pipeline, newestIn(pipeline, sink))

const newestIn = <R>({ directory, name }: Pipeline.Pipeline<R>, sink: Sink.Destination<R>) =>
  sink.newestRuns?.(directory, { pipeline: name, count: mostNewest }) ?? sink.runs(directory)

/** How many of the newest runs are requested first, because a destination may have thousands. */
const mostNewest = 4

/** The runs of this pipeline; empty if the destination cannot be read, because opening it then reports the error. */
const recordsOf = <R>(
  pipeline: Pipeline.Pipeline<R>,
  runs: ReturnType<Sink.Destination<R>["runs"]>
): Effect.Effect<ReadonlyArray<Sink.RunRecord>, never, R> =>
  Effect.match(runs, {
    onSuccess: (all) => all.filter((run) => run.pipeline === pipeline.name),
    onFailure: () => []
  })

/** A short hash of the options of the source: enough to notice a change, and too little to find a secret in them. */
export const printOf = <R>({ source }: Pipeline.Pipeline<R>): number =>
  Number.parseInt(
    createHash("sha256").update(source.type).update("\0").update(source.options).digest("hex").slice(0, 6),
    16
  )
