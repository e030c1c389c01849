/**
 * The team group of the contract, served.
 */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../api/Api.ts"
import { Caller } from "../../api/Authorization.ts"
import { Accounts } from "../Accounts.ts"
import { CrawlStore } from "../store/CrawlStore.ts"
import { storeFailed } from "./storeFailed.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "team",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts
    const store = yield* CrawlStore

    const creditUsage = Effect.gen(function* () {
      const { teamId } = yield* Caller
      const { plan, remaining } = yield* accounts.usage(teamId)
      const data = {
        remainingCredits: finite(remaining),
        planCredits: finite(plan),
        billingPeriodStart: null,
        billingPeriodEnd: null
      }
      return { success: true as const, data }
    })

    const queueStatus = Effect.gen(function* () {
      const { teamId } = yield* Caller
      const queued = yield* store.queued(teamId)
      const active = Math.min(queued, yield* accounts.inFlight(teamId))
      return {
        success: true as const,
        jobsInQueue: queued,
        activeJobsInQueue: active,
        waitingJobsInQueue: queued - active,
        maxConcurrency: accounts.of(teamId).plan.concurrency
      }
    })

    const concurrency = Effect.gen(function* () {
      const { teamId } = yield* Caller
      const maxConcurrency = accounts.of(teamId).plan.concurrency
      return { success: true as const, concurrency: yield* accounts.inFlight(teamId), maxConcurrency }
    })

    return handlers
      .handle("creditUsage", () => Effect.catchTag(creditUsage, "SqlError", storeFailed))
      .handle("queueStatus", () => Effect.catchTag(queueStatus, "SqlError", storeFailed))
      .handle("concurrency", () => concurrency)
  })
)

/** Public clients print these as numbers, so a plan without limit is the largest one there is. */
const finite = (credits: number): number => (Number.isFinite(credits) ? credits : Number.MAX_SAFE_INTEGER)
