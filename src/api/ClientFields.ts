/**
 * Fields that public clients send with every body to say who they are (`public-clients`, trap 1). They are accepted on
 * every operation and change nothing; any other unknown field is answered with 400.
 */
import * as Schema from "effect/Schema"

export const clientFields = {
  origin: Schema.optional(Schema.NullOr(Schema.String)),
  integration: Schema.optional(Schema.NullOr(Schema.String)),
  zeroDataRetention: Schema.optional(Schema.NullOr(Schema.Boolean)),
  deduplicateSimilarURLs: Schema.optional(Schema.NullOr(Schema.Boolean)),
  toolDetail: Schema.optional(Schema.Unknown),
  domainTools: Schema.optional(Schema.Unknown),
  auditMetadata: Schema.optional(Schema.Unknown),
  threatProtection: Schema.optional(Schema.Unknown)
}
