/**
 * The links of a crawl that pass its path filters.
 *
 * They are matched before anything is written down, in turns, because many patterns on many links take long; whoever judges
 * them afterwards asks the filters no more (`rules`).
 */
import * as Effect from "effect/Effect"
import type { DiscoveredUrl } from "../frontier/CrawlUrl.ts"
import * as PathFilter from "../frontier/PathFilter.ts"
import type * as Scope from "../frontier/Scope.ts"
import type { Later } from "../politeness/Tries.ts"
import type { Visit } from "./PageVisit.ts"

/** `warn`: says something of the job; what has been said once is not said again. */
export const make = <E, R>(rules: Scope.Rules, warn: (message: string) => Effect.Effect<void, E, R>) => {
  const passing = Effect.fnUntraced(function* (links: ReadonlyArray<string>) {
    const { links: some, tooLong: count } = yield* rules.filter.passing(links)
    if (count > 0) yield* warn(tooLong)
    return some
  })

  /** A visit with the links that are followed. Links that are too far from the start are not looked at at all. */
  const ofVisit = Effect.fnUntraced(function* (item: DiscoveredUrl, end: Visit | Later) {
    const { maxDiscoveryDepth = Number.POSITIVE_INFINITY } = rules
    if (end._tag === "Later" || end.links.length === 0 || item.depth >= maxDiscoveryDepth) return end
    return { ...end, links: yield* passing(end.links) }
  })

  const unfiltered: Scope.Rules = { ...rules, filter: PathFilter.everything }
  return { passing, ofVisit, rules: unfiltered }
}

const tooLong = "some links were not followed: their addresses are too long for patterns as large as those of the crawl"
