/**
 * The URLs of a crawl, by their numbers: columns, not rows, so that a URL costs its own characters and a few numbers.
 */
import type { Ended } from "../frontier/CrawlIdentity.ts"
import {
  type Counts,
  countsOf,
  type DiscoveredUrl,
  type Kind,
  type Traits,
  type UrlState
} from "../frontier/CrawlUrl.ts"

export class UrlColumns {
  readonly counts: { -readonly [State in keyof Counts]: Counts[State] } = countsOf([])
  readonly #urls: Array<string> = []
  readonly #keys: Array<string> = []
  readonly #depths: Array<number> = []
  readonly #kinds: Array<Kind> = []
  readonly #states: Array<UrlState> = []
  /** -1: none. */
  readonly #froms: Array<number> = []
  readonly #pages: Array<number> = []
  readonly #contents: Array<string | undefined> = []
  readonly #aliases = new Map<number, number>()
  readonly #landed = new Map<number, string>()
  readonly #sources = new Map<number, string>()
  readonly #canonicals = new Map<number, string>()
  readonly #meanings = new Map<number, string>()
  readonly #templates = new Map<number, string>()
  readonly #spellings = new Map<number, Set<string>>()

  get length(): number {
    return this.#urls.length
  }

  enter({ depth, from, key, kind, seq, state, url }: DiscoveredUrl): void {
    this.#urls[seq] = url
    this.#keys[seq] = key
    this.#depths[seq] = depth
    this.#kinds[seq] = kind
    this.#states[seq] = state
    this.#froms[seq] = from ?? -1
    this.#pages[seq] = -1
    this.#contents[seq] = undefined
    this.counts[state] += 1
  }

  end(seq: number, state: UrlState, aliasOf?: number | null): void {
    const before = this.#states[seq]
    if (before !== undefined) this.counts[before] -= 1
    this.counts[state] += 1
    this.#states[seq] = state
    if (aliasOf == null) this.#aliases.delete(seq)
    else this.#aliases.set(seq, aliasOf)
  }

  /** What is known of a URL that has been visited. */
  learn(seq: number, key: string, page: number | undefined, traits: Traits = {}): void {
    this.#keys[seq] = key
    this.#pages[seq] = page ?? -1
    this.#contents[seq] = traits.content
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
    const before = this.#urls[seq]
    if (before !== undefined && before !== url) this.spell(seq, before)
    this.#urls[seq] = url
  }

  leadFrom(seq: number, from: number | null): void {
    this.#froms[seq] = from ?? -1
  }

  bring(seq: number, depth: number, kind: Kind): void {
    this.#depths[seq] = depth
    this.#kinds[seq] = kind
    this.#froms[seq] = -1
  }

  /** What a page is in the end. */
  decide(seq: number, url: string, source: string, depth: number, from: number | null): void {
    this.#landed.set(seq, url)
    this.#sources.set(seq, source)
    this.#depths[seq] = depth
    this.leadFrom(seq, from)
  }

  /** What these pages led to, others lead to. */
  replaceFroms(owners: ReadonlyMap<number, number>): void {
    if (owners.size === 0) return
    for (const [seq, from] of this.#froms.entries()) this.#froms[seq] = owners.get(from) ?? from
  }

  state(seq: number): UrlState {
    return this.#states[seq] ?? "left"
  }

  /** What was asked for. */
  url(seq: number): string {
    return this.#urls[seq] ?? ""
  }

  /** What answered. */
  landed(seq: number): string {
    return this.#landed.get(seq) ?? this.url(seq)
  }

  /** How its page is told. */
  placed(seq: number) {
    const from = this.#froms[seq] ?? -1
    return {
      page: this.#pages[seq] ?? -1,
      url: this.landed(seq),
      source: this.#sources.get(seq) ?? this.url(seq),
      depth: this.#depths[seq] ?? 0,
      from: from < 0 ? undefined : this.landed(from)
    }
  }

  /** URLs after this number that are wanted, in their order. */
  some(after: number, limit: number, isWanted: (state: UrlState, depth: number) => boolean): Array<DiscoveredUrl> {
    const found: Array<DiscoveredUrl> = []
    for (let seq = after + 1; seq < this.length && found.length < limit; seq++) {
      if (isWanted(this.state(seq), this.#depths[seq] ?? 0)) found.push(this.#row(seq))
    }
    return found
  }

  /** What is known of URLs after this number that have ended so. */
  ended(after: number, limit: number, isWanted: (one: Ended) => boolean): ReadonlyArray<Ended> {
    const found: Array<Ended> = []
    for (let seq = after + 1; seq < this.length && found.length < limit; seq++) {
      const one = this.endedOf(seq)
      if (one !== undefined && isWanted(one)) found.push(one)
    }
    return found
  }

  /** Undefined: it waits, or was never asked for. */
  endedOf(seq: number): Ended | undefined {
    const state = this.#states[seq]
    if (state !== "scraped" && state !== "alias" && state !== "failed") return undefined
    const from = this.#froms[seq] ?? -1
    const page = this.#pages[seq] ?? -1
    return {
      seq,
      url: this.url(seq),
      state,
      depth: this.#depths[seq] ?? 0,
      from: from < 0 ? null : from,
      aliasOf: this.#aliases.get(seq) ?? null,
      landed: this.#landed.get(seq) ?? null,
      canonical: this.#canonicals.get(seq) ?? null,
      content: this.#contents[seq] ?? null,
      meaning: this.#meanings.get(seq) ?? null,
      template: this.#templates.get(seq) ?? null,
      page: page < 0 ? null : page
    }
  }

  /** The other spellings of a URL. */
  spellings(seq: number): ReadonlyArray<string> {
    return [...(this.#spellings.get(seq) ?? [])].toSorted()
  }

  /** URLs that have other spellings, in their order. */
  spelled(): ReadonlyArray<number> {
    return [...this.#spellings.keys()].toSorted((a, b) => a - b)
  }

  /** Whether a page was found under more than one URL. */
  isSpelledTwice(): (seq: number) => boolean {
    const targets = new Set(this.#aliases.values())
    return (seq) => this.landed(seq) !== this.url(seq) || this.#spellings.has(seq) || targets.has(seq)
  }

  #row(seq: number): DiscoveredUrl {
    const from = this.#froms[seq] ?? -1
    const aliasOf = this.#aliases.get(seq)
    const landed = this.#landed.get(seq)
    return {
      seq,
      key: this.#keys[seq] ?? "",
      url: this.url(seq),
      depth: this.#depths[seq] ?? 0,
      kind: this.#kinds[seq] ?? "link",
      state: this.state(seq),
      ...(from < 0 ? {} : { from }),
      ...(aliasOf === undefined ? {} : { aliasOf }),
      ...(landed === undefined ? {} : { landed })
    }
  }
}
