/**
 * Fields that public clients send with every body (`public-clients`, trap 1). All operations accept them, and ignore them
 * except `zeroDataRetention`. Any other unknown field is answered with 400.
 */
import * as Schema from "effect/Schema"
import * as Bounds from "./Bounds.ts"

export const clientFields = {
  origin: Schema.optional(Schema.NullOr(Bounds.name)),
  integration: Schema.optional(Schema.NullOr(Bounds.name)),
  zeroDataRetention: Schema.optional(Schema.NullOr(Schema.Boolean)),
  deduplicateSimilarURLs: Schema.optional(Schema.NullOr(Schema.Boolean)),
  toolDetail: Schema.optional(Bounds.anything),
  domainTools: Schema.optional(Bounds.anything),
  auditMetadata: Schema.optional(Bounds.anything),
  threatProtection: Schema.optional(Bounds.anything)
}
