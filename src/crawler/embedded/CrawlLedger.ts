/**
 * The ledger of one crawl in memory: every URL that it knows, how each has ended, and which pages they are.
 *
 * It is made of records, one after the other, and of nothing else: the records of a crawl that was killed give the same
 * ledger again. Texts of pages are not in it.
 */
import { withWarning } from "../crawl/Job.ts"
import type { Bytes, Change, Failure } from "../frontier/CrawlUrl.ts"
import * as UrlTable from "../frontier/UrlTable.ts"
import type { End, LedgerRecord } from "./LedgerRecord.ts"
import { UrlColumns } from "./UrlColumns.ts"

export class CrawlLedger {
  id: string | undefined
  /** Milliseconds since the epoch. */
  begunAt = 0
  finishedAt: number | undefined
  warning: string | undefined
  hasRoutes = false
  /** Documents wait until it is decided which URLs are one page. */
  isHeld = false
  credits = 0
  /** Of all pages that were read, those that turned out to be other pages too; undefined: of one it is not known. */
  bytes: Bytes | undefined = { wire: 0, body: 0 }
  readonly failures: Array<Failure & { readonly createdAt: number }> = []
  readonly urls = new UrlColumns()
  /** Pages, once it is decided which they are, without those that were told before: the numbers of their URLs. */
  places: ReadonlyArray<number> | undefined
  /** Pages that are as they were, in the order in which that was found: the numbers of their URLs. */
  readonly revalidated: Array<number> = []

  /** Pages that were told before the crawl had ended, in groups that were told together: the numbers of their URLs. */
  readonly delivered: Array<ReadonlyArray<number>> = []
  /** Before which number of a page all are told that can be told early. */
  deliveredBefore = 0
  readonly #delivered = new Set<number>()
  /** The number of the URL of each page, by the number of its document. */
  readonly #seqs: Array<number> = []

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

  /** How pages are spelled that could be spelled otherwise, those first that have been found so. */
  keptSpellings(): ReadonlyArray<string> {
    const isIndex = (seq: number) => this.urls.url(seq).toLowerCase().includes("/index.")
    return [this.urls.isSpelledTwice(), isIndex].flatMap((isWanted) =>
      this.#every((seq) => this.urls.state(seq) === "scraped" && isWanted(seq), maxSpellings).map((seq) =>
        this.urls.landed(seq)
      )
    )
  }

  /** Pages that the next crawl must read to decide which URLs are one page: those with other names, or with names like them. */
  ambiguous(): ReadonlyArray<string> {
    const { urls } = this
    const isSpelledTwice = urls.isSpelledTwice()
    const alike = UrlTable.make()
    for (let seq = 0; seq < urls.length; seq++) {
      const name = plainName(urls.url(seq))
      alike.set(name, (alike.get(name) ?? 0) + 1)
    }
    const isAlike = (seq: number) => !urls.hasMeaning(seq) && (alike.get(plainName(urls.url(seq))) ?? 0) > 1
    return this.#every((seq) => urls.state(seq) === "scraped" && (isSpelledTwice(seq) || isAlike(seq))).map((seq) =>
      urls.url(seq)
    )
  }

  #every(isWanted: (seq: number) => boolean, most = Number.POSITIVE_INFINITY): ReadonlyArray<number> {
    const found: Array<number> = []
    for (let seq = 0; seq < this.urls.length && found.length < most; seq++) if (isWanted(seq)) found.push(seq)
    return found
  }

  #settle(end: End, at: number): void {
    const { aliasOf, changes = [], failures, landedKey, overtaken = [], page, seq, state, traits } = end
    this.urls.end(seq, state, aliasOf)
    if (end.isRevalidated === true) this.revalidated.push(seq)
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

  /** The numbers of the URLs of these documents. */
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

/** Spellings that a later crawl is told, at most, of each kind. */
const maxSpellings = 5000

/** Without what may be no part of a page's name: its query, and the name of an index file. */
const plainName = (url: string): string => (url.split("?", 1)[0] ?? url).replace(/\/(index\.[a-z]+)?$/i, "")

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
