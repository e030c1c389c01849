/**
 * The statements that store the events for a job's webhook.
 *
 * Guarantee: an event is written in the transaction of the change that it reports, so it exists exactly once if the change
 * does, however often the service dies. For a job without a webhook nothing is written. The document of a page is not
 * copied: the row points to it.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { withoutNul } from "#base/withoutNul"
import { uuid7 } from "#contract/uuid7"
import { agentEvents, type EventName, extractEvents, jobEvents, monitorEvents, type Webhook } from "#contract/Webhook"
import type { Settlement } from "#web/CrawlUrl"
import type { End } from "#web/Job"
import type { Seals } from "./Seals.ts"

/** The job whose events are delivered, and the group that begins their names: `crawl`, `batch_scrape`. */
export interface Subscriber {
  readonly id: string
  readonly teamId: string
  readonly group: keyof typeof eventsOf
}

/** All events of each group: the default of a webhook. */
const eventsOf = {
  crawl: jobEvents,
  batch_scrape: jobEvents,
  extract: extractEvents,
  agent: agentEvents,
  monitor: monitorEvents
} as const

interface Event {
  /** The name without its group. */
  readonly name: EventName
  readonly success: boolean
  readonly error: string | null
  /** The page whose document is the data of the event; or else `data`, as JSON text of an array. */
  readonly pageSeq?: number
  readonly data?: string
}

/** Stores a job's webhook. It is encrypted, because its URL and headers may contain a credential. */
export const subscribe = Effect.fnUntraced(function* (
  sql: SqlClient,
  seals: Seals["Service"],
  { id, teamId, group }: Subscriber,
  webhook: Webhook
) {
  const { url, headers, metadata, events } = typeof webhook === "string" ? { url: webhook } : webhook
  const wanted = (events ?? eventsOf[group]).map((name: string) =>
    name.startsWith(`${group}.`) ? name.slice(group.length + 1) : name
  )
  const own = seals.ofJob(id)
  const seal = (text: string): string => (own ?? seals.secrets)?.seal(text) ?? text
  const metadataText = JSON.stringify(metadata ?? {})
  yield* sql`INSERT INTO webhook (job_id, team_id, event_group, url, headers, metadata, events)
    VALUES (${id}, ${teamId}, ${group}, ${seal(withoutNul(url.trim()) ?? "")}, ${seal(JSON.stringify(headers ?? {}))},
      ${own === undefined ? metadataText : own.seal(metadataText)}, ${`,${wanted.join(",")},`})`
})

/** Stores an event after all earlier events of the job, if the webhook wants it. */
export const enqueue = Effect.fnUntraced(function* (sql: SqlClient, jobId: string, event: Event) {
  const now = yield* Clock.currentTimeMillis
  yield* sql`INSERT INTO webhook_delivery
      (job_id, seq, id, type, success, page_seq, data, error, state, attempts, created_at, due_at)
    SELECT job_id, (SELECT coalesce(max(seq) + 1, 0) FROM webhook_delivery WHERE job_id = ${jobId}),
      ${uuid7()}, event_group || ${`.${event.name}`}, ${event.success ? 1 : 0}, ${event.pageSeq ?? null},
      ${event.data ?? null}, ${withoutNul(event.error)}, 'pending', 0, ${now}, ${now}
    FROM webhook WHERE job_id = ${jobId} AND events LIKE ${`%,${event.name},%`}`
})

/** Stores the events of pages with a document or a failure. A page that was blocked, or is an alias, gives none. */
export const pagesEnded = Effect.fnUntraced(function* (
  sql: SqlClient,
  jobId: string,
  settlements: ReadonlyArray<Settlement>
) {
  for (const settlement of settlements) {
    const event = pageEvent(settlement)
    if (event !== undefined) yield* enqueue(sql, jobId, event)
  }
})

const pageEvent = ({ state, page, failures: [failure] }: Settlement): Event | undefined => {
  if (page !== undefined) return { name: "page", success: true, error: null, pageSeq: page.seq }
  if (state !== "failed" || failure === undefined) return undefined
  const { id, url, code, error } = failure
  const data = JSON.stringify([{ metadata: { sourceURL: url, url, scrapeId: id, code, error } }])
  return { name: "page", success: false, error, data }
}

/** Stores the job's last event, and the time of its end. The event of a cancelled job is `failed`, unless `end` names another. */
export const jobEnded = Effect.fnUntraced(function* (
  sql: SqlClient,
  jobId: string,
  end: End & { readonly at: number }
) {
  const isWhole = end.status === "completed"
  const error = isWhole ? null : (end.error ?? `the job was ${end.status}`)
  yield* enqueue(sql, jobId, { name: isWhole ? "completed" : "failed", success: isWhole, ...end.event, error })
  yield* sql`UPDATE webhook SET ended_at = ${end.at} WHERE job_id = ${jobId}`
})
