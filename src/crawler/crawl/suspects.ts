/**
 * Pages that were being read when the process of their job ended. They are suspects: one of them may have ended it, by its
 * memory or because it held the process for longer than its lease, and whoever kills processes from outside may have too.
 *
 * The law: a page is marked before it is read, so a process that goes on with a job knows what was in flight when the one
 * before ended. A suspect is read in quarantine, by a process that reads nothing else: if that one ends too, the page fails,
 * and its job goes on. However often a process is killed that reads the page, nothing counts against the page.
 */
import * as Effect from "effect/Effect"
import type { DiscoveredUrl } from "../frontier/CrawlUrl.ts"
import type { StoreError } from "../StoreError.ts"
import { Suspect } from "../scrape/Suspect.ts"
import type { CrawlStore } from "./CrawlStore.ts"

/** Reads a page of a job, as what it is. Who marks pages ahead of their reading asks the store less often. */
export const make = (store: Pick<CrawlStore["Service"], "begin">, jobId: string) => {
  /** Pages that have not begun, and are marked; and those that are being read. */
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
