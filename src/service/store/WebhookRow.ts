/**
 * The rows of webhook deliveries.
 */
import { storedJson } from "./jsonColumns.ts"
import * as Seal from "./Seal.ts"

export type State = "pending" | "delivered" | "given up"

/** A pending delivery, with all that an attempt needs. */
export interface Delivery {
  readonly jobId: string
  readonly seq: number
  readonly teamId: string
  readonly id: string
  readonly type: string
  readonly success: boolean
  readonly error: string | null
  /** JSON text of an array. */
  readonly data: string
  /** JSON text of an object. */
  readonly metadata: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The number of earlier attempts. */
  readonly attempts: number
  /** Milliseconds since the epoch. */
  readonly dueAt: number
}

export interface LogEntry {
  readonly seq: number
  readonly id: string
  readonly type: string
  readonly state: State
  readonly attempts: number
  readonly status: number | null
  readonly error: string | null
  readonly attemptedAt: number | null
  readonly dueAt: number
}

export interface DeliveryRow {
  readonly job_id: string
  readonly seq: number
  readonly id: string
  readonly type: string
  readonly success: number
  readonly error: string | null
  readonly data: string | null
  readonly attempts: number
  readonly due_at: number
  readonly team_id: string
  readonly url: string
  readonly headers: string
  readonly metadata: string
  readonly document: string | null
}

export interface WaitingRow {
  readonly team_id: string
  readonly url: string
  readonly due_at: number
}

/** Returns undefined if its URL cannot be decrypted. */
export const toWaiting = ({ due_at, team_id, url }: WaitingRow, openSealed: Seal.Seal["open"]) => {
  const opened = Seal.isSealed(url) ? openSealed(url) : url
  return opened === undefined ? undefined : { teamId: team_id, url: opened, dueAt: Number(due_at) }
}

/** Returns undefined if a part of it cannot be decrypted. */
export const toDelivery = (row: DeliveryRow, openSealed: Seal.Seal["open"]): Delivery | undefined => {
  const open = (text: string) => (Seal.isSealed(text) ? openSealed(text) : text)
  const url = open(row.url)
  const headers = open(row.headers)
  const metadata = open(row.metadata)
  const document = row.document === null ? undefined : open(row.document)
  const data = row.document === null ? Seal.openWithin(openSealed, row.data ?? "[]") : document && `[${document}]`
  const error = row.error === null ? null : open(row.error)
  if (url === undefined || headers === undefined || metadata === undefined) return undefined
  if (data === undefined || error === undefined) return undefined
  return {
    jobId: row.job_id,
    seq: row.seq,
    teamId: row.team_id,
    id: row.id,
    type: row.type,
    success: row.success === 1,
    error,
    data: data,
    metadata,
    url,
    headers: storedJson(headers), // as `Outbox.subscribe` wrote them
    attempts: row.attempts,
    dueAt: Number(row.due_at)
  }
}

/** The error of a delivery whose webhook can no longer be decrypted. */
export const unreadable = "the webhook of the job cannot be decrypted: its key was lost"

export interface LogRow {
  readonly seq: number
  readonly id: string
  readonly type: string
  readonly state: State
  readonly attempts: number
  readonly status_code: number | null
  readonly last_error: string | null
  readonly attempted_at: number | null
  readonly due_at: number
}

export const toLogEntry = ({ status_code, last_error, attempted_at, due_at, ...entry }: LogRow): LogEntry => ({
  ...entry,
  status: status_code,
  error: last_error,
  attemptedAt: attempted_at === null ? null : Number(attempted_at),
  dueAt: Number(due_at)
})
