/**
 * Which process runs a check.
 *
 * Who implements this keeps two things. A check under way is held by at most one process: at first by the one that entered
 * it (`MonitorStore.enter`), later by whoever takes it after that one has let go or has given no sign for the time of a
 * lease. A process that has lost a check can write nothing more of it (`CheckStore`); otherwise its pages would be told
 * and paid for twice.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreError } from "../crawler/StoreError.ts"
import type { Check } from "./Monitor.ts"

export class CheckLease extends Context.Service<
  CheckLease,
  {
    /** Whether other processes may run checks of the same store; where none may, nothing is renewed. */
    readonly isShared: boolean
    /** How long a check stays with a process that gives no sign, and how often a living one gives it. */
    readonly leaseMillis: number
    readonly renewMillis: number
    /** Makes this process run every check under way that nobody holds, oldest first. */
    readonly take: Effect.Effect<ReadonlyArray<Check>, StoreError>
    /** Holds these checks on; what it gives are those that still are this process's. */
    readonly renew: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, StoreError>
    /** Lets all checks go, so that another process need not wait for their leases to run out. */
    readonly release: Effect.Effect<void, StoreError>
  }
>()("millrace/CheckLease") {}
