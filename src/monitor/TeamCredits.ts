/**
 * What a team may still spend. A check that may cost more is entered as skipped, and reads nothing.
 *
 * Who implements this counts everything that the team has paid for, not checks alone; without accounts it is infinite.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreError } from "../crawler/StoreError.ts"

export class TeamCredits extends Context.Service<
  TeamCredits,
  {
    /** Credits that are left, 0 or more. */
    readonly remaining: (teamId: string) => Effect.Effect<number, StoreError>
    /** Runs work that takes at most these credits of the team; none: they do not remain. */
    readonly reserving: <A, E, R>(
      teamId: string,
      credits: number,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<Option.Option<A>, E | StoreError, R>
  }
>()("millrace/TeamCredits") {}
