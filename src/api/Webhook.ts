/**
 * The webhook of a job: the URL that receives its events, and their content (specification, Events).
 *
 * Names in `events` are accepted with and without their group (`page`, `crawl.page`); default: all events. An unknown name is
 * answered with 400. The raw bytes of a delivery are signed (specification, Authentication 5).
 */
import * as Schema from "effect/Schema"
import * as Bounds from "./Bounds.ts"
import { Headers } from "./Headers.ts"
import { HttpUrl } from "./HttpUrl.ts"
import * as Limits from "./Limits.ts"

/** The two headers that carry the signature: the specification's name, and the one that public clients read. */
export const signatureHeaders = ["x-service-signature", "x-firecrawl-signature"] as const

const orNull = <S extends Schema.Constraint>(schema: S) => Schema.optional(Schema.NullOr(schema))

/** The `webhook` field of a kind of job: `group` names its events on the wire. */
const webhookOf = <Group extends string, Name extends string>(group: Group, names: ReadonlyArray<Name>) =>
  Schema.Union([
    HttpUrl,
    Schema.Struct({
      url: HttpUrl,
      headers: orNull(Headers.annotate({ description: "headers of each delivery" })),
      metadata: orNull(
        Bounds.object(Limits.maxMetadataLength).annotate({
          description: "an object that every event contains unchanged"
        })
      ),
      events: orNull(
        Bounds.list(
          Schema.Literals([...names, ...names.map((name): `${Group}.${Name}` => `${group}.${name}`)]),
          50
        ).annotate({ description: "which events to send; default: all" })
      )
    })
  ])

/** The events of crawls and batches. */
export const jobEvents = ["started", "page", "completed", "failed"] as const
/** The name of an event of a crawl or a batch. */
export type JobEvent = (typeof jobEvents)[number]

/** Where the events of a crawl are sent. */
export const CrawlWebhook = webhookOf("crawl", jobEvents).annotate({ identifier: "CrawlWebhook" })
/** Where the events of a batch are sent. */
export const BatchWebhook = webhookOf("batch_scrape", jobEvents).annotate({ identifier: "BatchWebhook" })

/** The events of extracts. */
export const extractEvents = ["started", "completed", "failed", "cancelled"] as const
/** The events of agent runs. */
export const agentEvents = ["started", "action", "completed", "failed", "cancelled"] as const

/** Where the events of an extract job are sent. */
export const ExtractWebhook = webhookOf("extract", extractEvents).annotate({ identifier: "ExtractWebhook" })
/** Where the events of an agent run are sent. */
export const AgentWebhook = webhookOf("agent", agentEvents).annotate({ identifier: "AgentWebhook" })

/** The events of monitors: a page to report, such as one that has changed, and the end of a check. */
export const monitorEvents = ["page", "check.completed"] as const

/** Where the events of a monitor are sent. */
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
  id: Schema.String.annotate({ description: "the id of the job" }),
  webhookId: Schema.String.annotate({
    description: "the id of the event; it stays the same if the event is sent again"
  }),
  data: Schema.Array(Schema.Json).annotate({ description: "the page documents of a page event" }),
  error: Schema.NullOr(Schema.String),
  metadata: Schema.Record(Schema.String, Schema.Json)
}).annotate({ identifier: "WebhookPayload" })
export type WebhookPayload = typeof WebhookPayload.Type
