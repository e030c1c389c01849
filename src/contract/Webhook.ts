/**
 * The webhook of a job, to which its events are sent (specification, Events), and their content.
 *
 * `events` names are accepted with and without their group (`page`, `crawl.page`); default: all events; an unknown name
 * is answered with 400. The raw bytes of a delivery are signed (specification, Authentication 5).
 */
import * as Schema from "effect/Schema"
import * as Bounds from "./api/Bounds.ts"
import { Headers } from "./api/Headers.ts"
import { HttpUrl } from "./HttpUrl.ts"
import * as Limits from "./Limits.ts"

/** The two headers with the signature: one by the specification, and one for public clients. */
export const signatureHeaders = ["x-service-signature", "x-firecrawl-signature"] as const

/** The `webhook` field of a kind of job; `group` begins the names of its events. */
const webhookOf = <Group extends string, Name extends string>(group: Group, names: ReadonlyArray<Name>) =>
  Schema.Union([
    HttpUrl,
    Schema.Struct({
      url: HttpUrl,
      headers: Bounds.orNull(Headers.annotate({ description: "headers to send along" })),
      metadata: Bounds.orNull(
        Bounds.object(Limits.maxMetadataLength).annotate({ description: "given back with every event" })
      ),
      events: Bounds.orNull(
        Bounds.list(
          Schema.Literals([...names, ...names.map((name): `${Group}.${Name}` => `${group}.${name}`)]),
          50
        ).annotate({ description: "which events to send; default: all" })
      )
    })
  ])

/** The events of crawls and batches. */
export const jobEvents = ["started", "page", "completed", "failed"] as const
/** An event of a crawl or a batch. */
export type JobEvent = (typeof jobEvents)[number]

/** The webhook of a crawl. */
export const CrawlWebhook = webhookOf("crawl", jobEvents).annotate({ identifier: "CrawlWebhook" })
/** The webhook of a batch. */
export const BatchWebhook = webhookOf("batch_scrape", jobEvents).annotate({ identifier: "BatchWebhook" })

/** The events of extracts. */
export const extractEvents = ["started", "completed", "failed", "cancelled"] as const
/** The events of agent runs. */
export const agentEvents = ["started", "action", "completed", "failed", "cancelled"] as const

/** The webhook of an extract. */
export const ExtractWebhook = webhookOf("extract", extractEvents).annotate({ identifier: "ExtractWebhook" })
/** The webhook of an agent run. */
export const AgentWebhook = webhookOf("agent", agentEvents).annotate({ identifier: "AgentWebhook" })

/** The events of monitors: a page that is reported, and the end of a check. */
export const monitorEvents = ["page", "check.completed"] as const

/**
 * The name of an event without its group.
 *
 * @internal
 */
export type EventName = (typeof jobEvents | typeof extractEvents | typeof agentEvents | typeof monitorEvents)[number]

/** The webhook of a monitor. */
export const MonitorWebhook = webhookOf("monitor", monitorEvents).annotate({ identifier: "MonitorWebhook" })

/** A webhook of any kind of job. */
export type Webhook =
  | string
  | {
      readonly url: string
      readonly headers?: Readonly<Record<string, string>> | null | undefined
      readonly metadata?: Readonly<Record<string, Schema.Json>> | null | undefined
      readonly events?: ReadonlyArray<string> | null | undefined
    }

/** The body of a delivery. */
export const WebhookPayload = Schema.Struct({
  success: Schema.Boolean,
  type: Schema.String.annotate({ examples: ["crawl.page", "batch_scrape.completed"] }),
  id: Schema.String.annotate({ description: "the job" }),
  webhookId: Schema.String.annotate({ description: "the event: the same each time it is sent again" }),
  data: Schema.Array(Schema.Json).annotate({ description: "the page documents of a page event" }),
  error: Schema.NullOr(Schema.String),
  metadata: Schema.Record(Schema.String, Schema.Json)
}).annotate({ identifier: "WebhookPayload" })
export type WebhookPayload = typeof WebhookPayload.Type
