/**
 * The remaining credits of a team. A check that may cost more is entered as skipped, and reads nothing.
 *
 * Implementations count everything that the team has paid for, and not only checks. Without accounts, credits are infinite.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreError } from "#web/StoreError"

export class TeamCredits extends Context.Service<
  TeamCredits,
  {
    /** The remaining credits, 0 or more. */
    readonly remaining: (teamId: string) => Effect.Effect<number, StoreError>
    /** Reserves credits of the team and runs work that takes at most these; none: fewer credits remain. */
    readonly reserving: <A, E, R>(
      teamId: string,
      credits: number,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<Option.Option<A>, E | StoreError, R>
  }
>()("millrace/TeamCredits") {}
