/**
 * The lease of a check: which process runs it.
 *
 * Implementations must keep two rules. At most one process holds a running check: first the process that entered it
 * (`MonitorStore.enter`), later a process that takes it after the holder has released it, has ended, or has given no sign for
 * a while. A process that has lost a check can write nothing more for it (`CheckStore`); otherwise its pages would be
 * reported and charged twice.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { StoreError } from "#web/StoreError"
import type { Check } from "./Monitor.ts"

export class CheckLease extends Context.Service<
  CheckLease,
  {
    /** Whether other processes may run checks of the same store. */
    readonly isShared: boolean
    /** Runs `look` and `takeUp` from time to time until the scope closes; never, if this is the only process. */
    readonly lookingAgain: (
      look: Effect.Effect<void, StoreError>,
      takeUp: Effect.Effect<void, StoreError>
    ) => Effect.Effect<void, never, Scope.Scope>
    /** Takes every running check that no process holds, and returns them, oldest first. */
    readonly take: Effect.Effect<ReadonlyArray<Check>, StoreError>
    /**
     * Renews the leases of the checks that run here, and returns those that this process has lost. It releases checks that it
     * holds and does not run.
     */
    readonly keep: (running: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, StoreError>
  }
>()("millrace/CheckLease") {}
