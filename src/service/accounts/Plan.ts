/**
 * What a team may use: credits, requests a minute, pages in flight, operations.
 *
 * The specification leaves the numbers to each service (section Limits); these are an operator's to set, and `open` is
 * the plan of a service that asks for no keys.
 */
export type Scope = "crawl" | "scrape" | "map" | "batch" | "search" | "extract" | "agent" | "monitor" | "parse"

export interface Plan {
  /** Credits in all; a page costs one. */
  readonly credits: number
  /** Requests that start work, in a minute. Reading results is not counted. */
  readonly requestsPerMinute: number
  /** Pages in flight, over all jobs of the team. */
  readonly concurrency: number
  /** The operations a key of this plan may call; undefined: all. */
  readonly scopes?: ReadonlyArray<Scope>
  /** Whether `ignoreRobotsTxt` and `robotsUserAgent` are allowed (specification: enterprise only). */
  readonly robotsControl: boolean
  /** Whether nothing of the team may be kept: it then has no jobs whose result is kept (specification, Agent errors). */
  readonly zeroDataRetention?: boolean
}

/** No limits but the machine's: a service on this machine, for this machine. */
export const open: Plan = {
  credits: Number.POSITIVE_INFINITY,
  requestsPerMinute: Number.POSITIVE_INFINITY,
  concurrency: 64,
  robotsControl: false
}

/** What a key gets where the operator says no more. */
export const standard: Plan = { credits: 1_000_000, requestsPerMinute: 600, concurrency: 50, robotsControl: false }

/** Callers without a key, to get started. */
export const keyless: Plan = {
  credits: 100_000,
  requestsPerMinute: 10,
  concurrency: 2,
  scopes: ["crawl", "search"],
  robotsControl: false
}
