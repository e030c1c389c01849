/**
 * The team group: the usage and the remaining credits of a team (`public-clients`, usage).
 */
import * as Schema from "effect/Schema"

const period = { billingPeriodStart: Schema.NullOr(Schema.String), billingPeriodEnd: Schema.NullOr(Schema.String) }

/** The credits of a team. A plan without limit has 2^53 - 1. */
export const CreditUsage = Schema.Struct({
  success: Schema.Literal(true),
  data: Schema.Struct({
    remainingCredits: Schema.Finite,
    planCredits: Schema.Finite,
    ...period
  })
})

/** The tokens of a team: 15 tokens are one credit (specification, What the service does). */
export const TokenUsage = Schema.Struct({
  success: Schema.Literal(true),
  data: Schema.Struct({
    remainingTokens: Schema.Finite,
    planTokens: Schema.Finite,
    ...period
  })
})

/** A calendar month in UTC, from `startDate` to before `endDate`. Lists have the oldest month first. */
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

/** The number of jobs of a team: in total, in progress, and waiting; and the maximum number of pages in flight. */
export const QueueStatus = Schema.Struct({
  success: Schema.Literal(true),
  jobsInQueue: Schema.Int,
  activeJobsInQueue: Schema.Int,
  waitingJobsInQueue: Schema.Int,
  maxConcurrency: Schema.Int
})

/** The number of pages of a team that are in flight, and their maximum. */
export const ConcurrencyCheck = Schema.Struct({
  success: Schema.Literal(true),
  concurrency: Schema.Int,
  maxConcurrency: Schema.Int
})
