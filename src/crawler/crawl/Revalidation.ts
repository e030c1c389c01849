/**
 * How a crawl asks only for what has changed: what is known of a page from the crawl before, and what its sitemap says since.
 */
import { contentVersion } from "../../html/content/version.ts"
import type { KnownPage } from "../frontier/CrawlUrl.ts"

export interface Revalidation {
  /** What is known of a page, if it may be asked for conditionally. */
  readonly find: (url: string) => Promise<KnownPage | undefined>
  /** Whether a sitemap says that a page has not changed since it was read. */
  readonly isOld: (page: KnownPage) => boolean
  /** Takes up what a sitemap says of a page. */
  readonly told: (url: string, lastmod: string | undefined) => void
}

export const make = (known: Pick<Revalidation, "find">, mode: "ask" | "lastmod"): Revalidation => {
  /** When pages have changed, by their sitemaps. */
  const modified = new Map<string, number>()
  return {
    find: async (url) => {
      const page = await known.find(url)
      // What an older finder of main content has read is read anew.
      return page === undefined || (page.version !== undefined && page.version !== contentVersion) ? undefined : page
    },
    isOld: ({ at, url }) => {
      const changed = modified.get(url)
      return changed !== undefined && changed + dayMillis <= at
    },
    told: (url, lastmod) => {
      const changed = mode === "lastmod" && lastmod !== undefined ? Date.parse(lastmod) : Number.NaN
      if (!Number.isNaN(changed)) modified.set(url, changed)
    }
  }
}

/** A sitemap that names a day says nothing of its hours, nor of its time zone. */
const dayMillis = 24 * 60 * 60 * 1000

/** What a conditional request says. */
export const conditionsOf = ({ etag, lastModified }: KnownPage): Readonly<Record<string, string>> => ({
  ...(etag === undefined ? {} : { "if-none-match": etag }),
  ...(lastModified === undefined ? {} : { "if-modified-since": lastModified })
})
