/**
 * The handlers of the team group.
 */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "#contract/Api"
import { Caller } from "#contract/Authorization"
import { CrawlStore } from "#web/CrawlStore"
import { Accounts } from "../../accounts/Accounts.ts"
import { AccountStore } from "../../store/AccountStore.ts"
import { storeFailed } from "../failures.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "team",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts
    const accountStore = yield* AccountStore
    const store = yield* CrawlStore

    const usage = Effect.gen(function* () {
      const { teamId } = yield* Caller
      return yield* accounts.usage(teamId)
    }).pipe(Effect.catchTag("StoreError", storeFailed))

    const creditUsage = Effect.map(usage, ({ plan, remaining }) => ({
      success: true as const,
      data: { remainingCredits: finite(remaining), planCredits: finite(plan), ...limitOf(plan), ...noPeriod }
    }))
    const tokenUsage = Effect.map(usage, ({ plan, remaining }) => ({
      success: true as const,
      data: {
        remainingTokens: finite(remaining * creditTokens),
        planTokens: finite(plan * creditTokens),
        ...limitOf(plan),
        ...noPeriod
      }
    }))

    const months = Effect.gen(function* () {
      const { teamId } = yield* Caller
      const used = yield* accountStore.byMonth(teamId)
      return used.map(({ month, credits }) => ({ ...boundsOf(month), credits }))
    }).pipe(Effect.catchTag("StoreError", storeFailed))

    const creditHistory = Effect.map(months, (used) => ({
      success: true as const,
      periods: used.map(({ credits, ...month }) => ({ ...month, creditsUsed: credits }))
    }))
    const tokenHistory = Effect.map(months, (used) => ({
      success: true as const,
      periods: used.map(({ credits, ...month }) => ({ ...month, tokensUsed: credits * creditTokens }))
    }))

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
      .handle("creditUsage", () => creditUsage)
      .handle("creditHistory", () => creditHistory)
      .handle("tokenUsage", () => tokenUsage)
      .handle("tokenHistory", () => tokenHistory)
      .handle("queueStatus", () => Effect.catchTag(queueStatus, "StoreError", storeFailed))
      .handle("concurrency", () => concurrency)
  })
)

/** Specification, What the service does: each credit is worth 15 tokens. */
const creditTokens = 15

/** Plans are not renewed: their credits are given once. */
const noPeriod = { billingPeriodStart: null, billingPeriodEnd: null }

const boundsOf = (month: string) => {
  const start = new Date(`${month}-01T00:00:00.000Z`)
  const end = new Date(start)
  end.setUTCMonth(start.getUTCMonth() + 1)
  return { startDate: start.toISOString(), endDate: end.toISOString() }
}

/** Public clients print these as numbers. */
const finite = (credits: number): number => (Number.isFinite(credits) ? credits : 1_000_000_000)
const limitOf = (plan: number) => (Number.isFinite(plan) ? {} : { unlimited: true })
