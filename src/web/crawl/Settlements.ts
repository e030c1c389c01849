/**
 * What the end of a visit writes to the ledger: the state of its URL, its document or its failure, and the URLs that
 * its links discover.
 */
import * as PageUrl from "#contract/PageUrl"
import { uuid7 } from "#contract/uuid7"
import * as Scope from "../CrawlScope.ts"
import type { DiscoveredUrl, Failure, Settlement } from "../CrawlUrl.ts"
import type * as Frontier from "../frontier/Frontier.ts"
import type { Line } from "../frontier/Line.ts"
import type { Visit } from "../PageVisit.ts"
import type { Later } from "../politeness/Tries.ts"
import type { Levels } from "./Levels.ts"

/** A visited URL and how its visit ended. */
export interface Ended {
  readonly item: DiscoveredUrl
  readonly end: Visit
  /** Whether its URL has ended before, as unchanged, and is read whole now. */
  readonly isAgain?: boolean
}

interface Crawl {
  readonly rules: Scope.Rules
  readonly frontier: Frontier.Frontier
  readonly line: Line
  readonly levels: Levels
}

/** What a visit costs. */
export const creditsOf = (end: Visit | Later): number =>
  end._tag === "Later" || end.document === undefined ? 0 : (end.credits ?? 1)

/** The entry of an end. `pages`: the number of documents before it. */
export const of = ({ frontier, levels, line, rules }: Crawl) => {
  const admitting =
    (depth: number): Frontier.Admit =>
    (url) => {
      const verdict = Scope.judge(rules, url, depth)
      if (verdict === "out") return undefined
      return verdict === "in" || verdict === "file"
        ? { kind: "link" }
        : { kind: "external", state: verdict === "external" ? "queued" : "failed" }
    }

  const discover = (links: ReadonlyArray<string>, depth: number, from: Frontier.From): ReadonlyArray<DiscoveredUrl> => {
    // Not marked as seen: the same link may be found again at a smaller depth.
    if (rules.maxDiscoveryDepth !== undefined && depth > rules.maxDiscoveryDepth) return []
    const admit = admitting(depth)
    return levels.admitted(links.flatMap((href) => frontier.follow(href, depth, from, admit) ?? []))
  }

  return ({ end, item }: Ended, pages: number): Settlement => {
    const landed = end.landed ?? new URL(item.url)
    const discovered = discover(end.links, item.depth + 1, { seq: item.seq, url: landed.href })
    const homes = discovered.filter((url) => url.state === "failed")
    const failures: ReadonlyArray<Failure> = [
      ...(end.failure === undefined ? [] : [{ id: uuid7(), url: item.url, ...end.failure }]),
      ...homes.map(({ url }) => ({
        id: uuid7(),
        url,
        code: "EXTERNAL_LINK",
        error: "an external home page is not crawled"
      }))
    ]
    const { document } = end
    const page =
      document === undefined ? {} : { page: { seq: pages, document, credits: creditsOf(end), bytes: end.bytes } }
    const landedKey = end.landed === undefined ? item.key : PageUrl.keyOf(end.landed, frontier.identity())
    const aliasOf = end.state === "alias" ? frontier.aliasOf(item.seq) : undefined
    const overtaken = frontier.overtakenBy(item.seq)
    line.leave(overtaken)
    const { isRendered, isRevalidated, known, sketched, state, traits } = end
    const shown = { traits, isRevalidated, isRendered, known, sketched }
    const own = { seq: item.seq, state, landedKey, aliasOf, overtaken, ...shown }
    return { ...own, failures, discovered, changes: frontier.changes(), ...page }
  }
}
