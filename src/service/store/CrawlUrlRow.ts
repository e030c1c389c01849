/** URLs of a job's ledger as their table has them, where what a URL lacks is null. */
import type { DiscoveredUrl } from "../../crawler/frontier/CrawlUrl.ts"

export interface Row extends Omit<DiscoveredUrl, "isSuspect"> {
  /** How often it was being read when a process ended. */
  readonly attempts: number
}

export const toUrl = ({ aliasOf, attempts, from, landed, ...url }: Row): DiscoveredUrl => ({
  ...url,
  ...(attempts > 0 ? { isSuspect: true } : {}),
  ...(aliasOf == null ? {} : { aliasOf }),
  ...(from == null ? {} : { from }),
  ...(landed == null ? {} : { landed })
})
