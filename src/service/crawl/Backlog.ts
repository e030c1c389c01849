/**
 * The URLs of one crawl that wait, first discovered first.
 *
 * The law: the ledger in the store holds all of them, memory only the next few hundred. URLs are offered in the order of
 * their numbers, under the same lock as the ledger is written, so none is between the two; what does not fit is not
 * kept, and read from the ledger when its turn comes.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type * as Semaphore from "effect/Semaphore"
import type { SqlError } from "effect/sql/SqlError"
import type { DiscoveredUrl } from "../store/CrawlUrl.ts"

export interface Backlog {
  /** URLs that were just entered in the ledger as queued. */
  readonly offer: (urls: ReadonlyArray<DiscoveredUrl>) => Effect.Effect<void>
  /** The next one; waits for it. */
  readonly take: Effect.Effect<DiscoveredUrl, SqlError>
  /** One that was taken and is to be taken once more. */
  readonly giveBack: (url: DiscoveredUrl) => Effect.Effect<void>
}

/** Queued URLs of the ledger with numbers greater than `after`, in their order. */
type Waiting = (after: number, limit: number) => Effect.Effect<ReadonlyArray<DiscoveredUrl>, SqlError>

/** Begins with what the ledger has, as after a restart. */
export const make = Effect.fnUntraced(function* (waiting: Waiting, writing: Semaphore.Semaphore) {
  const queue = yield* Queue.unbounded<DiscoveredUrl>()
  /** The number of the last URL that came into memory. */
  let last = -1
  /** Whether the ledger has no more than memory. */
  let isWhole = false

  const push = (urls: ReadonlyArray<DiscoveredUrl>) => {
    last = urls.at(-1)?.seq ?? last
    return Effect.asVoid(Queue.offerAll(queue, urls))
  }

  /** What fits is pushed even where it is not all, so that whoever waits wakes up. */
  const offer = (urls: ReadonlyArray<DiscoveredUrl>) =>
    Effect.suspend(() => {
      if (!isWhole) return Effect.void
      const room = most - Queue.sizeUnsafe(queue)
      isWhole = urls.length <= room
      return push(urls.slice(0, room))
    })

  const refill = writing.withPermits(1)(
    Effect.suspend(() =>
      isWhole || Queue.sizeUnsafe(queue) > 0
        ? Effect.void
        : Effect.flatMap(waiting(last, most), (urls) => {
            isWhole = urls.length < most
            return push(urls)
          })
    )
  )

  const take: Backlog["take"] = Effect.flatMap(Queue.poll(queue), (next) => {
    if (Option.isSome(next)) return Effect.succeed(next.value)
    return isWhole ? Queue.take(queue) : Effect.andThen(refill, take)
  })

  const backlog: Backlog = { offer, take, giveBack: (url) => Effect.asVoid(Queue.offer(queue, url)) }
  return backlog
})

/** Enough that a refill is rare. */
const most = 500
