/**
 * The option `revalidate` of a crawl: which pages of the last run are requested again, and how.
 */
import * as Schema from "effect/Schema"
import type { Interval, Revalidates } from "#contract/EmbeddedCrawl"
import { duration, millisOf } from "#engine/KeySchemas"

interface Bounds {
  readonly minInterval?: string
  readonly maxInterval?: string
}

const intervalOf = ({ maxInterval = "30 days", minInterval = "1 hour" }: Bounds): Interval => ({
  minMillis: millisOf(minInterval),
  maxMillis: millisOf(maxInterval)
})

const Intervals = Schema.Struct({
  minInterval: Schema.optionalKey(
    duration.annotate({
      description: "how long a page is not asked for again, at least; default: 1 hour",
      examples: ["6 hours"]
    })
  ),
  maxInterval: Schema.optionalKey(
    duration.annotate({ description: "after how long it is, at the latest; default: 30 days", examples: ["7 days"] })
  )
}).check(
  Schema.makeFilter(
    (bounds) => {
      const { maxMillis, minMillis } = intervalOf(bounds)
      return minMillis <= maxMillis
    },
    { expected: "a minInterval that is not longer than the maxInterval" }
  )
)

export const Revalidate = Schema.Union([Schema.Boolean, Schema.Literal("lastmod"), Intervals]).annotate({
  description:
    "whether a page that the last run has loaded is asked for only if it has changed, where every sink merges or keeps a " +
    "history; lastmod: not even asked for where the sitemap says that it has not; " +
    "{ minInterval, maxInterval }: asked for as often as it was seen to change; default: true"
})

export const revalidatesOf = (revalidate: typeof Revalidate.Type = true): Revalidates => {
  if (typeof revalidate === "boolean") return revalidate ? "ask" : "nothing"
  return revalidate === "lastmod" ? revalidate : intervalOf(revalidate)
}
