/**
 * The interact group: a page that stays open in a browser, and runs the actions of one request after another.
 *
 * A session starts with the page of an earlier scrape, whose id it then has, or with a URL. It runs only actions: code and
 * prompts, which some clients send instead, are 403. Whoever has the URL of the live view can watch, but change nothing.
 */
import * as Schema from "effect/Schema"
import * as Actions from "./Actions.ts"
import * as Bounds from "./api/Bounds.ts"
import { clientFields } from "./api/ClientFields.ts"
import { HttpUrl } from "./HttpUrl.ts"
import { ActionResults } from "./PageDocument.ts"

/** How long a session may live, and how long without a request, in seconds. */
const maxSeconds = 3600
export const defaultSeconds = 600
export const defaultIdleSeconds = 300

/** The maximum number of open sessions of one team, and of one process. Each is a page of a browser. */
export const maxOfTeam = 2
export const maxOfProcess = 4

export const InteractRequest = Schema.Struct({
  actions: Schema.optional(Actions.Actions),
  /** `code` and `prompt` are answered with 403. */
  code: Schema.optional(Bounds.filled(100_000)),
  prompt: Schema.optional(Bounds.prompt),
  language: Schema.optional(Schema.Literals(["python", "node", "bash"])),
  /** How long all actions may take together, in seconds. */
  timeout: Schema.optional(Bounds.whole(1, 300)),
  ...clientFields
}).annotate({ identifier: "InteractRequest" })
export type InteractRequest = typeof InteractRequest.Type

export const BrowserRequest = Schema.Struct({
  url: HttpUrl,
  ttl: Schema.optional(Bounds.whole(10, maxSeconds)),
  activityTtl: Schema.optional(Bounds.whole(10, maxSeconds)),
  streamWebView: Schema.optional(Schema.Boolean),
  ...clientFields
}).annotate({ identifier: "BrowserRequest" })
export type BrowserRequest = typeof BrowserRequest.Type

const failed = Schema.Struct({ success: Schema.Literal(false), code: Schema.String, error: Schema.String })

export const InteractAnswer = Schema.Union([
  Schema.Struct({
    success: Schema.Literal(true),
    id: Schema.String,
    /** The present URL of the page. */
    url: Schema.String,
    liveViewUrl: Schema.String,
    expiresAt: Schema.String,
    actions: Schema.optionalKey(ActionResults)
  }),
  failed
]).annotate({ identifier: "InteractAnswer" })
export type InteractAnswer = typeof InteractAnswer.Type

export const Stopped = Schema.Struct({
  success: Schema.Literal(true),
  status: Schema.Literal("stopped"),
  sessionDurationMs: Schema.Int,
  creditsBilled: Schema.Int
})

export const Listed = Schema.Struct({
  success: Schema.Literal(true),
  sessions: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      status: Schema.Literal("active"),
      liveViewUrl: Schema.String,
      streamWebView: Schema.Boolean,
      createdAt: Schema.String,
      lastActivity: Schema.String
    })
  )
})
