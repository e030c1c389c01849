/**
 * The result of an agent run, as it is stored.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Suggestion } from "#contract/Agent"
import { ExchangeSummary, PendingApproval } from "#contract/Exchange"
import { Considered, Engine, Sources, Unsupported } from "#contract/Extract"

export const Outcome = Schema.Literals(["succeeded", "failed", "cancelled", "refused", "credit_limit_reached"])
export type Outcome = typeof Outcome.Type

export const AgentResult = Schema.Struct({
  outcome: Outcome,
  /** Present if the run succeeded. */
  data: Schema.optionalKey(Schema.Json),
  sources: Schema.optionalKey(Sources),
  missing: Schema.optionalKey(Schema.Array(Schema.String)),
  unclear: Schema.optionalKey(Schema.Array(Schema.String)),
  unsupported: Schema.optionalKey(Schema.Array(Unsupported)),
  considered: Schema.optionalKey(Schema.Array(Considered)),
  engine: Schema.optionalKey(Engine),
  /** What failed, such as the model. */
  warning: Schema.optionalKey(Schema.String),
  message: Schema.optionalKey(Schema.String),
  suggestions: Schema.optionalKey(Schema.Array(Suggestion)),
  exchange: ExchangeSummary,
  pendingApproval: Schema.optionalKey(PendingApproval)
})
export type AgentResult = typeof AgentResult.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(AgentResult))

/** Decodes the stored text. Returns undefined if the run has not ended. */
export const read = (text: string | null): AgentResult | undefined =>
  text === null ? undefined : Option.getOrUndefined(decode(text))
