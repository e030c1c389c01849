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

/** How many rows an extract gives; a run of an agent chooses its pages by itself. */
export const rowsOption = {
  rows: Schema.optionalKey(
    Schema.Literals(["per_job", "per_page"]).annotate({
      description:
        "per_job: what the pages of a job say is one. per_page: each page is a job of its own, and those of a wildcard are looked for first: a schema without a list gives a row a page, named by its _source_url",
      default: "per_job"
    })
  )
}

export const defaultSplit = 4
export const defaultRetries = 1
