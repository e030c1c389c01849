/**
 * Pages that can be delivered before their crawl ends, for a run that commits while it reads.
 *
 * Which URLs are one page is decided when the crawl has ended (`Placing`). So only a page that this decision cannot
 * change is delivered early: its URL has no query and does not name an index file, its canonical URL is not another
 * spelling of it, and no earlier crawl spelled it otherwise. `Placing` leaves delivered pages as they are. All other
 * pages are delivered at the end.
 */
import * as PageUrl from "#contract/PageUrl"
import type { LedgerFile } from "./LedgerFile.ts"

interface EarlyPages {
  /** Pages on the disk that can be delivered now, limited in bytes; undefined: there are none. */
  readonly next: () => Next | undefined
}

export interface Next {
  readonly seqs: ReadonlyArray<number>
  /** Documents with a lower number have been considered. */
  readonly before: number
  /** Whether there are enough pages for an answer. */
  readonly isFull: boolean
}

/** `spellings`: the URLs of pages of earlier crawls that may have other spellings. */
export const of = ({ blocks, ledger }: LedgerFile, spellings: Iterable<string>): EarlyPages => {
  const spelled = new Set([...spellings].flatMap((spelling) => PageUrl.normalize(spelling) ?? []).map(nameOf))

  const isCertain = (seq: number): boolean => {
    const one = ledger.urls.endedOf(seq)
    if (one === undefined || one.state !== "scraped" || one.page === null) return false
    const landed = one.landed ?? one.url
    const url = new URL(landed)
    if (url.search !== "" || url.hash !== "" || PageUrl.folderOf(url) !== undefined || spelled.has(nameOf(url))) {
      return false
    }
    return one.canonical === null || nameOf(new URL(one.canonical)) !== nameOf(url)
  }

  return {
    next: () => {
      const { deliveredBefore } = ledger
      let before = deliveredBefore
      let bytes = 0
      for (const block of blocks) {
        if (block.first < deliveredBefore) continue
        if (bytes > 0 && bytes + block.bytes > mostBytes) break
        bytes += block.bytes
        before = block.first + block.count
      }
      if (before === deliveredBefore) return undefined
      const seqs = ledger.pagesBetween(deliveredBefore, before).filter(isCertain)
      return { seqs: ledger.inOrder(seqs), before, isFull: bytes >= mostBytes / 2 }
    }
  }
}

/** The part of a URL that all URLs of one page may share. */
const nameOf = (url: URL): string => PageUrl.key(url, true)

/** The maximum size of the pages in one answer, before compression. */
const mostBytes = 8 * 1024 * 1024
