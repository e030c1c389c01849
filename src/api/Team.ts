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

/** Tokens: 15 of them are a credit (specification, What the service does). */
export const TokenUsage = Schema.Struct({
  success: Schema.Literal(true),
  data: Schema.Struct({
    remainingTokens: Schema.Finite,
    planTokens: Schema.Finite,
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

/** Accepted from public clients. What is used is counted by team, so keys are not told apart. */
const historyQuery = { byApiKey: Schema.optional(Schema.Literals(["true", "false"])) }

/** The jobs of a team: all, those under way, those that wait, and how many pages may be in flight. */
export const QueueStatus = Schema.Struct({
  success: Schema.Literal(true),
  jobsInQueue: Schema.Int,
  activeJobsInQueue: Schema.Int,
  waitingJobsInQueue: Schema.Int,
  maxConcurrency: Schema.Int
})

/** How many pages of a team may be in flight, and how many are. */
export const ConcurrencyCheck = Schema.Struct({
  success: Schema.Literal(true),
  concurrency: Schema.Int,
  maxConcurrency: Schema.Int
})

/**
 * The endpoints of a team: credits, tokens, pages in flight, jobs that wait.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { WebData } from "millrace/client"
 * import { Embedded, ServiceConfig } from "millrace/service"
 *
 * const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
 * const usage = Effect.flatMap(WebData, ({ team }) => team.queueStatus({}))
 * console.log((await Effect.runPromise(Effect.provide(usage, service))).jobsInQueue) // 0
 * ```
 */
export class TeamGroup extends HttpApiGroup.make("team").add(
  HttpApiEndpoint.get("creditUsage", "/team/credit-usage", { success: CreditUsage, error: Errors.common }),
  HttpApiEndpoint.get("creditHistory", "/team/credit-usage/historical", {
    query: historyQuery,
    success: CreditHistory,
    error: Errors.common
  }),
  HttpApiEndpoint.get("tokenUsage", "/team/token-usage", { success: TokenUsage, error: Errors.common }),
  HttpApiEndpoint.get("tokenHistory", "/team/token-usage/historical", {
    query: historyQuery,
    success: TokenHistory,
    error: Errors.common
  }),
  HttpApiEndpoint.get("queueStatus", "/team/queue-status", { success: QueueStatus, error: Errors.common }),
  HttpApiEndpoint.get("concurrency", "/concurrency-check", { success: ConcurrencyCheck, error: Errors.common })
) {}
