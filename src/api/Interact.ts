/**
 * The interact group: a page that stays open in a browser, on which actions are done one request after another.
 *
 * A session begins with a page: that of an earlier scrape, whose id it then has, or a URL. Actions are all that it does: code
 * and prompts, which some clients send in their place, are 403. Whoever has its live view's URL sees it, and can do nothing.
 */
import * as Schema from "effect/Schema"
import * as Actions from "./Actions.ts"
import * as Bounds from "./Bounds.ts"
import { clientFields } from "./ClientFields.ts"
import { HttpUrl } from "./HttpUrl.ts"
import { ActionResults } from "./PageDocument.ts"

/** Seconds that a session lives, and that it lives without a request, at most. */
export const maxSeconds = 3600
export const defaultSeconds = 600
export const defaultIdleSeconds = 300

/** How many sessions are open at a time: of one team, and in one process. Each is a page of a browser. */
export const maxOfTeam = 2
export const maxOfProcess = 4

export const InteractRequest = Schema.Struct({
  actions: Schema.optional(Actions.Actions),
  /** Answered with 403. */
  code: Schema.optional(Bounds.filled(100_000)),
  prompt: Schema.optional(Bounds.prompt),
  language: Schema.optional(Schema.Literals(["python", "node", "bash"])),
  /** Seconds that the actions may take together. */
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
    /** Where the page is now. */
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
