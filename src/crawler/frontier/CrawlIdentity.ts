/**
 * What the ledger of a crawl keeps to decide which URLs are one page, and how that decision is written down: one
 * transaction, after which the documents of the job are in their places.
 */
import * as Effect from "effect/Effect"
import type { StoreError } from "../StoreError.ts"

type Page<A> = (jobId: string, after: number, limit: number) => Effect.Effect<ReadonlyArray<A>, StoreError>

/** A URL that has ended, with what is known of it. */
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

/** What a page is in the end, and the URLs that are it too. */
export interface Decision {
  readonly seq: number
  readonly url: string
  readonly source: string
  readonly depth: number
  readonly from: number | null
  /** Pages that were read and are this one. */
  readonly merged: ReadonlyArray<number>
}

/** A URL that waits and is not asked for after all. */
export interface Dropped {
  readonly seq: number
  readonly state: "alias" | "left"
  readonly aliasOf?: number
}

export interface CrawlIdentity {
  /** Keeps the documents of a job back until they are in their places. */
  readonly hold: (jobId: string) => Effect.Effect<void, StoreError>
  /** Whether hash routes name pages of this crawl, as its start page has shown; and that they do. */
  readonly hasRoutes: (jobId: string) => Effect.Effect<boolean, StoreError>
  readonly keepRoutes: (jobId: string) => Effect.Effect<void, StoreError>
  /** The other spellings of URLs that wait. */
  readonly spellingsOfWaiting: (
    jobId: string
  ) => Effect.Effect<ReadonlyArray<{ readonly seq: number; readonly url: string; readonly other: string }>, StoreError>
  readonly respell: (jobId: string, seq: number, url: string) => Effect.Effect<void, StoreError>
  /** URLs that are done with, by their numbers. */
  readonly ended: Page<Ended>
  /** Pages of one depth that were read and that have a meaning or a template. */
  readonly traits: (
    jobId: string,
    depth: number,
    after: number,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Ended>, StoreError>
  readonly some: (jobId: string, seqs: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<Ended>, StoreError>
  readonly spellings: (jobId: string, seq: number) => Effect.Effect<ReadonlyArray<string>, StoreError>
  /** The document of a page, as JSON has it. */
  readonly document: (jobId: string, page: number) => Effect.Effect<unknown, StoreError>
  /**
   * How pages of a job are spelled that could be spelled otherwise, those first that have been found so; undefined where that
   * is not decided.
   */
  readonly keptSpellings: (jobId: string) => Effect.Effect<ReadonlyArray<string> | undefined, StoreError>
  /** Whether a page was told before the crawl had ended: it stays as it was told. Absent: none was. */
  readonly isDelivered?: (seq: number) => boolean
  /** Index files among the pages of a job. */
  readonly indexFiles: (teamId: string, jobId: string) => Effect.Effect<ReadonlyArray<string>, StoreError>
  /** Writes all decisions, and gives every page that is left its place. */
  readonly place: (
    jobId: string,
    decisions: ReadonlyArray<Decision>,
    failed: ReadonlyArray<readonly [was: string, is: string]>
  ) => Effect.Effect<void, StoreError>
}
