/**
 * The agent group: an autonomous run from a prompt, its trace, its snapshots and its thread (specification, POST
 * /v2/agent and below).
 *
 * A cancelled run is reported as failed; a failed run has no data and costs nothing; names of older models are accepted and
 * mean `core-2`.
 */
import * as Schema from "effect/Schema"
import * as Bounds from "./api/Bounds.ts"
import { clientFields } from "./api/ClientFields.ts"
import * as JsonRules from "./api/JsonRules.ts"
import { ExchangeRequest, ExchangeSummary, PendingApproval } from "./Exchange.ts"
import { Considered, Engine, Sources, Unsupported } from "./Extract.ts"
import { JsonSchema, UnsupportedOption } from "./Formats.ts"
import { HttpUrl } from "./HttpUrl.ts"
import * as Limits from "./Limits.ts"
import { AgentWebhook } from "./Webhook.ts"

export const Effort = Schema.Literals(["low", "medium", "high"])
export type Effort = typeof Effort.Type
export const AgentMode = Schema.Literals(["extract", "chat"])
export type AgentMode = typeof AgentMode.Type

/** The only model, and the names that mean it. */
export const agentModel = "core-2"
const modelNames = /^(?:core-[12](?:-[\w.]+)?|spark-1-(?:pro|mini)|spark-2)$/

/** The options of a run, without its webhook and thread. */
export const agentOptions = {
  prompt: Bounds.filled(Limits.maxPromptLength).annotate({
    description: "the data that is wanted, in words"
  }),
  urls: Bounds.orNull(
    Schema.Array(HttpUrl)
      .check(Schema.isMaxLength(Limits.maxExtractUrls))
      .annotate({ description: "pages to begin with" })
  ),
  schema: Bounds.orNull(JsonSchema.annotate({ description: "what the data looks like, as JSON Schema" })),
  unsupported: Bounds.orNull(UnsupportedOption),
  showSources: Bounds.orNull(
    Schema.Boolean.annotate({
      description: "also say what was considered for each field, and why it was left; the answer always has sources"
    })
  ),
  strictConstrainToURLs: Bounds.orNull(
    Schema.Boolean.annotate({ description: "true: only the pages in urls are read; default: false" })
  ),
  maxCredits: Bounds.orNull(
    Bounds.whole(1).annotate({
      description: "the maximum number of credits; a run that reaches it fails and costs nothing; default: 2,500"
    })
  ),
  effort: Bounds.orNull(
    Effort.annotate({
      description: "how far the run searches: low, medium, high; high also follows links that do not look relevant"
    })
  ),
  model: Bounds.orNull(
    Bounds.name
      .check(
        Schema.isPattern(modelNames, {
          expected: "core-2, or a name of the earlier generation, which means core-2",
          ...JsonRules.as({ pattern: modelNames.source })
        })
      )
      .annotate({ description: "core-2, the only model; names of the earlier generation mean the same" })
  )
}

/**
 * The body of POST /v2/agent: a description of the wanted data, and the pages to start with.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { AgentRequest } from "millrace/api"
 *
 * console.log(Schema.is(AgentRequest)({ prompt: "open posts" }), Schema.is(AgentRequest)({ prompt: "" })) // true false
 * ```
 */
export const AgentRequest = Schema.Struct({
  ...agentOptions,
  mode: Bounds.orNull(AgentMode),
  threadId: Bounds.orNull(Bounds.name),
  exchange: Bounds.orNull(ExchangeRequest),
  webhook: Bounds.orNull(AgentWebhook),
  ...clientFields
}).annotate({ identifier: "AgentRequest" })
export type AgentRequest = typeof AgentRequest.Type

export const AgentStarted = Schema.Struct({
  success: Schema.Literal(true),
  id: Schema.String,
  threadId: Schema.String,
  threadTurn: Schema.Int,
  warning: Schema.optionalKey(Schema.String)
})

export const Suggestion = Schema.Struct({ label: Schema.String, prompt: Schema.String })

const AgentState = Schema.Literals(["processing", "completed", "failed"])

/** The status of an agent run: its state, the data that it found, and its cost. */
export const AgentStatus = Schema.Struct({
  success: Schema.Boolean,
  id: Schema.String,
  status: AgentState,
  data: Schema.optionalKey(Schema.Json),
  error: Schema.optionalKey(Schema.String),
  model: Schema.String,
  effort: Schema.optionalKey(Effort),
  mode: AgentMode,
  threadId: Schema.String,
  threadTurn: Schema.Int,
  createdAt: Schema.String,
  expiresAt: Schema.String,
  /** What the run cost; of a free run: what it would have cost. */
  creditsUsed: Schema.Int,
  /** Whether it is one of the free runs of the day: nothing is charged. Left out if not. */
  free: Schema.optionalKey(Schema.Boolean),
  sources: Schema.optionalKey(Sources),
  missing: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Those of `missing` whose name a page has all the same: it may say them, and was not understood. */
  unclear: Schema.optionalKey(Schema.Array(Schema.String)),
  unsupported: Schema.optionalKey(Schema.Array(Unsupported)),
  /** With `showSources`: what the pages offer to fields and was not taken, a few for each. */
  considered: Schema.optionalKey(Schema.Array(Considered)),
  engine: Schema.optionalKey(Engine),
  warning: Schema.optionalKey(Schema.String),
  exchange: ExchangeSummary,
  pendingApproval: Schema.optionalKey(PendingApproval),
  message: Schema.optionalKey(Schema.String),
  suggestions: Schema.optionalKey(Schema.Array(Suggestion))
}).annotate({ identifier: "AgentStatus" })
export type AgentStatus = typeof AgentStatus.Type

export const AgentList = Schema.Struct({
  success: Schema.Literal(true),
  agents: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      createdAt: Schema.String,
      targetHint: Schema.String,
      origin: Schema.String,
      integration: Schema.optionalKey(Schema.String),
      settings: Schema.Struct({
        hidden: Schema.Boolean,
        starred: Schema.Boolean,
        label: Schema.optionalKey(Schema.String)
      }),
      status: AgentState,
      options: Schema.Struct({
        prompt: Schema.String,
        urls: Schema.optionalKey(Schema.Array(Schema.String)),
        schema: Schema.optionalKey(Schema.Json),
        model: Schema.String,
        effort: Schema.optionalKey(Effort)
      })
    })
  ),
  next: Schema.optionalKey(Schema.String)
})

export const AgentSnapshot = Schema.Struct({
  success: Schema.Literal(true),
  id: Schema.String,
  snapshotId: Schema.String,
  snapshot: Schema.String
})

export const AgentThread = Schema.Struct({
  success: Schema.Literal(true),
  thread: Schema.Struct({
    id: Schema.String,
    createdAt: Schema.String,
    updatedAt: Schema.String,
    status: Schema.Literals(["idle", "running"]),
    runs: Schema.Array(
      Schema.Struct({
        id: Schema.String,
        turn: Schema.Int,
        mode: AgentMode,
        prompt: Schema.String,
        urls: Schema.optionalKey(Schema.Array(Schema.String)),
        schema: Schema.optionalKey(Schema.Json),
        effort: Schema.optionalKey(Effort),
        status: Schema.Literals(["processing", "succeeded", "failed", "cancelled", "refused", "credit_limit_reached"]),
        createdAt: Schema.String,
        finishedAt: Schema.NullOr(Schema.String),
        creditsUsed: Schema.NullOr(Schema.Int),
        message: Schema.NullOr(Schema.String),
        data: Schema.optionalKey(Schema.Json),
        suggestions: Schema.optionalKey(Schema.NullOr(Schema.Array(Suggestion))),
        pendingApproval: Schema.optionalKey(Schema.NullOr(PendingApproval)),
        exchange: Schema.optionalKey(Schema.NullOr(ExchangeSummary))
      })
    )
  })
})
