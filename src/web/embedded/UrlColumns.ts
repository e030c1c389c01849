/**
 * The URLs of a crawl, by number: as columns instead of rows, a URL costs its own characters and about thirty bytes.
 */
import type { Ended } from "../CrawlIdentity.ts"
import { type Counts, countsOf, type DiscoveredUrl, type Kind, type Traits, type UrlState } from "../CrawlUrl.ts"
import { NumberColumn } from "../frontier/NumberColumn.ts"

/**
 * Texts by URL number, as bytes one after the other. A text costs its own bytes and twelve more, and the garbage
 * collector of V8 has nothing to visit. As strings, a million URLs take three times as much memory, and each collection
 * visits all of them.
 *
 * A text that is replaced is written again at the end; the old one stays until the column is released.
 */
class TextColumn {
  /** The block of each text, and where the text begins in it. */
  readonly #blocks: Array<Buffer> = []
  readonly #blockOf = new NumberColumn(-1)
  readonly #placeOf = new NumberColumn(0)
  #used = 0

  has(at: number): boolean {
    return this.#blockOf.get(at) >= 0
  }

  get(at: number): string | undefined {
    const block = this.#blocks[this.#blockOf.get(at)]
    if (block === undefined) return undefined
    const place = this.#placeOf.get(at)
    const length = block.readInt32LE(place)
    return block.toString("utf8", place + lengthBytes, place + lengthBytes + length)
  }

  set(at: number, text: string | undefined): void {
    if (text === undefined) {
      this.#blockOf.set(at, -1)
      return
    }
    const length = Buffer.byteLength(text)
    const block = this.#blockWith(length + lengthBytes)
    block.writeInt32LE(length, this.#used)
    block.write(text, this.#used + lengthBytes)
    this.#blockOf.set(at, this.#blocks.length - 1)
    this.#placeOf.set(at, this.#used)
    this.#used += length + lengthBytes
  }

  /** The last block if it has enough room, otherwise a new one. */
  #blockWith(bytes: number): Buffer {
    const last = this.#blocks.at(-1)
    if (last !== undefined && this.#used + bytes <= last.length) return last
    const usual = Math.min(mostBytes, leastBytes * 2 ** this.#blocks.length)
    const block = Buffer.allocUnsafeSlow(Math.max(usual, bytes))
    this.#blocks.push(block)
    this.#used = 0
    return block
  }
}

const lengthBytes = 4
/** Each block is twice as large as the one before, up to a mebibyte; a longer text has a block of its own. */
const leastBytes = 4096
const mostBytes = 1 << 20

/**
 * The keys of a crawl's URLs, by URL number. Most keys are a part of their URL (`PageUrl.keyOf`) and cost four bytes:
 * where the part begins, and how long it is. Other keys are kept as text.
 */
class KeyColumn {
  readonly #parts = new NumberColumn(0)
  readonly #others = new Map<number, string>()

  /** `url`: the current URL of this number. */
  get(at: number, url: string): string {
    const other = this.#others.get(at)
    if (other !== undefined) return other
    const part = this.#parts.get(at)
    const begin = part & mostBegin
    return url.slice(begin, begin + (part >> beginBits))
  }

  set(at: number, key: string, url: string): void {
    const begin = url.indexOf(key)
    if (begin >= 0 && begin <= mostBegin && key.length <= mostLength) {
      this.#parts.set(at, begin | (key.length << beginBits))
      this.#others.delete(at)
    } else this.#others.set(at, key)
  }
}

const beginBits = 8
const mostBegin = 2 ** beginBits - 1
const mostLength = 2 ** (31 - beginBits) - 1

export class UrlColumns {
  readonly counts: { -readonly [State in keyof Counts]: Counts[State] } = countsOf([])
  length = 0
  readonly #urls = new TextColumn()
  readonly #keys = new KeyColumn()
  readonly #depths = new NumberColumn(0)
  /** Indexes into `kinds` and `states`. */
  readonly #kinds = new NumberColumn(0)
  readonly #states = new NumberColumn(-1)
  /** -1: none. */
  readonly #froms = new NumberColumn(-1)
  readonly #pages = new NumberColumn(-1)
  readonly #contents = new TextColumn()
  readonly #aliases = new Map<number, number>()
  readonly #landed = new Map<number, string>()
  readonly #sources = new Map<number, string>()
  readonly #canonicals = new Map<number, string>()
  readonly #meanings = new Map<number, string>()
  readonly #templates = new TextColumn()
  readonly #spellings = new Map<number, Set<string>>()

  enter({ depth, from, key, kind, seq, state, url }: DiscoveredUrl): void {
    this.length = Math.max(this.length, seq + 1)
    this.#urls.set(seq, url)
    this.#keys.set(seq, key, url)
    this.#depths.set(seq, depth)
    this.#kinds.set(seq, kinds.indexOf(kind))
    this.#states.set(seq, states.indexOf(state))
    this.leadFrom(seq, from ?? null)
    this.counts[state] += 1
  }

  end(seq: number, state: UrlState, aliasOf?: number | null): void {
    const before = states[this.#states.get(seq)]
    if (before !== undefined) this.counts[before] -= 1
    this.counts[state] += 1
    this.#states.set(seq, states.indexOf(state))
    if (aliasOf == null) this.#aliases.delete(seq)
    else this.#aliases.set(seq, aliasOf)
  }

  /** Records what a visit found. */
  learn(seq: number, key: string, page: number | undefined, traits: Traits = {}): void {
    this.#keys.set(seq, key, this.url(seq))
    this.#pages.set(seq, page ?? -1)
    this.#contents.set(seq, traits.content)
    if (traits.landed !== undefined) this.#landed.set(seq, traits.landed)
    if (traits.canonical !== undefined) this.#canonicals.set(seq, traits.canonical)
    if (traits.meaning !== undefined) this.#meanings.set(seq, traits.meaning)
    if (traits.template !== undefined) this.#templates.set(seq, traits.template)
  }

  spell(seq: number, url: string): void {
    const known = this.#spellings.get(seq)
    if (known === undefined) this.#spellings.set(seq, new Set([url]))
    else known.add(url)
  }

  respell(seq: number, url: string): void {
    const before = this.#urls.get(seq)
    if (before === url) return
    if (before !== undefined) this.spell(seq, before)
    const key = this.#keys.get(seq, before ?? "")
    this.#urls.set(seq, url)
    this.#keys.set(seq, key, url)
  }

  leadFrom(seq: number, from: number | null): void {
    this.#froms.set(seq, from ?? -1)
  }

  bring(seq: number, depth: number, kind: Kind): void {
    this.#depths.set(seq, depth)
    this.#kinds.set(seq, kinds.indexOf(kind))
    this.leadFrom(seq, null)
  }

  /** Records which page a URL is, once that is decided. */
  decide(seq: number, url: string, source: string, depth: number, from: number | null): void {
    this.#landed.set(seq, url)
    this.#sources.set(seq, source)
    this.#depths.set(seq, depth)
    this.leadFrom(seq, from)
  }

  /** Replaces each page that was merged by the page that it became, as the origin of links. */
  replaceFroms(owners: ReadonlyMap<number, number>): void {
    if (owners.size === 0) return
    for (let seq = 0; seq < this.length; seq++) {
      const owner = owners.get(this.#froms.get(seq))
      if (owner !== undefined) this.#froms.set(seq, owner)
    }
  }

  state(seq: number): UrlState {
    return states[this.#states.get(seq)] ?? "left"
  }

  /** The URL that was asked for. */
  url(seq: number): string {
    return this.#urls.get(seq) ?? ""
  }

  /** The URL that answered. */
  landed(seq: number): string {
    return this.#landed.get(seq) ?? this.url(seq)
  }

  /** The page as it is delivered. */
  placed(seq: number) {
    const from = this.#froms.get(seq)
    return {
      page: this.#pages.get(seq),
      url: this.landed(seq),
      source: this.#sources.get(seq) ?? this.url(seq),
      depth: this.#depths.get(seq),
      from: from < 0 ? undefined : this.landed(from)
    }
  }

  /** The wanted URLs after this number, in order. */
  some(after: number, limit: number, isWanted: (state: UrlState, depth: number) => boolean): Array<DiscoveredUrl> {
    const urls: Array<DiscoveredUrl> = []
    for (let seq = after + 1; seq < this.length && urls.length < limit; seq++) {
      if (isWanted(this.state(seq), this.#depths.get(seq))) urls.push(this.#row(seq))
    }
    return urls
  }

  /** The URLs after this number that have ended and whose numbers are wanted. */
  ended(after: number, limit: number, isWanted: (seq: number) => boolean): ReadonlyArray<Ended> {
    const endedUrls: Array<Ended> = []
    for (let seq = after + 1; seq < this.length && endedUrls.length < limit; seq++) {
      const one = isWanted(seq) ? this.endedOf(seq) : undefined
      if (one !== undefined) endedUrls.push(one)
    }
    return endedUrls
  }

  depth(seq: number): number {
    return this.#depths.get(seq)
  }

  page(seq: number): number {
    return this.#pages.get(seq)
  }

  hasMeaning(seq: number): boolean {
    return this.#meanings.has(seq)
  }

  hasTemplate(seq: number): boolean {
    return this.#templates.has(seq)
  }

  /** Undefined: it is queued, or was never asked for. */
  endedOf(seq: number): Ended | undefined {
    const state = this.state(seq)
    if (state !== "scraped" && state !== "alias" && state !== "failed") return undefined
    const from = this.#froms.get(seq)
    const page = this.#pages.get(seq)
    return {
      seq,
      url: this.url(seq),
      state,
      depth: this.#depths.get(seq),
      from: from < 0 ? null : from,
      aliasOf: this.#aliases.get(seq) ?? null,
      landed: this.#landed.get(seq) ?? null,
      canonical: this.#canonicals.get(seq) ?? null,
      content: this.#contents.get(seq) ?? null,
      meaning: this.#meanings.get(seq) ?? null,
      template: this.#templates.get(seq) ?? null,
      page: page < 0 ? null : page
    }
  }

  /** The other spellings of a URL. */
  spellings(seq: number): ReadonlyArray<string> {
    return [...(this.#spellings.get(seq) ?? [])].toSorted()
  }

  /** URLs that have other spellings, in order. */
  spelled(): ReadonlyArray<number> {
    return [...this.#spellings.keys()].toSorted((a, b) => a - b)
  }

  /** Whether a page was found under more than one URL. */
  isSpelledTwice(): (seq: number) => boolean {
    const targets = new Set(this.#aliases.values())
    const isElsewhere = (seq: number) => this.#landed.has(seq) && this.landed(seq) !== this.url(seq)
    return (seq) => isElsewhere(seq) || this.#spellings.has(seq) || targets.has(seq)
  }

  #row(seq: number): DiscoveredUrl {
    const from = this.#froms.get(seq)
    const aliasOf = this.#aliases.get(seq)
    const landed = this.#landed.get(seq)
    const url = this.url(seq)
    return {
      seq,
      key: this.#keys.get(seq, url),
      url,
      depth: this.#depths.get(seq),
      kind: kinds[this.#kinds.get(seq)] ?? "link",
      state: this.state(seq),
      ...(from < 0 ? {} : { from }),
      ...(aliasOf === undefined ? {} : { aliasOf }),
      ...(landed === undefined ? {} : { landed })
    }
  }
}

const kinds: ReadonlyArray<Kind> = ["start", "sitemap", "link", "external"]
const states: ReadonlyArray<UrlState> = ["queued", "scraped", "failed", "blocked", "alias", "left"]
