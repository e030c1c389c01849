/**
 * Agent runs and threads, as the store returns them.
 */
import type { AgentMode } from "#contract/Agent"
import type { PendingApproval } from "#contract/Exchange"
import * as Job from "#web/Job"

export interface Entered {
  readonly id: string
  readonly teamId: string
  readonly createdAt: number
  readonly threadId: string
  /** The number of the turn in its thread, from 1. */
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
  /** The answer to the approval that the run asked for; null: it asked for none, or there is no answer yet. */
  readonly resolution: Resolution | null
  /** The JSON text of its `AgentResult`; null: it has not ended. */
  readonly result: string | null
}
