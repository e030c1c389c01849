/**
 * What a receiver has done since it was started, for /health and for Prometheus.
 *
 * It has numbers, times and ids of events, but never a body, a header or a secret.
 */
import type { Counts } from "../Inbox.ts"

export interface Tally {
  readonly since: number
  accepted: number
  known: number
  ignored: number
  readonly refused: Map<number, number>
  last: { readonly id: string; readonly type: string; readonly at: number } | undefined
}

export const empty = (since: number): Tally => ({
  since,
  accepted: 0,
  known: 0,
  ignored: 0,
  refused: new Map(),
  last: undefined
})

export const refused = ({ refused }: Tally, status: number): void => {
  refused.set(status, (refused.get(status) ?? 0) + 1)
}

export const asJson = ({ accepted, ignored, known, last, refused, since }: Tally) => ({
  since: new Date(since).toISOString(),
  accepted,
  known,
  ignored,
  refused: Object.fromEntries(refused),
  last: last === undefined ? null : { ...last, at: new Date(last.at).toISOString() }
})

export const asMetrics = ({ accepted, ignored, known, last, refused }: Tally, { bodies, events }: Counts): string =>
  [
    "# TYPE millrace_webhook_events_total counter",
    ...Object.entries({ accepted, known, ignored }).map(
      ([outcome, count]) => `millrace_webhook_events_total{outcome="${outcome}"} ${count}`
    ),
    "# TYPE millrace_webhook_refused_total counter",
    ...[...refused].map(([status, count]) => `millrace_webhook_refused_total{status="${status}"} ${count}`),
    "# TYPE millrace_webhook_last_event_seconds gauge",
    `millrace_webhook_last_event_seconds ${last === undefined ? 0 : last.at / 1000}`,
    "# TYPE millrace_inbox_events gauge",
    `millrace_inbox_events ${events}`,
    "# TYPE millrace_inbox_bodies gauge",
    `millrace_inbox_bodies ${bodies}`,
    ""
  ].join("\n")
