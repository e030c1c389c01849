/**
 * How the pages of a crawl that has ended are told: some blocks at a time, each block once, and the pages of a window in the
 * order of their URLs. A small crawl is one window.
 */
import type { PlacedPage } from "../../embedded/PlacedPage.ts"
import type { DocumentBlock, LedgerFile } from "./LedgerFile.ts"

export interface DeliveryWindow {
  /** How many pages are told before. */
  readonly first: number
  /** How many it tells. */
  readonly count: number
  /** Made when it is told: those of all windows at once would be a second ledger in memory. */
  readonly contents: () => WindowContents
}

export interface WindowContents {
  /** The blocks that have pages of it. */
  readonly blocks: ReadonlyArray<number>
  readonly pages: ReadonlyArray<PlacedPage>
  /** URLs of pages that are as they were, and are in no block. */
  readonly unchanged: ReadonlyArray<string>
}

/** All of them, those that were told early first. At least one is left for the end, so that a crawl has one. */
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
  for (let at = 0; at < ledger.revalidated.length; at += windowUrls) {
    const some = ledger.revalidated.slice(at, at + windowUrls)
    late.push(next(some.length, () => ({ ...empty, unchanged: some.map((seq) => ledger.urls.landed(seq)) })))
  }
  return [...early, ...(late.length > 0 ? late : [next(0, () => empty)])]
}

/** What was told before the crawl had ended. */
export const earlyWindows = (file: LedgerFile): ReadonlyArray<DeliveryWindow> => {
  let first = 0
  return file.ledger.delivered.map((seqs) => {
    const window = { first, count: seqs.length, contents: () => pagesOf(file, seqs) }
    first += seqs.length
    return window
  })
}

/** How many pages windows tell. */
export const endOf = (windows: ReadonlyArray<DeliveryWindow>): number =>
  windows.reduce((sum, { count }) => sum + count, 0)

const empty: WindowContents = { blocks: [], pages: [], unchanged: [] }

const pagesOf = ({ blocks, ledger }: LedgerFile, seqs: ReadonlyArray<number>): WindowContents => {
  const places = seqs.map((seq) => {
    const placed = ledger.urls.placed(seq)
    const block = blockOf(blocks, placed.page)
    return { ...placed, block, at: placed.page - (blocks[block]?.first ?? 0) }
  })
  const used = [...new Set(places.map(({ block }) => block))].toSorted((a, b) => a - b)
  const numbers = new Map(used.map((block, number) => [block, number]))
  const pages = places.map(
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
