/**
 * The index of the pages that a team's crawls, batches and scrapes have read: the newest state of each page, for 30
 * days.
 *
 * Reading pages writes nothing here: what was read waits in the store and is indexed in the background when its job has
 * ended, and before a search. A team finds only its own pages; pages of a team with zero data retention are not indexed.
 * The index finds the pages whose words match; `bestPages` decides which of them answer best, and with which passage.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreError } from "../crawler/StoreError.ts"
import type { Query } from "./Query.ts"

/** A page that answers. */
export interface Found {
  readonly url: string
  readonly title: string
  /** What the page says of itself. */
  readonly description: string
  /** The passage that answers. */
  readonly passage: string
  readonly publishedAt: number | null
}

export interface Options {
  readonly limit: number
  /** Published in this time, as the page declares it, in milliseconds. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  readonly newestFirst?: boolean | undefined
}

export class PageIndex extends Context.Service<
  PageIndex,
  {
    /** Takes up what the team's jobs have read; false: there was more than a search waits for. */
    readonly catchUp: (teamId: string) => Effect.Effect<boolean, StoreError>
    /** Pages of the team that answer, best first. */
    readonly find: (teamId: string, query: Query, options: Options) => Effect.Effect<ReadonlyArray<Found>, StoreError>
    /** Takes up what jobs that have ended, and scrapes, have read, and forgets what is too old. */
    readonly tend: Effect.Effect<void, StoreError>
  }
>()("millrace/PageIndex") {}

/** Pages are found this long after they were read. */
export const retentionMillis = 30 * 24 * 60 * 60 * 1000
