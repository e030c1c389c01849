/** The rows of the URLs in a job's ledger: absent values are null. */
import type { DiscoveredUrl } from "#web/CrawlUrl"

export interface Row extends Omit<DiscoveredUrl, "isSuspect"> {
  /** How many times a process ended while it read the page. */
  readonly attempts: number
}

export const toUrl = ({ aliasOf, attempts, from, landed, ...url }: Row): DiscoveredUrl => ({
  ...url,
  ...(attempts > 0 ? { isSuspect: true } : {}),
  ...(aliasOf == null ? {} : { aliasOf }),
  ...(from == null ? {} : { from }),
  ...(landed == null ? {} : { landed })
})
