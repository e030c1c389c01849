/**
 * The URLs of one crawl in memory: which are known, and where their numbers come from.
 *
 * The law: a page has one number however many URLs lead to it; a URL that redirects to a page claims that page's key,
 * so the next one to arrive there is an alias. The ledger in the store is the same list; this one answers in no time.
 */
import type { DiscoveredUrl, Kind, UrlState } from "../store/CrawlStore.ts"
import * as PageUrl from "./PageUrl.ts"

export interface Frontier {
  /** Enters a URL; undefined: its page is known already. */
  readonly discover: (url: URL, depth: number, kind: Kind, state?: UrlState) => DiscoveredUrl | undefined
  /** Whether this exact link text was looked at before: the cheap question, asked first. */
  readonly isNewLink: (href: string) => boolean
  /** Gives the page behind `url` to the URL with number `seq`; false: it is another's. */
  readonly claim: (url: URL, seq: number) => boolean
}

export const make = (ignoreQuery: boolean, known: ReadonlyArray<DiscoveredUrl>): Frontier => {
  const owners = new Map(known.map(({ key, seq }) => [key, seq]))
  const links = new Set<string>()
  let next = known.length

  return {
    discover: (url, depth, kind, state = "queued") => {
      const key = PageUrl.key(url, ignoreQuery)
      if (owners.has(key)) return undefined
      const seq = next++
      owners.set(key, seq)
      return { seq, key, url: url.href, depth, kind, state }
    },
    isNewLink: (href) => {
      if (links.has(href)) return false
      links.add(ownCopy(href))
      return true
    },
    claim: (url, seq) => {
      const key = PageUrl.key(url, ignoreQuery)
      const owner = owners.get(key)
      if (owner === undefined) owners.set(key, seq)
      return owner === undefined || owner === seq
    }
  }
}

/** A link may be a slice of its page's text, and to keep the slice would keep the page. */
const ownCopy = (text: string): string => Buffer.from(text).toString()
