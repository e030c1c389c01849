/**
 * What the service keeps of single pages: copies for requests that accept one (`maxAge`), the last state of each page
 * that is watched for changes, the result of each scrape, for a day, and the sites whose pages need a browser.
 *
 * All are limited in age and in bytes; the oldest are removed first. A page has one watched state for each team and
 * tag.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { StoreError } from "./StoreError.ts"

interface Copy {
  /** The page document and what belongs to it, as JSON text. */
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly cachedAt: number
}

/** Identifies the history of a page's state. */
export interface Watched {
  readonly teamId: string
  /** "" if there is none. */
  readonly tag: string
  readonly pageKey: string
}

export interface Snapshot {
  readonly markdown: string
  /** JSON text, if data was tracked. */
  readonly json: string | null
  /** The version of the finder that read the text; null: none did, or it was before there were versions. */
  readonly contentVersion: number | null
  readonly scrapedAt: number
}

export class ScrapeStore extends Context.Service<
  ScrapeStore,
  {
    readonly copy: (key: string) => Effect.Effect<Option.Option<Copy>, StoreError>
    readonly keep: (key: string, text: string) => Effect.Effect<void, StoreError>
    readonly snapshot: (watched: Watched) => Effect.Effect<Option.Option<Snapshot>, StoreError>
    /** Replaces the last state. */
    readonly remember: (watched: Watched, state: Omit<Snapshot, "scrapedAt">) => Effect.Effect<void, StoreError>
    /** The page document that a scrape of this team gave, as JSON text. */
    readonly result: (teamId: string, id: string) => Effect.Effect<Option.Option<string>, StoreError>
    readonly keepResult: (teamId: string, id: string, document: string) => Effect.Effect<void, StoreError>
    /** Whether a browser has shown a page of this origin, which its scripts fill. */
    readonly isRendered: (origin: string) => Effect.Effect<boolean, StoreError>
    readonly noteRendered: (origin: string) => Effect.Effect<void, StoreError>
  }
>()("millrace/ScrapeStore") {}
