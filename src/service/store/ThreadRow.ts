/**
 * Agent runs and threads as their tables have them.
 */

import type { Resolution, Run, Thread } from "../../agent/Thread.ts"
import type { AgentMode } from "../../api/Agent.ts"
import * as Job from "./JobRow.ts"
import { storedJson } from "./storedJson.ts"

export interface ThreadRow {
  readonly id: string
  readonly team_id: string
  readonly created_at: number
}

export interface Row extends Job.Row {
  readonly thread_id: string
  readonly turn: number
  readonly mode: AgentMode
  readonly resolution: string | null
  readonly result: string | null
}

export const toThread = (row: ThreadRow): Thread => ({
  id: row.id,
  teamId: row.team_id,
  createdAt: Number(row.created_at)
})

export const toRun = (row: Row): Run => ({
  job: Job.ofRow(row),
  threadId: row.thread_id,
  turn: row.turn,
  mode: row.mode,
  resolution: row.resolution === null ? null : storedJson<Resolution>(row.resolution), // as `AgentStore.resolve` wrote it
  result: row.result
})
