/**
 * How a turn answers the approval that an earlier turn asked for (specification, Agent terms approval).
 *
 * Terms are approved or declined as a whole, whatever `callIds` and `always` are, and an approval counts only if a person
 * has accepted the present terms. Each approval is answered once.
 */
import * as Effect from "effect/Effect"
import { BadRequest, Conflict, NotFound } from "#contract/Errors"
import type { ExchangeRequest, PendingApproval } from "#contract/Exchange"
import { Catalog } from "../Catalog.ts"
import { termsKey } from "../Provider.ts"
import * as AgentResult from "./AgentResult.ts"
import { AgentStore, type Resolution, type Run } from "./AgentStore.ts"

interface Answered {
  readonly runId: string
  readonly resolution: Omit<Resolution, "byRunId">
}

export const answer = Effect.fn("Approvals.answer")(function* (
  teamId: string,
  exchange: ExchangeRequest | undefined,
  before: ReadonlyArray<Run>
) {
  const { approve, decline } = exchange ?? {}
  if (approve == null && decline == null) return undefined
  if (approve != null && decline != null) {
    return yield* new BadRequest({ message: "exchange: approve and decline exclude each other; send one" })
  }
  const approvalId = approve?.approvalId ?? decline?.approvalId ?? ""
  const questions = before.flatMap((run) => {
    const approval = AgentResult.read(run.result)?.pendingApproval
    return approval?.id === approvalId ? [{ run, approval }] : []
  })[0]
  if (questions === undefined) {
    return yield* new NotFound({
      message: `exchange: the thread has no pending approval ${JSON.stringify(approvalId)}`
    })
  }
  if (questions.run.resolution !== null) {
    return yield* new Conflict({ message: `the approval ${approvalId} has already been answered` })
  }
  const { approval, run } = questions
  const resolution =
    approve == null
      ? { approved: false, callIds: [], always: false }
      : approval.kind === "terms"
        ? yield* approveTerms(teamId, approval)
        : {
            approved: true,
            callIds: approval.calls.map(({ id }) => id).filter((id) => approve.callIds?.includes(id) ?? true),
            always: approve.always ?? false
          }
  const answered: Answered = { runId: run.job.id, resolution }
  return answered
})

const approveTerms = Effect.fnUntraced(function* (teamId: string, { terms }: PendingApproval) {
  const store = yield* AgentStore
  const { find } = yield* Catalog
  const accepted = yield* store.accepted(teamId)
  // A provider that the operator has removed needs no terms: it is not called any more.
  const open = terms.filter(({ provider: id }) => {
    const provider = find(id)
    return provider !== undefined && !accepted.has(termsKey(provider))
  })
  if (open.length === 0) return { approved: true, callIds: [], always: false }
  return yield* new Conflict({
    message: `the terms of ${open.map(({ provider }) => provider).join(", ")} are not accepted yet: call terms/accept once a person has agreed`
  })
})
