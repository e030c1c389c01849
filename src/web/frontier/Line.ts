/**
 * How many URLs of a crawl are queued at each depth, and where in the ledger they begin.
 */
import type { DiscoveredUrl } from "../CrawlUrl.ts"
import { NumberColumn } from "./NumberColumn.ts"

export interface Line {
  readonly enter: (urls: ReadonlyArray<DiscoveredUrl>) => void
  /** A queued URL that was entered at a greater depth. */
  readonly bring: (url: DiscoveredUrl) => void
  readonly leave: (seqs: ReadonlyArray<number>) => void
  readonly waitingAt: (depth: number) => number
  /** The least number of a URL that was entered at this depth. */
  readonly firstAt: (depth: number) => number
  /** The next depth with queued URLs. */
  readonly after: (depth: number) => number | undefined
  /** Whether the start itself is queued. */
  readonly isFirstWaiting: () => boolean
}

export const create = (): Line => {
  /** By number: the depth of a queued URL, otherwise -1. */
  const depths = new NumberColumn(-1)
  const waiting = new Map<number, number>()
  const first = new Map<number, number>()
  const add = (depth: number, by: number) => {
    const count = (waiting.get(depth) ?? 0) + by
    if (count > 0) waiting.set(depth, count)
    else waiting.delete(depth)
  }
  const put = ({ depth, seq }: DiscoveredUrl) => {
    depths.set(seq, depth)
    add(depth, 1)
    first.set(depth, Math.min(first.get(depth) ?? seq, seq))
  }
  const leave = (seqs: ReadonlyArray<number>) => {
    for (const seq of seqs) {
      const depth = depths.get(seq)
      if (depth < 0) continue
      depths.set(seq, -1)
      add(depth, -1)
    }
  }
  return {
    enter: (urls) => {
      for (const url of urls) if (url.state === "queued") put(url)
    },
    bring: (url) => {
      leave([url.seq])
      put(url)
    },
    leave,
    waitingAt: (depth) => waiting.get(depth) ?? 0,
    firstAt: (depth) => first.get(depth) ?? 0,
    after: (depth) => {
      const farther = [...waiting.keys()].filter((other) => other > depth)
      return farther.length === 0 ? undefined : Math.min(...farther)
    },
    isFirstWaiting: () => depths.get(0) >= 0
  }
}
