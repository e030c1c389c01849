/**
 * The reasons for which a run stops early, and the checks for them.
 *
 * Specification, Agent run: a cancel and the credits are checked before each step; this service words the reason of a
 * failure, and an unexpected error shows no details.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { TraceError } from "#contract/Trace"
import { CrawlStore } from "#web/CrawlStore"
import { JobStore } from "#web/JobStore"
import type { AgentPlan } from "./AgentPlan.ts"
import * as finishRun from "./finishRun.ts"

/** The run stops early. */
export class Stopped extends Schema.TaggedError<Stopped>()("Stopped", {
  outcome: Schema.Literals(["cancelled", "credit_limit_reached", "failed", "refused"]),
  error: TraceError
}) {}

export const failed = (message: string): Stopped =>
  new Stopped({ outcome: "failed", error: { code: "internal", source: "agent", retryable: true, message } })

export const broken = failed("an unexpected error ended the run")

export const refused = (message: string): Stopped =>
  new Stopped({ outcome: "refused", error: { code: "refused", source: "agent", retryable: false, message } })

export const cancelled = new Stopped({ outcome: "cancelled", error: finishRun.cancelled.error })

/** The team has no credits left: the same outcome as reaching `maxCredits`. */
export const outOfCredits = new Stopped({
  outcome: "credit_limit_reached",
  error: {
    code: "credit_limit_reached",
    source: "billing",
    retryable: true,
    message: "Credit limit reached: no credits of the team remain for the next step; add credits"
  }
})

export const checkStop = Effect.fnUntraced(function* (id: string) {
  const jobs = yield* JobStore
  if (yield* jobs.isAskedToStop(id)) return yield* cancelled
})

export const checkCredits = Effect.fnUntraced(function* (id: string, plan: AgentPlan, cost: number) {
  const store = yield* CrawlStore
  const { credits } = yield* store.ledger(id)
  if (credits + cost <= plan.maxCredits) return
  const next = cost === 0 ? "" : `the next step costs ${cost}, `
  const message = `Credit limit reached: ${next}${credits} of ${plan.maxCredits} credits are spent; raise maxCredits or narrow the prompt`
  return yield* new Stopped({
    outcome: "credit_limit_reached",
    error: { code: "credit_limit_reached", source: "billing", retryable: true, message }
  })
})
