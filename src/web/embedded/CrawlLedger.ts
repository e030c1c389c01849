/**
 * The ledger of one crawl in memory: every URL that it knows, how each has ended, and which pages they are.
 *
 * The ledger is built from its records alone, in their order, so the records of a killed crawl rebuild the same ledger.
 * It holds no page text.
 */

import * as Theme from "#page/Theme"
import type { Bytes, Change, Failure } from "../CrawlUrl.ts"
import { withWarning } from "../Job.ts"
import type { End, LedgerRecord } from "./LedgerRecord.ts"
import { UrlColumns } from "./UrlColumns.ts"

export class CrawlLedger {
  id: string | undefined
  /** Milliseconds since the epoch. */
  begunAt = 0
  finishedAt: number | undefined
  warning: string | undefined
  hasRoutes = false
  /** Whether a browser showed one of its pages. */
  isRendered = false
  /** Whether documents wait until it is decided which URLs are one page. */
  isHeld = false
  credits = 0
  /**
   * The sum over all pages that were read, duplicates of other pages included; undefined: the size of one is unknown.
   */
  bytes: Bytes | undefined = { wire: 0, body: 0 }
  readonly failures: Array<Failure & { readonly createdAt: number }> = []
  readonly urls = new UrlColumns()
  readonly sample = new Theme.Sample()
  /** URL numbers of the pages that were not delivered early; undefined: which URLs are one page is not decided yet. */
  places: ReadonlyArray<number> | undefined
  /** URL numbers of pages that were found unchanged and not read, in the order in which the crawl found this. */
  readonly #unchanged = new Set<number>()

  /** URL numbers of pages that were delivered before the crawl ended, one group for each delivery. */
  readonly delivered: Array<ReadonlyArray<number>> = []
  /** Of documents with a lower number, all pages that can be delivered early are delivered. */
  deliveredBefore = 0
  readonly #delivered = new Set<number>()
  /** The URL number of each document. */
  readonly #seqs: Array<number> = []

  /** URL numbers of pages that have not changed since the last crawl, and keep the row that they have. */
  unchanged(): ReadonlyArray<number> {
    return [...this.#unchanged].filter((seq) => this.urls.state(seq) === "scraped")
  }

  isDelivered(seq: number): boolean {
    return this.#delivered.has(seq)
  }

  get counts() {
    return this.urls.counts
  }

  apply(record: LedgerRecord): void {
    const { urls } = this
    switch (record._tag) {
      case "Begun":
        this.id = record.id
        this.begunAt = record.at
        break
      case "Discovered":
        for (const url of record.urls) urls.enter(url)
        this.#learn(record.changes)
        break
      case "Settled":
        for (const { discovered } of record.ends) for (const url of discovered) urls.enter(url)
        for (const end of record.ends) this.#settle(end, record.at)
        break
      case "Dropped":
        for (const { aliasOf, seq, state } of record.dropped) urls.end(seq, state, aliasOf)
        break
      case "Failed":
        this.#fail(record.failures, record.at)
        break
      case "Routes":
        this.hasRoutes = true
        break
      case "Respelled":
        urls.respell(record.seq, record.url)
        break
      case "Placed":
        this.#place(record)
        break
      case "Told":
        this.delivered.push(record.seqs)
        for (const seq of record.seqs) this.#delivered.add(seq)
        this.deliveredBefore = record.before
        break
      case "Warned":
        this.warning = withWarning(this.warning, record.warning)
        break
      case "Finished":
        this.finishedAt = record.at
        for (let seq = 0; seq < urls.length; seq++) if (urls.state(seq) === "queued") urls.end(seq, "left")
        break
    }
  }

  blocked(): ReadonlyArray<string> {
    return this.#every((seq) => this.urls.state(seq) === "blocked").map((seq) => this.urls.url(seq))
  }

  spellingsOfWaiting() {
    return this.urls
      .spelled()
      .filter((seq) => this.urls.state(seq) === "queued")
      .flatMap((seq) => this.urls.spellings(seq).map((other) => ({ seq, url: this.urls.url(seq), other })))
  }

  /** The URLs of pages that may have other spellings: first those for which the crawl found one, then index files. */
  keptSpellings(): ReadonlyArray<string> {
    const isIndex = (seq: number) => this.urls.url(seq).toLowerCase().includes("/index.")
    return [this.urls.isSpelledTwice(), isIndex].flatMap((isWanted) =>
      this.#every((seq) => this.urls.state(seq) === "scraped" && isWanted(seq), maxSpellings).map((seq) =>
        this.urls.landed(seq)
      )
    )
  }

  /** URLs whose page has its row under another URL, so that the next crawl must read them. */
  rowless(): ReadonlyArray<string> {
    const { urls } = this
    const isElsewhere = (seq: number) => urls.state(seq) === "scraped" && urls.landed(seq) !== urls.url(seq)
    return this.#every((seq) => urls.state(seq) === "alias" || isElsewhere(seq)).map((seq) => urls.url(seq))
  }

  #every(isWanted: (seq: number) => boolean, most = Number.POSITIVE_INFINITY): ReadonlyArray<number> {
    const seqs: Array<number> = []
    for (let seq = 0; seq < this.urls.length && seqs.length < most; seq++) if (isWanted(seq)) seqs.push(seq)
    return seqs
  }

  #settle(end: End, at: number): void {
    const { aliasOf, changes = [], failures, landedKey, overtaken = [], page, seq, state, traits } = end
    this.urls.end(seq, state, aliasOf)
    if (end.isRevalidated === true) this.#unchanged.add(seq)
    else this.#unchanged.delete(seq)
    this.isRendered ||= end.isRendered === true
    if (end.sketched !== undefined) this.sample.add(end.sketched)
    this.urls.learn(seq, landedKey, page?.seq, traits)
    if (page !== undefined) this.#seqs[page.seq] = seq
    this.credits += page?.credits ?? 0
    if (page !== undefined) this.bytes = added(this.bytes, page.bytes)
    for (const other of overtaken) this.urls.end(other, "alias", seq)
    this.#fail(failures, at)
    this.#learn(changes)
  }

  #fail(failures: ReadonlyArray<Failure>, createdAt: number): void {
    for (const failure of failures) this.failures.push({ ...failure, createdAt })
  }

  #learn(changes: ReadonlyArray<Change>): void {
    for (const change of changes) {
      if (change._tag === "From") this.urls.leadFrom(change.seq, change.from)
      else if (change._tag === "Spelling") this.urls.spell(change.seq, change.url)
      else {
        if (change.url !== undefined) this.urls.respell(change.seq, change.url)
        this.urls.bring(change.seq, change.depth, change.kind)
      }
    }
  }

  #place({ decisions, failed }: Extract<LedgerRecord, { readonly _tag: "Placed" }>): void {
    const { urls } = this
    const owners = new Map<number, number>()
    for (const { depth, from, merged, seq, source, url } of decisions) {
      urls.decide(seq, url, source, depth, from)
      for (const other of merged) {
        urls.end(other, "alias", seq)
        owners.set(other, seq)
      }
    }
    urls.replaceFroms(owners)
    const renamed = new Map(failed)
    for (const [at, failure] of this.failures.entries()) {
      const is = renamed.get(failure.url)
      if (is !== undefined) this.failures[at] = { ...failure, url: is }
    }
    this.places = this.#every(
      (seq) => urls.state(seq) === "scraped" && urls.page(seq) >= 0 && !this.#delivered.has(seq)
    )
  }

  /** The URL numbers of these documents. */
  pagesBetween(first: number, before: number): ReadonlyArray<number> {
    return this.#seqs.slice(first, before)
  }

  /** Pages in the order of their URLs. */
  inOrder(pages: ReadonlyArray<number>): ReadonlyArray<number> {
    const spelled = new Map(pages.map((seq) => [seq, this.urls.landed(seq)]))
    return pages.toSorted((a, b) => compare(spelled.get(a) ?? "", spelled.get(b) ?? "") || a - b)
  }
}

const added = (sum: Bytes | undefined, more: Bytes | undefined): Bytes | undefined =>
  sum === undefined || more === undefined ? undefined : { wire: sum.wire + more.wire, body: sum.body + more.body }

/** The maximum number of spellings of each kind that are kept for a later crawl. */
const maxSpellings = 5000

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
