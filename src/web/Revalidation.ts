/**
 * How a crawl avoids reading unchanged pages: by what the last crawl knew of a page, and by what its sitemap says
 * since, or by how often the page has changed.
 */
import type { Interval, Revalidates } from "#contract/EmbeddedCrawl"
import * as Theme from "#page/Theme"
import type { KnownPage } from "./CrawlUrl.ts"

export interface Revalidation {
  /** What is known of a page, if the page may be asked for conditionally. */
  readonly find: (url: string) => Promise<KnownPage | undefined>
  /** The hash of the content that the last crawl has read without the theme that this one uses; undefined: it is not known. */
  readonly unthemed: (url: string) => Promise<string | undefined>
  /**
   * Whether a page need not be asked for: its sitemap says that it has not changed since, or its interval has not
   * passed.
   */
  readonly isOld: (page: KnownPage, now: number) => boolean
  /** Records when a sitemap says that a page has changed. */
  readonly listed: (url: string, lastmod: string | undefined) => void
}

/** `themes`: the themes of hosts by which this crawl reads pages; `rules`: the version of the rules that extract data; undefined: no data is extracted. */
export const of = (
  known: Pick<Revalidation, "find">,
  mode: Exclude<Revalidates, "nothing">,
  themes: Theme.Themes | undefined,
  rules?: number
): Revalidation => {
  /** When pages have changed, by their sitemaps. */
  const modified = new Map<string, number>()
  return {
    find: async (url) => {
      const page = await known.find(url)
      return page === undefined || page.isContentAlone === true || isReadOtherwise(page, themes, rules)
        ? undefined
        : page
    },
    unthemed: async (url) => {
      if (themes?.get(Theme.hostOf(url)) === undefined) return undefined
      const page = await known.find(url)
      return page?.version === Theme.versionWith(undefined) ? page.traits?.content : undefined
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

/** Whether another version of the content finder, another theme or other data rules read the page: then it is read again. */
const isReadOtherwise = (page: KnownPage, themes: Theme.Themes | undefined, rules: number | undefined): boolean =>
  (page.version !== undefined && page.version !== Theme.versionWith(themes?.get(Theme.hostOf(page.url)))) ||
  page.rules !== rules

/** A date in a sitemap has no hour and no time zone. */
const dayMillis = 24 * 60 * 60 * 1000

/**
 * How long a page is not asked for again: half of the mean time between the changes that were seen, so a page is read
 * about twice for each change. A page that never changed is left for half of the time that it has been known, which
 * grows with each visit.
 */
const intervalOf = ({ at, changes = 0, since = at }: KnownPage, { maxMillis, minMillis }: Interval): number =>
  Math.min(maxMillis, Math.max(minMillis, (at - since) / (changes + 1) / 2))

/** The entry of a page that is read again, with its age and its number of changes. */
export const readAgain = (page: KnownPage, before: KnownPage | undefined): KnownPage => {
  if (before === undefined) return page
  const { changes = 0, since = before.at } = before
  return { ...page, since, changes: changes + (isSame(page, before) ? 0 : 1) }
}

/** Compares the content if it is known of both, otherwise the ETags. */
const isSame = (page: KnownPage, before: KnownPage): boolean => {
  const [now, then] = [page.traits?.content, before.traits?.content]
  if (now !== undefined && then !== undefined) return now === then
  return page.etag !== undefined && page.etag === before.etag
}

/** The headers of a conditional request. */
export const conditionsOf = ({ etag, lastModified }: KnownPage): Readonly<Record<string, string>> => ({
  ...(etag === undefined ? {} : { "if-none-match": etag }),
  ...(lastModified === undefined ? {} : { "if-modified-since": lastModified })
})
