/**
 * Starts, cancels and reads agent runs. What all jobs have in common is in `Jobs`.
 *
 * Specification, Agent run, Agent errors: `processing` ends once, as completed or failed; a cancel is a request, which
 * the run obeys at its next step; a turn of a thread starts only after the turn before has ended.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AgentRequest } from "#contract/Agent"
import {
  BadRequest,
  Conflict,
  InternalError,
  NotFound,
  type PaymentRequired,
  type Unprocessable
} from "#contract/Errors"
import type { ExchangeRequest, PendingApproval } from "#contract/Exchange"
import { isUuid, uuid7 } from "#contract/uuid7"
import { JobStore } from "#web/JobStore"
import type { StoreError } from "#web/StoreError"
import { Accounts } from "../accounts/Accounts.ts"
import * as AgentPlan from "../agent/AgentPlan.ts"
import * as AgentResult from "../agent/AgentResult.ts"
import { AgentStore, type Resolution, type Run, type Thread } from "../agent/AgentStore.ts"
import * as finishRun from "../agent/finishRun.ts"
import { traceEvent } from "../agent/Recorder.ts"
import { Catalog } from "../Catalog.ts"
import { termsKey } from "../Provider.ts"
import { ignored, refuse } from "../retention.ts"
import { Jobs } from "./Jobs.ts"
import * as JobWork from "./JobWork.ts"

export class AgentJobs extends Context.Service<
  AgentJobs,
  {
    readonly start: (
      teamId: string,
      request: AgentRequest,
      idempotencyKey?: string
    ) => Effect.Effect<
      { readonly id: string; readonly threadId: string; readonly threadTurn: number },
      BadRequest | Conflict | InternalError | NotFound | PaymentRequired | Unprocessable
    >
    readonly cancel: (teamId: string, id: string) => Effect.Effect<void, BadRequest | Conflict | NotFound | StoreError>
    readonly get: (teamId: string, id: string) => Effect.Effect<Run, BadRequest | NotFound | StoreError>
    readonly thread: (
      teamId: string,
      id: string
    ) => Effect.Effect<{ readonly thread: Thread; readonly runs: ReadonlyArray<Run> }, NotFound | StoreError>
  }
>()("millrace/service/AgentJobs") {
  static readonly layer = Layer.effect(
    AgentJobs,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const jobs = yield* Jobs
  const jobStore = yield* JobStore
  const store = yield* AgentStore
  const accounts = yield* Accounts
  const catalog = yield* Catalog

  const thread = Effect.fn("AgentJobs.thread")(function* (teamId: string, id: string) {
    const storedThread = Option.getOrUndefined(isUuid(id) ? yield* store.thread(id) : Option.none())
    if (storedThread === undefined || storedThread.teamId !== teamId)
      return yield* new NotFound({ message: "Agent thread not found" })
    return { thread: storedThread, runs: yield* store.turns(id) }
  })

  /** The turns before this one. Fails if the last of them has not ended. */
  const turnsBefore = Effect.fnUntraced(function* (teamId: string, threadId: string | null | undefined) {
    if (threadId == null) return []
    const { runs } = yield* thread(teamId, threadId)
    return runs.at(-1)?.job.status === "scraping" ? yield* underWay : runs
  })

  const start = Effect.fn("AgentJobs.start")(
    function* (teamId: string, request: AgentRequest, idempotencyKey?: string) {
      yield* refuse(accounts.of(teamId).plan, "extract")
      const before = yield* turnsBefore(teamId, request.threadId)
      const answered = yield* answerApproval(teamId, request.exchange ?? undefined, before).pipe(
        Effect.provideService(AgentStore, store),
        Effect.provideService(Catalog, catalog)
      )
      const plan = yield* AgentPlan.ofRequest(request, before)
      const isFree = (now: number) => Effect.provideService(finishRun.isFree(teamId, plan, now), AgentStore, store)
      if (!(yield* isFree(yield* Clock.currentTimeMillis))) yield* accounts.cover(teamId, 1)
      const threadId = request.threadId ?? uuid7()
      // The first turns of a long thread may have been deleted already.
      const turn = (before.at(-1)?.turn ?? 0) + 1
      const { id } = yield* jobs.begin({
        kind: "agent",
        teamId,
        url: plan.urls[0]?.href ?? "",
        request,
        work: JobWork.agentWork,
        idempotencyKey,
        webhook: request.webhook,
        isFree,
        also: (job) =>
          Effect.andThen(
            store.enter({ ...job, threadId, turn, mode: plan.mode }),
            answered === undefined
              ? Effect.void
              : store.resolve(answered.runId, { ...answered.resolution, byRunId: job.id })
          )
      })
      const [warning] = ignored(request, "agent runs")
      return { id, threadId, threadTurn: turn, ...(warning === undefined ? {} : { warning }) }
    },
    Effect.catchTag("StoreError", notStarted)
  )

  const get = Effect.fn("AgentJobs.get")(function* (teamId: string, id: string) {
    if (!isUuid(id)) {
      return yield* new BadRequest({ message: "Invalid job ID format. Job ID must be a valid UUID." })
    }
    yield* Effect.catchTag(jobs.get(teamId, id, "agent"), "NotFound", () => notFound)
    const run = yield* store.run(id)
    return Option.isSome(run) ? run.value : yield* notFound
  })

  const cancel = Effect.fn("AgentJobs.cancel")(function* (teamId: string, id: string) {
    yield* get(teamId, id)
    const outcome = yield* jobStore.askToStop(id)
    if (outcome === "ended") return yield* new Conflict({ message: "Agent already finished" })
    if (outcome === "asked before") return yield* new Conflict({ message: "Agent is already cancelled" })
    const now = yield* Clock.currentTimeMillis
    const service = { id: "service", role: "system", name: "service" } as const
    yield* store.tell(id, traceEvent(id, service, { type: "run.cancel_requested", reason: "user" }, now))
  })

  return AgentJobs.of({ start, cancel, get, thread })
})

const notStarted = (cause: StoreError): Effect.Effect<never, Conflict | InternalError> =>
  // If two turns start at once, the store accepts one.
  cause.isDuplicate === true
    ? underWay
    : Effect.andThen(Effect.logError(cause), new InternalError({ message: "Failed to passthrough agent request." }))

const underWay = new Conflict({ message: "a run of this thread has not ended: wait for its end, or cancel it" })
const notFound = new NotFound({ message: "Agent job not found" })

interface Answered {
  readonly runId: string
  readonly resolution: Omit<Resolution, "byRunId">
}

/**
 * How a turn answers the approval that an earlier turn asked for (specification, Agent terms approval).
 *
 * Terms are approved or declined as a whole, whatever `callIds` and `always` are, and an approval counts only if a person
 * has accepted the present terms. Each approval is answered once.
 */
const answerApproval = Effect.fn("AgentJobs.answerApproval")(function* (
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
