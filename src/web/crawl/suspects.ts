/**
 * Suspects: pages that were being read when the process of their job ended. One of them may have ended it, by its
 * memory or by blocking it for longer than its lease; but the process may also have been killed from outside.
 *
 * Guarantee: a page is marked before it is read, so the process that continues a job knows which pages were in flight. A
 * suspect is read in quarantine, by a process that reads nothing else: if that process crashes too, the page fails and
 * the job continues. If the process is killed from outside, however often, that does not count against the page.
 */
import * as Effect from "effect/Effect"
import type { CrawlStore } from "../CrawlStore.ts"
import type { DiscoveredUrl } from "../CrawlUrl.ts"
import type { StoreError } from "../StoreError.ts"
import { Suspect } from "../Suspect.ts"

/** Marks a page before it is read, and reads a suspect as one. The store may mark pages ahead, which saves calls. */
export const start = (store: Pick<CrawlStore["Service"], "begin">, jobId: string) => {
  /** `ahead`: pages that are marked and not begun. `begun`: pages that are being read. */
  const ahead = new Set<number>()
  const begun = new Set<number>()
  const mark = (seq: number) =>
    Effect.suspend(() => {
      begun.add(seq)
      if (ahead.delete(seq)) return Effect.void
      return Effect.map(store.begin(jobId, seq), (marked) => {
        for (const one of marked) if (!begun.has(one)) ahead.add(one)
      })
    })
  return <A, E, R>(
    { isSuspect = false, seq }: DiscoveredUrl,
    read: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | StoreError, R> =>
    Effect.andThen(mark(seq), isSuspect ? Effect.provideService(read, Suspect, true) : read).pipe(
      Effect.ensuring(Effect.sync(() => void begun.delete(seq)))
    )
}
