/**
 * What of a run is free (specification, Limits: free runs): all of it, for the first five of a team's day, counted in
 * UTC; a run with a larger `maxCredits` than the default is always a paid one.
 */
import * as Effect from "effect/Effect"
import * as Limits from "../api/Limits.ts"
import type { Job } from "../crawler/crawl/Job.ts"
import type { AgentPlan } from "./AgentPlan.ts"
import { AgentStore } from "./AgentStore.ts"

export const freeCredits = Effect.fnUntraced(function* ({ createdAt, teamId }: Job, plan: AgentPlan, spent: number) {
  if (plan.maxCredits > Limits.defaultAgentCredits) return 0
  const agents = yield* AgentStore
  const day = 24 * 60 * 60 * 1000
  const before = yield* agents.startedBetween(teamId, Math.floor(createdAt / day) * day, createdAt)
  return before < Limits.freeAgentRuns ? spent : 0
})
