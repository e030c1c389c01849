/**
 * Agent runs and threads as their tables have them.
 */
import type { AgentMode } from "../../api/Agent.ts"
import type { PendingApproval } from "../../api/Exchange.ts"
import * as Job from "./Job.ts"
import { storedJson } from "./storedJson.ts"

export interface Entered {
  readonly id: string
  readonly teamId: string
  readonly createdAt: number
  readonly threadId: string
  /** From 1. */
  readonly turn: number
  readonly mode: AgentMode
}

export interface Thread {
  readonly id: string
  readonly teamId: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

export type Resolution = NonNullable<PendingApproval["resolution"]>

export interface Run {
  readonly job: Job.Job
  readonly threadId: string
  readonly turn: number
  readonly mode: AgentMode
  /** How the approval that it asked for was answered; null: it asked for none, or it is open. */
  readonly resolution: Resolution | null
  /** What it ended with, as JSON text. */
  readonly result: string | null
}

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
