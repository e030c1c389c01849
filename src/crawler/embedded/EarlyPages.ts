/**
 * Pages that are told while their crawl goes on, for a run that commits before its end.
 *
 * Which URLs are one page is decided when a crawl has ended (`Placing`), so only pages are told early that no decision will
 * change: a plain URL, without a query and without the name of an index file, whose canonical URL is no other spelling of it, and
 * that no earlier crawl has spelled otherwise. What is told stays as it was told (`Placing` keeps to it), and every other
 * page is told at the end.
 */
import * as PageUrl from "../../api/PageUrl.ts"
import type { LedgerFile } from "./LedgerFile.ts"

export interface EarlyPages {
  /** Pages that are on the disk and can be told now, at most so many bytes of them; undefined: none. */
  readonly next: () => Next | undefined
}

export interface Next {
  readonly seqs: ReadonlyArray<number>
  /** Before which document all are looked at. */
  readonly before: number
  /** Whether it is enough for an answer. */
  readonly isFull: boolean
}

/** `spellings`: of pages that were loaded before, where they could be spelled otherwise. */
export const make = ({ blocks, ledger }: LedgerFile, spellings: Iterable<string>): EarlyPages => {
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

/** What all URLs of one page may have in common. */
const nameOf = (url: URL): string => PageUrl.key(url, true)

/** The most bytes of pages in one answer, before compression. */
const mostBytes = 8 * 1024 * 1024
