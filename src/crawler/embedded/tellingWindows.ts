/**
 * How the pages of a crawl that has ended are told: some blocks at a time, each block once, and the pages of a window in the
 * order of their URLs. A small crawl is one window.
 */
import type { PlacedPage } from "../../embedded/PlacedPage.ts"
import type { DocumentBlock, LedgerFile } from "./LedgerFile.ts"

export interface TellingWindow {
  /** The blocks that have pages of it. */
  readonly blocks: ReadonlyArray<number>
  /** How many pages are told before. */
  readonly first: number
  readonly pages: ReadonlyArray<PlacedPage>
  /** URLs of pages that are as they were, and are in no block. */
  readonly unchanged: ReadonlyArray<string>
}

/** At least one, so that a crawl of no pages has an end too. */
export const windowsOf = ({ blocks, ledger }: LedgerFile): ReadonlyArray<TellingWindow> => {
  const ranges = rangesOf(blocks)
  const windowOf = blocks.map((_, number) => ranges.findLastIndex(({ from }) => from <= number))
  const own = ranges.map((): Array<{ readonly block: number; readonly at: number; readonly seq: number }> => [])
  for (const seq of ledger.places ?? []) {
    const { page } = ledger.urls.placed(seq)
    const block = blockOf(blocks, page)
    own[windowOf[block] ?? 0]?.push({ block, at: page - (blocks[block]?.first ?? 0), seq })
  }
  const windows: Array<TellingWindow> = []
  let first = 0
  for (const some of own) {
    if (some.length === 0) continue
    const used = [...new Set(some.map(({ block }) => block))].toSorted((a, b) => a - b)
    const numbers = new Map(used.map((block, number) => [block, number]))
    const pages = some.map(({ at, block, seq }): PlacedPage => {
      const { depth, from, source, url } = ledger.urls.placed(seq)
      return {
        at: [numbers.get(block) ?? 0, at],
        url,
        ...(source === url ? {} : { source }),
        depth,
        ...(from === undefined ? {} : { from })
      }
    })
    windows.push({ blocks: used, first, pages, unchanged: [] })
    first += pages.length
  }
  for (let at = 0; at < ledger.revalidated.length; at += windowUrls) {
    const unchanged = ledger.revalidated.slice(at, at + windowUrls).map((seq) => ledger.urls.landed(seq))
    windows.push({ blocks: [], first, pages: [], unchanged })
    first += unchanged.length
  }
  return windows.length === 0 ? [{ blocks: [], first: 0, pages: [], unchanged: [] }] : windows
}

/** How many URLs are told together. */
const windowUrls = 5000

/** What a window takes in memory, uncompressed. */
const windowBytes = 8 * 1024 * 1024

const rangesOf = (blocks: ReadonlyArray<DocumentBlock>) => {
  const ranges: Array<{ readonly from: number }> = []
  let bytes = Number.POSITIVE_INFINITY
  for (const [number, block] of blocks.entries()) {
    bytes += block.bytes
    if (bytes <= windowBytes) continue
    ranges.push({ from: number })
    bytes = block.bytes
  }
  return ranges
}

/** The last block that begins at the page or before. */
const blockOf = (blocks: ReadonlyArray<DocumentBlock>, page: number): number => {
  let [low, high] = [0, blocks.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((blocks[middle]?.first ?? 0) <= page) low = middle
    else high = middle - 1
  }
  return low
}
