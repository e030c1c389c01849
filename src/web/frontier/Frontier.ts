/**
 * The known URLs of one crawl, and their numbers.
 *
 * A page has one number, however many URLs lead to it. A URL that redirects to a page claims that page's key, so the
 * next URL that arrives there is an alias; two URLs that redirect to each other are a loop, not two aliases. What is
 * known of a URL when its level begins does not depend on the order of answers in the level before: any order gives the
 * same spelling, depth and origin. A URL of the level that is being read takes over a page that only links have found
 * for the next level. The ledger in the store is the same list, and this one can be rebuilt from it; this one answers
 * at once.
 */

import * as PageUrl from "#contract/PageUrl"
import type { Change, DiscoveredUrl, Kind, UrlState } from "../CrawlUrl.ts"
import { NumberColumn } from "./NumberColumn.ts"
import * as RecentLinks from "./RecentLinks.ts"
import * as UrlTable from "./UrlTable.ts"

export interface Frontier {
  /** Restores the ledger: all of it, in order, before any of it is reclaimed. */
  readonly remember: (known: ReadonlyArray<DiscoveredUrl>) => void
  /** Gives every page of the ledger back to the URL that had claimed it. */
  readonly reclaim: (known: ReadonlyArray<DiscoveredUrl>) => void
  /** Whether no URL was ever entered. */
  readonly isNew: () => boolean
  /** Enters a URL; undefined: its page is already known. */
  readonly discover: (url: URL, depth: number, kind: Kind, state?: UrlState) => DiscoveredUrl | undefined
  /**
   * The same for a link of the page `from`. `admit` is called once for each new URL, and a recent link is not even
   * parsed. What the link shows about a known page becomes a change.
   */
  readonly follow: (href: string, depth: number, from: From, admit: Admit) => DiscoveredUrl | undefined
  /** What was learned since the last call. */
  readonly changes: () => ReadonlyArray<Change>
  /**
   * Gives the page behind `url` to the URL with number `seq`, which redirects there. other: another URL has it, so this
   * one is an alias; loop: that URL redirects back to this one.
   */
  readonly claim: (url: URL, seq: number) => "own" | "other" | "loop"
  /** The number of the URL that has the page, if `seq` is an alias. */
  readonly aliasOf: (seq: number) => number | undefined
  /** Queued URLs whose page this one has taken over since the last call. */
  readonly overtakenBy: (seq: number) => ReadonlyArray<number>
  /** Marks a URL as begun or never to begin: no other URL may take its page over. */
  readonly begin: (seq: number) => void
  /** The number of the page that this URL identifies. */
  readonly ownerOf: (url: URL) => number | undefined
  /** Whether exactly this spelling was found. */
  readonly isSpelled: (href: string) => boolean
  /** The number of a page by another key, which leads to the page from now on. */
  readonly lead: (key: string, seq: number) => void
  readonly ownerOfKey: (key: string) => number | undefined
  /** The rules in force. They may grow during a crawl, but only between two levels. */
  readonly identity: () => PageUrl.Identity
  readonly change: (identity: PageUrl.Identity) => void
}

/** The page whose links are read: its number, and the URL that answered. */
export interface From {
  readonly seq: number
  readonly url: string
}

/** Decides about a new URL; undefined: it is ignored. */
export type Admit = (url: URL) => { readonly kind: Kind; readonly state?: UrlState } | undefined

/**
 * `keeps`: what is learned about a known page. order: that it is nearer than known so far; identity: also its spellings
 * and which pages link there, for a crawl that decides at its end which URLs are one page.
 */
export const open = (rules: PageUrl.Identity, keeps: "nothing" | "order" | "identity" = "nothing"): Frontier => {
  let identity = rules
  const owners = UrlTable.create()
  const spelled = UrlTable.create()
  /** The number that each alias redirects to. Never a circle: a link that would close one is refused. */
  const aliases = new Map<number, number>()
  const overtaken = new Map<number, Array<number>>()
  const links = RecentLinks.create()
  /** By number: the depth, negative once the URL has begun (`-1 - depth`). */
  const depths = new NumberColumn(-1)
  let count = 0
  /** The origins of queued URLs, by number. */
  const froms: Array<From | undefined> = []
  let learned: Array<Change> = []
  /** By the number of an origin whose URL is not restored yet: the queued URLs that it leads to. */
  const wanted = new Map<number, Array<number>>()

  const waits = (seq: number) => depths.get(seq) >= 0
  const depthOf = (seq: number) => {
    const depth = depths.get(seq)
    return depth < 0 ? -1 - depth : depth
  }

  const claimKey = (key: string, seq: number) => {
    const owner = owners.get(key)
    if (owner === undefined) owners.set(key, seq)
    if (owner === undefined || owner === seq) return "own"
    for (let at: number | undefined = owner; at !== undefined; at = aliases.get(at)) if (at === seq) return "loop"
    if (keeps !== "nothing" && waits(owner) && depthOf(owner) > depthOf(seq)) {
      owners.set(key, seq)
      begin(owner)
      aliases.set(owner, seq)
      overtaken.set(seq, [...(overtaken.get(seq) ?? []), owner])
      return "own"
    }
    aliases.set(seq, owner)
    return "other"
  }

  const begin = (seq: number) => {
    const depth = depths.get(seq)
    if (depth >= 0) depths.set(seq, -1 - depth)
    froms[seq] = undefined
  }

  /** Records what another link shows about a known page. */
  const see = (seq: number, url: URL | undefined, depth: number, kind: Kind, from: From | undefined) => {
    if (keeps === "nothing") return
    const isSpelling = keeps === "identity" && url !== undefined && spelled.get(url.href) === undefined
    if (isSpelling) {
      spelled.set(url.href, seq)
      learned.push({ _tag: "Spelling", seq, url: url.href })
    }
    if (!waits(seq)) return
    const before = depthOf(seq)
    if (url !== undefined && depth < before) {
      depths.set(seq, depth)
      froms[seq] = undefined
      learned.push({
        _tag: "Nearer",
        seq,
        depth,
        was: before,
        kind,
        ...(keeps === "identity" ? { url: url.href } : {})
      })
    } else if (keeps === "identity" && depth === before && from !== undefined) {
      const known = froms[seq]
      if (known === undefined || known.seq === from.seq || known.url <= from.url) return
      froms[seq] = from
      learned.push({ _tag: "From", seq, from: from.seq })
    }
  }

  const enter = (url: URL, key: string, depth: number, kind: Kind, state: UrlState, from?: From): DiscoveredUrl => {
    const seq = count
    count += 1
    owners.set(key, seq)
    if (keeps === "identity") spelled.set(url.href, seq)
    depths.set(seq, state === "queued" ? depth : -1 - depth)
    froms[seq] = undefined
    if (keeps !== "identity" || from === undefined) return { seq, key, url: url.href, depth, kind, state }
    if (state === "queued") froms[seq] = from
    return { seq, key, url: url.href, depth, kind, state, from: from.seq }
  }

  return {
    remember: (known) => {
      for (const { aliasOf, depth, from, seq, state, url } of known) {
        const address = new URL(url)
        if (aliasOf == null) owners.set(PageUrl.keyOf(address, identity), seq)
        if (keeps === "identity") spelled.set(address.href, seq)
        count = Math.max(count, seq + 1)
        depths.set(seq, state === "queued" ? depth : -1 - depth)
        if (from != null && state === "queued") wanted.set(from, [...(wanted.get(from) ?? []), seq])
      }
    },
    reclaim: (known) => {
      for (const { aliasOf, key, landed, seq, url } of known) {
        for (const found of wanted.get(seq) ?? []) froms[found] = { seq, url: landed ?? url }
        wanted.delete(seq)
        if (aliasOf == null) {
          claimKey(key, seq)
          continue
        }
        const own = PageUrl.keyOf(new URL(url), identity)
        if (owners.get(own) === undefined) owners.set(own, aliasOf)
        aliases.set(seq, aliasOf)
      }
    },
    isNew: () => count === 0,
    discover: (found, depth, kind, state = "queued") => {
      const url = PageUrl.plainOf(found, identity)
      const key = PageUrl.keyOf(url, identity)
      const owner = owners.get(key)
      if (owner === undefined) return enter(url, key, depth, kind, state)
      see(owner, url, depth, kind, undefined)
      return undefined
    },
    follow: (href, depth, from, admit) => {
      const page = PageUrl.withoutPlace(href, identity.routes)
      const known = links.get(page)
      if (known !== undefined) {
        if (known !== RecentLinks.nowhere) see(known, undefined, depth, "link", from)
        return undefined
      }
      const found = PageUrl.normalize(page)
      const admitted = found === undefined ? undefined : admit(found)
      if (found === undefined || admitted === undefined) {
        links.set(page, RecentLinks.nowhere)
        return undefined
      }
      const url = PageUrl.plainOf(found, identity)
      const key = PageUrl.keyOf(url, identity)
      const owner = owners.get(key)
      if (owner !== undefined) {
        see(owner, url, depth, admitted.kind, from)
        links.set(page, owner)
        return undefined
      }
      const entered = enter(url, key, depth, admitted.kind, admitted.state ?? "queued", from)
      links.set(page, entered.seq)
      return entered
    },
    changes: () => {
      const since = learned
      learned = []
      return since
    },
    claim: (url, seq) => claimKey(PageUrl.keyOf(url, identity), seq),
    aliasOf: (seq) => aliases.get(seq),
    overtakenBy: (seq) => {
      const some = overtaken.get(seq) ?? []
      overtaken.delete(seq)
      return some
    },
    begin,
    ownerOf: (url) => owners.get(PageUrl.keyOf(url, identity)),
    isSpelled: (href) => spelled.get(href) !== undefined,
    lead: (key, seq) => owners.set(key, seq),
    ownerOfKey: (key) => owners.get(key),
    identity: () => identity,
    change: (to) => {
      identity = to
      links.clear()
    }
  }
}
