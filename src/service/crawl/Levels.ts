/**
 * The levels of a crawl: how many URLs wait at each depth, and what is decided between one and the next.
 *
 * The law: what is decided here is the same whatever the order of answers was, because all that a level has is looked at, and
 * nothing of the next has begun. After a restart the levels end once more, one after the other, and decide the same.
 */
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import * as PageUrl from "../../api/PageUrl.ts"
import type { CrawlStore } from "../store/CrawlStore.ts"
import type { DiscoveredUrl } from "../store/CrawlUrl.ts"
import type { Job } from "../store/Job.ts"
import type { CrawlPlan } from "./CrawlPlan.ts"
import type * as Frontier from "./Frontier.ts"

/** How many URLs wait, by depth. */
export interface Line {
  readonly enter: (urls: ReadonlyArray<DiscoveredUrl>) => void
  /** A URL that was entered farther away. */
  readonly bring: (url: DiscoveredUrl) => void
  readonly leave: (seqs: ReadonlyArray<number>) => void
  readonly waitingAt: (depth: number) => number
  /** The least number of a URL that was entered at this depth. */
  readonly firstAt: (depth: number) => number
  /** The next depth at which something waits. */
  readonly after: (depth: number) => number | undefined
  /** Whether the start itself waits. */
  readonly isFirstWaiting: () => boolean
}

export const line = (): Line => {
  /** By number: its depth, where it waits. */
  const depths = new Map<number, number>()
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
      if (depth === undefined) continue
      depths.delete(seq)
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
    isFirstWaiting: () => depths.has(0)
  }
}

export interface Levels {
  /** What is decided when a level is wholly read, before the next begins. */
  readonly end: (level: number) => Effect.Effect<void, SqlError>
  /** What becomes of URLs that were just found. */
  readonly admitted: (found: ReadonlyArray<DiscoveredUrl>) => ReadonlyArray<DiscoveredUrl>
}

interface Parts {
  readonly job: Job
  readonly plan: CrawlPlan
  readonly frontier: Frontier.Frontier
  readonly line: Line
  readonly store: CrawlStore["Service"]
  readonly warn: (message: string) => Effect.Effect<void, SqlError>
}

export const make = ({ job, plan, store }: Parts): Levels => {
  const { settling, rules } = plan
  if (settling === undefined) return { end: () => Effect.void, admitted: (found) => found }

  const ask = asked(rules.start)
  /** Of the spellings of a URL that waits, the one that is asked for. */
  const respell = Effect.gen(function* () {
    const spellings = new Map<number, Array<string>>()
    const written = new Map<number, string>()
    for (const { other, seq, url } of yield* store.identity.spellingsOfWaiting(job.id)) {
      written.set(seq, url)
      spellings.set(seq, [...(spellings.get(seq) ?? [url]), other])
    }
    for (const [seq, all] of spellings) {
      const [best] = all.toSorted(ask)
      if (best !== undefined && best !== written.get(seq)) yield* store.identity.respell(job.id, seq, best)
    }
  })

  return { end: () => respell, admitted: (found) => found }
}

/** Which of two spellings of a URL is asked for: that of the start's own scheme and host, else the shorter, else the lesser. */
const asked =
  (start: URL) =>
  (a: string, b: string): number => {
    const home = (href: string) => (href.startsWith(`${start.origin}/`) ? 0 : 1)
    return home(a) - home(b) || PageUrl.compare(a, b)
  }
