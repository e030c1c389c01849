/**
 * The team group: what a team has used and what it may still use (`public-clients`, usage).
 */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import * as Errors from "./Errors.ts"

const period = { billingPeriodStart: Schema.NullOr(Schema.String), billingPeriodEnd: Schema.NullOr(Schema.String) }

/** Credits. A plan without limit has 2^53 - 1. */
export const CreditUsage = Schema.Struct({
  success: Schema.Literal(true),
  data: Schema.Struct({
    remainingCredits: Schema.Finite,
    planCredits: Schema.Finite,
    ...period
  })
})

export const QueueStatus = Schema.Struct({
  success: Schema.Literal(true),
  jobsInQueue: Schema.Int,
  activeJobsInQueue: Schema.Int,
  waitingJobsInQueue: Schema.Int,
  maxConcurrency: Schema.Int
})

export const ConcurrencyCheck = Schema.Struct({
  success: Schema.Literal(true),
  concurrency: Schema.Int,
  maxConcurrency: Schema.Int
})

export class TeamGroup extends HttpApiGroup.make("team").add(
  HttpApiEndpoint.get("creditUsage", "/team/credit-usage", { success: CreditUsage, error: Errors.common }),
  HttpApiEndpoint.get("queueStatus", "/team/queue-status", { success: QueueStatus, error: Errors.common }),
  HttpApiEndpoint.get("concurrency", "/concurrency-check", { success: ConcurrencyCheck, error: Errors.common })
) {}
