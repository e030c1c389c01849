/**
 * Data providers of an agent run, their terms, and approvals (specification, Agent run: `exchange`, `pendingApproval`;
 * Agent terms approval; POST /v2/scrape with catalog field).
 *
 * A person must accept the terms explicitly; a request for data is not consent.
 */
import * as Schema from "effect/Schema"
import * as Bounds from "./api/Bounds.ts"
import * as JsonRules from "./api/JsonRules.ts"
import * as Limits from "./Limits.ts"

export const OnTermsRequired = Schema.Literals(["skip", "ask"])
export type OnTermsRequired = typeof OnTermsRequired.Type

const ApprovalId = Bounds.filled(200)

/** The options of a run for providers. */
export const ExchangeRequest = Schema.Struct({
  enabled: Bounds.orNull(Schema.Boolean),
  toolkits: Bounds.orNull(Bounds.list(Bounds.name, 5)),
  maxCalls: Bounds.orNull(Bounds.whole(0)),
  requireApproval: Bounds.orNull(Schema.Boolean),
  onTermsRequired: Bounds.orNull(OnTermsRequired),
  approve: Bounds.orNull(
    Schema.Struct({
      approvalId: ApprovalId,
      callIds: Bounds.orNull(Bounds.list(Bounds.name, 1000)),
      always: Bounds.orNull(Schema.Boolean)
    })
  ),
  decline: Bounds.orNull(Schema.Struct({ approvalId: ApprovalId }))
})
  .check(
    Schema.makeFilter(
      () => true,
      JsonRules.as({
        not: {
          required: ["approve", "decline"],
          properties: { approve: { type: "object" }, decline: { type: "object" } }
        }
      })
    )
  )
  .annotate({ identifier: "ExchangeRequest" })
export type ExchangeRequest = typeof ExchangeRequest.Type

/** A call of the catalog: one capability of one provider. */
export const CatalogCall = Schema.Struct({
  provider: Bounds.filled(200),
  capability: Bounds.filled(200),
  options: Schema.optional(Bounds.object(Limits.maxMetadataLength))
}).annotate({ identifier: "CatalogCall" })
export type CatalogCall = typeof CatalogCall.Type

const SkippedProvider = Schema.Struct({
  provider: Schema.String,
  name: Schema.String,
  capability: Schema.optionalKey(Schema.String),
  adds: Schema.optionalKey(Schema.String),
  reason: Schema.Literal("terms_required"),
  version: Schema.String,
  termsUrl: Schema.String
})
type SkippedProvider = typeof SkippedProvider.Type

export const RequiresAction = Schema.Struct({
  type: Schema.Literal("accept_terms"),
  approvalId: Schema.String,
  providers: Schema.Array(
    Schema.Struct({
      provider: Schema.String,
      name: Schema.String,
      capability: Schema.optionalKey(Schema.String),
      adds: Schema.optionalKey(Schema.String),
      version: Schema.String,
      digest: Schema.NullOr(Schema.String),
      url: Schema.String,
      show: CatalogCall,
      accept: CatalogCall
    })
  )
})
export type RequiresAction = typeof RequiresAction.Type

export const ExchangeSummary = Schema.Struct({
  enabled: Schema.Boolean,
  toolkits: Schema.optionalKey(Schema.Array(Schema.String)),
  requireApproval: Schema.optionalKey(Schema.Boolean),
  onTermsRequired: OnTermsRequired,
  paidCalls: Schema.Int,
  creditsUsed: Schema.NullOr(Schema.Int),
  skippedProviders: Schema.Array(SkippedProvider),
  requiresAction: Schema.optionalKey(RequiresAction)
}).annotate({ identifier: "ExchangeSummary" })
export type ExchangeSummary = typeof ExchangeSummary.Type

export const PendingApproval = Schema.Struct({
  id: Schema.String,
  kind: Schema.Literals(["terms", "calls"]),
  reason: Schema.String,
  calls: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      provider: Schema.String,
      capability: Schema.String,
      input: Schema.Record(Schema.String, Schema.Json),
      creditsEstimate: Schema.NullOr(Schema.Int)
    })
  ),
  terms: Schema.Array(
    Schema.Struct({
      provider: Schema.String,
      name: Schema.String,
      version: Schema.String,
      digest: Schema.NullOr(Schema.String),
      url: Schema.String
    })
  ),
  resolution: Schema.NullOr(
    Schema.Struct({
      approved: Schema.Boolean,
      callIds: Schema.Array(Schema.String),
      always: Schema.Boolean,
      byRunId: Schema.String
    })
  )
}).annotate({ identifier: "PendingApproval" })
export type PendingApproval = typeof PendingApproval.Type

/** The answer of a catalog call. */
export const CatalogResult = Schema.Struct({
  provider: Schema.String,
  capability: Schema.String,
  creditsCost: Schema.Int,
  data: Schema.Json,
  error: Schema.optionalKey(
    Schema.Struct({ code: Schema.String, message: Schema.String, status: Schema.optionalKey(Schema.Int) })
  )
}).annotate({ identifier: "CatalogResult" })
export type CatalogResult = typeof CatalogResult.Type
