/**
 * Zero data retention: which requests have it, and which operations it rules out.
 *
 * Guarantee: for a team with zero data retention, and for a request that asks for it, only ids, counts and credits are
 * stored; URLs, prompts and content are not. Operations that must keep pages are refused.
 */
import * as Effect from "effect/Effect"
import { BadRequest } from "#contract/Errors"
import type { ScrapePlan } from "#web/ScrapePlan"
import type { Plan } from "./AccountPlan.ts"

interface Asking {
  readonly zeroDataRetention?: boolean | null | undefined
}

export const keepsNothing = (request: Asking, { zeroDataRetention }: Plan): boolean =>
  request.zeroDataRetention === true || zeroDataRetention === true

/** The plan for scrapes; `isKept` false: one that keeps nothing. */
export const retaining = (plan: ScrapePlan, isKept: boolean): Effect.Effect<ScrapePlan, BadRequest> => {
  if (isKept) return Effect.succeed(plan)
  return plan.formats.has("changeTracking")
    ? new BadRequest({
        message:
          "Bad Request: the format changeTracking keeps pages to compare them, so it is not available with zero data retention"
      })
    : Effect.succeed({ ...plan, keepsNothing: true })
}

/** Refuses an operation that keeps pages to a team with zero data retention, in the words of the specification (Agent errors). */
export const refuse = (plan: Plan, what: string): Effect.Effect<void, BadRequest> =>
  plan.zeroDataRetention === true
    ? new BadRequest({ message: `Your team has zero data retention enabled. This is not supported on ${what}.` })
    : Effect.void

/** The warning for an operation that takes the field `zeroDataRetention` (`public-clients`, trap 1), but keeps what it reads. */
export const ignored = (request: Asking, what: string): ReadonlyArray<string> =>
  request.zeroDataRetention === true
    ? [`zeroDataRetention has no effect on ${what}: pages are kept as long as the results`]
    : []
