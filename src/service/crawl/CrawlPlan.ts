/**
 * What a crawl does: its request with defaults filled in and patterns compiled.
 */
import type { ScrapePlan } from "../scrape/ScrapePlan.ts"
import { productToken } from "./Fetch.ts"
import type { Patience } from "./Patience.ts"
import type * as Scope from "./Scope.ts"

export interface CrawlPlan {
  readonly rules: Scope.Rules
  readonly limit: number
  readonly sitemap: "include" | "skip" | "only"
  readonly ignoreQueryParameters: boolean
  readonly ignoreRobotsTxt: boolean
  readonly robotsUserAgent: string | undefined
  /** Milliseconds between two scrapes; more than 0 takes pages one at a time. */
  readonly delayMillis: number
  readonly concurrency: number
  /** How often a page is asked for that a site refuses. */
  readonly patience: Patience
  /** How each page is scraped. */
  readonly scrape: ScrapePlan
}

/** The robots.txt agent that a crawl goes by. */
export const agentOf = (plan: CrawlPlan): string => plan.robotsUserAgent ?? productToken
