/**
 * Our own options for sources that run jobs, in addition to those of the service.
 */
import * as Schema from "effect/Schema"
import * as Limits from "#contract/Limits"

export const jobOptions = {
  split: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Limits.maxExtractUrls })).annotate({
      description:
        "the maximum number of URLs in one job; more URLs are split into several jobs; each wildcard is a job of its own",
      default: 4
    })
  ),
  retry_missing: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 })).annotate({
      description: "how often pages are read again for required values that were not found",
      default: 1
    })
  )
}

/** How many rows an extract gives. The runs of an agent choose their pages themselves. */
export const rowsOption = {
  rows: Schema.optionalKey(
    Schema.Literals(["per_job", "per_page"]).annotate({
      description:
        "per_job: the data of all pages of a job is merged. per_page: each page is a job of its own, and the " +
        "pages of a wildcard are found first; a schema without a list gives one row per page, named by its _source_url",
      default: "per_job"
    })
  )
}

export const defaultSplit = 4
export const defaultRetries = 1
