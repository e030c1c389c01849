/**
 * Which process runs a check.
 *
 * Who implements this keeps two things. A check under way is held by at most one process: at first by the one that entered
 * it (`MonitorStore.enter`), later by whoever takes it after that one has let go, has ended, or has given no sign for a
 * while. A process that has lost a check can write nothing more of it (`CheckStore`); otherwise its pages would be reported
 * and paid for twice.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { StoreError } from "../crawler/StoreError.ts"
import type { Check } from "./Monitor.ts"

export class CheckLease extends Context.Service<
  CheckLease,
  {
    /** Whether other processes may run checks of the same store. */
    readonly isShared: boolean
    /** Looks now and then, until the scope closes, at what other processes may have changed, and takes up; alone: never. */
    readonly lookingAgain: (
      look: Effect.Effect<void, StoreError>,
      takeUp: Effect.Effect<void, StoreError>
    ) => Effect.Effect<void, never, Scope.Scope>
    /** Makes this process run every check under way that nobody holds, oldest first. */
    readonly take: Effect.Effect<ReadonlyArray<Check>, StoreError>
    /**
     * Of the checks that run here, those that are not this process's any more. Those that it holds and does not run it
     * lets go.
     */
    readonly keep: (running: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, StoreError>
  }
>()("millrace/CheckLease") {}
