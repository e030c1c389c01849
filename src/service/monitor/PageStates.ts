/**
 * Reads the stored states of the pages of monitors, by target. `CheckStore` writes them, in one transaction with the findings
 * of a check.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { StoreError } from "#web/StoreError"
import * as Monitor from "./Monitor.ts"

export class PageStates extends Context.Service<
  PageStates,
  {
    /** The states of pages of a target, by their keys or by the keys of the URLs that were requested. */
    readonly states: (
      monitorId: string,
      targetId: string,
      keys: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, Monitor.State>, StoreError>
    readonly hasStates: (monitorId: string, targetId: string) => Effect.Effect<boolean, StoreError>
    /** Pages of a target that a check has not reached. */
    readonly unseen: (
      check: Monitor.Check,
      targetId: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Monitor.State>, StoreError>
    /** The number of pages that this check could not read, but the last check that reached them could. */
    readonly newlyFailed: (check: Monitor.Check, targetId: string) => Effect.Effect<number, StoreError>
    /** Removes the states of pages that a check has not reached, without reporting them. */
    readonly forget: (check: Monitor.Check, targetId: string) => Effect.Effect<void, StoreError>
  }
>()("millrace/PageStates") {}
