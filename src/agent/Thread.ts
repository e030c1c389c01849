/**
 * Agent runs and threads as their tables have them.
 */
import type { AgentMode } from "../api/Agent.ts"
import type { PendingApproval } from "../api/Exchange.ts"
import * as Job from "../crawler/crawl/Job.ts"

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
