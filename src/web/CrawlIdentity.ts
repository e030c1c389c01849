/**
 * The part of a crawl's store that decides which URLs are one page, and writes that decision: one transaction, after
 * which the documents of the job are in their places.
 */
import * as Effect from "effect/Effect"
import type { StoreError } from "./StoreError.ts"

type Page<A> = (jobId: string, after: number, limit: number) => Effect.Effect<ReadonlyArray<A>, StoreError>

/** A URL that has ended, with its traits. */
export interface Ended {
  readonly seq: number
  readonly url: string
  readonly state: "scraped" | "alias" | "failed"
  readonly depth: number
  readonly from: number | null
  readonly aliasOf: number | null
  readonly landed: string | null
  readonly canonical: string | null
  readonly content: string | null
  readonly meaning: string | null
  readonly template: string | null
  readonly page: number | null
}

/** The final identity of a page, and the URLs that are the same page. */
export interface Decision {
  readonly seq: number
  readonly url: string
  readonly source: string
  readonly depth: number
  readonly from: number | null
  /** Pages that were read and turned out to be this one. */
  readonly merged: ReadonlyArray<number>
}

/** A queued URL that will not be read. */
export interface Dropped {
  readonly seq: number
  readonly state: "alias" | "left"
  readonly aliasOf?: number
}

export interface CrawlIdentity {
  /** Withholds the documents of a job until they are in their places. */
  readonly hold: (jobId: string) => Effect.Effect<void, StoreError>
  /** Whether hash routes are pages of this crawl, as its start page shows. */
  readonly hasRoutes: (jobId: string) => Effect.Effect<boolean, StoreError>
  readonly keepRoutes: (jobId: string) => Effect.Effect<void, StoreError>
  /** The other spellings of queued URLs. */
  readonly spellingsOfWaiting: (
    jobId: string
  ) => Effect.Effect<ReadonlyArray<{ readonly seq: number; readonly url: string; readonly other: string }>, StoreError>
  readonly respell: (jobId: string, seq: number, url: string) => Effect.Effect<void, StoreError>
  /** URLs that have ended, by number. */
  readonly ended: Page<Ended>
  /** Pages of one depth that were read and have a meaning or a template. */
  readonly traits: (
    jobId: string,
    depth: number,
    after: number,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Ended>, StoreError>
  readonly some: (jobId: string, seqs: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<Ended>, StoreError>
  readonly spellings: (jobId: string, seq: number) => Effect.Effect<ReadonlyArray<string>, StoreError>
  /** The document of a page, as JSON. */
  readonly document: (jobId: string, page: number) => Effect.Effect<unknown, StoreError>
  /**
   * The URLs of pages that may have other spellings, first those for which the crawl found one; undefined: not decided
   * yet.
   */
  readonly keptSpellings: (jobId: string) => Effect.Effect<ReadonlyArray<string> | undefined, StoreError>
  /** Whether a page was delivered before the crawl ended, and so keeps its row. Absent: no page was. */
  readonly isDelivered?: (seq: number) => boolean
  /** Index files among the pages of a job. */
  readonly indexFiles: (teamId: string, jobId: string) => Effect.Effect<ReadonlyArray<string>, StoreError>
  /** Writes all decisions, and gives every remaining page its place. */
  readonly place: (
    jobId: string,
    decisions: ReadonlyArray<Decision>,
    failed: ReadonlyArray<readonly [was: string, is: string]>
  ) => Effect.Effect<void, StoreError>
}
