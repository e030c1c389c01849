/**
 * Which URLs of one crawl are known, and where their numbers come from.
 *
 * The law: a page has one number however many URLs lead to it; a URL that redirects to a page claims that page's key,
 * so the next one to arrive there is an alias; two that redirect to each other are a loop, not two aliases. The ledger
 * in the store is the same list, and all of it can be made from there again; this one answers in no time.
 */

import * as PageUrl from "../../api/PageUrl.ts"
import type { DiscoveredUrl, Kind, UrlState } from "../store/CrawlUrl.ts"
import * as UrlTable from "./UrlTable.ts"

export interface Frontier {
  /** Knows again what the ledger has: all of it, in order, before any of it is reclaimed. */
  readonly remember: (known: ReadonlyArray<DiscoveredUrl>) => void
  /** Gives every page of the ledger back to the URL that had it. */
  readonly reclaim: (known: ReadonlyArray<DiscoveredUrl>) => void
  /** Whether no URL was ever entered. */
  readonly isNew: () => boolean
  /** Enters a URL; undefined: its page is known already. */
  readonly discover: (url: URL, depth: number, kind: Kind, state?: UrlState) => DiscoveredUrl | undefined
  /** Whether this link, whatever place of its page it leads to, was not looked at of late: the cheap question, asked first. */
  readonly isNewLink: (href: string) => boolean
  /**
   * Gives the page behind `url` to the URL with number `seq`, which redirects there. other: it is another URL's, so this
   * one is an alias; loop: and that one redirects back to this.
   */
  readonly claim: (url: URL, seq: number) => "own" | "other" | "loop"
}

export const make = (ignoreQuery: boolean): Frontier => {
  const owners = UrlTable.make()
  /** Which number each alias redirects to. Never a circle: the link that would close one is refused. */
  const aliases = new Map<number, number>()
  const links = new Set<string>()
  let next = 0

  const claimKey = (key: string, seq: number) => {
    const owner = owners.get(key)
    if (owner === undefined) owners.set(key, seq)
    if (owner === undefined || owner === seq) return "own"
    for (let at: number | undefined = owner; at !== undefined; at = aliases.get(at)) if (at === seq) return "loop"
    aliases.set(seq, owner)
    return "other"
  }

  return {
    remember: (known) => {
      for (const { url, seq } of known) owners.set(PageUrl.key(new URL(url), ignoreQuery), seq)
      next += known.length
    },
    reclaim: (known) => {
      for (const { key, seq } of known) claimKey(key, seq)
    },
    isNew: () => next === 0,
    discover: (url, depth, kind, state = "queued") => {
      const key = PageUrl.key(url, ignoreQuery)
      if (owners.get(key) !== undefined) return undefined
      const seq = next++
      owners.set(key, seq)
      return { seq, key, url: url.href, depth, kind, state }
    },
    isNewLink: (href) => {
      const page = withoutPlace(href)
      if (links.has(page)) return false
      if (links.size === mostLinks) links.clear()
      links.add(ownCopy(page))
      return true
    },
    claim: (url, seq) => claimKey(PageUrl.key(url, ignoreQuery), seq)
  }
}

/** What a site's every page repeats is among the last few thousand. */
const mostLinks = 10_000

/** Places of one page are one page; a hash route is a page of its own (`PageUrl`). */
const withoutPlace = (href: string): string => {
  const at = href.indexOf("#")
  if (at === -1) return href
  const next = href.charCodeAt(at + 1)
  return next === slash || next === exclamation ? href : href.slice(0, at)
}
const slash = 47
const exclamation = 33

/** A link may be a slice of its page's text, and to keep the slice would keep the page. */
const ownCopy = (text: string): string => Buffer.from(text).toString()
