/**
 * Fields that public clients send with every body to say who they are (`public-clients`, trap 1). They are accepted on
 * every operation and change nothing, but for `zeroDataRetention`; any other unknown field is answered with 400.
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
