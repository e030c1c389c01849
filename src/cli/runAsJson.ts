/** A run as programs read it: the keys of `run --json`. */
import type { CommittedRun } from "./committedRuns.ts"

export const runAsJson = ({ runId, pipeline, startedAt, committedAt, facts, rows, sinks }: CommittedRun) => ({
  run_id: runId,
  pipeline,
  started_at: iso(startedAt),
  committed_at: iso(committedAt),
  duration_ms: Number((committedAt - startedAt) / 1000n),
  rows,
  facts,
  sinks
})

const iso = (micros: bigint): string => new Date(Number(micros / 1000n)).toISOString()
