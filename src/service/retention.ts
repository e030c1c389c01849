/**
 * Zero data retention: of which requests nothing may be kept, and what that rules out.
 *
 * The law: of a team with zero retention, and of a request that asks for it, ids, counts and credits stay; URLs, prompts
 * and content do not. What can only be done by keeping pages is refused.
 */
import * as Effect from "effect/Effect"
import { BadRequest } from "../api/Errors.ts"
import type { ScrapePlan } from "../crawler/scrape/ScrapePlan.ts"
import type { Plan } from "./accounts/Plan.ts"

interface Asking {
  readonly zeroDataRetention?: boolean | null | undefined
}

export const keepsNothing = (request: Asking, { zeroDataRetention }: Plan): boolean =>
  request.zeroDataRetention === true || zeroDataRetention === true

/** How pages are scraped of which nothing may be kept, where nothing may. */
export const retaining = (plan: ScrapePlan, isKept: boolean): Effect.Effect<ScrapePlan, BadRequest> => {
  if (isKept) return Effect.succeed(plan)
  return plan.formats.has("changeTracking")
    ? new BadRequest({
        message:
          "Bad Request: the format changeTracking keeps pages to compare them, so it is not available with zero data retention"
      })
    : Effect.succeed({ ...plan, keepsNothing: true })
}

/** Refuses a team what keeps what it reads, in the words of the specification (Agent errors). */
export const refuse = (plan: Plan, what: string): Effect.Effect<void, BadRequest> =>
  plan.zeroDataRetention === true
    ? new BadRequest({ message: `Your team has zero data retention enabled. This is not supported on ${what}.` })
    : Effect.void

/** Every operation takes the field (`public-clients`, trap 1): the caller of one that keeps what it reads gets an error. */
export const ignored = (request: Asking, what: string): ReadonlyArray<string> =>
  request.zeroDataRetention === true
    ? [`zeroDataRetention has no effect on ${what}: what is read is kept as long as the results are`]
    : []
