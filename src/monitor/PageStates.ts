/**
 * How the pages of monitors were when they were last read, target by target. What a check says of them, and how they are
 * from then on, is written by `CheckStore`, in one transaction.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { StoreError } from "../crawler/StoreError.ts"
import * as Monitor from "./Monitor.ts"

export class PageStates extends Context.Service<
  PageStates,
  {
    /** How pages of a target were, by their key or by that of the URL that they were asked for by. */
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
    /** How many pages could be read when they were last reached, and cannot be read now. */
    readonly newlyFailed: (check: Monitor.Check, targetId: string) => Effect.Effect<number, StoreError>
    /** Forgets the unseen pages of a target without a word. */
    readonly forget: (check: Monitor.Check, targetId: string) => Effect.Effect<void, StoreError>
  }
>()("millrace/PageStates") {}
