/**
 * Where a crawl is: the level that is being read, what it still waits for, and when the next one begins.
 *
 * A crawl goes level by level: what is as near as the start (itself, then what sitemaps name), then what is one hop away, and
 * so on. A level begins when the one before is wholly read, so that depth is the shortest path, and no answer that is quicker
 * than another makes a difference to what is found (`Levels`).
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Semaphore from "effect/Semaphore"
import type { Backlog } from "../frontier/Backlog.ts"
import type { DiscoveredUrl } from "../frontier/CrawlUrl.ts"
import type { Line } from "../frontier/Line.ts"
import type { StoreError } from "../StoreError.ts"
import type { Levels } from "./Levels.ts"

export interface LevelProgress {
  /** How many hops the level that is being read is from the start. */
  readonly level: () => number
  /** Puts URLs in line: those of this level to be visited, others to wait for theirs. */
  readonly enqueue: (urls: ReadonlyArray<DiscoveredUrl>) => Effect.Effect<void>
  /** Puts a URL of a later level into this one. */
  readonly bring: (url: DiscoveredUrl) => Effect.Effect<void>
  /** One URL of this level has ended. The last one ends the level. */
  readonly ended: Effect.Effect<void, StoreError>
  /** Every sitemap has been read. */
  readonly sitemapsRead: Effect.Effect<void, StoreError>
}

interface Crawl<E> {
  readonly backlog: Backlog
  readonly line: Line
  readonly levels: Levels
  /** Who numbers URLs, writes them down and puts them in line: one at a time. */
  readonly writing: Semaphore.Semaphore
  /** Whether sitemaps hold the first level, as in a crawl that settles. Another goes on while they are read. */
  readonly waitsForSitemaps: boolean
  /** Whether the crawl has as many pages as it may have. */
  readonly isFull: () => boolean
  /** Completed when no URL is left, or the crawl is full. */
  readonly finished: Deferred.Deferred<void, E>
}

export const make = <E>({
  backlog,
  line,
  levels,
  writing,
  waitsForSitemaps,
  isFull,
  finished
}: Crawl<E>): LevelProgress => {
  let level = 0
  let outstanding = line.waitingAt(0)
  let areSitemapsRead = false
  const isHeld = () => outstanding > 0 || (!areSitemapsRead && level === 0 && waitsForSitemaps)

  /** The next level that has something, or the end. A crawl does not end before its sitemaps are read. */
  const goOn = Effect.gen(function* () {
    while (!isHeld() && !isFull()) {
      const next = line.after(level)
      if (next === undefined && !areSitemapsRead) return
      yield* levels.end(level)
      if (line.after(level) === undefined) {
        yield* Deferred.succeed(finished, undefined)
        return
      }
      level += 1
      outstanding = line.waitingAt(level)
      if (outstanding > 0) yield* backlog.open(level, line.firstAt(level))
    }
  }).pipe(writing.withPermits(1), Effect.uninterruptible)

  const goOnWhereDone = Effect.suspend(() => {
    if (isFull()) return Effect.asVoid(Deferred.succeed(finished, undefined))
    return isHeld() ? Effect.void : goOn
  })

  return {
    level: () => level,
    enqueue: (urls) => {
      line.enter(urls)
      outstanding += urls.filter(({ depth, state }) => state === "queued" && depth <= level).length
      return backlog.offer(urls)
    },
    bring: (url) => {
      line.bring(url)
      outstanding += 1
      return backlog.bring(url)
    },
    ended: Effect.suspend(() => {
      outstanding -= 1
      return goOnWhereDone
    }),
    sitemapsRead: Effect.suspend(() => {
      areSitemapsRead = true
      return goOnWhereDone
    })
  }
}
