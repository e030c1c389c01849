/**
 * The known URLs of one crawl, and their numbers: a state machine of each URL.
 *
 *     unknown --discover, follow--> queued --begin--> begun --claim--> owner of its page, or alias of another URL
 *                                     |
 *                                     +--claim of another URL that is nearer--> alias of that URL
 *
 * A page has one number, however many URLs lead to it. A URL that redirects to a page claims that page's key, so the
 * next URL that arrives there is an alias; two URLs that redirect to each other are a loop, not two aliases. What is
 * known of a URL when its level begins does not depend on the order of answers in the level before: any order gives the
 * same spelling, depth and origin. A URL of the level that is being read takes over a page that only links have found
 * for the next level. The ledger in the store is the same list, and this one can be rebuilt from it; this one answers
 * at once.
 */

import * as KnownSecrets from "#base/KnownSecrets"
import * as PageUrl from "#contract/PageUrl"
import type { Change, DiscoveredUrl, Kind, UrlState } from "../CrawlUrl.ts"
import { NumberColumn } from "./NumberColumn.ts"
import * as RecentLinks from "./RecentLinks.ts"
import * as UrlTable from "./UrlTable.ts"

/** The page whose links are read: its number, and the URL that answered. */
export interface From {
  readonly seq: number
  readonly url: string
}

/** Decides about a new URL; undefined: it is ignored. */
export type Admit = (url: URL) => { readonly kind: Kind; readonly state?: UrlState } | undefined

/**
 * What is learned about a known page. order: that it is nearer than known so far; identity: also its spellings and which
 * pages link there, for a crawl that decides at its end which URLs are one page.
 */
type Keeps = "nothing" | "order" | "identity"

export const open = (rules: PageUrl.Identity, keeps: Keeps = "nothing"): Frontier => new Frontier(rules, keeps)

export class Frontier {
  private rules: PageUrl.Identity
  private readonly keeps: Keeps
  /** By the key of a page: the number of the URL that has it. */
  private readonly owners = UrlTable.create()
  /** By each spelling that was found: the number of its page. */
  private readonly spelled = UrlTable.create()
  /** The number that each alias redirects to. Never a circle: a link that would close one is refused. */
  private readonly aliases = new Map<number, number>()
  private readonly overtaken = new Map<number, Array<number>>()
  private readonly links = RecentLinks.create()
  /** By number: the depth, negative once the URL has begun (`-1 - depth`). */
  private readonly depths = new NumberColumn(-1)
  private count = 0
  /** The origins of queued URLs, by number. */
  private readonly froms: Array<From | undefined> = []
  private learned: Array<Change> = []
  /** By the number of an origin whose URL is not restored yet: the queued URLs that it leads to. */
  private readonly wanted = new Map<number, Array<number>>()

  constructor(rules: PageUrl.Identity, keeps: Keeps) {
    this.rules = rules
    this.keeps = keeps
  }

  /** Restores the ledger: all of it, in order, before any of it is reclaimed. */
  remember(known: ReadonlyArray<DiscoveredUrl>): void {
    for (const { aliasOf, depth, from, seq, state, url } of known) {
      const address = new URL(url)
      if (aliasOf == null) this.owners.set(PageUrl.keyOf(address, this.rules), seq)
      if (this.keeps === "identity") this.spelled.set(address.href, seq)
      this.count = Math.max(this.count, seq + 1)
      this.depths.set(seq, state === "queued" ? depth : -1 - depth)
      if (from != null && state === "queued") this.wanted.set(from, [...(this.wanted.get(from) ?? []), seq])
    }
  }

  /** Gives every page of the ledger back to the URL that had claimed it. */
  reclaim(known: ReadonlyArray<DiscoveredUrl>): void {
    for (const { aliasOf, key, landed, seq, url } of known) {
      for (const found of this.wanted.get(seq) ?? []) this.froms[found] = { seq, url: landed ?? url }
      this.wanted.delete(seq)
      if (aliasOf == null) {
        this.claimKey(key, seq)
        continue
      }
      const own = PageUrl.keyOf(new URL(url), this.rules)
      if (this.owners.get(own) === undefined) this.owners.set(own, aliasOf)
      this.aliases.set(seq, aliasOf)
    }
  }

  /** Whether no URL was ever entered. */
  isNew(): boolean {
    return this.count === 0
  }

  /** Enters a URL; undefined: its page is already known. */
  discover(found: URL, depth: number, kind: Kind, state: UrlState = "queued"): DiscoveredUrl | undefined {
    const url = PageUrl.plainOf(KnownSecrets.maskedUrl(found), this.rules)
    const key = PageUrl.keyOf(url, this.rules)
    const owner = this.owners.get(key)
    if (owner === undefined) return this.enter(url, key, depth, kind, state)
    this.see(owner, url, depth, kind, undefined)
    return undefined
  }

  /**
   * The same for a link of the page `from`. `admit` is called once for each new URL, and a recent link is not even
   * parsed. What the link shows about a known page becomes a change.
   */
  follow(href: string, depth: number, from: From, admit: Admit): DiscoveredUrl | undefined {
    const { links, owners, rules } = this
    const page = PageUrl.withoutPlace(href, rules.routes)
    const known = links.get(page)
    if (known !== undefined) {
      if (known !== RecentLinks.nowhere) this.see(known, undefined, depth, "link", from)
      return undefined
    }
    const found = PageUrl.normalize(KnownSecrets.masked(page))
    const admitted = found === undefined ? undefined : admit(found)
    if (found === undefined || admitted === undefined) {
      links.set(page, RecentLinks.nowhere)
      return undefined
    }
    const url = PageUrl.plainOf(found, rules)
    const key = PageUrl.keyOf(url, rules)
    const owner = owners.get(key)
    if (owner !== undefined) {
      this.see(owner, url, depth, admitted.kind, from)
      links.set(page, owner)
      return undefined
    }
    const entered = this.enter(url, key, depth, admitted.kind, admitted.state ?? "queued", from)
    links.set(page, entered.seq)
    return entered
  }

  /** What was learned since the last call. */
  changes(): ReadonlyArray<Change> {
    const since = this.learned
    this.learned = []
    return since
  }

  /**
   * Gives the page behind `url` to the URL with number `seq`, which redirects there. other: another URL has it, so this
   * one is an alias; loop: that URL redirects back to this one.
   */
  claim(url: URL, seq: number): "own" | "other" | "loop" {
    return this.claimKey(PageUrl.keyOf(url, this.rules), seq)
  }

  /** The number of the URL that has the page, if `seq` is an alias. */
  aliasOf(seq: number): number | undefined {
    return this.aliases.get(seq)
  }

  /** Queued URLs whose page this one has taken over since the last call. */
  overtakenBy(seq: number): ReadonlyArray<number> {
    const some = this.overtaken.get(seq) ?? []
    this.overtaken.delete(seq)
    return some
  }

  /** Marks a URL as begun or never to begin: no other URL may take its page over. */
  begin(seq: number): void {
    const depth = this.depths.get(seq)
    if (depth >= 0) this.depths.set(seq, -1 - depth)
    this.froms[seq] = undefined
  }

  /** The number of the page that this URL identifies. */
  ownerOf(url: URL): number | undefined {
    return this.owners.get(PageUrl.keyOf(url, this.rules))
  }

  ownerOfKey(key: string): number | undefined {
    return this.owners.get(key)
  }

  /** Whether exactly this spelling was found. */
  isSpelled(href: string): boolean {
    return this.spelled.get(href) !== undefined
  }

  /** The number of a page by another key, which leads to the page from now on. */
  lead(key: string, seq: number): void {
    this.owners.set(key, seq)
  }

  /** The rules in force. They may grow during a crawl, but only between two levels. */
  identity(): PageUrl.Identity {
    return this.rules
  }

  change(identity: PageUrl.Identity): void {
    this.rules = identity
    this.links.clear()
  }

  private waits(seq: number): boolean {
    return this.depths.get(seq) >= 0
  }

  private depthOf(seq: number): number {
    const depth = this.depths.get(seq)
    return depth < 0 ? -1 - depth : depth
  }

  private claimKey(key: string, seq: number): "own" | "other" | "loop" {
    const { aliases, overtaken, owners } = this
    const owner = owners.get(key)
    if (owner === undefined) owners.set(key, seq)
    if (owner === undefined || owner === seq) return "own"
    for (let at: number | undefined = owner; at !== undefined; at = aliases.get(at)) if (at === seq) return "loop"
    if (this.keeps !== "nothing" && this.waits(owner) && this.depthOf(owner) > this.depthOf(seq)) {
      owners.set(key, seq)
      this.begin(owner)
      aliases.set(owner, seq)
      overtaken.set(seq, [...(overtaken.get(seq) ?? []), owner])
      return "own"
    }
    aliases.set(seq, owner)
    return "other"
  }

  /** Records what another link shows about a known page. */
  private see(seq: number, url: URL | undefined, depth: number, kind: Kind, from: From | undefined): void {
    if (this.keeps === "nothing") return
    const keepsIdentity = this.keeps === "identity"
    if (keepsIdentity && url !== undefined && this.spelled.get(url.href) === undefined) {
      this.spelled.set(url.href, seq)
      this.learned.push({ _tag: "Spelling", seq, url: url.href })
    }
    if (!this.waits(seq)) return
    const was = this.depthOf(seq)
    if (url !== undefined && depth < was) {
      this.depths.set(seq, depth)
      this.froms[seq] = undefined
      this.learned.push({ _tag: "Nearer", seq, depth, was, kind, ...(keepsIdentity ? { url: url.href } : {}) })
    } else if (keepsIdentity && depth === was && from !== undefined) {
      const known = this.froms[seq]
      if (known === undefined || known.seq === from.seq || known.url <= from.url) return
      this.froms[seq] = from
      this.learned.push({ _tag: "From", seq, from: from.seq })
    }
  }

  private enter(url: URL, key: string, depth: number, kind: Kind, state: UrlState, from?: From): DiscoveredUrl {
    const seq = this.count
    this.count += 1
    this.owners.set(key, seq)
    if (this.keeps === "identity") this.spelled.set(url.href, seq)
    this.depths.set(seq, state === "queued" ? depth : -1 - depth)
    this.froms[seq] = undefined
    if (this.keeps !== "identity" || from === undefined) return { seq, key, url: url.href, depth, kind, state }
    if (state === "queued") this.froms[seq] = from
    return { seq, key, url: url.href, depth, kind, state, from: from.seq }
  }
}
