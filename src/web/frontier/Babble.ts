/**
 * Recognises a crawl that only finds more of the same: pages of random words, each with links to further ones.
 *
 * Pages of any language repeat pairs of adjacent words of each other more often than pairs of words that stand apart. In
 * the pages of manuals, adjacent pairs are repeated by 18 to 45 points of a hundred more often; in random words, by at most 2
 * (`TextSketch`). Pages that repeat their frame, or lists of the same names, are far above that too. One page in eight
 * is looked at.
 *
 * Guarantee: the answer does not depend on the order of the pages within a level.
 */
import * as crypto from "node:crypto"
import { pairsOf } from "./TextSketch.ts"

/** How many pairs there were, and how many of them another page has. */
interface Count {
  all: number
  shared: number
}

export class Babble {
  /** The pages that must have only random words, level after level. */
  private readonly most: number
  /** The adjacent pairs of levels that have ended; those of this level; those that two pages of it have. */
  private readonly before = new NumberSet()
  private once = new NumberSet()
  private twice = new NumberSet()
  private readonly adjacent: Count = { all: 0, shared: 0 }
  /** The pairs of this level that stand apart. */
  private apart: Array<ReadonlyArray<number>> = []
  /** The adjacent pairs of this level, which join those before when it ends. */
  private level: Array<ReadonlyArray<number>> = []
  private barrenPages = 0
  private barrenLevels = 0

  /** budget: 0: never. */
  constructor(budget: number) {
    this.most = budget === 0 ? Number.POSITIVE_INFINITY : Math.max(budget, fewPages)
  }

  /** Whether the last pages, level after level, have only random words. */
  get isFound(): boolean {
    return this.barrenPages >= this.most && this.barrenLevels >= fewLevels
  }

  /** Counts a page of the level that ends. */
  take(sketch: string): void {
    const { adjacent, apart } = pairsOf(sketch)
    const own = new Set(adjacent)
    this.level.push(adjacent)
    // What the page itself says side by side shows nothing.
    this.apart.push(apart.filter((pair) => !own.has(pair)))
    for (const pair of adjacent) {
      this.adjacent.all += 1
      if (this.before.has(pair) || this.twice.has(pair)) this.adjacent.shared += 1
      else if (this.once.has(pair)) {
        this.twice.add(pair)
        this.adjacent.shared += 2
      } else this.once.add(pair)
    }
  }

  endLevel(): void {
    const pages = this.level.length
    if (pages === 0) return
    const { adjacent, before, once } = this
    const apart = { all: 0, shared: 0 }
    for (const pairs of this.apart) {
      apart.all += pairs.length
      for (const pair of pairs) if (before.has(pair) || once.has(pair)) apart.shared += 1
    }
    const isBarren = shareOf(adjacent) - shareOf(apart) < leastLift
    this.barrenPages = isBarren ? this.barrenPages + pages * oneOf : 0
    this.barrenLevels = isBarren ? this.barrenLevels + 1 : 0
    for (const pairs of this.level) for (const pair of pairs) before.add(pair)
    this.once = new NumberSet()
    this.twice = new NumberSet()
    this.level = []
    this.apart = []
    adjacent.all = 0
    adjacent.shared = 0
  }
}

/** Whether a page is looked at. */
export const isSampled = (url: URL): boolean =>
  Number.parseInt(crypto.hash("sha1", url.href).slice(0, 1), 16) % oneOf === 0

const shareOf = ({ all, shared }: Count): number => (all === 0 ? 0 : shared / all)

/** Numbers of 24 bits. Many of them take two megabytes, however many there are; a short crawl takes little. */
class NumberSet {
  private readonly few = new Set<number>()
  private bits: Uint8Array | undefined

  has(number: number): boolean {
    return this.bits === undefined ? this.few.has(number) : (((this.bits[number >> 3] ?? 0) >> (number & 7)) & 1) === 1
  }

  add(number: number): void {
    if (this.bits === undefined && this.few.size < mostFew) return void this.few.add(number)
    if (this.bits === undefined) {
      this.bits = new Uint8Array(1 << 21)
      for (const one of this.few) this.set(this.bits, one)
      this.few.clear()
    }
    this.set(this.bits, number)
  }

  private set(bits: Uint8Array, number: number): void {
    bits[number >> 3] = (bits[number >> 3] ?? 0) | (1 << (number & 7))
  }
}

const mostFew = 30_000

const oneOf = 8

/** Fewer pages do not show it, whatever the budget. */
const fewPages = 800
/** A single level may be a list. */
const fewLevels = 2
/** How much more often adjacent pairs are repeated, at least, where there is language. */
const leastLift = 0.05
