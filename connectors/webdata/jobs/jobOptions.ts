/**
 * Our own keys beside those of the service, for sources that run jobs.
 */
import * as Schema from "effect/Schema"
import * as Limits from "../../../src/api/Limits.ts"

export const jobOptions = {
  split: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Limits.maxExtractUrls })).annotate({
      description: "URLs that one job is given at most; more are split over several jobs; a wildcard is its own",
      default: 4
    })
  ),
  retry_missing: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 })).annotate({
      description: "how often pages are asked again for values that the schema requires and that were not found",
      default: 1
    })
  )
}

export const defaultSplit = 4
export const defaultRetries = 1
