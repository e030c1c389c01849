/**
 * The links of a crawl that pass its path filters.
 *
 * Many patterns on many links take long, so the filters run before anything is written, and they yield to other work.
 * The returned `rules` have no filters, because the links have passed them.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "../CrawlScope.ts"
import type { DiscoveredUrl } from "../CrawlUrl.ts"
import type { Visit } from "../PageVisit.ts"
import * as PathFilter from "../PathFilter.ts"
import type { Later } from "../politeness/Tries.ts"

/** `warn` adds a warning to the job; a repeated one is ignored. */
export const make = <E, R>(rules: Scope.Rules, warn: (message: string) => Effect.Effect<void, E, R>) => {
  const passing = Effect.fnUntraced(function* (links: ReadonlyArray<string>) {
    const { links: some, tooLong: count } = yield* rules.filter.passing(links)
    if (count > 0) yield* warn(tooLong)
    return some
  })

  /** A visit with the links that pass. Links beyond the maximum depth are not matched at all. */
  const ofVisit = Effect.fnUntraced(function* (item: DiscoveredUrl, end: Visit | Later) {
    const { maxDiscoveryDepth = Number.POSITIVE_INFINITY } = rules
    if (end._tag === "Later" || end.links.length === 0 || item.depth >= maxDiscoveryDepth) return end
    return { ...end, links: yield* passing(end.links) }
  })

  const unfiltered: Scope.Rules = { ...rules, filter: PathFilter.everything }
  return { passing, ofVisit, rules: unfiltered }
}

const tooLong = "some links were not followed: their addresses are too long for patterns as large as those of the crawl"
