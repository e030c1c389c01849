/**
 * The index of the pages that a team's crawls, batches and scrapes have read: the newest state of each page, for 30
 * days.
 *
 * Reading a page does not index it: it waits in the store, and is indexed in the background when its job has ended, and
 * before a search. A team finds only its own pages; pages of a team with zero data retention are not indexed. The index
 * finds the pages whose words match; `bestPages` decides which of them match best, and with which passage.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Query } from "./SearchQuery.ts"
import type { StoreError } from "./StoreError.ts"

/** A matching page. */
export interface IndexedPage {
  readonly url: string
  readonly title: string
  /** The description in the metadata of the page. */
  readonly description: string
  /** The passage that matches best. */
  readonly passage: string
  readonly publishedAt: number | null
}

export interface Options {
  readonly limit: number
  /** The time of publication that pages declare must be from `since` to before `until`, in milliseconds. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  readonly newestFirst?: boolean | undefined
}

export class PageIndex extends Context.Service<
  PageIndex,
  {
    /** Indexes new pages of the team. Returns false if that took too long, and some are not indexed yet. */
    readonly catchUp: (teamId: string) => Effect.Effect<boolean, StoreError>
    /** Returns matching pages of the team, best first. */
    readonly find: (
      teamId: string,
      query: Query,
      options: Options
    ) => Effect.Effect<ReadonlyArray<IndexedPage>, StoreError>
    /** Indexes new pages of ended jobs and of scrapes, and deletes pages that are too old. */
    readonly tend: Effect.Effect<void, StoreError>
  }
>()("millrace/PageIndex") {}

/** How long after it was read a page can be found. */
export const retentionMillis = 30 * 24 * 60 * 60 * 1000
