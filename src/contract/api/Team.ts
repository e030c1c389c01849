/**
 * The team group: what a team has used, and what remains (`public-clients`, usage).
 */
import * as Schema from "effect/Schema"

const period = { billingPeriodStart: Schema.NullOr(Schema.String), billingPeriodEnd: Schema.NullOr(Schema.String) }

/** Whether the plan has no limit: then the numbers beside it are a billion, for clients that print them. Left out if not. */
const unlimited = Schema.optionalKey(Schema.Boolean)

/** The credits of a team. */
export const CreditUsage = Schema.Struct({
  success: Schema.Literal(true),
  data: Schema.Struct({
    remainingCredits: Schema.Finite,
    planCredits: Schema.Finite,
    unlimited,
    ...period
  })
})

/** The tokens of a team: 15 tokens are a credit (specification, What the service does). */
export const TokenUsage = Schema.Struct({
  success: Schema.Literal(true),
  data: Schema.Struct({
    remainingTokens: Schema.Finite,
    planTokens: Schema.Finite,
    unlimited,
    ...period
  })
})

/** Calendar months in UTC, oldest first: from `startDate` to before `endDate`. */
const month = { startDate: Schema.String, endDate: Schema.String }
/** The credits that a team used, by month. */
export const CreditHistory = Schema.Struct({
  success: Schema.Literal(true),
  periods: Schema.Array(Schema.Struct({ ...month, creditsUsed: Schema.Finite }))
})
/** The tokens that a team used, by month. */
export const TokenHistory = Schema.Struct({
  success: Schema.Literal(true),
  periods: Schema.Array(Schema.Struct({ ...month, tokensUsed: Schema.Finite }))
})

/** The queued pages of a team's jobs: all, those in flight, those that wait; and the maximum in flight. */
export const QueueStatus = Schema.Struct({
  success: Schema.Literal(true),
  jobsInQueue: Schema.Int,
  activeJobsInQueue: Schema.Int,
  waitingJobsInQueue: Schema.Int,
  maxConcurrency: Schema.Int
})

/** How many pages of a team are in flight, and the maximum. */
export const ConcurrencyCheck = Schema.Struct({
  success: Schema.Literal(true),
  concurrency: Schema.Int,
  maxConcurrency: Schema.Int
})
