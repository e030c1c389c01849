/**
 * The runs of pipeline files: those that destinations have, with their sinks, and those that only the journal has, because
 * they failed, are held, or have not finished.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Journal from "#engine/Journal"
import * as Sink from "#engine/Sink"
import { engine } from "#library/services"
import { failed } from "./CliFailure.ts"
import { loadPipelines, type Options } from "./pipelineFiles.ts"
import { iso, lacksValues } from "./summary.ts"

export type { Options } from "./pipelineFiles.ts"

export interface PastRun extends Omit<Sink.RunRecord, "committedAt"> {
  readonly status: Journal.RunStatus
  /** When it committed or ended otherwise, in microseconds since the epoch; undefined: it has not ended. */
  readonly endedAt: bigint | undefined
  /** The sinks that have the run. A sink without it missed the commit, or was added to the file later. */
  readonly sinks: ReadonlyArray<string>
  /** What went wrong, or what the run waits for. */
  readonly message: string | undefined
}

/** The status for people: partial if not everything could be read, or values that rows must have were not found. */
export const statusOf = ({ facts, status }: Pick<PastRun, "facts" | "status">): string =>
  status === "done" && (facts["partial"] === 1 || lacksValues(facts)) ? "partial" : status

interface PastRuns {
  /** The newest first. */
  readonly runs: ReadonlyArray<PastRun>
  /** The destinations that could not be read, and why: their runs are missing here. */
  readonly unread: ReadonlyArray<string>
}

export const pastRuns = Effect.fn("pastRuns")(function* (options: Options) {
  const each = yield* Effect.forEach(yield* loadPipelines(options), runsOf)
  const all: PastRuns = {
    runs: each.flatMap(({ runs }) => runs).toSorted((a, b) => Number(b.startedAt - a.startedAt)),
    unread: each.flatMap(({ unread }) => unread)
  }
  return all
}, Effect.provide(engine))

export const runsOf = Effect.fnUntraced(function* ({
  path,
  pipeline
}: Pick<Effect.Success<ReturnType<typeof loadPipelines>>[number], "path" | "pipeline">) {
  const journals = yield* Journal.Journals
  const entries = yield* journals
    .look(pipeline.name, pipeline.directory, pipeline.journal.shared)
    .pipe(Effect.mapError((error) => failed(`${path}: ${error.message}`)))
  const found = new Map<string, PastRun>(entries.map(({ state }) => [state.run_id, ofJournal(state)]))
  const damaged = new Set(entries.flatMap((entry) => (entry.damaged === undefined ? [] : [entry.state.run_id])))
  const stored = new Set<string>()
  const unread: Array<string> = []
  for (const [name, sink] of Object.entries(pipeline.sinks)) {
    const records = yield* Effect.result(sink.runs(pipeline.directory))
    if (records._tag === "Failure") unread.push(`${path}: sink ${name}: ${records.failure.message}`)
    for (const record of records._tag === "Success" ? records.success : []) {
      if (record.pipeline !== pipeline.name) continue
      const before = stored.has(record.runId) ? found.get(record.runId) : undefined
      // If the journal's state of the run is damaged, only the record of the destination counts.
      const journaled = damaged.has(record.runId) ? undefined : found.get(record.runId)
      stored.add(record.runId)
      found.set(record.runId, {
        ...record,
        ...(before === undefined ? {} : countsOf(before, record)),
        status: journaled?.status ?? (Sink.isUnfinished(record) ? "stopped" : "done"),
        endedAt: record.committedAt,
        message: journaled?.message,
        sinks: [...(before?.sinks ?? []), name]
      })
    }
  }
  return { runs: [...found.values()], unread }
})

/**
 * The counts of a run in two sinks. A history gets no row of a page that is gone, and counts it apart; other sinks get such a
 * row, and count it as loaded.
 */
const countsOf = (before: PastRun, { facts, rows }: Sink.RunRecord): Pick<PastRun, "facts" | "rows"> => ({
  facts: before.facts["gone"] === undefined ? facts : before.facts,
  rows: Object.fromEntries(
    Object.keys({ ...before.rows, ...rows }).map((table) => [
      table,
      Math.max(before.rows[table] ?? 0, rows[table] ?? 0)
    ])
  )
})

const ofJournal = (state: Journal.RunState): PastRun => ({
  runId: state.run_id,
  pipeline: state.pipeline,
  startedAt: Column.timestampFromMillis(state.started_at),
  endedAt: state.ended_at === null ? undefined : Column.timestampFromMillis(state.ended_at),
  facts: state.facts,
  rows: state.rows,
  status: Journal.isBroken(state) ? "failed" : state.status,
  message: state.message ?? undefined,
  ...(state.once === undefined ? {} : { once: state.once }),
  sinks: []
})

/** A run as JSON, with the keys of `run --json`. */
export const runAsJson = ({
  endedAt,
  facts,
  message,
  once,
  pipeline,
  rows,
  runId,
  sinks,
  startedAt,
  status
}: PastRun) => ({
  run_id: runId,
  pipeline,
  status,
  ...(statusOf({ facts, status }) === "partial" ? { notice: "partial" } : {}),
  started_at: iso(startedAt),
  ended_at: endedAt === undefined ? null : iso(endedAt),
  duration_ms: endedAt === undefined ? null : Number((endedAt - startedAt) / 1000n),
  rows,
  facts,
  sinks,
  ...(once === undefined ? {} : { once }),
  ...(message === undefined ? {} : { message })
})
