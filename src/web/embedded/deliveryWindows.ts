/**
 * How the pages of a crawl are divided into answers. A window has the pages of some blocks, in the order of their URLs,
 * and no block is in two windows. A small crawl is one window.
 */
import type { PlacedPage } from "#contract/PlacedPage"
import type { DocumentBlock, LedgerFile } from "./LedgerFile.ts"

export interface DeliveryWindow {
  /** How many pages the windows before it deliver. */
  readonly first: number
  /** How many pages it delivers. */
  readonly count: number
  /** Made when it is delivered: the contents of all windows together would be a second ledger in memory. */
  readonly contents: () => WindowContents
}

interface WindowContents {
  /** The blocks that hold its pages. */
  readonly blocks: ReadonlyArray<number>
  readonly pages: ReadonlyArray<PlacedPage>
  /** URLs of pages that have not changed and are in no block. */
  readonly unchanged: ReadonlyArray<string>
}

/** All windows, the early ones first. At least one is left for the end, so that every crawl has a last answer. */
export const windowsOf = (file: LedgerFile): ReadonlyArray<DeliveryWindow> => {
  const { blocks, ledger } = file
  const ranges = rangesOf(blocks)
  const windowOf = blocks.map((_, number) => ranges.findLastIndex(({ from }) => from <= number))
  const own = ranges.map((): Array<number> => [])
  for (const seq of ledger.places ?? []) own[windowOf[blockOf(blocks, ledger.urls.page(seq))] ?? 0]?.push(seq)
  const early = earlyWindows(file)
  let first = endOf(early)
  const next = (count: number, contents: DeliveryWindow["contents"]): DeliveryWindow => {
    const window = { first, count, contents }
    first += count
    return window
  }
  const late = own
    .filter((some) => some.length > 0)
    .map((some) => next(some.length, () => pagesOf(file, ledger.inOrder(some))))
  const unchanged = ledger.unchanged()
  for (let at = 0; at < unchanged.length; at += windowUrls) {
    const some = unchanged.slice(at, at + windowUrls)
    late.push(next(some.length, () => ({ ...empty, unchanged: some.map((seq) => ledger.urls.landed(seq)) })))
  }
  return [...early, ...(late.length > 0 ? late : [next(0, () => empty)])]
}

/** The windows that were delivered before the crawl ended. */
export const earlyWindows = (file: LedgerFile): ReadonlyArray<DeliveryWindow> => {
  let first = 0
  return file.ledger.delivered.map((seqs) => {
    const window = { first, count: seqs.length, contents: () => pagesOf(file, seqs) }
    first += seqs.length
    return window
  })
}

/** How many pages the windows deliver. */
export const endOf = (windows: ReadonlyArray<DeliveryWindow>): number =>
  windows.reduce((sum, { count }) => sum + count, 0)

const empty: WindowContents = { blocks: [], pages: [], unchanged: [] }

const pagesOf = ({ blocks, ledger }: LedgerFile, seqs: ReadonlyArray<number>): WindowContents => {
  const placedPages = seqs.map((seq) => {
    const placed = ledger.urls.placed(seq)
    const block = blockOf(blocks, placed.page)
    return { ...placed, block, at: placed.page - (blocks[block]?.first ?? 0) }
  })
  const used = [...new Set(placedPages.map(({ block }) => block))].toSorted((a, b) => a - b)
  const numbers = new Map(used.map((block, number) => [block, number]))
  const pages = placedPages.map(
    ({ at, block, depth, from, source, url }): PlacedPage => ({
      at: [numbers.get(block) ?? 0, at],
      url,
      ...(source === url ? {} : { source }),
      depth,
      ...(from === undefined ? {} : { from })
    })
  )
  return { blocks: used, pages, unchanged: [] }
}

/** How many unchanged URLs are in a window. */
const windowUrls = 5000

/** The maximum size of a window in memory, uncompressed. */
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

/** The block that holds this page. */
const blockOf = (blocks: ReadonlyArray<DocumentBlock>, page: number): number => {
  let [low, high] = [0, blocks.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((blocks[middle]?.first ?? 0) <= page) low = middle
    else high = middle - 1
  }
  return low
}
