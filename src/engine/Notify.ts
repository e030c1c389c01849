/**
 * Who gets a notice when a scheduled run ends, and for which events: the `notify` of a pipeline file.
 *
 * A URL is often a secret, such as the webhook of a Slack channel, so no message contains it.
 */
import * as Schema from "effect/Schema"

/**
 * failed: a run failed and is not tried again. held: a check held its commit. recovered: a run is done, and the run
 * before it was not. changed: a run is done, and its data differs from that of the run before.
 */
export const events = ["failed", "held", "recovered", "changed"] as const
export type Event = (typeof events)[number]

/** The default of `on`: what needs attention, and its end. */
const defaultEvents: ReadonlyArray<Event> = ["failed", "held", "recovered"]

const on = Schema.optionalKey(
  Schema.Array(Schema.Literals(events)).annotate({
    description: "the events to report: failed, held, recovered, changed",
    default: defaultEvents
  })
)

const secretUrl = Schema.RedactedFromValue(
  Schema.String.check(
    Schema.makeFilter((text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""), {
      expected: "an address that begins with http:// or https://",
      toJsonSchema: () => ({})
    })
  )
)

const text = Schema.String.check(Schema.isMinLength(1))

export const Webhook = Schema.Struct({
  type: Schema.Literal("webhook"),
  url: secretUrl.annotate({ description: "the URL that the event is posted to" }),
  secret: Schema.optionalKey(
    Schema.RedactedFromValue(text).annotate({ description: "the secret that signs the event in X-Service-Signature" })
  ),
  headers: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.RedactedFromValue(Schema.String)).annotate({
      description: "headers to send along"
    })
  ),
  on
}).annotate({ description: "a signed POST of JSON" })

export const Slack = Schema.Struct({
  type: Schema.Literal("slack"),
  url: secretUrl.annotate({ description: "an incoming webhook of Slack, or of a compatible service" }),
  on
}).annotate({ description: "a message in a channel" })

export const Command = Schema.Struct({
  type: Schema.Literal("command"),
  run: Schema.NonEmptyArray(text).annotate({
    description: "the program and its arguments; the event is JSON on its standard input"
  }),
  on
}).annotate({ description: "a program on this machine, run in the folder of the file" })

export const Email = Schema.Struct({
  type: Schema.Literal("email"),
  to: Schema.Union([text, Schema.NonEmptyArray(text)]).annotate({ description: "the address, or addresses" }),
  on
}).annotate({ description: "an e-mail, sent by the server in MILLRACE_SMTP_URL" })

export const Notify = Schema.Union([Webhook, Slack, Command, Email])
export type Notify = typeof Notify.Type

/** Whether this receiver gets such an event. */
export const wants = (notify: Notify, event: Event): boolean => (notify.on ?? defaultEvents).includes(event)
