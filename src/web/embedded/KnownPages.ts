/**
 * What the last crawl knew of its pages: how to ask whether a page has changed, and where its links lead.
 *
 * Memory holds only where each record is. A record is read when it is asked for, together with its neighbours: a crawl
 * of the same site asks for them next.
 */

import type { Segment } from "#base/Segment"
import type { KnownPage } from "../CrawlUrl.ts"

/**
 * A block: pages in the order in which they were read. The last block may instead list URLs that must be read in full.
 */
type KnownBlock = { readonly pages: ReadonlyArray<KnownPage> } | { readonly without: ReadonlyArray<string> }

interface KnownPages {
  readonly find: (url: string) => Promise<KnownPage | undefined>
}

export const encode = (block: KnownBlock): Buffer => Buffer.from(`${JSON.stringify(block)}\n`)

export const open = async (segment: Segment): Promise<KnownPages> => {
  const positionByUrl = new Map<string, readonly [block: number, at: number]>()
  const read = async (number: number): Promise<KnownBlock> => {
    const block = await segment.read(segment.places[number] ?? 0)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `encode` wrote it, and its checksum held
    return block === undefined ? { pages: [] } : (JSON.parse(block.bytes.toString("utf8")) as KnownBlock)
  }
  for (const number of segment.places.keys()) {
    const block = await read(number)
    if ("pages" in block) for (const [at, { url }] of block.pages.entries()) positionByUrl.set(url, [number, at])
    else for (const url of block.without) positionByUrl.delete(url)
  }
  /** The blocks that were read most recently, the newest at the end. */
  const recent = new Map<number, Promise<KnownBlock>>()
  return {
    find: async (url) => {
      const position = positionByUrl.get(url)
      if (position === undefined) return undefined
      const [number, at] = position
      const block = recent.get(number) ?? read(number)
      recent.delete(number)
      recent.set(number, block)
      const [oldest] = recent.keys()
      if (recent.size > mostBlocks && oldest !== undefined) recent.delete(oldest)
      const known = await block
      return "pages" in known ? known.pages[at] : undefined
    }
  }
}

const mostBlocks = 16
