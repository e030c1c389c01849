/**
 * The progress of a crawl: the level that is being read, what it still waits for, and when the next one begins.
 *
 * A crawl reads level by level: the start, then the pages of sitemaps, then pages one hop away, and so on. A level
 * begins when the one before is completely read. So depth is the shortest path, and what is found does not depend on
 * which answer comes first (`Levels`).
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Semaphore from "effect/Semaphore"
import type { DiscoveredUrl } from "../CrawlUrl.ts"
import type { Backlog } from "../frontier/Backlog.ts"
import type { Line } from "../frontier/Line.ts"
import type { StartFailed } from "../PageVisit.ts"
import type { StoreError } from "../StoreError.ts"
import type { Levels } from "./Levels.ts"

interface LevelProgress {
  /** The depth of the level that is being read. */
  readonly level: () => number
  /** Queues URLs: those of this level are visited, others wait for theirs. */
  readonly enqueue: (urls: ReadonlyArray<DiscoveredUrl>) => Effect.Effect<void>
  /** Moves a URL of a later level into this one. */
  readonly bring: (url: DiscoveredUrl) => Effect.Effect<void>
  /** One URL of this level has ended. The last one ends the level. */
  readonly ended: Effect.Effect<void, StartFailed | StoreError>
  /** Every sitemap has been read. */
  readonly sitemapsRead: Effect.Effect<void, StartFailed | StoreError>
}

interface Crawl<E> {
  readonly backlog: Backlog
  readonly line: Line
  readonly levels: Levels
  /** URLs are numbered, written and queued by one fiber at a time. */
  readonly writing: Semaphore.Semaphore
  /** Whether the first level ends only when all sitemaps are read, as in a crawl that settles. */
  readonly waitsForSitemaps: boolean
  /** Whether the limit of the crawl is reached. */
  readonly isFull: () => boolean
  /** Completed when no URL is left, or the crawl is full. */
  readonly finished: Deferred.Deferred<void, E>
}

export const start = <E>({
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

  /** Begins the next level that has URLs, or ends the crawl; not before its sitemaps are read. */
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
