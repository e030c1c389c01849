/**
 * Converts agent runs to answers of the contract: status, list entries, threads.
 */
import * as Option from "effect/Option"
import * as Struct from "effect/Struct"
import { type AgentRequest, type AgentStatus, type AgentThread, agentModel } from "#contract/Agent"
import * as Limits from "#contract/Limits"
import type { Job } from "#web/Job"
import * as AgentPlan from "./AgentPlan.ts"
import * as AgentResult from "./AgentResult.ts"
import type { Run, Thread } from "./Thread.ts"

/** What an answer needs besides the run. */
interface Around {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** The scheme and host with which the caller reached the service. */
  readonly origin: string
}

export const statusOf = (run: Run, credits: number, { now, origin }: Around): AgentStatus => {
  const { job, mode, threadId, turn } = run
  const request = requestOf(job)
  const result = resultOf(run, origin)
  const isFailed = stateOf(job) === "failed"
  return {
    success: !isFailed,
    id: job.id,
    status: stateOf(job),
    ...(job.error === null ? {} : { error: job.error }),
    model: agentModel,
    ...(request?.effort == null ? {} : { effort: request.effort }),
    mode,
    threadId,
    threadTurn: turn,
    createdAt: new Date(job.createdAt).toISOString(),
    expiresAt: new Date((job.completedAt ?? now) + Limits.retentionMillis).toISOString(),
    creditsUsed: isFailed ? 0 : credits,
    ...(result === undefined ? { exchange: noExchange(request) } : Struct.omit(result, ["outcome"]))
  }
}

/** The result of a run, with the answer to its approval. */
const resultOf = ({ resolution, result }: Run, origin: string): AgentResult.AgentResult | undefined => {
  const read = AgentResult.read(result)
  if (read === undefined) return undefined
  const { exchange, pendingApproval: pending } = read
  const { requiresAction: action, skippedProviders: skipped } = exchange
  // Terms without a URL have a page of this service: its URL gets the host that the caller used.
  const absolute = (place: string) => URL.parse(place, origin)?.href ?? place
  const located = <A extends { readonly url: string }>(all: ReadonlyArray<A>): ReadonlyArray<A> =>
    all.map((one) => ({ ...one, url: absolute(one.url) }))
  return {
    ...read,
    exchange: {
      ...exchange,
      skippedProviders: skipped.map((one) => ({ ...one, termsUrl: absolute(one.termsUrl) })),
      ...(action === undefined ? {} : { requiresAction: { ...action, providers: located(action.providers) } })
    },
    ...(pending === undefined ? {} : { pendingApproval: { ...pending, terms: located(pending.terms), resolution } })
  }
}

const noExchange = (request: AgentRequest | undefined): AgentStatus["exchange"] => ({
  enabled: request?.exchange?.enabled ?? true,
  onTermsRequired: request?.exchange?.onTermsRequired ?? "skip",
  paidCalls: 0,
  creditsUsed: null,
  skippedProviders: []
})

export const entryOf = (job: Job) => {
  const request = requestOf(job)
  const prompt = request?.prompt ?? ""
  return {
    id: job.id,
    createdAt: new Date(job.createdAt).toISOString(),
    targetHint: (request?.urls?.[0] ?? prompt).slice(0, hintLength),
    origin: request?.origin ?? "api",
    ...(request?.integration == null ? {} : { integration: request.integration }),
    settings: { hidden: false, starred: false },
    status: stateOf(job),
    options: {
      prompt,
      ...(request?.urls == null ? {} : { urls: request.urls }),
      ...(request?.schema == null ? {} : { schema: request.schema }),
      model: agentModel,
      ...(request?.effort == null ? {} : { effort: request.effort })
    }
  }
}

const hintLength = 100

export const threadOf = (
  thread: Thread,
  runs: ReadonlyArray<Run>,
  creditsOf: (id: string) => number,
  { origin, withData }: { readonly origin: string; readonly withData: boolean }
): (typeof AgentThread.Type)["thread"] => {
  const last = runs.at(-1)?.job
  return {
    id: thread.id,
    createdAt: new Date(thread.createdAt).toISOString(),
    updatedAt: new Date(last?.completedAt ?? last?.createdAt ?? thread.createdAt).toISOString(),
    status: last?.status === "scraping" ? "running" : "idle",
    runs: runs.map((run) => turnOf(run, creditsOf(run.job.id), resultOf(run, origin), withData))
  }
}

const turnOf = (run: Run, credits: number, result: AgentResult.AgentResult | undefined, withData: boolean) => {
  const { job, mode, turn } = run
  const request = requestOf(job)
  const isOver = job.status !== "scraping"
  return {
    id: job.id,
    turn,
    mode,
    prompt: request?.prompt ?? "",
    ...(request?.urls == null ? {} : { urls: request.urls }),
    ...(request?.schema == null ? {} : { schema: request.schema }),
    ...(request?.effort == null ? {} : { effort: request.effort }),
    status: isOver ? (result?.outcome ?? "failed") : ("processing" as const),
    createdAt: new Date(job.createdAt).toISOString(),
    finishedAt: job.completedAt === null ? null : new Date(job.completedAt).toISOString(),
    creditsUsed: !isOver ? null : job.status === "completed" ? credits : 0,
    message: result?.message ?? null,
    ...(withData && result?.data !== undefined ? { data: result.data } : {}),
    suggestions: result?.suggestions ?? null,
    pendingApproval: result?.pendingApproval ?? null,
    exchange: result?.exchange ?? null
  }
}

/** The state in answers: a cancelled run is `failed` (specification, Events). */
const stateOf = ({ status }: Job): AgentStatus["status"] =>
  status === "scraping" ? "processing" : status === "completed" ? "completed" : "failed"

const requestOf = ({ request }: Job): AgentRequest | undefined => Option.getOrUndefined(AgentPlan.decode(request))
