/**
 * The theme of a host: which elements of its pages hold the text, and which stand beside it on all of them.
 *
 * What repeats over the pages of a host is furniture, and what does not is content. A theme is learned from sketches of pages, which
 * contain no text. The same sketches give the same theme, in any order.
 *
 * A theme serves hosts of documentation: there, all of one element is the text of a page. Other hosts have none.
 *
 * @example
 * const theme = Theme.learn(sketches)
 * Page.parse(input, { ...Page.defaults, theme })
 */
import { contentVersion } from "./contentVersion.ts"

/**
 * An element of a theme is known by its place: a hash of the tags, ids and classes from the root to it (`Part.place`). If places are
 * hashed otherwise, raise `contentVersion`.
 */
export interface Theme {
  /** The places of content elements. The first that stands once on a page holds its text. */
  readonly content: ReadonlyArray<number>
  /** The places of elements that are no content, even inside a content element. */
  readonly beside: ReadonlyArray<number>
  /** How many words, without those in links, most pages of a design say outside of these elements. */
  readonly around: number
  /** Whether a crawl has read pages by it: later crawls do so too, also where they do not know what the pages said before. */
  readonly isUsed?: boolean
}

/** A page as a theme sees it: its visible blocks, and the elements that hold several of them. */
export interface Sketch {
  readonly isDocumentation: boolean
  /** For each element: its place, and the number of the element around it (-1: none). */
  readonly elements: ReadonlyArray<number>
  /**
   * For each block: a hash of its text and its place, its words, its words in links, the number of its element, and 1 if it was chosen
   * as main content.
   */
  readonly blocks: ReadonlyArray<number>
}

/**
 * The version of the main content finder with this theme: an integer of 31 bits, as databases keep it. Texts of two versions are not
 * compared.
 */
export const versionWith = (theme: Theme | undefined): number => {
  if (theme === undefined) return contentVersion
  let hash = 0x811c9dc5
  for (const place of [...theme.content, 0, ...theme.beside, theme.around]) hash = Math.imul(hash ^ place, 16777619)
  return contentVersion + 1000 * (1 + ((hash >>> 0) % 2_000_000))
}

/** The theme of pages; undefined: they are too few, no documentation, or have no element in common that holds the text. */
export const learn = (sketches: ReadonlyArray<Sketch>): Theme | undefined => learnFrom(pagesOf(sketches))

/**
 * The theme after more pages. The old theme stays as long as it serves these pages well: a new one makes a crawl read every page
 * again, and hides what has changed in between.
 */
export const next = (before: Theme | undefined, sketches: ReadonlyArray<Sketch>): Theme | undefined => {
  const pages = pagesOf(sketches)
  if (before !== undefined && pages.length < fewPages) return before
  const learned = learnFrom(pages)
  if (before === undefined) return learned
  const clearlyBetter = tolerance * pages.length
  return serviceOf(before, pages) + clearlyBetter >= (learned === undefined ? 0 : serviceOf(learned, pages))
    ? before
    : learned
}

const tolerance = 0.05

const learnFrom = (pages: ReadonlyArray<Page>): Theme | undefined => {
  if (pages.length < fewPages) return undefined
  const beside = besideOf(pages)
  const content: Array<number> = []
  let uncovered = gainsOf(pages, beside)
  const candidates = candidatesOf(uncovered)
  while (content.length < mostPlaces && uncovered.length > 0) {
    const place = bestOf(uncovered, candidates)
    if (place === undefined) break
    content.push(place)
    uncovered = uncovered.filter(({ places }) => !places.has(place))
  }
  if (content.length === 0) return undefined
  const places = Array.from(beside).toSorted(ascending).slice(0, mostBeside)
  return { content, beside: places, around: aroundOf(pages, content, new Set(places)) }
}

/** Fewer pages show no theme. */
const fewPages = 8
const mostPlaces = 12
const mostBeside = 64
const ascending = (a: number, b: number): number => a - b

/**
 * The words that nine of ten pages do not exceed outside of their content element. Each content element stands for a design of pages:
 * the one with most words around it counts.
 */
const aroundOf = (pages: ReadonlyArray<Page>, content: ReadonlyArray<number>, beside: ReadonlySet<number>): number => {
  const sums = new Map<number, Array<number>>()
  for (const { blocks, elements } of pages) {
    const only = new Set(elements.flatMap(({ isOnly, place }) => (isOnly ? [place] : [])))
    const holder = content.find((place) => only.has(place))
    if (holder === undefined) continue
    const outside = blocks.filter(({ element }) => !isIn(element, beside) && !isIn(element, new Set([holder])))
    const ofHolder = sums.get(holder) ?? []
    ofHolder.push(outside.reduce((sum, { linkWords, words }) => sum + words - linkWords, 0))
    sums.set(holder, ofHolder)
  }
  return Math.max(
    0,
    ...Array.from(sums.values(), (each) => each.toSorted(ascending)[Math.floor(each.length * nearlyAll)] ?? 0)
  )
}

/** How well a theme finds the text of pages: the sum of what its content elements give. */
const serviceOf = ({ beside, content }: Theme, pages: ReadonlyArray<Page>): number =>
  gainsOf(pages, new Set(beside)).reduce((sum, { places }) => {
    const place = content.find((each) => places.has(each))
    return sum + (place === undefined ? 0 : (places.get(place)?.gain ?? 0))
  }, 0)

interface Element {
  readonly place: number
  readonly around: Element | undefined
  /** Whether no other element of the page has its place. */
  readonly isOnly: boolean
  blocks: number
  repeatedBlocks: number
  /** Words of its blocks that stand on few pages, without those in links; also of the page before and after it. */
  fresh: number
  before: number
  after: number
}

interface Block {
  readonly element: Element | undefined
  readonly words: number
  readonly linkWords: number
  /** Whether it stands on several pages. */
  readonly isRepeated: boolean
  readonly isKept: boolean
}

interface Page {
  readonly isDocumentation: boolean
  readonly elements: ReadonlyArray<Element>
  readonly blocks: ReadonlyArray<Block>
  readonly fresh: number
}

/** The different pages: the same page under two addresses repeats nothing. */
const pagesOf = (sketches: ReadonlyArray<Sketch>): ReadonlyArray<Page> => {
  const different = Array.from(new Map(sketches.map((sketch) => [sketch.blocks.join(" "), sketch])).values())
  const pagesWith = new Map<number, number>()
  for (const { blocks } of different) {
    const texts = new Set<number>()
    for (let at = 0; at < blocks.length; at += blockWidth) texts.add(blocks[at] ?? 0)
    for (const text of texts) pagesWith.set(text, (pagesWith.get(text) ?? 0) + 1)
  }
  return different.map((sketch) => pageOf(sketch, (text) => (pagesWith.get(text) ?? 0) >= several))
}

const several = 3
const elementWidth = 2
const blockWidth = 5

const pageOf = (sketch: Sketch, isRepeated: (text: number) => boolean): Page => {
  const elements = elementsOf(sketch)
  const blocks: Array<Block> = []
  const until = new Map<Element, number>()
  let fresh = 0
  for (let at = 0; at < sketch.blocks.length; at += blockWidth) {
    const [text = 0, words = 0, linkWords = 0, number = -1, kept = 0] = sketch.blocks.slice(at, at + blockWidth)
    const isKept = kept === 1
    const block: Block = { element: elements[number], words, linkWords, isRepeated: isRepeated(text), isKept }
    const own = block.isRepeated ? 0 : words - linkWords
    blocks.push(block)
    for (let element = block.element; element !== undefined; element = element.around) {
      if (element.blocks === 0) element.before = fresh
      element.blocks++
      if (block.isRepeated) element.repeatedBlocks++
      element.fresh += own
      until.set(element, fresh + own)
    }
    fresh += own
  }
  for (const [element, end] of until) element.after = fresh - end
  return { isDocumentation: sketch.isDocumentation, elements, blocks, fresh }
}

const elementsOf = ({ elements }: Sketch): ReadonlyArray<Element> => {
  const counts = new Map<number, number>()
  for (let at = 0; at < elements.length; at += elementWidth) {
    const place = elements[at] ?? 0
    counts.set(place, (counts.get(place) ?? 0) + 1)
  }
  const numbered: Array<Element> = []
  for (let at = 0; at < elements.length; at += elementWidth) {
    const place = elements[at] ?? 0
    const around = numbered[elements[at + 1] ?? -1]
    const isOnly = counts.get(place) === 1
    numbered.push({ place, around, isOnly, blocks: 0, repeatedBlocks: 0, fresh: 0, before: 0, after: 0 })
  }
  return numbered
}

/**
 * The places of elements beside the content. They stand once on most pages, before or after all that is said there; most of their
 * blocks repeat, and they say little.
 */
const besideOf = (pages: ReadonlyArray<Page>): ReadonlySet<number> => {
  const sums = new Map<
    number,
    { pages: number; edge: number; blocks: number; repeated: number; fresh: number; share: number }
  >()
  for (const { elements, fresh: all } of pages)
    for (const { after, before, blocks, fresh, isOnly, place, repeatedBlocks } of elements) {
      if (!isOnly) continue
      const sum = sums.get(place) ?? { pages: 0, edge: 0, blocks: 0, repeated: 0, fresh: 0, share: 0 }
      sum.pages++
      if (before === 0 || after === 0) sum.edge++
      sum.blocks += blocks
      sum.repeated += repeatedBlocks
      sum.fresh += fresh
      sum.share += all === 0 ? 0 : fresh / all
      sums.set(place, sum)
    }
  const isBeside = ({ blocks, edge, fresh, pages: count, repeated, share }: NonNullable<ReturnType<typeof sums.get>>) =>
    count >= pages.length * half &&
    edge >= count * nearlyAll &&
    repeated >= blocks * half &&
    fresh <= count * fewWords &&
    share <= count * smallShare
  const beside = new Set(Array.from(sums).flatMap(([place, sum]) => (isBeside(sum) ? [place] : [])))
  const inner = new Set(
    pages.flatMap(({ elements }) => elements.flatMap(({ around, place }) => (isIn(around, beside) ? [place] : [])))
  )
  return new Set(Array.from(beside).filter((place) => !inner.has(place)))
}

const half = 0.5
const nearlyAll = 0.9
const fewWords = 15
const smallShare = 0.2

/** What the places that stand once on a page would give of its text, at most 1, less the furniture that they would give. */
interface Gains {
  readonly isDocumentation: boolean
  readonly places: ReadonlyMap<number, Gain>
}

interface Gain {
  readonly gain: number
  /** How well it agrees with the choice of main content: F1 of words, from 0 to 1. */
  readonly agreement: number
  /** Whether it leaves out something that stands on several pages. */
  readonly leavesOut: boolean
}

/** The gains of pages that say something. */
const gainsOf = (pages: ReadonlyArray<Page>, beside: ReadonlySet<number>): ReadonlyArray<Gains> => {
  const linkLists = linkListsOf(pages)
  return pages.flatMap(({ blocks, isDocumentation }) => {
    const sums = new Map<Element, { gain: number; words: number; kept: number; repeated: number }>()
    let [all, kept, repeated] = [0, 0, 0]
    for (const { element: inner, isKept, isRepeated, linkWords, words } of blocks) {
      if (isKept) kept += words
      if (isRepeated) repeated++
      if (isIn(inner, beside)) continue
      const isList = inner !== undefined && linkLists.has(inner.place)
      // What was chosen as main content may repeat, such as the labels of a table, and may be links.
      const ofLinks = isKept ? 0 : -linkWords * linkLoss
      const gain = isRepeated ? (isKept ? 0 : -words) : isList ? words - linkWords + ofLinks : words
      all += Math.max(0, gain)
      for (let element = inner; element !== undefined; element = element.around) {
        const sum = sums.get(element) ?? { gain: 0, words: 0, kept: 0, repeated: 0 }
        sum.gain += gain
        sum.words += words
        if (isKept) sum.kept += words
        if (isRepeated) sum.repeated++
        sums.set(element, sum)
      }
    }
    const places = new Map<number, Gain>()
    for (const [{ isOnly, place }, sum] of sums) {
      if (!isOnly) continue
      const agreement = (2 * sum.kept) / Math.max(1, sum.words + kept)
      places.set(place, { gain: Math.max(-1, sum.gain / all), agreement, leavesOut: sum.repeated < repeated })
    }
    return all < leastWords || places.size === 0 ? [] : [{ isDocumentation, places }]
  })
}

const leastWords = 10
const linkLoss = 0.5

/** The places whose fresh blocks are links on all pages: they lead to other pages. */
const linkListsOf = (pages: ReadonlyArray<Page>): ReadonlySet<number> => {
  const sums = new Map<number, { words: number; linked: number }>()
  for (const { blocks } of pages)
    for (const { element, isRepeated, linkWords, words } of blocks) {
      if (element === undefined || isRepeated) continue
      const sum = sums.get(element.place) ?? { words: 0, linked: 0 }
      sum.words += words
      sum.linked += linkWords
      sums.set(element.place, sum)
    }
  return new Set(Array.from(sums).flatMap(([place, { linked, words }]) => (linked > words * nearlyAll ? [place] : [])))
}

const isIn = (inner: Element | undefined, places: ReadonlySet<number>): boolean => {
  for (let element = inner; element !== undefined; element = element.around) if (places.has(element.place)) return true
  return false
}

/**
 * The places that can hold the text: they stand on several pages, most of which are documentation; they leave out furniture; and they
 * agree with what is chosen without a theme on most of these pages.
 */
const candidatesOf = (pages: ReadonlyArray<Gains>): ReadonlySet<number> => {
  const sums = new Map<number, { pages: number; documentation: number; leavesOut: number; agrees: number }>()
  for (const { isDocumentation, places } of pages)
    for (const [place, { agreement, leavesOut }] of places) {
      const sum = sums.get(place) ?? { pages: 0, documentation: 0, leavesOut: 0, agrees: 0 }
      sum.pages++
      if (isDocumentation) sum.documentation++
      if (leavesOut) sum.leavesOut++
      if (agreement >= agrees) sum.agrees++
      sums.set(place, sum)
    }
  return new Set(
    Array.from(sums).flatMap(([place, sum]) => {
      const isCandidate =
        sum.pages >= several &&
        sum.documentation >= sum.pages * half &&
        sum.leavesOut >= sum.pages * nearlyAll &&
        sum.agrees >= sum.pages * most
      return isCandidate ? [place] : []
    })
  )
}

const agrees = 0.75
const most = 0.75

/** The candidate that gives most, if pages without it are read without a theme; undefined: none is better than no theme. */
const bestOf = (pages: ReadonlyArray<Gains>, candidates: ReadonlySet<number>): number | undefined => {
  const sums = new Map<number, { pages: number; gain: number; better: number }>()
  for (const { places } of pages) {
    const without = withoutTheme * Math.max(...Array.from(places.values(), ({ gain }) => gain))
    for (const [place, { gain }] of places) {
      if (!candidates.has(place)) continue
      const sum = sums.get(place) ?? { pages: 0, gain: 0, better: 0 }
      sum.pages++
      sum.gain += gain
      sum.better += gain - without
      sums.set(place, sum)
    }
  }
  let best: number | undefined
  let mostBetter = 0
  for (const [place, { better, gain, pages: count }] of sums) {
    if (gain < count * half || better < mostBetter) continue
    if (better > mostBetter || (best !== undefined && place < best)) [best, mostBetter] = [place, better]
  }
  return best
}

/** About how much of the text is right without a theme. */
const withoutTheme = 0.8

/** The themes of hosts. */
export type Themes = ReadonlyMap<string, Theme>

/** Those by which a crawl has read pages. */
export const usedOf = (themes: Themes): Themes =>
  new Map(Array.from(themes).filter(([, { isUsed }]) => isUsed === true))

/** Themes as text, for a checkpoint: at most 4,000 characters; hosts that do not fit are left out. */
export const pack = (themes: Themes): string => {
  let packed: ReadonlyArray<readonly [string, ReadonlyArray<number>, ReadonlyArray<number>, number, boolean]> = []
  for (const [host, { around, beside, content, isUsed = false }] of Array.from(themes).toSorted(([a], [b]) =>
    a < b ? -1 : 1
  )) {
    const more = [...packed, [host, content, beside, around, isUsed] as const]
    if (JSON.stringify(more).length <= maxCharacters) packed = more
  }
  return JSON.stringify(packed)
}

const maxCharacters = 4000

/** What `pack` has written; no themes, if it is something else. */
export const unpack = (packed: string): Themes => {
  const themes = new Map<string, Theme>()
  for (const entry of listIn(packed)) {
    const values: ReadonlyArray<unknown> = Array.isArray(entry) ? entry : []
    const [host, content, beside, around, isUsed] = values
    if (typeof host !== "string" || typeof around !== "number" || !isPlaces(content) || !isPlaces(beside)) continue
    themes.set(host, { content, beside, around, isUsed: isUsed === true })
  }
  return themes
}

const listIn = (text: string): ReadonlyArray<unknown> => {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

const isPlaces = (value: unknown): value is ReadonlyArray<number> =>
  Array.isArray(value) && value.every(Number.isInteger)

/** A page whose sketch shows the theme of its host. */
export interface SketchedPage {
  readonly url: string
  readonly sketch: Sketch
}

/**
 * The pages of a crawl from which themes are learned: of each host those whose URLs have the least hashes, so the order in which the
 * pages are read changes nothing, and samples can be joined.
 */
export class Sample {
  private readonly hosts = new Map<string, Array<SketchedPage & { readonly rank: number }>>()

  /** Whether a page belongs to the sample, by all pages so far. */
  wants(url: string): boolean {
    const host = hostOf(url)
    const pages = this.hosts.get(host)
    if (pages === undefined) return this.hosts.size < mostHosts || rankOf(host) < Math.max(...this.ranksOfHosts())
    return pages.length < mostPages || rankOf(url) < (pages.at(-1)?.rank ?? 0)
  }

  add({ sketch, url }: SketchedPage): void {
    if (!this.wants(url)) return
    const host = hostOf(url)
    const rank = rankOf(url)
    const others = (this.hosts.get(host) ?? []).filter((page) => page.url !== url)
    const byRank = (a: { readonly rank: number; readonly url: string }, b: typeof a) =>
      a.rank - b.rank || (a.url < b.url ? -1 : 1)
    this.hosts.set(host, [...others, { url, sketch, rank }].toSorted(byRank).slice(0, mostPages))
    if (this.hosts.size <= mostHosts) return
    const last = Math.max(...this.ranksOfHosts())
    for (const name of this.hosts.keys()) if (rankOf(name) === last) this.hosts.delete(name)
  }

  /** The themes of the next crawl. `used`: those by which this crawl has read pages. */
  themes(before: Themes, used: Themes): Themes {
    const themes = new Map(before)
    for (const [host, pages] of this.hosts) {
      const theme = next(
        before.get(host),
        pages.map(({ sketch }) => sketch)
      )
      if (theme === undefined) themes.delete(host)
      else themes.set(host, theme)
    }
    for (const [host, theme] of themes)
      if (used.has(host) && theme === before.get(host)) themes.set(host, { ...theme, isUsed: true })
    return themes
  }

  private ranksOfHosts(): ReadonlyArray<number> {
    return Array.from(this.hosts.keys(), rankOf)
  }
}

const mostPages = 128
const mostHosts = 8

export const hostOf = (url: string): string => URL.parse(url)?.host ?? ""

/** A hash that is spread evenly, from 0 to 2^32. */
const rankOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
