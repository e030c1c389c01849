/** Runs of a thread as the store has them, for tests of what is made of them. */
import type { AgentRequest } from "#contract/Agent"
import type { PendingApproval } from "#contract/Exchange"
import type { Run } from "#service/agent/AgentStore"

export const idOf = (turn: number) => `0190c0de-0000-7000-8000-00000000000${turn}`
export const threadId = "0190c0de-0000-7000-8000-0000000000aa"

/** A turn that has ended well, told this. */
export const turn = (turn: number, request: AgentRequest, fields: Partial<Run> = {}): Run => ({
  job: {
    id: idOf(turn),
    kind: "agent",
    teamId: "team",
    url: "",
    request: JSON.stringify(request),
    status: "completed",
    createdAt: turn * 1000,
    completedAt: turn * 1000 + 500,
    error: null,
    warning: null
  },
  threadId,
  turn,
  mode: "extract",
  resolution: null,
  result: JSON.stringify(resultWith()),
  ...fields
})

export const resultWith = (pendingApproval?: PendingApproval) => ({
  outcome: "succeeded",
  data: { lamp: "Ash" },
  sources: {},
  missing: [],
  engine: { name: "rules" },
  message: "Ash.",
  exchange: { enabled: true, onTermsRequired: "skip", paidCalls: 0, creditsUsed: null, skippedProviders: [] },
  ...(pendingApproval === undefined ? {} : { pendingApproval })
})

/** An offer of the sample provider. */
export const approval = (id: string, kind: PendingApproval["kind"]): PendingApproval => ({
  id,
  kind,
  reason: "it would help",
  calls:
    kind === "terms"
      ? []
      : [
          {
            id: `${id}-call`,
            provider: "sample-gazetteer",
            capability: "countries/lookup",
            input: { query: "x" },
            creditsEstimate: 2
          }
        ],
  terms:
    kind === "calls"
      ? []
      : [{ provider: "sample-gazetteer", name: "Sample", version: "1", digest: null, url: "https://x.invalid" }],
  resolution: null
})
