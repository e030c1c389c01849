/**
 * Fields that public clients send with every body (`public-clients`, trap 1). All operations accept them.
 *
 * `zeroDataRetention` is obeyed by all, `deduplicateSimilarURLs` by crawls. `threatProtection` that asks for protection is
 * refused, because who relies on it must know that nothing is scanned. The others say who calls, or describe tools that this
 * service does not have: they have no effect. Any other unknown field is answered with 400.
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
  threatProtection: Schema.optional(
    Bounds.anything.check(
      Schema.makeFilter(
        (options) =>
          isOff(options) ||
          "is not available: this service scans no pages for threats and keeps no lists of domains; leave it out, or send { mode: off }"
      )
    )
  )
}

/** Whether it asks for nothing. */
const isOff = (options: unknown): boolean =>
  options === null ||
  (typeof options === "object" &&
    Object.entries(options).every(
      ([name, value]) => (name === "mode" && value === "off") || (Array.isArray(value) && value.length === 0)
    ))
