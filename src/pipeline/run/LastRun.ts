/**
 * The last good run of a pipeline, as its destinations remember it: what the next one is measured by.
 *
 * A run that only loaded rejects again read nothing from its source and does not count. A run with other source options
 * (another start, another limit) says nothing about what this run should find.
 */
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Pipeline from "../Pipeline.ts"
import * as Sink from "../Sink.ts"

export interface LastRun {
  readonly runId: string
  readonly facts: Readonly<Record<string, number>>
  /** Rows by table; of the main table those that came through the steps. */
  readonly rows: Readonly<Record<string, number>>
  /** Whether its source had the options that this run's has. */
  readonly isSame: boolean
}

/**
 * By the first destination that has one. `before`: a run that is made again is measured by those before it, and not by
 * those that came since.
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
      // A history does not get every row, and is as good a run: what came through the steps is what counts.
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

/** When the newest run of this pipeline began, as its destinations say; in milliseconds since the epoch. */
export const latestStart = Effect.fnUntraced(function* <R>(pipeline: Pipeline.Pipeline<R>) {
  const starts = yield* Effect.forEach(Object.values(pipeline.sinks), (sink) =>
    Effect.map(newestOf(pipeline, sink), (runs) => runs.map(({ startedAt }) => Number(startedAt / 1000n)))
  )
  return starts.flat().reduce((latest, start) => Math.max(latest, start), 0)
})

/** The last run of this pipeline that is what is looked for, of those that a destination has. It is mostly one of the newest. */
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

const newestOf = <R>(pipeline: Pipeline.Pipeline<R>, sink: Sink.Destination<R>) => {
  const of = { pipeline: pipeline.name, count: mostNewest }
  return recordsOf(pipeline, sink.newestRuns?.(pipeline.directory, of) ?? sink.runs(pipeline.directory))
}

/** How many runs a destination that keeps thousands is asked for. */
const mostNewest = 4

/** The runs of this pipeline among some; a destination that cannot be asked says so when it is opened. */
const recordsOf = <R>(
  pipeline: Pipeline.Pipeline<R>,
  runs: ReturnType<Sink.Destination<R>["runs"]>
): Effect.Effect<ReadonlyArray<Sink.RunRecord>, never, R> =>
  Effect.match(runs, {
    onSuccess: (all) => all.filter((run) => run.pipeline === pipeline.name),
    onFailure: () => []
  })

/** The options of the source as a number: enough to tell others apart, and too little to find a secret in them. */
export const printOf = <R>({ source }: Pipeline.Pipeline<R>): number =>
  Number.parseInt(
    createHash("sha256").update(source.type).update("\0").update(source.options).digest("hex").slice(0, 6),
    16
  )
