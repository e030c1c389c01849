/**
 * What a crawl does: its request with defaults filled in and patterns compiled.
 */
import type * as PageUrl from "../../api/PageUrl.ts"
import { productToken } from "../fetch/Fetch.ts"
import type * as Scope from "../frontier/Scope.ts"
import type { Patience } from "../politeness/Patience.ts"
import type { ScrapePlan } from "../scrape/ScrapePlan.ts"
import type { Revalidation } from "./Revalidation.ts"

export interface CrawlPlan {
  readonly rules: Scope.Rules
  readonly limit: number
  readonly sitemap: "include" | "skip" | "only"
  /** What makes two URLs one page. */
  readonly identity: PageUrl.Identity
  /** A crawl that decides at its end which URLs are one page; undefined: the first spelling of a page stays. */
  readonly settling: Settling | undefined
  readonly ignoreRobotsTxt: boolean
  readonly robotsUserAgent: string | undefined
  /** Milliseconds between two scrapes; more than 0 takes pages one at a time. */
  readonly delayMillis: number
  readonly concurrency: number
  /** How often a page is asked for that a site refuses. */
  readonly patience: Patience
  /** How each page is scraped. */
  readonly scrape: ScrapePlan
  /** How to ask only for what has changed; undefined: every page is read. */
  readonly revalidation?: Revalidation | undefined
  /** What the next crawl may be told of: pages that their site can compare, or all; undefined: of none. */
  readonly remembers?: "comparable" | "all"
  /** The version of the rules that give the data of pages; undefined: none is asked for. */
  readonly dataRules?: number | undefined
}

export interface Settling {
  /** Pages of an endless row that say nothing new, after which the row is not followed; 0: it always is. */
  readonly trapBudget: number
  /** Spellings that pages have where they are loaded already: they keep them. */
  readonly spellings: ReadonlySet<string>
  /** The crawl that loaded them, where it said nothing of spellings. */
  readonly after: string | undefined
}

/** The robots.txt agent that a crawl goes by. */
export const agentOf = (plan: CrawlPlan): string => plan.robotsUserAgent ?? productToken
