/** A run as programs read it: the keys of `run --json`. */

import { iso } from "../summary.ts"
import type { PastRun } from "./pastRuns.ts"

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
  ...(status === "done" && facts["partial"] === 1 ? { notice: "partial" } : {}),
  started_at: iso(startedAt),
  ended_at: endedAt === undefined ? null : iso(endedAt),
  duration_ms: endedAt === undefined ? null : Number((endedAt - startedAt) / 1000n),
  rows,
  facts,
  sinks,
  ...(once === undefined ? {} : { once }),
  ...(message === undefined ? {} : { message })
})
