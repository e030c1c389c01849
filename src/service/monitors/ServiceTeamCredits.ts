/**
 * `TeamCredits` of the service: what the plan of a team has, less what all its jobs have used.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TeamCredits } from "../../monitor/TeamCredits.ts"
import { Accounts } from "../accounts/Accounts.ts"

const make = Effect.map(Accounts, ({ usage }) =>
  TeamCredits.of({ remaining: (teamId) => Effect.map(usage(teamId), ({ remaining }) => remaining) })
)

export const layer = Layer.effect(TeamCredits, make)
