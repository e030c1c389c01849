/**
 * The queued URLs of one crawl, level by level; within a level, in order of discovery.
 *
 * The ledger in the store holds all of them, memory only the next few hundred. URLs are offered in the order of their
 * numbers, under the same lock as the write to the ledger, so none is lost between the two. URLs that do not fit are
 * read from the ledger when their turn comes. A URL deeper than the level waits for the end of the level.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type * as Semaphore from "effect/Semaphore"
import type { DiscoveredUrl } from "../CrawlUrl.ts"
import type { StoreError } from "../StoreError.ts"

export interface Backlog {
  /** Offers URLs that were just entered in the ledger as queued. */
  readonly offer: (urls: ReadonlyArray<DiscoveredUrl>) => Effect.Effect<void>
  /** Adds a URL of the ledger that turns out to belong to this level. */
  readonly bring: (url: DiscoveredUrl) => Effect.Effect<void>
  /** Continues with the URLs of this depth, from the number `first` on. The caller holds the lock. */
  readonly open: (depth: number, first: number) => Effect.Effect<void, StoreError>
  /** The next URL; waits until there is one. */
  readonly take: Effect.Effect<DiscoveredUrl, StoreError>
  /** Returns a URL that is to be taken again. */
  readonly giveBack: (url: DiscoveredUrl) => Effect.Effect<void>
}

/** The queued URLs of the ledger with numbers greater than `after`, no deeper than `depth`, in order. */
type Waiting = (after: number, limit: number, depth: number) => Effect.Effect<ReadonlyArray<DiscoveredUrl>, StoreError>

/** Begins with what the ledger has, as after a restart. */
export const create = Effect.fnUntraced(function* (waiting: Waiting, writing: Semaphore.Semaphore) {
  const queue = yield* Queue.unbounded<DiscoveredUrl>()
  let level = 0
  /** The number of the last URL that was in memory. */
  let last = -1
  /** Whether memory has all queued URLs of the level. */
  let isWhole = false

  const push = (urls: ReadonlyArray<DiscoveredUrl>) => {
    last = urls.at(-1)?.seq ?? last
    return Effect.asVoid(Queue.offerAll(queue, urls))
  }

  /** Pushes what fits, even if it is not all, to wake up waiting takers. */
  const offer: Backlog["offer"] = (urls) =>
    Effect.suspend(() => {
      const near = urls.filter(({ depth }) => depth <= level)
      if (!isWhole || near.length === 0) return Effect.void
      const room = most - Queue.sizeUnsafe(queue)
      isWhole = near.length <= room
      return push(near.slice(0, Math.max(0, room)))
    })

  /** A URL that will still be read from the ledger is not added. */
  const bring: Backlog["bring"] = (url) =>
    Effect.suspend(() => (isWhole || url.seq <= last ? Effect.asVoid(Queue.offer(queue, url)) : Effect.void))

  const read = Effect.suspend(() =>
    Effect.flatMap(waiting(last, most, level), (urls) => {
      isWhole = urls.length < most
      return push(urls)
    })
  )

  const refill = writing.withPermits(1)(
    Effect.suspend(() => (isWhole || Queue.sizeUnsafe(queue) > 0 ? Effect.void : read))
  )

  const open: Backlog["open"] = (depth, first) =>
    Effect.suspend(() => {
      level = depth
      last = first - 1
      isWhole = false
      return read
    })

  const take: Backlog["take"] = Effect.flatMap(Queue.poll(queue), (next) => {
    if (Option.isSome(next)) return Effect.succeed(next.value)
    return isWhole ? Queue.take(queue) : Effect.andThen(refill, take)
  })

  const backlog: Backlog = { offer, bring, open, take, giveBack: (url) => Effect.asVoid(Queue.offer(queue, url)) }
  return backlog
})

/** Large enough that refills are rare. */
const most = 500
