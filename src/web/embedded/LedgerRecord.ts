/**
 * The records of a crawl's ledger: each is one fact. They encode to JSON.
 */
import type { Decision, Dropped } from "../CrawlIdentity.ts"
import type { Bytes, Change, DiscoveredUrl, Failure, Settlement } from "../CrawlUrl.ts"

/** How a URL ended, without its document, which is in a block. */
export interface End extends Omit<Settlement, "page" | "also" | "known"> {
  readonly page?: { readonly seq: number; readonly credits: number; readonly bytes?: Bytes | undefined }
}

/** Times are in milliseconds since the epoch. */
export type LedgerRecord =
  | { readonly _tag: "Begun"; readonly id: string; readonly at: number }
  | {
      readonly _tag: "Discovered"
      readonly urls: ReadonlyArray<DiscoveredUrl>
      readonly changes: ReadonlyArray<Change>
    }
  | { readonly _tag: "Settled"; readonly ends: ReadonlyArray<End>; readonly at: number }
  | { readonly _tag: "Dropped"; readonly dropped: ReadonlyArray<Dropped> }
  | { readonly _tag: "Failed"; readonly failures: ReadonlyArray<Failure>; readonly at: number }
  | { readonly _tag: "Routes" }
  | { readonly _tag: "Respelled"; readonly seq: number; readonly url: string }
  | {
      readonly _tag: "Placed"
      readonly decisions: ReadonlyArray<Decision>
      readonly failed: ReadonlyArray<readonly [was: string, is: string]>
    }
  /** Pages that are delivered before the crawl ends. Documents with a number below `before` have been considered. */
  | { readonly _tag: "Told"; readonly seqs: ReadonlyArray<number>; readonly before: number }
  | { readonly _tag: "Warned"; readonly warning: string }
  /** The crawl has read its last page. */
  | { readonly _tag: "Finished"; readonly at: number }
