/**
 * What a team may use: credits, requests per minute, pages in flight, operations.
 *
 * The specification leaves the numbers to each service (section Limits): here the operator sets them.
 */
import type { CrawlerName } from "#base/CrawlerName"

export type Scope = "crawl" | "scrape" | "map" | "batch" | "search" | "extract" | "agent" | "monitor" | "parse"

export interface Plan {
  /** All credits of the team; a page costs one. */
  readonly credits: number
  /** Requests per minute that start work. Reading results is not counted. */
  readonly requestsPerMinute: number
  /** Pages in flight, over all jobs of the team. */
  readonly concurrency: number
  /** The operations a key of this plan may call; undefined: all. */
  readonly scopes?: ReadonlyArray<Scope>
  /** Whether `ignoreRobotsTxt` and `robotsUserAgent` are allowed (specification: enterprise only). */
  readonly robotsControl: boolean
  /** Whether nothing of the team may be kept. Jobs that must keep their result are then refused (specification, Agent errors). */
  readonly zeroDataRetention?: boolean
  /** The name of its crawler. Default: that of the service. */
  readonly crawler?: CrawlerName
}

/** For a service without keys: no limits but the machine's. */
export const open: Plan = {
  credits: Number.POSITIVE_INFINITY,
  requestsPerMinute: Number.POSITIVE_INFINITY,
  concurrency: 64,
  robotsControl: false
}

/** For keys for which the operator sets no plan. */
export const standard: Plan = { credits: 1_000_000, requestsPerMinute: 600, concurrency: 50, robotsControl: false }

/** For callers without a key, to get started. */
export const keyless: Plan = {
  credits: 100_000,
  requestsPerMinute: 10,
  concurrency: 2,
  scopes: ["crawl", "search"],
  robotsControl: false
}
