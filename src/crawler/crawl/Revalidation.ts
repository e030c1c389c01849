/**
 * How a crawl asks only for what has changed: what is known of a page from the crawl before, and what its sitemap says since; or
 * how often it has changed.
 */
import type { Interval, Revalidates } from "../../embedded/EmbeddedCrawl.ts"
import { contentVersion } from "../../html/content/version.ts"
import type { KnownPage } from "../frontier/CrawlUrl.ts"

export interface Revalidation {
  /** What is known of a page, if it may be asked for conditionally. */
  readonly find: (url: string) => Promise<KnownPage | undefined>
  /** Whether a page need not be asked for: its sitemap says that it has not changed since it was read, or its time has not come. */
  readonly isOld: (page: KnownPage, now: number) => boolean
  /** Takes up what a sitemap says of a page. */
  readonly listed: (url: string, lastmod: string | undefined) => void
}

/** `rules`: the version of those that give data of pages; undefined: no data is asked for. */
export const make = (
  known: Pick<Revalidation, "find">,
  mode: Exclude<Revalidates, "nothing">,
  rules?: number
): Revalidation => {
  /** When pages have changed, by their sitemaps. */
  const modified = new Map<string, number>()
  return {
    find: async (url) => {
      const page = await known.find(url)
      return page === undefined || isReadOtherwise(page, rules) ? undefined : page
    },
    isOld: (page, now) => {
      if (typeof mode === "object") return now < page.at + intervalOf(page, mode)
      const changed = modified.get(page.url)
      return changed !== undefined && changed + dayMillis <= page.at
    },
    listed: (url, lastmod) => {
      const changed = mode === "lastmod" && lastmod !== undefined ? Date.parse(lastmod) : Number.NaN
      if (!Number.isNaN(changed)) modified.set(url, changed)
    }
  }
}

/** Whether an older finder of main content has read it, or older rules have given its data: it is read anew. */
const isReadOtherwise = (page: KnownPage, rules: number | undefined): boolean =>
  (page.version !== undefined && page.version !== contentVersion) || page.rules !== rules

/** A sitemap that names a day says nothing of its hours, nor of its time zone. */
const dayMillis = 24 * 60 * 60 * 1000

/**
 * How long a page is left alone after it was asked for: half of the mean time between the changes that were seen, so that a page
 * is asked for about twice for each of its changes. One that has never changed is left alone for half of the time that it has
 * been known, which grows with each visit.
 */
export const intervalOf = ({ at, changes = 0, since = at }: KnownPage, { maxMillis, minMillis }: Interval): number =>
  Math.min(maxMillis, Math.max(minMillis, (at - since) / (changes + 1) / 2))

/** What is known of a page that was known and is read again: how old it is, and whether it has changed once more. */
export const readAgain = (page: KnownPage, before: KnownPage | undefined): KnownPage => {
  if (before === undefined) return page
  const { changes = 0, since = before.at } = before
  return { ...page, since, changes: changes + (isSame(page, before) ? 0 : 1) }
}

/** By what was read of both; where that is not known, by what the site says. */
const isSame = (page: KnownPage, before: KnownPage): boolean => {
  const [now, then] = [page.traits?.content, before.traits?.content]
  if (now !== undefined && then !== undefined) return now === then
  return page.etag !== undefined && page.etag === before.etag
}

/** What a conditional request says. */
export const conditionsOf = ({ etag, lastModified }: KnownPage): Readonly<Record<string, string>> => ({
  ...(etag === undefined ? {} : { "if-none-match": etag }),
  ...(lastModified === undefined ? {} : { "if-modified-since": lastModified })
})
